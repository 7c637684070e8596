"""The panes of an item: the dialogue beside its memories, or beside a response with its questions."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.widget import Widget

from alps_tui.protocols.schema import Field
from alps_tui.ui import shown, shown_question, shown_review
from alps_tui.ui.asking import bar_fields, list_kind
from alps_tui.ui.place import ItemPlace
from alps_tui.ui.plain import plain_line
from alps_tui.ui.pool import Pool
from alps_tui.ui.review_board import ReviewSitting
from alps_tui.ui.shown_intent import asks_intents, standing
from alps_tui.ui.shown_judged import judged_rows, scores
from alps_tui.ui.shown_response import named, response_text, response_turn
from alps_tui.ui.shown_update import dropped
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.blocks import Blocks, Line
from alps_tui.ui.widgets.ledger import Ledger
from alps_tui.ui.widgets.memory_cards import MemoryCards
from alps_tui.ui.widgets.pair_reading import PairReading
from alps_tui.ui.widgets.pool_list import PoolList
from alps_tui.ui.widgets.question_card import QuestionCard
from alps_tui.ui.widgets.question_list import Question, QuestionList
from alps_tui.ui.widgets.response_reading import ResponseReading
from alps_tui.ui.widgets.transcript import Mark, Place, Transcript, TurnText, turn_header
from alps_tui.ui.widgets.unit_tabs import UnitTabs
from store.content_records import Evidence, Turn
from store.kinds import UnitKind
from store.records import ItemView, UnitView

AMPLE_ROWS = 50
"""From this height on everything is written out."""

WIDE_COLUMNS = 180
"""From this width on the questions stand beside the response, with room of their own."""

RECORD = "On record about this person"
"""The title of an item's preference set: proposals that nobody has verified."""

DIALOGUE, UNITS, SESSION = "dialogue", "units", "session"


