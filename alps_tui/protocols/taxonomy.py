"""The vocabularies of a memory record: 34 labels in 8 groups and UNMAPPED, types, scopes, attitudes. Pure data.

Labels are those of AlpsBench's extraction prompt (arXiv 2603.26680), spelled exactly as there.
"""

from dataclasses import dataclass

UNMAPPED = "UNMAPPED"
"""The label for what no label fits; it goes with a `label_suggestion` and with nothing else."""

TYPES: tuple[str, ...] = ("direct", "indirect")
TIME_SCOPES: tuple[str, ...] = ("recent", "short_term", "long_term", "past_only", "unknown")
EMOTIONS: tuple[str, ...] = ("Positive", "Negative", "Neutral")
ATTITUDES: tuple[str, ...] = ("like", "dislike")
CONFIDENCES: tuple[float, ...] = (0.95, 0.80, 0.65, 0.50)
"""The four steps of the extraction prompt: explicit and stable; explicit; implied; weak."""


@dataclass(frozen=True, slots=True)
class Label:
    """One label: its full path and what belongs under it, in a sentence for the picker."""

    path: str
    means: str

    @property
    def group(self) -> str:
        return self.path.split("/", 1)[0]

    @property
    def name(self) -> str:
        """The path without its group."""
        return self.path.split("/", 1)[-1]


PICKER: tuple[Label, ...] = (
    Label("Personal_Background/Identity", "Who they are: name, age, gender, nationality, languages, faith."),
    Label("Personal_Background/Education", "What they study or studied, where, and their degrees."),
    Label("Personal_Background/Occupation", "Their work, role, employer or business."),
    Label("Personal_Background/Location", "Where they live, come from or are based."),
    Label("States_Experiences/Physical_State", "Health, body, illness, medication, sleep, pregnancy."),
    Label("States_Experiences/Mental_State", "Mood, stress, fear, grief: how they have been feeling."),
    Label("States_Experiences/Past_Experience", "Something they lived through or did, now over."),
    Label(
        "Possessions/Important_Items", "A thing they own that matters to them: a tool, device, instrument."
    ),
    Label("Possessions/Pet", "An animal they keep."),
    Label("Possessions/House", "A home they own or rent, and what it is like."),
    Label("Possessions/Car", "A vehicle they own or drive."),
    Label("Preferences/Food", "What they like or dislike to eat and drink; diets they choose."),
    Label("Preferences/Entertainment", "Films, series, games, fiction and fandoms they like or dislike."),
    Label("Preferences/Sports", "Sports and exercise they like or dislike, to do or to watch."),
    Label("Preferences/Reading", "Books, authors and genres they like or dislike to read."),
    Label("Preferences/Music", "Music, artists and instruments they like or dislike."),
    Label("Preferences/Travel_Mode", "How and where they like or dislike to travel."),
    Label("Preferences/Shopping", "Brands, shops, prices and styles they like or dislike to buy."),
    Label(
        "Preferences/Interaction_Preferences", "How they want to be answered: language, length, form, tone."
    ),
    Label(
        "Thoughts/Opinions/Positive", "A good opinion they hold of something that is not a taste of theirs."
    ),
    Label(
        "Thoughts/Opinions/Negative", "A bad opinion they hold of something that is not a taste of theirs."
    ),
    Label("Thoughts/Curiosity", "A subject they ask about again and again."),
    Label("Thoughts/Goals/Short_Term", "What they want to reach within weeks or a few months."),
    Label("Thoughts/Goals/Long_Term", "What they want to reach over years or in life."),
    Label("Plans/Schedule", "A dated or regular arrangement: appointments, journeys, routines."),
    Label("Plans/Commitments", "What they have promised or owe to somebody."),
    Label(
        "Social_Relationships/Family",
        "Parents, children, siblings, relatives, and how things stand with them.",
    ),
    Label("Social_Relationships/Friends", "Their friends, and how things stand with them."),
    Label("Social_Relationships/Colleagues", "People at work or school, and how things stand with them."),
    Label("Social_Relationships/Partners", "A spouse or partner, past or present."),
    Label("Social_Relationships/Adversarial", "People they are in conflict with."),
    Label(
        "Constraints_and_Boundaries/Disliked_Topics",
        "What they do not want brought up because they dislike it.",
    ),
    Label("Constraints_and_Boundaries/Sensitive_Topics", "What must be touched with care because it hurts."),
    Label("Constraints_and_Boundaries/Do_Not_Remember", "What they asked not to be kept."),
    Label(UNMAPPED, "No label fits without force; suggest one as Domain/Aspect/Detail."),
)
"""All labels in the order of the prompt, for a picker."""

LABELS: tuple[str, ...] = tuple(label.path for label in PICKER)

GROUPS: dict[str, tuple[Label, ...]] = {
    group: tuple(label for label in PICKER if label.group == group)
    for group in dict.fromkeys(label.group for label in PICKER)
}
"""Group → its labels, both in the order of the prompt; UNMAPPED is a group of its own."""


def is_preference(label: str | None) -> bool:
    """True for the labels that carry a preference attitude."""
    return label is not None and label.startswith("Preferences/")


def is_in_preference_set(label: str | None) -> bool:
    """True for the labels whose memories make up an item's preference set: tastes, and what not to touch."""
    return is_preference(label) or (label is not None and label.startswith("Constraints_and_Boundaries/"))
