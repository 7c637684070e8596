"""What a transcript tells the screen around it; handlers are named on_transcript_turn_changed and so on."""

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from alps_tui.ui.widgets.transcript import Transcript


class TranscriptMessage(Message):
    """Something happened in `transcript`."""

    def __init__(self, transcript: "Transcript") -> None:
        super().__init__()
        self.transcript = transcript

    @property
    def control(self) -> "Transcript":
        return self.transcript


class TurnChanged(TranscriptMessage, namespace="transcript"):
    """The current turn is now `turn`, by a key, the mouse, scrolling or a call."""

    def __init__(self, transcript: "Transcript", turn: int) -> None:
        super().__init__(transcript)
        self.turn = turn


class Searched(TranscriptMessage, namespace="transcript"):
    """A search that took longer than a moment has looked at everything."""


class SpanMessage(TranscriptMessage):
    """Code points [start, end) of `turn`: offsets into the turn's text as it was given."""

    def __init__(self, transcript: "Transcript", turn: int, start: int, end: int) -> None:
        super().__init__(transcript)
        self.turn = turn
        self.start = start
        self.end = end


class SpanChosen(SpanMessage, namespace="transcript"):
    """A span was chosen."""


class SpanMoved(SpanMessage, namespace="transcript"):
    """A span is being chosen, and covers this now."""


class SpanCancelled(TranscriptMessage, namespace="transcript"):
    """Choosing a span was left without a choice."""