class ItemPanes(Container):
    """Shows a sitting. It decides nothing and keeps no answers: what it shows it is told each time."""

    CARDS: ClassVar[type[MemoryCards]] = MemoryCards
    TABS: ClassVar[type[UnitTabs]] = UnitTabs

    def __init__(self, *, id: str | None = None, compares: bool = False) -> None:
        """`compares`: the items are pairs of responses."""
        super().__init__(id=id, classes=f"-in-{UNITS}")
        self._compares = compares
        self._evidence: tuple[dict[int, list[str]], list[Mark]] | None = None
        self._titles: dict[Widget, str] = {}
        self._begins: int | None = None
        """Of an item with two dialogues, the turn with which the new one begins."""
        self._language = ""
        self.pool: Pool | None = None

    def compose(self) -> ComposeResult:
        yield Transcript(id="dialogue")
        with Container(id="right"):
            with Vertical(id="reading"):
                yield self.TABS(id="tabs")
                if self._compares:
                    yield PairReading(id="pair")
                yield ResponseReading(id="responses")
                yield Ledger(id="ledger")
                yield self.CARDS(id="cards")
                yield QuestionCard(id="asked")
                yield PoolList(id="pool")
            with Vertical(id="side"):
                yield Blocks(id="preferences")
                yield QuestionList(id="questions")
                yield QuestionList(id="session")

    # ------------------------------------------------------------ the parts

    @property
    def dialogue(self) -> Transcript:
        return self.query_one("#dialogue", Transcript)

    @property
    def responses(self) -> ResponseReading:
        return self.query_one("#responses", ResponseReading)

    @property
    def response(self) -> Transcript:
        """The response that has the keys."""
        return self.responses.here

    @property
    def response_turn(self) -> int:
        return self.responses.turn

    @property
    def has_responses(self) -> bool:
        return self.has_class("-responses")

    @property
    def has_pairs(self) -> bool:
        """The parts are pairs of responses."""
        return self.has_class("-pairs")

    @property
    def reads_responses(self) -> bool:
        """The pane of the parts is a text to read."""
        return self.has_responses or self.has_pairs

    @property
    def pair(self) -> PairReading:
        return self.query_one("#pair", PairReading)

    @property
    def has_questions(self) -> bool:
        """The parts are questions, each with the memory it was written for."""
        return self.has_class("-asked")

    def page_question(self, step: int) -> None:
        """Scroll a question that is longer than its pane."""
        card = self.query_one("#asked", QuestionCard)
        card.scroll_relative(y=step * max(card.scrollable_content_region.height - 2, 1), animate=False)

    @property
    def reading(self) -> Transcript:
        """The text that reading keys are about: the dialogue, or the response if that pane has the focus."""
        if self.has_pairs and self.pair.here.has_focus:
            return self.pair.here
        return self.response if self.has_responses and self.response.has_focus else self.dialogue

    @property
    def is_short(self) -> bool:
        """Few rows: only what is in focus is shown in full."""
        return self.app.size.height < 34

    @property
    def is_narrow(self) -> bool:
        return self.app.size.width < 100

    def pane_widget(self, pane: str) -> Widget:
        if pane == DIALOGUE:
            return self.dialogue
        if pane == SESSION:
            return self.query_one("#session", QuestionList)
        if self.has_pairs:
            return self.pair.here
        if self.has_questions:
            return self.query_one("#asked" if self.pool is None else "#pool")
        if self.has_responses:
            return self.response
        return self.query_one("#ledger" if self.has_class("-ledger") else "#cards")

    def focus_pane(self, pane: str) -> None:
        """Give a pane the focus and say so in its title, not by colour alone."""
        self.screen.set_focus(self.pane_widget(pane))
        worn = {f"-in-{name}": name == pane for name in (DIALOGUE, UNITS, SESSION)}
        if self.has_class("-zoom-left") or self.has_class("-zoom-right"):
            worn |= {"-zoom-left": pane == DIALOGUE, "-zoom-right": pane != DIALOGUE}
        self.update_classes(worn)  # all at once: each change styles every widget in here anew

    def zoom(self, pane: str) -> None:
        """Show one pane alone, or all again."""
        left = pane == DIALOGUE
        zoomed = self.has_class("-zoom-left") or self.has_class("-zoom-right")
        self.update_classes({"-zoom-left": left and not zoomed, "-zoom-right": not left and not zoomed})

    def unzoom(self) -> None:
        self.remove_class("-zoom-left", "-zoom-right")

    # ------------------------------------------------------------ a new item

    def show_item(self, sitting: Sitting, place: ItemPlace) -> None:
        """Another item: its dialogue at the place where the rater was, nothing of the one before."""
        view = sitting.view
        asks = bool(view.queries) and not view.responses
        self.pool = _pool_of(sitting, place) if asks else None
        worn = {"-responses": bool(view.responses), "-asked": asks, "-pool": self.pool is not None}
        worn["-pairs"] = bool(view.pairs) and self._compares
        worn["-ledger"] = sitting.is_revealed or isinstance(sitting, ReviewSitting)
        worn["-alone"] = set(sitting.protocol.kinds) == {UnitKind.SESSION}
        self.update_classes(worn | {"-no-dialogue": not view.turns})
        self._begins = view.update.begins if view.update is not None else None
        turns = [
            TurnText(turn_header(i, t.role, t.text, speaker=t.speaker, note=self._note(i, t)), t.text, t.role)
            for i, t in enumerate(view.turns, 1)
        ]
        self._evidence = None
        self.responses.forget()
        self.dialogue.show(turns)
        if place.reading is not None:
            self.dialogue.restore(place.reading)
        elif self._begins is not None:
            self.dialogue.jump(self._begins)
        self._language = view.language or ""
        self.say_turn()

    def say_turn(self) -> None:
        """Above the dialogue, which turn is current of how many: how much stands above it."""
        turns = len(self.dialogue.turns)
        current = self.dialogue.current_turn
        parts = [self._which(current), f"turn {current + 1} of {turns}" if turns else "", self._language]
        self._title(self.dialogue, "Dialogue", " · ".join(p for p in parts if p))

    def _which(self, turn: int) -> str:
        """Of two dialogues, which one a turn is in."""
        if self._begins is None:
            return ""
        return "new" if turn >= self._begins else "before"

    def _note(self, number: int, turn: Turn) -> str | None:
        which = self._which(number - 1)
        parts = [f"{which} dialogue" if which else "", "y translation" if turn.translation else ""]
        return " · ".join(part for part in parts if part) or None

    def reading_place(self) -> Place:
        return self.dialogue.top()

    # ------------------------------------------------------------ every change

    def show(self, sitting: Sitting, unit: UnitView | None, question: Field | None, pane: str) -> None:
        """The answers as they are now, with the cursor on this part and this question."""
        n, decided = len(sitting.units), sitting.n_decided()
        if self.has_responses:
            tabs = self.query_one("#tabs", UnitTabs)
            tabs.display = n > 1 and not sitting.is_revealed
            tabs.show(shown.tabs(sitting, unit))
            more = "" if sitting.is_revealed else f"{decided} of {n} rated"
            self._show_preferences(sitting)
            self._show_abreast(sitting, unit, more)
        elif self.has_pairs:
            self._show_pairs(sitting, unit)
        elif self.has_questions:
            self._show_asked(sitting, unit)
        else:
            cards = self.query_one("#cards", MemoryCards)
            current = sitting.units.index(unit) if unit in sitting.units else None
            roomy = not self.is_short
            gone = [(one.shown_id, one.value) for one in dropped(sitting)]
            tail = self._tail(sitting)
            cards.lay_out(shown.cards(sitting), current, tail=tail, roomy=roomy, gone=gone)
            name = "Memories" if sitting.view.update is None else "Updated list"
            more = f"{decided} of {n} decided"
            if asks_intents(sitting.protocol):
                name, more = "Intents", standing(sitting)
            self._title(cards, name, more)
        if self.has_class("-ledger"):
            self._show_ledger(sitting, unit)
        self._show_questions(sitting, unit, question, pane)
        self._show_evidence(sitting, unit)
        self.say_turn()

    def _show_pairs(self, sitting: Sitting, unit: UnitView | None) -> None:
        """Which pair of how many, and which side has the keys."""
        n, tabs = len(sitting.units), self.query_one("#tabs", UnitTabs)
        tabs.display = n > 1
        tabs.show(shown.tabs(sitting, unit))
        of_all = f"{sitting.n_decided()} of {n} compared" if n > 1 else ""
        key = sitting.protocol.keys.get("other_side")
        for side, name, other in zip(self.pair.sides, "AB", "BA", strict=True):
            here = side is self.pair.here
            mark = "▶ " if here and self.has_class(f"-in-{UNITS}") else ""
            turns = f"{key} shows {other}" if self.is_narrow and key else ""
            more = " · ".join(part for part in (turns, of_all if here else "") if part)
            self._title(side, f"{mark}Response {name}", more)
        self._title(self.query_one("#pair-query"), "Query", "")
        self._show_preferences(sitting)

    def _show_ledger(self, sitting: Sitting, unit: UnitView | None) -> None:
        """What a judge said beside what the rater said; or the two lists of a review."""
        ledger = self.query_one("#ledger", Ledger)
        current = sitting.units.index(unit) if unit in sitting.units else None
        if isinstance(sitting, ReviewSitting):
            ledger.lay_out_review(shown_review.board_rows(sitting), current, roomy=not self.is_short)
            self._title(ledger, "Review", shown_review.title(sitting))
        else:
            ledger.lay_out(judged_rows(sitting), current, roomy=not self.is_short)
            more = [f"{sitting.n_decided()} of {len(sitting.units)}", scores(sitting)]
            self._title(ledger, "The judge said", " · ".join(filter(None, more)))

    def _show_asked(self, sitting: Sitting, unit: UnitView | None) -> None:
        """One question with its memory; below it the pool it is put to."""
        n, tabs = len(sitting.units), self.query_one("#tabs", UnitTabs)
        tabs.display = n > 1
        tabs.show(shown.tabs(sitting, unit))
        if unit is None or unit.id not in sitting.view.queries:
            return
        card, listed = self.query_one("#asked", QuestionCard), self.query_one("#pool", PoolList)
        key = sitting.protocol.keys.get("show_target", "")
        card.ask(shown_question.asked(sitting, unit, self.pool, key), terse=self.is_short)
        self._title(card, "Question" if n == 1 else f"Questions · {unit.shown_id} of {n}", "")
        if self.pool is not None:
            rows = shown_question.pool_rows(sitting, unit, self.pool)
            listed.lay_out(rows, self.pool.cursor, "No memory of the pool has these words; esc shows all.")
            self._title(listed, "Pool", shown_question.pool_title(sitting, unit, self.pool))

    def _show_questions(
        self, sitting: Sitting, unit: UnitView | None, question: Field | None, pane: str
    ) -> None:
        whole = self.app.size.height >= AMPLE_ROWS or (self.is_short and self.has_class("-zoom-right"))
        is_wide = self.app.size.width >= WIDE_COLUMNS
        stacked = self.has_responses and self.is_narrow and not whole
        room = {
            "terse": self.is_short or stacked,
            "ample": whole,
            "crowded": self.has_responses and not is_wide and (self.is_short or not stacked),
        }
        asked = shown.questions(sitting, unit) if pane != SESSION or self.has_responses else ()
        asked = asked if unit is not None and unit.kind != UnitKind.SESSION else ()
        about_unit = self.query_one("#questions", QuestionList)
        in_unit = any(q.field == (question.key if question else "") for q in asked) and pane != SESSION
        about_unit.display = bool(asked) and sitting.view.update is None  # there the card asks it
        about_unit.ask(asked, _index(asked, question) if in_unit else None, live=in_unit, **room)
        name = f"Response {unit.shown_id}" if unit and self.has_responses else "Questions"
        self._title(about_unit, unit.shown_id.capitalize() if unit and self.has_pairs else name, "")
        session = shown.questions(sitting, sitting.session)
        about_all = self.query_one("#session", QuestionList)
        about_all.display = bool(session)
        live = not in_unit
        about_all.ask(session, _index(session, question) if live else None, live=live, **room)
        missing = len(sitting.missing(sitting.session)) if sitting.session else 0
        takes = live and bool(bar_fields(sitting, unit)) and bool(session)  # where digits have two meanings
        more = ("digits answer here" if takes else "", f"{missing} required" if missing else "")
        self._title(about_all, "Session", " · ".join(filter(None, more)))

    def _show_preferences(self, sitting: Sitting) -> None:
        preferences = self.query_one("#preferences", Blocks)
        lines = shown.preference_lines(sitting.view.preferences)
        preferences.display = bool(lines)
        if self.is_short:  # all of it stands above the query, in the pane of the response
            words = " · ".join(named(sitting.view, lines))
            preferences.show([(Line(plain_line(words), rows=1),)])
        else:
            names = [f"{memory.shown_id} " for memory in sitting.view.preferences]
            pairs = zip(names, lines, strict=True)
            preferences.show([(Line(plain_line(line), prefix=plain_line(name)),) for name, line in pairs])
        all_of_it = " · whole: ↑ above the query" if self.is_short else ""
        self._title(preferences, RECORD, f"{len(lines)} (proposed){all_of_it}")

    def _tail(self, sitting: Sitting) -> str:
        keys = sitting.protocol.keys
        parts = []
        if "add_intent" in keys and sitting.may_make(UnitKind.INTENT):
            parts.append(f"{keys['add_intent']} add what the person wants")
        if "add_memory" in keys and sitting.may_make(list_kind(sitting.protocol)):
            parts.append(f"{keys['add_memory']} add a memory the list missed")
        if "take_over" in keys and sitting.view.candidates:
            parts.append(f"{keys['take_over']} take one over of {len(sitting.view.candidates)} extracted")
        return " · ".join(parts)

    def _title(self, widget: Widget, name: str, more: str) -> None:
        pane = {"dialogue": DIALOGUE, "session": SESSION}.get(widget.id or "", UNITS)
        own_words: tuple[str, ...] = ("preferences", "questions", "side-a", "side-b", "pair-query")
        if self.responses.is_abreast:
            own_words += ("response", "beside")
        beside = (*own_words, "asked") if self.pool is not None else own_words
        here = "▶ " if self.has_class(f"-in-{pane}") and widget.id not in beside else ""
        title = f"{here}{name}" + (f" · {more}" if more else "")
        if self._titles.get(widget) != title:  # a title that is set repaints its whole pane
            self._titles[widget] = title
            widget.border_title = plain_line(title)

    # ------------------------------------------------------------ evidence and responses

    def _show_evidence(self, sitting: Sitting, unit: UnitView | None) -> None:
        quoted: dict[int, list[str]] = {}
        marks: list[Mark] = []
        if self.reads_responses:
            for memory in sitting.view.preferences:
                marks += _marks(memory.evidence, "evidence")
        for other in sitting.units:
            if shown_question.hides_target(other, self.pool):
                continue
            evidence = shown.evidence_of(sitting, other)
            marks += _marks(evidence, "current" if other == unit else "evidence")
            for turn in {e.turn for e in evidence if e.turn is not None}:
                quoted.setdefault(turn, []).append(other.shown_id)
        shown_now = (quoted, marks)
        if shown_now != self._evidence:  # anew only if it differs: setting marks settles where the top row is
            self._evidence = shown_now
            self.dialogue.set_quoted(quoted)
            self.dialogue.set_marks(marks)

    def go_to_evidence(self, sitting: Sitting, unit: UnitView | None) -> None:
        """Bring the passage a memory rests on into view; a response instead of it into its pane."""
        if unit is None:
            return
        if self.reads_responses:
            self.show_response(sitting, unit)
            return
        if shown_question.hides_target(unit, self.pool):
            return
        evidence = next((e for e in shown.evidence_of(sitting, unit) if e.turn is not None), None)
        if evidence is not None and evidence.turn is not None:
            self.dialogue.jump(evidence.turn, evidence.start or 0)
        elif self._begins is not None and self.dialogue.current_turn < self._begins:
            self.dialogue.jump(self._begins)

    def _show_abreast(self, sitting: Sitting, unit: UnitView | None, more: str) -> None:
        """The response in hand with its marks, named where another stands beside it."""
        if unit is not None and self.responses.names:
            self._show_texts(sitting, unit)
        if not self.responses.is_abreast:
            several = len(sitting.view.responses) > 1
            self._title(self.response, "Responses" if several else "Response", more)
            return
        for column, name in self.responses.names:
            here = column is self.response
            mark = "▶ " if here and self.has_class(f"-in-{UNITS}") else ""
            self._title(column, f"{mark}Response {name}", more if here else "")

    def _show_texts(self, sitting: Sitting, unit: UnitView) -> None:
        by_id = {one.response_id: one for one in reversed(sitting.units) if one.response_id is not None}
        rated = list(reversed(by_id.values()))
        at = next((i for i, one in enumerate(rated) if one.response_id == unit.response_id), None)
        if at is None:
            return
        abreast = self.app.size.width >= WIDE_COLUMNS and not sitting.is_revealed
        before = self._before_response(sitting.view)
        texts = [response_text(sitting, one, before) for one in rated]
        self.responses.show(texts, at, abreast=abreast, from_query=self.is_short)
        self.set_class(self.responses.is_abreast, "-abreast")

    def show_response(self, sitting: Sitting, unit: UnitView) -> None:
        """The query and one response, or two, read from the top; where there is little room the preferences first."""
        view = sitting.view
        parts = self._before_response(view)
        pair = view.pairs.get(unit.id)
        if pair is not None:
            texts = [response_turn(one) for one in (pair.left, pair.right)]
            query = view.query.text if view.query is not None else ""
            self.pair.show(query, parts, texts, strip=not self.is_short)
            if self.has_class(f"-in-{UNITS}"):
                self.screen.set_focus(self.pair.here)
            return
        self._show_texts(sitting, unit)
        if self.has_class(f"-in-{UNITS}"):
            self.screen.set_focus(self.response)

    def _before_response(self, view: ItemView) -> list[TurnText]:
        parts: list[TurnText] = []
        lines = shown.preference_lines(view.preferences)
        if lines and self.is_short:
            parts.append(
                TurnText(f"{RECORD} · {len(lines)} (proposed)", "\n".join(named(view, lines)), "other")
            )
        if view.query is not None:
            ability = f" · {view.query.ability}" if view.query.ability else ""
            parts.append(TurnText(f"Query{ability}", view.query.text, "user"))
        if view.target is not None:
            parts.append(TurnText("The memory it needs", view.target.value, "user"))
        return parts


def _pool_of(sitting: Sitting, place: ItemPlace) -> Pool | None:
    """The pool of an item, with its target open if its rater had asked for it."""
    view = sitting.view
    if view.pool is None:
        return None
    query = next(iter(view.queries.values()))
    return Pool(view.pool, query.text, is_target_shown=place.target_shown)


def _index(asked: Sequence[Question], question: Field | None) -> int | None:
    return next((i for i, q in enumerate(asked) if question is not None and q.field == question.key), None)


def _marks(evidence: Sequence[Evidence], kind: str) -> list[Mark]:
    return [
        Mark(e.turn, e.start, e.end, kind)  # type: ignore[arg-type]
        for e in evidence
        if e.turn is not None and e.start is not None and e.end is not None
    ]
