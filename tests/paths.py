"""Where the shared data lies beside a checkout, and the mark that skips a test where it is absent."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
ALPSBENCH = SHARED / "data" / "alpsbench"
STATISTICS = SHARED / "data" / "statistics"

needs_shared = pytest.mark.skipif(
    not ALPSBENCH.is_dir(), reason="the shared data is not beside this checkout"
)
