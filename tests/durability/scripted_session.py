"""A whole session of annotating, act by act: the keys of each, what the screen shows of it, what the log must hold."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import orjson
from person_at_terminal import Person, Screen
from sqlalchemy import text

from store.assignments import assignments
from store.content import item_view
from store.database import Database
from store.kinds import UnitKind
from store.records import Assignment, Rater

VERIFY, RATE = "memory-verification", "response-rating"
RIGHT, BACKSPACE, ENTER, TAB = "\x1b[C", "\x7f", "\r", "\t"
MEMORY_ITEMS, RATING_ITEMS = 4, 2
"""How many items of each form one session goes through."""
RATED = "411"
"""The digits that answer the first questions about a response: how it fits, what it does with what is on record."""


@dataclass(frozen=True)
class Row:
    """A row of the log. `unit` is the name that the screen gives the part."""

    verb: str
    unit: str | None
    field: str | None
    status: str | None
    value: object
    reason: str | None


Log = Sequence[Row]


@dataclass(frozen=True)
class Step:
    """One act.

    kind     what sort of act it is
    before   keys up to the last one, with a look at what opens
    last     the key that makes the act
    seen     the screen shows that it was made
    logged   the log holds it
    """

    kind: str
    item: Assignment
    before: Callable[[Person], None]
    last: str
    seen: Callable[[Screen], bool]
    logged: Callable[[Log], bool]
    unit: str | None = None

    @property
    def name(self) -> str:
        return f"{self.item.shown_id}: {self.kind} {self.unit or ''}"


def log_of(db: Database, assignment_id: int) -> Log:
    """The log of one assignment, in order."""
    with db.read() as connection:
        view = item_view(connection, assignment_id)
        names = {unit.id: unit.shown_id for unit in (*view.units, *view.answers.made)}
        rows = connection.execute(
            text(
                "SELECT verb, unit_id, field, status, value, reason FROM decision"
                " WHERE assignment_id = :a ORDER BY id"
            ),
            {"a": assignment_id},
        )
        return [
            Row(verb, names.get(unit), field, status, None if value is None else orjson.loads(value), reason)
            for verb, unit, field, status, value, reason in rows
        ]


# ---------------------------------------------------------------- what the log holds, and what the screen shows


def was_set(unit: str | None, field: str, value: object = None, times: int = 1) -> Callable[[Log], bool]:
    """So many answers were given: to this part (None: any), with this value (None: any)."""

    def holds(log: Log) -> bool:
        found = [r for r in log if r.verb == "set" and r.field == field and (unit is None or r.unit == unit)]
        return sum(value is None or r.value == value for r in found) >= times

    return holds


def has_verb(verb: str, unit: str | None = None, reason: str = "", times: int = 1) -> Callable[[Log], bool]:
    def holds(log: Log) -> bool:
        found = [r for r in log if r.verb == verb and (unit is None or r.unit == unit)]
        return sum(reason in (r.reason or "") for r in found) >= times

    return holds


def typed(unit: str | None, words: str) -> Callable[[Log], bool]:
    """A memory was written with these words in it."""

    def holds(log: Log) -> bool:
        texts = [str(r.value) for r in log if r.field == "memory" and (unit is None or r.unit == unit)]
        return any(words in one for one in texts)

    return holds


def stands(unit: str, state: str) -> Callable[[Screen], bool]:
    return lambda screen: screen.cards.get(unit) == state


def said(pattern: str) -> Callable[[Screen], bool]:
    return lambda screen: screen.says(pattern)


def both(first: Callable[..., bool], second: Callable[..., bool]) -> Callable[..., bool]:
    return lambda seen: first(seen) and second(seen)


# ---------------------------------------------------------------- moving


def to_the(unit: str) -> Callable[[Person], None]:
    """The cursor on a memory or response."""

    def go(person: Person) -> None:
        screen = person.look()
        if screen.selected is None:
            person.escape()
            screen = person.until(lambda s: s.selected is not None, "the cursor")
        names = list(screen.cards or screen.tabs)
        if unit in names and screen.selected in names:
            step = names.index(unit) - names.index(screen.selected)
        else:
            step = 1 if screen.selected is not None and screen.selected < unit else -1
        while step:
            person.press(*(("j" if step > 0 else "k") * abs(step)))
            goal = names[names.index(screen.selected or "") + step] if unit in names else None
            before = screen.selected
            screen = person.until(
                lambda s, g=goal, b=before: s.selected == g if g else s.selected != b, f"the way to {unit}"
            )
            step = 0 if screen.selected == unit else (1 if (screen.selected or "") < unit else -1)

    return go


def after_keys(unit: str | None, *parts: str) -> Callable[[Person], None]:
    """Go to a part, then press keys. A blank: what follows must be on the screen; ">": type it, one word, which no
    line break can divide; it may be there from a draft of last time."""

    def do(person: Person) -> None:
        if unit is not None:
            to_the(unit)(person)
        for part in parts:
            if part.startswith(" "):
                person.until_says(re.escape(part[1:]))
            elif part.startswith(">"):
                if not person.look().says(re.escape(part[1:].strip())):
                    person.type(part[1:])
                    person.until_says(re.escape(part[1:].strip()))
            else:
                person.press(part)

    return do


# ---------------------------------------------------------------- the script


def session(db: Database, rater: Rater) -> tuple[Step, ...]:
    """The acts of one rater's session, in order: memories first, then ratings."""
    steps: list[Step] = []
    with db.read() as connection:
        for place, item in enumerate(assignments(connection, rater.id, VERIFY)[:MEMORY_ITEMS]):
            units = item_view(connection, item.id).units
            cards = [unit.shown_id for unit in units if unit.kind is UnitKind.MEMORY]
            plan = (_every_answer, _memories_of_ones_own, _skip_and_come_back, _plain)[place]
            steps += plan(item, cards)
        for item in assignments(connection, rater.id, RATE)[:RATING_ITEMS]:
            units = item_view(connection, item.id).units
            steps += _ratings(item, [u.shown_id for u in units if u.kind is UnitKind.RESPONSE])
    return tuple(steps)


