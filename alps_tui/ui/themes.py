"""A theme for those who need contrast: black, white and one hue, each pair at least 7 to 1."""

from textual.theme import Theme

CONTRAST = Theme(
    name="alps-contrast",
    primary="#ffd400",
    secondary="#ffffff",
    accent="#ffd400",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    boost="#262626",
    success="#ffffff",
    warning="#ffd400",
    error="#ffffff",
    dark=True,
    variables={"text-muted": "#d0d0d0", "border": "#ffffff", "border-blurred": "#a0a0a0"},
)
