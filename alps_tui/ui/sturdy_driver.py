"""A terminal that may vanish: once nothing can be written to it any more, what is written is dropped.

Textual's output thread ends at the first error and the next frames fill its queue: the program then waits for ever
instead of writing down what was typed. Its input thread reads the end of a vanished terminal again and again, where
no signal says that it is gone.
"""

import select
import sys
from typing import Any, TextIO, cast

from textual.driver import Driver


class VanishingOutput:
    """A file that takes everything, and passes it on as long as that works."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.is_gone = False

    def write(self, text: str) -> int:
        if not self.is_gone:
            try:
                return self._file.write(text)
            except (OSError, ValueError):  # ValueError: the file is closed
                self.is_gone = True
        return len(text)

    def flush(self) -> None:
        if not self.is_gone:
            try:
                self._file.flush()
            except (OSError, ValueError):
                self.is_gone = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def has_vanished(descriptor: int) -> bool:
    """Whether the other end of a terminal is gone: it will say nothing any more, and nobody sees what it is told."""
    if sys.platform == "win32":
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(events & (select.POLLHUP | select.POLLNVAL) for _, events in poll.poll(0))


def sturdy(driver_class: type[Driver]) -> type[Driver]:
    """The driver with an output that may vanish; others than a real terminal's are left as they are."""
    if sys.platform == "win32":
        return driver_class
    from textual.drivers.linux_driver import LinuxDriver

    if driver_class is not LinuxDriver:
        return driver_class

    class SturdyDriver(LinuxDriver):
        """Textual's driver for a terminal, writing through a file that may vanish."""

        says_where_it_stands = True
        """Asked for its cursor it answers, which no driver without a terminal does."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._file: Any = VanishingOutput(cast(TextIO, self._file))

        @property
        def has_vanished(self) -> bool:
            """The terminal is gone."""
            return has_vanished(self.fileno)

    return SturdyDriver
