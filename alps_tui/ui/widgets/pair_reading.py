"""Two responses to one query: side by side where there is room, one at a time where there is not."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container, Horizontal

from alps_tui.ui.plain import plain_line
from alps_tui.ui.widgets.blocks import Blocks, Line
from alps_tui.ui.widgets.transcript import Transcript, TurnText

STRIP = 400
"""Signs of a query that stand above both; what is longer stands whole at the head of each response."""


class PairReading(Container):
    """Shows the query and two texts, one of which has the keys. It knows neither who wrote them nor what is answered."""

    DEFAULT_CSS = """
    PairReading { height: 1fr; layout: vertical; }
    PairReading #pair-query { height: auto; max-height: 7; display: none; }
    PairReading #sides { height: 1fr; }
    PairReading Transcript { width: 1fr; height: 1fr; overflow-y: scroll; }
    PairReading #side-b { border-left: vkey $panel; }
    """

    def compose(self) -> ComposeResult:
        yield Blocks(id="pair-query")
        with Horizontal(id="sides"):
            yield Transcript(id="side-a", classes="-here")
            yield Transcript(id="side-b")

    @property
    def sides(self) -> tuple[Transcript, Transcript]:
        return self.query_one("#side-a", Transcript), self.query_one("#side-b", Transcript)

    @property
    def here(self) -> Transcript:
        """The side that has the keys, and that is shown where only one is."""
        left, right = self.sides
        return right if self.has_class("-at-b") else left

    @property
    def name_here(self) -> str:
        return "B" if self.has_class("-at-b") else "A"

    def show(self, query: str, above: Sequence[TurnText], sides: Sequence[TurnText], *, strip: bool) -> None:
        """Another pair, read from the top of A.

        above   what stands before each of the two, the query last; with a strip only where the query is long
        strip   the query stands above both
        """
        self.turn_to("A")
        words = self.query_one("#pair-query", Blocks)
        words.display = strip
        if strip:
            cut = f"{query[:STRIP]} … whole above each response: ↑" if len(query) > STRIP else query
            words.show([(Line(plain_line(cut)),)])
        before = () if strip and len(query) <= STRIP else tuple(above)
        for transcript, text in zip(self.sides, sides, strict=True):
            transcript.show((*before, text), fold_rows=10_000)
            if before:
                transcript.jump(len(before) if strip else len(before) - 1)

    def turn_to(self, side: str) -> None:
        """Give the keys to A or to B."""
        left, right = self.sides
        self.set_class(side == "B", "-at-b")
        left.set_class(side == "A", "-here")
        right.set_class(side == "B", "-here")

    def turn(self) -> None:
        """Give the keys to the other side."""
        self.turn_to("A" if self.has_class("-at-b") else "B")
