"""What only a rating asks: points of a fine scale, memories on record by their digit, passages of the response."""

import re
from typing import TYPE_CHECKING

from alps_tui.protocols.schema import Field
from alps_tui.ui.screens.panes import UNITS
from alps_tui.ui.screens.pick import Pickable, Picked, PickScreen
from alps_tui.ui.shown_rating import MEMORIES_BY_KEY
from store.content_records import Json
from store.records import UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

_LINE = re.compile(r"(?m)^(?=.*\S)")


class RatingActs:
    """The acts of one annotate screen on questions of these kinds. Each ends in one act of `Deciding`."""

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen
        self._marking: tuple[int, str, str] | None = None
        """While a passage is chosen: the assignment, the part and the question it is for."""

    # ------------------------------------------------------------ keys of the question in focus

    def takes_sign(self, key: str) -> bool:
        """A sign that is no digit and stands for a point of the scale in focus: it is pressed like a digit."""
        asked = self._screen.question
        return asked is not None and asked[1].kind == "scale" and asked[1].option_for(key) is not None

    def digit(self, unit: UnitView, question: Field, key: str) -> bool:
        """Set or take away a memory, or take a passage away; False if the question is another one or the key its own."""
        beside = question.not_applicable
        if question.kind not in ("entries", "span") or (beside is not None and beside.key == key):
            return False
        if question.kind == "entries":
            self._memory(unit, question, int(key))
        else:
            self._passage_away(unit, question, int(key))
        return True

    def _memory(self, unit: UnitView, question: Field, place: int) -> None:
        known = self._screen.sitting.view.preferences[:MEMORIES_BY_KEY]
        if not 1 <= place <= len(known):
            self._screen.say(f"There is no p{place} on record.")
            return
        now, chosen = self._listed(unit, question), known[place - 1].key
        kept = [one for one in now if one != chosen]
        self._screen.deciding.set_list(unit, question, kept if len(kept) < len(now) else [*now, chosen])

    def _passage_away(self, unit: UnitView, question: Field, place: int) -> None:
        now = self._listed(unit, question)
        if not 1 <= place <= len(now):
            self._screen.say(f"There is no passage {place}; {self._screen.acting.key('evidence')} marks one.")
            return
        self._screen.deciding.set_list(unit, question, [*now[: place - 1], *now[place:]])
        self._screen.say(f"Taken away; {self._screen.acting.key('undo')} brings it back.")

    def _listed(self, unit: UnitView, question: Field) -> list[Json]:
        value = self._screen.sitting.value(unit, question.key)
        return list(value) if isinstance(value, list | tuple) else []

    # ------------------------------------------------------------ passages of a response

    @property
    def is_marking(self) -> bool:
        """A passage of a response is being chosen: all keys are about it."""
        return self._marking is not None and self._screen.panes.response.span() is not None

    def mark(self, unit: UnitView, question: Field) -> None:
        """Start with the first word in view: arrows grow it at once."""
        self._marking = (self._screen.sitting.assignment_id, unit.key, question.key)
        self._screen.set_pane(UNITS)
        response = self._screen.panes.response
        self._begin(None if response.current_turn == self._screen.panes.response_turn else 0)

    def _begin(self, at: int | None) -> None:
        response = self._screen.panes.response
        if response.begin_span(self._screen.panes.response_turn, at):
            response.fix_span()
            self._screen.refresh_item()
        else:
            self._marking = None
            self._screen.say("This response has no word to mark; what is missing goes into a note.")

    def take(self, key: str) -> bool:
        """The keys that go to another line while a passage is chosen; all others are the text's."""
        response = self._screen.panes.response
        span = response.span()
        if key not in ("{", "}") or span is None:
            return False
        text = response.turns[span[0]].text
        lines = [found.start() for found in _LINE.finditer(text)]
        behind = [start for start in lines if start > span[1]]
        before = [start for start in lines if start < span[1]]
        if key == "}" and behind:
            self._begin(behind[0])
        elif key == "{" and before:
            self._begin(before[-1])
        return True

    def chosen(self, turn: int, start: int, end: int) -> None:
        """A passage was marked: what is wrong with it is asked, then it joins those marked before."""
        screen, about = self._screen, self._marking
        text = screen.panes.response.turns[turn].text
        self._marking = None
        if about is None or about[0] != screen.sitting.assignment_id:
            return
        unit = screen.sitting.unit(about[1])
        question = next((f for f in screen.sitting.fields(unit) if f.key == about[2]), None) if unit else None
        if unit is None or question is None:
            return
        passage: dict[str, Json] = {"start": start, "end": end, "quote": text[start:end]}

        def then(picked: Picked | None) -> None:
            if picked is not None:
                self._add(unit, question, {**passage, "type": picked.value})

        options = [Pickable(o.value, o.label, o.anchor, o.key or "") for o in question.options]
        if options:
            screen.ask(
                PickScreen(f"{unit.shown_id}: what is wrong with “{passage['quote'][:80]}”?", options), then
            )
        else:
            self._add(unit, question, passage)

    def _add(self, unit: UnitView, question: Field, passage: dict[str, Json]) -> None:
        listed = self._listed(unit, question)
        if passage in listed:
            self._screen.say("This passage is marked so already.")
            return
        in_order = sorted([*listed, passage], key=lambda one: (one["start"], one["end"]))
        self._screen.deciding.set_list(unit, question, in_order)
        self._screen.say(
            f"Marked. It stands under “{question.short or question.title}”, where its digit takes it away."
        )

    def left(self) -> None:
        """No passage after all."""
        self._marking = None
        self._screen.say("")
