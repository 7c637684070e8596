"""Giving a terminal back to the shell after a program in it was killed."""

import sys

LEAVE = (
    "\x1b[?1049l"  # the other screen
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l"  # the mouse
    "\x1b[?1004l"  # focus reports
    "\x1b[?2004l"  # bracketed paste
    "\x1b[?2026l"  # synchronised output
    "\x1b[?2048l"  # size reports
    "\x1b[<u"  # the keyboard protocol
    "\x1b[8h"  # the order of right-to-left rows
    "\x1b[?7h\x1b[?25h\x1b[0m"  # wrapping, cursor, colours
)


def reset() -> None:
    """Leave every mode the workbench enters, and make the line discipline sane again."""
    sys.stdout.write(LEAVE)
    sys.stdout.flush()
    try:
        import termios
    except ImportError:  # no line discipline to mend on this system
        return
    if not sys.stdin.isatty():
        return
    modes = termios.tcgetattr(sys.stdin)
    modes[0] |= termios.ICRNL | termios.BRKINT
    modes[1] |= termios.OPOST
    modes[3] |= termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)
