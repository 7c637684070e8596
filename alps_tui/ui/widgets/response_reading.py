"""The responses of an item: the one in hand, and where there is room its neighbour beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Container

from alps_tui.ui.widgets.transcript import Mark, Place, Transcript, TurnText


@dataclass(frozen=True, slots=True)
class ResponseText:
    """A response to be read.

    key      of its part of the item
    parts    what stands before it, the response itself, what its model gave as the reason
    turn     the place of the response in the parts
    marks    the passages that are marked in it
    """

    key: str
    name: str
    parts: tuple[TurnText, ...]
    turn: int
    marks: tuple[Mark, ...]


class ResponseReading(Container):
    """Shows one response or two, one of which has the keys. Each is read on from where it was left."""

    DEFAULT_CSS = """
    ResponseReading { height: 1fr; layout: horizontal; }
    ResponseReading Transcript { width: 1fr; height: 1fr; overflow-y: scroll; }
    ResponseReading #beside { display: none; border-left: vkey $panel; }
    ResponseReading.-abreast #beside { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: list[ResponseText | None] = [None, None]
        self._places: dict[str, Place] = {}
        """Where each response was read that is not on the screen now."""
        self._first = self._column = 0
        """Of all responses the one in the left column, and the column that has the keys."""

    def compose(self) -> ComposeResult:
        yield Transcript(id="response", classes="-here")
        yield Transcript(id="beside")

    @property
    def columns(self) -> tuple[Transcript, Transcript]:
        return self.query_one("#response", Transcript), self.query_one("#beside", Transcript)

    @property
    def here(self) -> Transcript:
        """The column that has the keys."""
        return self.columns[self._column]

    @property
    def is_abreast(self) -> bool:
        return self.has_class("-abreast")

    @property
    def turn(self) -> int:
        """The turn of the response that has the keys."""
        shown = self._shown[self._column]
        return shown.turn if shown is not None else 0

    @property
    def names(self) -> tuple[tuple[Transcript, str], ...]:
        """The columns that show a response, with its name."""
        columns = zip(self.columns, self._shown, strict=True)
        return tuple((column, shown.name) for column, shown in columns if shown is not None)

    def forget(self) -> None:
        """Another item: nothing of what is shown stays."""
        self._shown = [None, None]
        self._places = {}
        self._first = 0

    def show(self, texts: Sequence[ResponseText], at: int, *, abreast: bool, from_query: bool) -> None:
        """Show the response at this place, read from its top, or its query's.

        abreast      its neighbour stands beside it: the one that did, or the next, or the one before the last
        """
        two = abreast and len(texts) > 1
        first = min(max(self._first, at - 1), at, len(texts) - 2) if two else at
        for column in (0, 1) if two else (0,):
            self._show(column, texts[first + column], from_query)
        if not two:
            self._shown[1] = None
        self._first, self._column = first, at - first
        self.set_class(two, "-abreast")
        for column, transcript in enumerate(self.columns):
            transcript.set_class(column == self._column, "-here")

    def _show(self, column: int, text: ResponseText, from_query: bool) -> None:
        shown, transcript = self._shown[column], self.columns[column]
        self._shown[column] = text
        if shown is not None and (shown.key, shown.parts) == (text.key, text.parts):
            if shown.marks != text.marks:
                transcript.set_marks(list(text.marks))
            return
        if shown is not None and shown.key != text.key:
            self._places[shown.key] = transcript.top()
        transcript.show(list(text.parts), marks=list(text.marks), fold_rows=10_000)
        place = self._places.pop(text.key, None)
        if place is not None:
            transcript.restore(place)
        elif from_query and len(text.parts) > 1:
            transcript.jump(max(text.turn - 1, 0))
        else:
            transcript.current_turn = text.turn
