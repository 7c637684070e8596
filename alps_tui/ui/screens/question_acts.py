"""What is decided about a question: its words put right, and the memory it is about, edited or another one."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field
from alps_tui.ui.memory_record import Record, empty_record, record_of
from alps_tui.ui.screens.filter_list import Entrant, FilterScreen
from alps_tui.ui.screens.memory_editor import EditorTask
from alps_tui.ui.screens.rewrite import RewriteScreen
from alps_tui.ui.shown_question import marked
from store.records import MemoryView, UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.deciding import Deciding, Desk

SWAP = "swap"
"""The verdict on a target that asks for another memory in its place."""


class QuestionActs:
    """Rewriting questions and replacing their memories, on the item on the desk. Each ends in one act of its caller."""

    def __init__(self, desk: "Desk", deciding: "Deciding") -> None:
        self._desk = desk
        self._deciding = deciding

    # ------------------------------------------------------------ the words of a question

    def rewrite(self, unit: UnitView, field: Field, then: Callable[[str], None]) -> None:
        """The question in other words, from those it has now on; `then` gets them. Unchanged decides nothing."""
        draft, sitting = f"rewrite {unit.key}", self._desk.sitting
        came = sitting.view.queries[unit.id].text
        kept = self._desk.place.drafts.get(draft)
        before = str(kept or sitting.value(unit, field.key) or came)

        def on_draft(text: str) -> None:
            self._desk.place.drafts[draft] = text
            self._desk.keep_place()

        def check(text: str) -> str | None:
            if text.strip() == came.strip():
                return "These are the words it has. Change them, or escape and keep the question."
            return rules.check_value(field, text)

        def done(text: str | None) -> None:
            if text is not None:
                then(text)
                self._deciding.forget_drafts(draft)
            elif draft in self._desk.place.drafts:
                self._desk.say("Nothing decided yet. What you typed is kept: the same key goes on with it.")

        self._desk.ask(RewriteScreen(f"{unit.shown_id}: {field.title}", before, on_draft, check=check), done)

    # ------------------------------------------------------------ the memory of a question

    def target(self, unit: UnitView, field: Field, verdict: str, then: Callable[[Record], None]) -> None:
        """The record of the memory a question is about: the target put right, or another one chosen and put right."""
        if verdict == SWAP:
            self._choose(unit, lambda chosen: self._edit_chosen(unit, field, chosen, then))
            return
        sitting, proposed = self._desk.sitting, self._deciding.proposed(unit)
        own = sitting.value(unit, field.key) if sitting.value(unit, "target_verdict") == verdict else None
        record = own if isinstance(own, dict) else proposed or empty_record(unit.shown_id)
        self._deciding.edit_record(
            f"edit {unit.key}",
            EditorTask(f"{unit.shown_id}: {field.title}", record, proposed, self._deciding.quote(unit)),
            then,
            unchanged="Nothing was changed; keep it as it is, or escape and decide otherwise.",
        )

    def _choose(self, unit: UnitView, then: Callable[[MemoryView], None]) -> None:
        """Another memory: those on record about the person first, then what of the pool was marked, then the pool."""
        entrants = [Entrant(one, one.value, (_aside(one),)) for one in self._others(unit)]
        if not entrants:
            self._desk.say("There is no other memory to choose; say in a note which one it is about.")
            return
        screen: FilterScreen[MemoryView] = FilterScreen(
            f"{unit.shown_id}: which memory is it about?", entrants, placeholder="words of the memory"
        )
        self._desk.ask(screen, lambda chosen: then(chosen) if chosen is not None else None)

    def _others(self, unit: UnitView) -> Iterator[MemoryView]:
        view = self._desk.sitting.view
        target = view.memories.get(unit.memory_id) if unit.memory_id is not None else None
        own = target.key if target else ""
        yield from (one for one in view.preferences if one.key != own)
        if view.pool is not None:
            chosen, known = marked(self._desk.sitting, unit), {own, *(one.key for one in view.preferences)}
            rest = [one for one in view.pool.entries if one.key not in known]
            yield from sorted(rest, key=lambda one: one.key not in chosen)

    def _edit_chosen(
        self, unit: UnitView, field: Field, chosen: MemoryView, then: Callable[[Record], None]
    ) -> None:
        draft, start = f"{SWAP} {unit.key} {chosen.shown_id}", record_of(chosen)
        quote = chosen.evidence[0].quote[:240] if chosen.evidence else ""
        task = EditorTask(f"{unit.shown_id}: {field.title} ({chosen.shown_id})", start, start, quote)

        def done(record: Record) -> None:
            self._deciding.forget_drafts(draft)
            then(record)

        self._deciding.edit_record(draft, task, done)


def _aside(memory: MemoryView) -> str:
    return " · ".join(part for part in (memory.shown_id, memory.label) if part)