def _all_about_the_first(item: Assignment, m1: str) -> list[Step]:
    note = "mynote"
    marked = both(said(rf"Evidence of {m1} marked"), lambda s: not s.says("takes it"))
    return [
        _keep(item, m1),
        Step("undo", item, after_keys(None), "u", said("Undone: "), has_verb("undo")),
        Step("redo", item, after_keys(None), "U", said("Done again: "), has_verb("redo")),
        Step(
            "note",
            item,
            after_keys(m1, "o", f" Note on {m1}", f">{note}"),
            ENTER,
            said(f"note: {note}"),
            has_verb("note", m1, note),
            m1,
        ),
        Step(
            "flag",
            item,
            after_keys(m1, "f", f" Flag {m1}"),
            "4",
            said("⚑ flagged"),
            has_verb("flag", m1),
            m1,
        ),
        Step(
            "evidence",
            item,
            after_keys(m1, "v", " takes it", RIGHT, RIGHT, RIGHT),
            ENTER,
            marked,
            was_set(m1, "evidence"),
            m1,
        ),
    ]


def _every_answer(item: Assignment, cards: list[str]) -> list[Step]:
    m1, m2, m3, m4, m5, *rest = cards
    words, doubt = "typedhere", "undecided"
    doubted = both(was_set(m4, "verdict", "in_doubt"), has_verb("note", m4, doubt))
    delete = after_keys(m3, "x", " Why must it go?")
    cannot = after_keys(m5, "c", " Why?")
    return [
        *_all_about_the_first(item, m1),
        Step(
            "edit",
            item,
            after_keys(
                m2, "e", " The memory as it should read", f">{words}", ENTER, " What had to be put right?"
            ),
            ENTER,
            stands(m2, "edit"),
            both(was_set(m2, "verdict", "edit"), typed(m2, words)),
            m2,
        ),
        Step("delete", item, delete, "2", stands(m3, "delete"), was_set(m3, "delete_reason"), m3),
        Step(
            "doubt",
            item,
            after_keys(m4, "d", " between which verdicts", f">{doubt}"),
            ENTER,
            both(stands(m4, "in doubt"), lambda s: not s.says("between which")),
            doubted,
            m4,
        ),
        Step(
            "cannot judge", item, cannot, "2", stands(m5, "cannot judge"), _was_left(m5, "cannot_judge"), m5
        ),
        *(_keep(item, card) for card in rest),
        *_finish(item),
    ]


