"""570 real packets imported, beside parsing the same bytes with orjson and writing the same rows with executemany."""

import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson
from budgets import Kind, Line, Row, Skipped
from real_frames import median
from real_study import NO_DATA, PACKETS

COPIES, ROUNDS = 10, 3
HERE = str(Path(__file__).resolve().parent)
MODULES = (
    f"import sys; sys.path.insert(0, {HERE!r}); from process_memory import peak\n"
    "import alps_tui.sources.importer, alps_tui.items.build, store.database, orjson"
)


def write_copies(folder: Path) -> int:
    """Every packet ten times under new ids; gives the bytes in all."""
    total = 0
    for path in sorted(PACKETS.glob("*.json")):
        packet = path.read_bytes()
        own = orjson.loads(packet)["session_id"]
        for copy in range(COPIES):
            new = packet.replace(own.encode(), f"{own}_{copy}".encode())
            folder.joinpath(f"{path.stem}_{copy}.json").write_bytes(new)
            total += len(new)
    return total


def import_once(folder: Path, db: Path) -> tuple[float, float, float]:
    """Seconds of CPU and by the clock of an import into a new study, and the peak of its memory in MB, in its own process."""
    code = (
        f"{MODULES}; import time; from store.database import open_database\n"
        "from alps_tui.sources.importer import import_paths\n"
        "db = open_database(sys.argv[2], create=True)\n"
        "start = time.process_time(); clock = time.perf_counter(); report = import_paths(db, [sys.argv[1]], locate=False)\n"
        "print(time.process_time() - start, time.perf_counter() - clock, peak(),"
        " report.counts['dialogues']); db.close()"
    )
    seconds, clock, peak, dialogues = map(float, _run(code, str(folder), str(db)))
    assert dialogues == len(list(folder.iterdir()))
    return seconds, clock, peak


def bare_memory() -> float:
    """Peak memory in MB of a process that only imports what the import needs."""
    return float(_run(f"{MODULES}; print(peak())")[0])


def _run(code: str, *arguments: str) -> list[str]:
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return ended.stdout.split()


def plain_once(
    folder: Path, rows: dict[str, list[tuple]], schema: list[str], db: Path
) -> tuple[float, float]:
    """Seconds of CPU and by the clock to parse the same files with orjson and write the same rows into the same tables."""
    start, clock = time.process_time(), time.perf_counter()
    for path in folder.iterdir():
        orjson.loads(path.read_bytes())
    connection = sqlite3.connect(db)
    connection.execute("PRAGMA journal_mode = WAL")
    for statement in schema:
        connection.execute(statement)
    for table, values in rows.items():
        if values:
            connection.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(values[0]))})", values)
    connection.commit()
    connection.close()
    return time.process_time() - start, time.perf_counter() - clock


def rows_of(db: Path) -> tuple[dict[str, list[tuple]], list[str]]:
    """Every row of a study, and the statements that made its tables and indexes."""
    connection = sqlite3.connect(db)
    made = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index')"
        " AND name NOT LIKE 'sqlite_%' ORDER BY type = 'index'"
    ).fetchall()
    rows = {
        name: connection.execute(f"SELECT * FROM {name}").fetchall()
        for kind, name, _ in made
        if kind == "table"
    }
    connection.close()
    return rows, [sql for _, _, sql in made]


def measure() -> list[Line]:
    if not PACKETS.is_dir():
        return [Skipped("import of 570 packets", NO_DATA)]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        packets = work / "packets"
        packets.mkdir()
        size = write_copies(packets)
        ours, peaks, plain = [], [], []
        for turn in range(ROUNDS):
            *seconds, peak = import_once(packets, work / f"ours{turn}.db")
            ours.append(seconds)
            peaks.append(peak)
            rows, schema = rows_of(work / f"ours{turn}.db")
            plain.append(plain_once(packets, rows, schema, work / f"plain{turn}.db"))
            del rows
    ratio, by_clock = (
        median(own[which] / other[which] for own, other in zip(ours, plain, strict=True)) for which in (0, 1)
    )
    bare = bare_memory()
    own, other = median(one[0] for one in ours), median(one[0] for one in plain)
    beside = f"CPU time, {size / 1e6:.0f} MB: {own:.2f} s and {other:.2f} s; {by_clock:.1f} x by the clock"
    return [
        Row(
            "import of 570 packets, against orjson and executemany", Kind.RATIO_AT_MOST, 4, ratio, "", beside
        ),
        Row(
            "import of 570 packets: peak above the bare process",
            Kind.AT_MOST,
            300,
            median(peaks) - bare,
            "MB",
            f"{bare:.0f} MB bare",
        ),
    ]
