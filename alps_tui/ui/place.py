"""Where a rater is in an item, as the store keeps it: part, question, reading position, and drafts of texts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alps_tui.ui.widgets.transcript import Place
from store.content_records import Json


@dataclass
class ItemPlace:
    """The place of one item while it is open.

    target_shown   the memory a question was written for was asked for: the log has no word for that, since it is
                   part of the material and nobody's answer
    drafts   what was typed and not yet decided, by what it is for ("edit gold:m1", "add", ...)
    """

    unit: str | None = None
    question: str | None = None
    pane: str = ""
    reading: Place | None = None
    translation_seen: bool = False
    target_shown: bool = False
    drafts: dict[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        reading = self.reading
        return {
            "unit": self.unit,
            "question": self.question,
            "pane": self.pane,
            "reading": None
            if reading is None
            else [reading.turn, reading.offset, reading.current, list(reading.unfolded)],
            "translation_seen": self.translation_seen,
            "target_shown": self.target_shown,
            "drafts": dict(self.drafts),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Json]) -> "ItemPlace":
        """A place as it was kept; what an older program kept otherwise is left out."""
        drafts, unit, question = stored.get("drafts"), stored.get("unit"), stored.get("question")
        return cls(
            unit=unit if isinstance(unit, str) else None,
            question=question if isinstance(question, str) else None,
            pane=str(stored.get("pane") or ""),
            reading=_reading(stored.get("reading")),
            translation_seen=stored.get("translation_seen") is True,
            target_shown=stored.get("target_shown") is True,
            drafts=dict(drafts) if isinstance(drafts, dict) else {},
        )


def _reading(stored: Json) -> Place | None:
    if not isinstance(stored, list) or len(stored) != 4:
        return None
    turn, offset, current, unfolded = stored
    if not all(isinstance(n, int) for n in (turn, offset, current)) or not isinstance(unfolded, list):
        return None
    return Place(turn, offset, current, tuple(n for n in unfolded if isinstance(n, int)))