def _was_left(unit: str, status: str) -> Callable[[Log], bool]:
    return lambda log: any(r.unit == unit and r.status == status for r in log)


def _memories_of_ones_own(item: Assignment, cards: list[str]) -> list[Step]:
    m1, m2, m3, *rest = cards
    words, more = "addedhere", "morebesides"
    label = ("past", " Past_Experience", ENTER)
    choices = (TAB, "1", TAB, "3", TAB, "2")
    merged = after_keys(m1, "m", f" Merge into {m1}", "1", " the one memory that stays")
    split = after_keys(
        m3, "b", f" {m3}, first part", f">{more}", ENTER, f" second part of {m3}", f">{more}again"
    )
    add = after_keys(None, "+", " a memory the list missed", f">{words}", TAB, *label, *choices)
    return [
        Step(
            "take over",
            item,
            after_keys(m1, "t", " Take over a memory"),
            ENTER,
            said("Taken over as n"),
            was_set(None, "from_candidate"),
        ),
        Step("add", item, add, ENTER, said(r"n\d added"), typed(None, words)),
        Step("merge", item, merged, ENTER, said(f"merged into {m1}"), was_set(m2, "duplicate_of")),
        Step("split", item, split, ENTER, said(f"{m3} split"), was_set(None, "split_from")),
        *(_keep(item, card) for card in rest),
        *_finish(item),
    ]


def _skip_and_come_back(item: Assignment, cards: list[str]) -> list[Step]:
    first = cards[0]
    skip = after_keys(None, "s", " Skip this item")
    again = was_set(first, "verdict", "keep", times=2)
    return [
        Step("skip", item, skip, "5", lambda s: s.item not in (None, item.shown_id), has_verb("skip")),
        Step("reopen", item, after_keys(None), "r", said("Open again"), has_verb("reopen")),
        _keep(item, first),
        Step("clear", item, to_the(first), BACKSPACE, stands(first, "open"), has_verb("clear", first), first),
        Step("keep again", item, to_the(first), "a", stands(first, "keep"), again, first),
        *(_keep(item, card) for card in cards[1:]),
        *_finish(item),
    ]


def _plain(item: Assignment, cards: list[str]) -> list[Step]:
    return [*(_keep(item, card) for card in cards), *_finish(item)]


def _keep(item: Assignment, card: str) -> Step:
    return Step("keep", item, to_the(card), "a", stands(card, "keep"), was_set(card, "verdict", "keep"), card)


def _finish(item: Assignment) -> list[Step]:
    answered = said("Everything required is answered")
    faithful = was_set(None, "faithfulToOriginalMeaning")
    return [Step("faithful", item, after_keys(None), "1", answered, faithful), _submit(item)]


def _submit(item: Assignment) -> Step:
    def left(screen: Screen) -> bool:
        return screen.item not in (None, item.shown_id) or screen.says("Everything in .* is answered")

    return Step("submit", item, after_keys(None), ENTER, left, has_verb("submit"))


def _ratings(item: Assignment, responses: list[str]) -> list[Step]:
    """The first questions about each response, which every ability has; then the item is left to others."""
    steps: list[Step] = []
    for place, name in enumerate(responses):
        for count, digit in enumerate(RATED, 1):
            in_all = place * len(RATED) + count
            steps.append(
                Step(
                    f"rate {count}",
                    item,
                    to_the(name),
                    digit,
                    lambda s, n=name, c=count: _answered(s.tabs.get(n, "")) >= c,
                    lambda log, n=in_all: sum(row.verb == "set" for row in log) >= n,
                    name,
                )
            )
        if place == 0:
            steps += [
                Step("undo", item, after_keys(None), "u", said("Undone: "), has_verb("undo")),
                Step("redo", item, after_keys(None), "U", said("Done again: "), has_verb("redo")),
            ]
    skip = after_keys(None, "s", " Skip this item")
    left = Step("skip", item, skip, "5", lambda s: s.item not in (None, item.shown_id), has_verb("skip"))
    return [*steps, left]


def _answered(tab: str) -> int:
    """How many questions a tab such as 3/9 says are answered."""
    given = tab.split("/")[0]
    return int(given) if given.isdigit() else 0
