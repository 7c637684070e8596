"""A program for a real terminal: how many cells it gives to each text of a JSON list, asked by where the cursor stands."""

import json
import os
import re
import sys
import termios
import time
import tty
from pathlib import Path

AT_ONCE = 50
REPORT = re.compile(rb"\x1b\[\d+;(\d+)R")


def cells_of(terminal: int, texts: list[str]) -> list[int]:
    """Each text at the beginning of an empty row, and where the cursor is after it."""
    questions = "".join(f"\x1b[2K\r{text}\x1b[6n" for text in texts)
    os.write(terminal, questions.encode())
    answers = b""
    while len(REPORT.findall(answers)) < len(texts):
        answers += os.read(terminal, 65_536)
    return [int(column) - 1 for column in REPORT.findall(answers)]


def main(asked: Path, told: Path) -> None:
    texts = json.loads(asked.read_text(encoding="utf-8"))
    terminal = os.open("/dev/tty", os.O_RDWR)
    tty.setraw(terminal, termios.TCSANOW)
    cells = [n for at in range(0, len(texts), AT_ONCE) for n in cells_of(terminal, texts[at : at + AT_ONCE])]
    told.write_text(json.dumps(dict(zip(texts, cells, strict=True))), encoding="utf-8")
    os.write(terminal, b"\r\x1b[2Kall told")
    time.sleep(60)  # until the test has seen it and ends this


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
