"""The driver that keeps frames, and the person at the desk, are shared with the tests of the screens."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "ui"))
