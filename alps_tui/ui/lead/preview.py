"""An item opened for reading: every key that reads, none that decides, and no rater before it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from alps_tui.protocols.schema import Field, Protocol
from alps_tui.ui.lead.names import Names
from alps_tui.ui.lead.panes import ReadPanes
from alps_tui.ui.lead.read_acts import ReadActs
from alps_tui.ui.lead.said import of_part, said_blocks
from alps_tui.ui.lead.shelf import Opened, Shelf
from alps_tui.ui.place import ItemPlace
from alps_tui.ui.screens.base import HEIGHTS, WIDTHS, go_on
from alps_tui.ui.screens.on_item import OnItem
from alps_tui.ui.screens.panes import DIALOGUE, SESSION, UNITS
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.blocks import Blocks
from alps_tui.ui.widgets.key_bar import KeyBar
from alps_tui.ui.widgets.status_line import Standing, StatusLine
from alps_tui.ui.widgets.transcript_messages import TurnChanged
from store.errors import StoreError
from store.kinds import UnitKind
from store.records import UnitView

READ_ONLY = "read only"


@dataclass(frozen=True, slots=True)
class Place:
    """One of the items to be read: its name in the long table, and the part the cursor begins on (its unit id)."""

    item: str
    unit: str = ""

    @property
    def words(self) -> str:
        """What stands in a list of them."""
        item = self.item.partition("/")[2] or self.item
        return f"{item}  {self.unit.removeprefix(f'{self.item}/')}" if self.unit else item


class PreviewScreen(OnItem, Screen[None]):
    """Shows items for reading, one after the other.

    places      the items, in the order in which `[` and `]` go through them
    with_said   what raters said stands beside the material; whose it is at a key
    """

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    class ItemRead(Message):
        """An item was read, or could not be (`sentence`); `token` says for which opening."""

        def __init__(self, token: int, opened: Opened | None, sentence: str = "") -> None:
            super().__init__()
            self.token, self.opened, self.sentence = token, opened, sentence

    def __init__(
        self,
        shelf: Shelf,
        places: Sequence[Place],
        start: int = 0,
        *,
        with_said: bool = False,
        names: Names | None = None,
    ) -> None:
        super().__init__()
        self.shelf, self.places, self.at = shelf, tuple(places), start
        self.with_said = with_said
        self.names = names or Names()
        self.pane = UNITS
        self._opened: Opened | None = None
        self._read_from: dict[int, ItemPlace] = {}
        """Where the reader was in what was open before."""
        self._token = 0
        self._is_asking = self._is_composed = self._is_stale = self._follow = False
        self._is_reading = True
        self.acting = ReadActs(self)

    def compose(self) -> ComposeResult:
        form = self.shelf.form_of(self.places[self.at].item)
        compares = form is not None and UnitKind.RESPONSE_PAIR in form.kinds
        yield StatusLine(id="status")
        yield ReadPanes(id="panes", compares=compares, with_said=self.with_said)
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._is_composed = True
        self.call_after_refresh(self.go_to_item, self.at)

    # ------------------------------------------------------------ parts, as the commands that read know them

    @property
    def panes(self) -> ReadPanes:
        return self.query_one("#panes", ReadPanes)

    @property
    def protocol(self) -> Protocol:
        return self.sitting.protocol

    @property
    def question(self) -> tuple[UnitView, Field] | None:
        """Nothing is asked here."""
        return None

    # ------------------------------------------------------------ opening an item

    def go_to_item(self, at: int) -> None:
        """Read one of the items and show it; keys wait until it is on the screen."""
        if self._opened is not None and self._sitting is not None:
            self._read_from[self.at] = ItemPlace(
                unit=self._unit, pane=self.pane, reading=self.panes.reading_place()
            )
        self.at, self._is_reading = at, True
        self._token += 1
        self._read(self.places[at].item, self._token)

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self, name: str, token: int) -> None:
        try:
            opened, sentence = self.shelf.open(name, with_said=self.with_said), ""
        except StoreError as error:
            opened, sentence = None, str(error)
        if not get_current_worker().is_cancelled:
            self.post_message(self.ItemRead(token, opened, sentence))

    def on_preview_screen_item_read(self, event: ItemRead) -> None:
        if event.token != self._token:
            return
        if event.opened is None:
            self.say(event.sentence)
        else:
            self._show(event.opened)
        self._is_reading = False
        go_on(self)

    def _show(self, opened: Opened) -> None:
        self._opened = opened
        self._sitting = sitting = Sitting(opened.view, opened.protocol.at_phase(revealed=False))
        self.acting.use(opened.protocol)
        if opened.said:
            self.names.know(one.rater for one in opened.said)
        place = self._read_from.get(self.at, ItemPlace())
        wanted = self._wanted(opened) if place.unit is None else sitting.unit(place.unit)
        first = wanted if wanted in sitting.units else next(iter(sitting.units), None)
        self._unit = first.key if first else None
        self.panes.show_item(sitting, place)
        self.set_pane(place.pane or (UNITS if sitting.units else DIALOGUE))
        if self.panes.reads_responses or place.reading is None:
            self._follow = True
        self.refresh_item()
        self.refresh(layout=True)

    def _wanted(self, opened: Opened) -> UnitView | None:
        """The part that was asked for, by its id in the long table; of a rater's own the session."""
        asked = self.places[self.at].unit.removeprefix(f"{opened.item.name}/")
        number = opened.units.get(asked)
        return next((unit for unit in opened.view.units if unit.id == number), None)

    # ------------------------------------------------------------ keys

    @property
    def holds_keys(self) -> bool:
        return self._is_asking or self._is_reading or not self._is_composed

    def take_key(self, event: events.Key) -> bool:
        self.say("")
        return self.acting.take(event)

    def ask(self, screen: Screen[Any], then: Callable[[Any], None]) -> None:
        """Open a modal; `then` gets its result."""
        self._is_asking = True

        def answered(result: Any) -> None:
            self._is_asking = False
            then(result)
            go_on(self)

        self.app.push_screen(screen, answered)

    # ------------------------------------------------------------ where the cursor is

    def go_to(self, unit: UnitView | None, question: str | None = None, *, follow: bool = True) -> None:
        """Put the cursor on a part; the dialogue follows to its evidence."""
        moved = (unit.key if unit else None) != self._unit
        self._unit = unit.key if unit else None
        self._follow = self._follow or (moved and follow)
        self.refresh_item()

    def set_pane(self, pane: str) -> None:
        self.pane = pane if pane != SESSION or self.panes.said is not None else UNITS
        self.panes.focus_pane(self.pane)
        self.refresh_item()

    def zoom(self) -> None:
        self.panes.zoom(self.pane)
        self.refresh_item()

    def rest(self) -> None:
        """No zoom, the parts in focus."""
        self.panes.unzoom()
        self.set_pane(UNITS if self.has_item and self.sitting.units else DIALOGUE)

    def keep_place(self) -> None:
        """Nothing of a reader is kept in the study."""

    # ------------------------------------------------------------ drawing

    def say(self, sentence: str) -> None:
        self.query_one("#keys", KeyBar).say(sentence)

    def refresh_item(self) -> None:
        if not self._is_stale:
            self._is_stale = True
            self.call_next(self._draw)

    def _draw(self) -> None:
        self._is_stale = False
        follow, self._follow = self._follow, False
        if self._sitting is None or self._opened is None:
            return
        self._show_said(self._opened, self._sitting)
        self.panes.show(self._sitting, self.unit, None, self.pane)
        if follow:
            self.panes.go_to_evidence(self._sitting, self.unit)
        self.query_one("#keys", KeyBar).show(self.acting.hints())
        self.query_one(StatusLine).show(self._standing(self._opened))

    def _show_said(self, opened: Opened, sitting: Sitting) -> None:
        if opened.said is None:
            return
        told = {
            unit.shown_id: of_part(opened.protocol, unit, opened.said, self.names) for unit in sitting.units
        }
        session = next((u for u in opened.view.units if u.kind == UnitKind.SESSION), None)
        blocks = said_blocks(opened.protocol, self.unit, session, opened.said, self.names)
        raters = len({one.rater for one in opened.said})
        whose = f"{raters} {'rater' if raters == 1 else 'raters'}" if raters else "raters"
        self.panes.tell(blocks, told, f"What {whose} said")

    def _standing(self, opened: Opened) -> Standing:
        return Standing(
            token=self._token,
            form=opened.item.form,
            item=opened.item.shown_id,
            place=f"{self.at + 1} of {len(self.places)}",
            phase="",
            rater="",
            saving=READ_ONLY,
        )

    # ------------------------------------------------------------ what widgets say

    def on_transcript_turn_changed(self, event: TurnChanged) -> None:
        if event.transcript.id == "dialogue" and self.has_item:
            self.panes.say_turn()

    def on_transcript_searched(self) -> None:
        self.acting.looking.searched()

    def on_blocks_picked(self, event: Blocks.Picked) -> None:
        if not self.has_item:
            return
        if event.blocks.id == "cards" and event.index < len(self.sitting.units):
            self.set_pane(UNITS)
            self.go_to(self.sitting.units[event.index])
        elif event.blocks.id == "pool":
            self.set_pane(UNITS)
            self.acting.pool.put(event.index)

    def on_resize(self) -> None:
        if self.has_item:
            self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        if self.panes.reads_responses and self.unit is not None:
            self.panes.show_response(self.sitting, self.unit)
        self.refresh_item()
