"""The keys that read a transcript while it has the focus."""

from textual.binding import Binding, BindingType

READING_KEYS: list[BindingType] = [
    Binding("up", "rows(-1)", "Row up", show=False),
    Binding("down", "rows(1)", "Row down", show=False),
    Binding("pageup", "pages(-1)", "Page up", show=False),
    Binding("pagedown", "pages(1)", "Page down", show=False),
    Binding("home", "edge(-1)", "First turn", show=False),
    Binding("end", "edge(1)", "Last turn", show=False),
    Binding("left_curly_bracket", "user_turn(-1)", "User turn before", show=False),
    Binding("right_curly_bracket", "user_turn(1)", "User turn after", show=False),
    Binding("space", "toggle_fold", "Unfold", show=False),
]
