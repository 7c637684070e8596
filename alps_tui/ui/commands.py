"""Every action of the annotate screen in one table: its id, its keys, its words. Keys, palette, help and a
keymap file all read this table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Command:
    """Something a rater can do.

    id       stable: what a keymap file names
    keys     as `key_name` gives them: a printable sign stands for itself, others by Textual's name
    title    for help and palette; `short` for the key bar, empty if it does not stand there
    """

    id: str
    keys: tuple[str, ...]
    title: str
    group: str
    short: str = ""


COMMANDS: tuple[Command, ...] = (
    Command("next_unit", ("j", "down"), "Next memory, question or response", "Move", "next"),
    Command("previous_unit", ("k", "up"), "Previous memory, question or response", "Move"),
    Command("next_field", ("right",), "Next question", "Move"),
    Command("previous_field", ("left",), "Previous question", "Move"),
    Command("next_item", ("]",), "Next item", "Move", "next item"),
    Command("previous_item", ("[",), "Previous item", "Move"),
    Command("next_pane", ("tab",), "Next pane", "Move", "pane"),
    Command("previous_pane", ("shift+tab",), "Previous pane", "Move"),
    Command("next_user_turn", ("}",), "Next turn of the user", "Move"),
    Command("previous_user_turn", ("{",), "Previous turn of the user", "Move"),
    Command("items", (":",), "Go to an item or a turn; list of my items", "Move", "go to"),
    Command("page_down", ("pagedown",), "Dialogue: a page down", "Read"),
    Command("page_up", ("pageup",), "Dialogue: a page up", "Read"),
    Command("unfold", ("space",), "Unfold or fold the turn", "Read", "unfold"),
    Command("find", ("/",), "Find in the dialogue; from a pool: filter it", "Read", "find"),
    Command("find_next", ("n",), "Next hit", "Read"),
    Command("find_previous", ("N",), "Previous hit", "Read"),
    Command("quoting", ("h",), "From this turn to the memories that quote it", "Read", "who quotes this"),
    Command("translation", ("y",), "Show the stored translation of the turn", "Read"),
    Command("rendered", ("M",), "Show the turn with its Markdown rendered", "Read"),
    Command("zoom", ("z",), "Zoom this pane, or back", "Read", "zoom"),
    Command("evidence", ("v",), "Mark the evidence in the dialogue", "Decide", "evidence"),
    Command("cannot", ("c",), "Cannot judge this, with the reason", "Decide"),
    Command("clear", ("backspace",), "Take this answer back: unanswered again", "Decide"),
    Command("note", ("o",), "Note on this memory, response or item", "Decide", "note"),
    Command("flag", ("f",), "Flag for the lead, with the reason", "Decide"),
    Command("undo", ("u",), "Undo", "Decide", "undo"),
    Command("redo", ("U",), "Redo", "Decide"),
    Command("submit", ("enter",), "Submit the item and go on", "Item", "submit"),
    Command("skip", ("s",), "Skip the item, with the reason", "Item", "skip"),
    Command("reopen", ("r",), "Reopen a submitted or skipped item", "Item"),
    Command("guideline", ("g",), "Guideline", "Help", "guideline"),
    Command("keys", ("?",), "All keys", "Help", "keys"),
    Command("palette", ("ctrl+p",), "All actions", "Help"),
    Command("rest", ("escape",), "Back to the memories or responses; zoom off", "Move"),
    Command("back", ("q",), "Back to my queues", "Help"),
)

FORM_COMMANDS: Mapping[str, Command] = {
    command.id: command
    for command in (
        Command("add_memory", (), "Add a memory the list missed", "Decide", "add"),
        Command("take_over", (), "Take over a memory that a model extracted", "Decide", "take over"),
        Command("merge", (), "Merge this memory with another", "Decide", "merge"),
        Command("split", (), "Split this memory in two", "Decide", "split"),
        Command("show_target", (), "Show the memory the question was written for", "Read", "its memory"),
        Command("other_side", (), "The other response of the pair", "Read", "other response"),
        Command("add_intent", (), "Add what the person wants", "Decide", "add an intent"),
        Command("mark_entry", (), "Mark a memory of the pool: it would serve as well", "Decide", "as well"),
    )
}
"""What a form may offer with a key of its own; the form's file gives the key."""

REVIEW_COMMANDS: tuple[Command, ...] = (
    Command("no_partner", ("x",), "This memory has no partner: missing, or extra", "Decide", "no partner"),
    Command("pair", ("p",), "Find the memory that this one is paired with", "Decide", "find its partner"),
    Command("why", ("w",), "Say why, for the review of this memory", "Decide", "why"),
)
"""What there is beside the digits where a form has its rater review two lists."""

NAMED_KEYS = {
    "\r": "enter",
    " ": "space",
    "\t": "tab",
}


def key_name(key: str, character: str | None) -> str:
    """The name of a key in our tables: the sign it prints, else Textual's name ("enter", "ctrl+p")."""
    if character and len(character) == 1 and character.isprintable() and character != " ":
        return character
    return NAMED_KEYS.get(key, key)


def with_form_keys(form_keys: Mapping[str, str]) -> tuple[Command, ...]:
    """The table for one form: the global commands, and of the form's own those it gives a key to."""
    own = tuple(
        replace(FORM_COMMANDS[name], keys=(key,)) for name, key in form_keys.items() if name in FORM_COMMANDS
    )
    return COMMANDS + own


def remapped(commands: Iterable[Command], keymap: Mapping[str, tuple[str, ...]]) -> tuple[Command, ...]:
    """The table with a keymap's keys (id → keys) in place of ours."""
    return tuple(replace(c, keys=keymap[c.id]) if c.id in keymap else c for c in commands)


def by_key(commands: Iterable[Command]) -> dict[str, Command]:
    return {key: command for command in commands for key in command.keys}
