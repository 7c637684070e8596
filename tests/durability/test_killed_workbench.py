"""Killed at any moment: whatever the terminal's bytes called saved is in the study, and the log still folds."""

import os
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import pytest
from terminal import Shown, Terminal

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments, raters
from store.content import item_view
from store.database import Database, open_database
from store.decisions import verify

RATER = "ana"
DIALOGUES = 150
MEMORIES = 4
SEED = int(os.environ.get("ALPS_TEST_SEED", "20261130"))
Promise = tuple[str, str, str]
"""Item, memory and verdict, as the screen named them while it said saved."""


def dialogue(number: int) -> dict:
    said = [f"I keep {what} number {number}." for what in ("bees", "hens", "goats", "mules")][:MEMORIES]
    return {
        "dialogue_id": f"farm-{number}",
        "dialogue": [{"role": "user", "content": one} for one in said],
        "memories": [
            {
                "id": f"m{place}",
                "type": "direct",
                "label": "Possessions/Pet",
                "value": one.replace("I keep", "Keeps"),
                "evidence": {"turn": place - 1, "quote": one},
            }
            for place, one in enumerate(said, 1)
        ],
    }


@pytest.fixture
def study(tmp_path: Path) -> Path:
    lines = tmp_path / "farm.jsonl"
    lines.write_bytes(b"".join(orjson.dumps(dialogue(number)) + b"\n" for number in range(DIALOGUES)))
    path = tmp_path / "alps.db"
    with open_database(path, create=True) as db:
        import_paths(db, [lines])
        build_items(db)
        with db.write() as connection:
            assign_all(connection, add_rater(connection, RATER).id)
    return path


@dataclass
class Sitting:
    """Somebody at the keyboard until the program is killed, and all that the screen promised meanwhile."""

    terminal: Terminal
    luck: random.Random
    promises: set[Promise] = field(default_factory=set)
    decided: int = 0

    def watch(self, seconds: float) -> Shown:
        until = time.monotonic() + seconds
        while self.terminal.read(max(0.0, until - time.monotonic())):
            shown = self.note()
            if time.monotonic() >= until:
                return shown
        return self.note()

    def note(self) -> Shown:
        shown = self.terminal.shown()
        if shown.saved and shown.item:
            decided = {card: state for card, state in shown.cards.items() if state != "open"}
            self.promises |= {(shown.item, card, state) for card, state in decided.items()}
        return shown

    def until_painted(self) -> Shown:
        for _ in range(300):
            shown = self.watch(0.1)
            if shown.item and shown.cards:
                return shown
        raise AssertionError("\n".join(self.terminal.screen.display))

    def act(self, shown: Shown) -> None:
        """One decision key where a memory is open; else the session's answer and on to the next item."""
        if shown.selected and shown.cards.get(shown.selected) == "open":
            self.terminal.press(self.luck.choice("aad"))
            self.decided += 1
        else:
            self.terminal.press("1\r")


def until_killed(study: Path, luck: random.Random, *, at_key: bool) -> Sitting:
    """Annotate until a moment that luck chooses: any time, or within 50 ms after a decision key."""
    terminal = Terminal.start(
        ["annotate", "--db", str(study), "--as", RATER, "--protocol", "memory-verification"]
    )
    sitting = Sitting(terminal, luck)
    shown = sitting.until_painted()
    keys = luck.randint(1, 12)
    end = time.monotonic() + luck.uniform(0.1, 2.5)
    while (sitting.decided < keys) if at_key else (time.monotonic() < end):
        sitting.act(shown)
        if at_key and sitting.decided >= keys:
            break
        shown = sitting.watch(luck.uniform(0.02, 0.3))
    if at_key:
        sitting.watch(luck.uniform(0.0, 0.05))
    terminal.kill()
    sitting.note()
    return sitting


def in_the_study(db: Database) -> set[Promise]:
    """Every verdict in the study, named as the screen names it."""
    found: set[Promise] = set()
    with db.read() as connection:
        ana = next(rater for rater in raters(connection) if rater.name == RATER)
        for assignment in assignments(connection, ana.id, "memory-verification"):
            view = item_view(connection, assignment.id)
            names = {unit.id: unit.shown_id for unit in view.units}
            for (unit, key), answer in view.answers.answers.items():
                if key == "verdict":
                    found.add((assignment.shown_id, names[unit], str(answer.value).replace("_", " ")))
    return found


def kill_often(study: Path, *, anywhere: int, at_key: int) -> int:
    luck = random.Random(SEED)
    moments = [False] * anywhere + [True] * at_key
    luck.shuffle(moments)
    promised: set[Promise] = set()
    for at in moments:
        promised |= until_killed(study, luck, at_key=at).promises
        with open_database(study, read_only=True) as db:
            kept = in_the_study(db)
            with db.read() as connection:
                assert not verify(connection)
        assert promised <= kept, f"called saved and lost: {sorted(promised - kept)} (seed {SEED})"
    return len(promised)


def test_what_the_screen_called_saved_survives_a_few_kills(study):
    assert kill_often(study, anywhere=3, at_key=2) > 0


@pytest.mark.slow
def test_what_the_screen_called_saved_survives_50_kills_20_of_them_right_after_a_key(study):
    assert kill_often(study, anywhere=30, at_key=20) > 100
