"""The first line of the annotate screen: form, item, place in the queue, phase, rater, and whether all is saved."""

from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from alps_tui.ui.plain import plain_line


@dataclass(frozen=True)
class Standing:
    """What the line says. `token` names the item it is about: the line reports when it has drawn it."""

    token: int
    form: str
    item: str
    place: str
    phase: str
    rater: str
    saving: str
    alarm: bool = False


class StatusLine(Widget):
    """One row; what matters least is left out first where there is no room."""

    DEFAULT_CSS = """
    StatusLine { height: 1; }
    """

    class Drawn(Message):
        """The line was composed into a frame with this item on it."""

        def __init__(self, token: int) -> None:
            super().__init__()
            self.token = token

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._standing = Standing(0, "", "", "", "", "", "")

    @property
    def standing(self) -> Standing:
        return self._standing

    def show(self, standing: Standing) -> None:
        if standing != self._standing:
            self._standing = standing
            self.refresh()

    def render(self) -> Content:
        standing = self._standing
        self.post_message(self.Drawn(standing.token))
        width = max(self.size.width - 2, 1)
        right = plain_line(standing.saving, "bold reverse" if standing.alarm else "")
        left = self._left(standing, width - right.cell_length - 1)
        gap = max(width - left.cell_length - right.cell_length, 1)
        return Content(" ") + left + Content(" " * gap) + right + Content(" ")

    def _left(self, standing: Standing, room: int) -> Content:
        parts = [standing.form, standing.item, standing.place, standing.phase, standing.rater]
        for leave_out in ((), (0,), (0, 3), (0, 3, 4)):
            kept = [
                plain_line(p, "bold" if i == 1 else "")
                for i, p in enumerate(parts)
                if p and i not in leave_out
            ]
            line = Content(" · ").join(kept)
            if line.cell_length <= room:
                return line
        return line.truncate(max(room, 1), ellipsis=True)
