"""The panes of an item that is only read: the material as raters see it, and what they said where it is handed in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.widget import Widget

from alps_tui.protocols.schema import Field
from alps_tui.ui.place import ItemPlace
from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.panes import SESSION, ItemPanes
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.blocks import Block, Blocks
from alps_tui.ui.widgets.memory_cards import Card, MemoryCards
from alps_tui.ui.widgets.unit_tabs import Tab, UnitTabs
from store.records import UnitView

PROGRESS = (" decided", " rated", " compared", " judged")
"""How the panes say how far a rater is: of a reader nothing is expected."""

Told = Mapping[str, tuple[str, str]]
"""Shown id of a part → a sign and words for what raters decided on it."""


class ReadCards(MemoryCards):
    """Memories without a state of the reader's own and without keys that decide."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.told: Told = {}

    def lay_out(
        self,
        cards: Sequence[Card],
        current: int | None,
        *,
        tail: str,
        roomy: bool,
        gone: Sequence[tuple[str, str]] = (),
    ) -> None:
        read = []
        for card in cards:
            sign, words = self.told.get(card.shown_id, ("·", ""))
            beside = None if card.beside is None else replace(card.beside, choices=())
            read.append(replace(card, glyph=sign, word=words, keys=(), beside=beside))
        super().lay_out(read, current, tail="", roomy=roomy, gone=gone)


class ReadTabs(UnitTabs):
    """Letters of responses, without how far each is rated."""

    def show(self, tabs: Sequence[Tab]) -> None:
        super().show([replace(tab, answered=0, required=None) for tab in tabs])


class ReadPanes(ItemPanes):
    """Shows an item for reading. The questions of its form are not there; in their place what raters said."""

    CARDS: ClassVar[type[MemoryCards]] = ReadCards
    TABS: ClassVar[type[UnitTabs]] = ReadTabs

    def __init__(self, *, id: str | None = None, compares: bool = False, with_said: bool = False) -> None:
        super().__init__(id=id, compares=compares)
        self._with_said = with_said

    def on_mount(self) -> None:
        self.set_class(self._with_said, "-told")
        if self._with_said:
            self.query_one("#side").mount(Blocks(id="said"))

    @property
    def said(self) -> Blocks | None:
        """What raters said; None where only the material is shown."""
        return self.query_one("#said", Blocks) if self._with_said and self.query("#said") else None

    def pane_widget(self, pane: str) -> Widget:
        said = self.said
        return said if pane == SESSION and said is not None else super().pane_widget(pane)

    def tell(self, blocks: Sequence[Block], told: Told, title: str) -> None:
        """What raters said of the part in focus, and in a word of every part."""
        self.query_one("#cards", ReadCards).told = told
        said = self.said
        if said is not None:
            said.show(blocks)
            self._title(said, title, "")

    def show_item(self, sitting: Sitting, place: ItemPlace) -> None:
        super().show_item(sitting, replace(place, target_shown=True))
        self.set_class(not sitting.units, "-bare")

    def _show_questions(
        self, sitting: Sitting, unit: UnitView | None, question: Field | None, pane: str
    ) -> None:
        for name in ("#questions", "#session"):
            self.query_one(name).display = False

    def _title(self, widget: Widget, name: str, more: str) -> None:
        if widget.id == "said":
            here = "▶ " if self.has_class(f"-in-{SESSION}") else ""
            widget.border_title = plain_line(f"{here}{name}")
            return
        kept = " · ".join(part for part in more.split(" · ") if not part.endswith(PROGRESS))
        super()._title(widget, name, kept)
