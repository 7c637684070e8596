"""A study of the real session packets beside this checkout, or why there is none."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paths import ALPSBENCH

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all
from store.database import Database, open_database
from store.records import Rater

PACKETS = ALPSBENCH / "session_packets"
FORM = "memory-verification"
NO_DATA = "no session packets beside this checkout (../shared/data/alpsbench)"


@contextmanager
def study_of(path: Path, name: str = "bench") -> Iterator[tuple[Database, Rater]]:
    """A study with what a file or folder holds, and a rater with every item of it in the queue."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_database(Path(folder, "bench.db"), create=True) as study,
    ):
        import_paths(study, [path])
        build_items(study)
        with study.write() as connection:
            rater = add_rater(connection, name)
            assign_all(connection, rater.id)
        yield study, rater
