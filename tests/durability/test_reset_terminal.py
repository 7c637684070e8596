"""A killed workbench leaves a terminal that one command mends."""

import signal
import termios

from terminal import Terminal, modes, rows_of


def painted(terminal: Terminal) -> None:
    for _ in range(300):
        terminal.read(0.1)
        if any("memories" in line for line in rows_of(terminal.screen)):
            return
    raise AssertionError("\n".join(rows_of(terminal.screen)))


def test_every_mode_the_workbench_enters_is_left_again(tmp_path):
    workbench = Terminal.start(["demo", "--db", str(tmp_path / "demo.db")])
    painted(workbench)
    workbench.kill(signal.SIGKILL)
    on = {mode for mode, state in modes(bytes(workbench.bytes_read)).items() if state == b"h"}
    off = {mode for mode, state in modes(bytes(workbench.bytes_read)).items() if state == b"l"}
    assert b"1049" in on and b"25" in off, "the test saw the workbench enter its screen"
    mender = Terminal.start(["reset-terminal"])
    while mender.read(0.2) and mender.process.poll() is None:
        pass
    mender.read(0.2)
    mender.process.wait(timeout=30)
    after = modes(bytes(workbench.bytes_read) + bytes(mender.bytes_read))
    assert all(after[mode] == b"l" for mode in on - {b"7"})
    assert after[b"25"] == b"h"


def test_a_terminal_without_echo_echoes_again(tmp_path):
    mender = Terminal.start(["reset-terminal"])
    raw = termios.tcgetattr(mender.descriptor)
    raw[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(mender.descriptor, termios.TCSANOW, raw)
    mender.process.wait(timeout=30)
    assert mender.process.returncode == 0
    assert termios.tcgetattr(mender.descriptor)[3] & termios.ECHO
    assert termios.tcgetattr(mender.descriptor)[3] & termios.ICANON
