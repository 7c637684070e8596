"""Killed at any moment of a whole session: what the terminal called saved is in the study, and the log still folds."""

import contextlib
import os
import random
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from forked_workbench import Workbenches
from person_at_terminal import Death, Killed, Person, Screen, TooSoon
from scripted_session import RATE, VERIFY, Step, log_of, session
from terminal import Terminal

from store.assignments import add_rater, assign, assign_all, assignments
from store.content import item_view
from store.database import Database, open_database
from store.decisions import verify
from store.kinds import ItemState
from store.records import Rater

SEED = int(os.environ.get("ALPS_TEST_SEED", "20261201"))
FROM_NOTHING = 0.1
"""The share of lives that begin with a new Python; the others are forked from one that has imported everything."""
UNREADABLE = ("hi", "ar")
"""Scripts whose marks the emulator of these tests puts into cells of their own."""
KINDS = frozenset(
    [
        "keep",
        "edit",
        "delete",
        "doubt",
        "cannot_judge",
        "faithful",
        "rate_1",
        "undo",
        "redo",
        "clear",
        "note",
        "flag",
        "evidence",
        "add",
        "take_over",
        "merge",
        "split",
        "submit",
        "skip",
        "reopen",
    ]
)


@dataclass
class Session:
    """One rater's way through the script, over as many lives of the workbench as it takes.

    promised    acts of which a screen said that they are saved
    last_seen   the item that the screen showed when the program was killed, if it is still open
    """

    rater: Rater
    steps: tuple[Step, ...]
    at: int = 0
    last_seen: str | None = None
    promised: list[Step] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.at == len(self.steps)

    def look_into(self, db: Database) -> None:
        """Hold the study against what was promised, and go on at the first act that it does not hold."""
        logs = {item: log_of(db, item) for item in {step.item.id for step in self.steps}}
        lost = [step.name for step in self.promised if not step.logged(logs[step.item.id])]
        assert not lost, f"called saved and lost: {lost} (seed {SEED})"
        held = [step.logged(logs[step.item.id]) for step in self.steps]
        self.at = held.index(False) if False in held else len(held)
        with db.read() as connection:
            mine = [a for a in assignments(connection, self.rater.id) if a.shown_id == self.last_seen]
        still = bool(mine) and mine[0].state is ItemState.OPEN and not self.is_over
        if not still or mine[0].protocol != self.steps[self.at].item.protocol:
            self.last_seen = None


@dataclass
class Count:
    """What the kills of a run hit."""

    kills: int = 0
    in_the_middle: int = 0
    landed_elsewhere: int = 0
    promised: int = 0
    walked_to_the_end: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def watch_for(person: Person, session: Session, step: Step) -> None:
    """Note a promise as soon as a screen shows the act of this step and says that all is saved."""
    was_seen = step.seen(person.screen)

    def watch(screen: Screen) -> None:
        nonlocal was_seen
        is_seen = step.seen(screen)
        here = screen.item == step.item.shown_id and screen.is_saved
        if is_seen and not was_seen and (here or step.kind in ("submit", "skip")):
            session.promised.append(step)
            was_seen = True
        elif not is_seen:
            was_seen = False

    person.watch = watch


def until_killed(
    workbenches: Workbenches, study: Path, session: Session, luck: random.Random, count: Count
) -> None:
    """One life of the workbench: go on with the script where the study stands, as fast as the screen shows it."""
    form = session.steps[session.at].item.protocol
    arguments = ["annotate", "--db", str(study), "--as", session.rater.name, "--protocol", form]
    start = Terminal.start if luck.random() < FROM_NOTHING else workbenches.start
    person = Person.sits_down(start(arguments), Death.chosen_by(luck), luck)
    count.landed_elsewhere += session.last_seen not in (None, person.screen.item)
    with contextlib.suppress(Killed):
        while not session.is_over and session.steps[session.at].item.protocol == form:
            try:
                make(person, session, luck)
            except TooSoon:
                person.escape()  # takes the sentence away
    was_over = session.is_over
    was_running = person.dies()
    session.last_seen = person.screen.item
    count.in_the_middle += was_running and person.pressed > 0 and not was_over
    count.kills += 1


def make(person: Person, session: Session, luck: random.Random) -> None:
    """One act of the script."""
    step = session.steps[session.at]
    if person.look().item != step.item.shown_id:
        person.press(":", *str(step.item.position + 1), "\r")
        person.until(lambda screen: screen.item == step.item.shown_id, step.item.shown_id)
    step.before(person)
    watch_for(person, session, step)
    person.press(step.last)
    person.until(step.seen, step.name)
    if luck.random() < 0.5:
        here = step.item.shown_id
        person.until(lambda screen: screen.is_saved or screen.item != here, f"saved: {step.name}")
    session.at += 1


def somebody_new(db: Database, name: str, luck: random.Random) -> Rater:
    """A rater with the items whose script the terminal of this test can draw, in an order of luck's."""
    with db.write() as connection:
        guest = add_rater(connection, "guest")
        assign_all(connection, guest.id)
        every = [
            item
            for item in assignments(connection, guest.id)
            if item_view(connection, item.id).language not in UNREADABLE
        ]
        rater = add_rater(connection, name)
        for form in (VERIFY, RATE):
            queue = [item for item in every if item.protocol == form]
            for position, item in enumerate(luck.sample(queue, len(queue))):
                assign(connection, item.item_id, rater.id, position=position)
    return rater


def kill_often(study: Path, kills: int, *, seed: int = SEED) -> Count:
    """So many lives, one after the other, over as many sessions as it takes."""
    luck, count, sessions, workbenches = random.Random(seed), Count(), [], Workbenches()
    while count.kills < kills:
        with open_database(study) as db:
            rater = somebody_new(db, f"ana-{len(sessions)}", luck)
            sessions.append(now := Session(rater, session(db, rater)))
        while not now.is_over and count.kills < kills:
            until_killed(workbenches, study, now, luck, count)
            with open_database(study, read_only=True) as db:
                now.look_into(db)
                with db.read() as connection:
                    assert not verify(connection), f"seed {SEED}"
        count.walked_to_the_end += now.is_over
        count.kinds.update(step.kind.replace(" ", "_") for step in now.steps[: now.at])
        count.promised += len(now.promised)
    workbenches.close()
    return count


@pytest.fixture
def study(sample_template: tuple[Path, object], tmp_path: Path) -> Path:
    return Path(shutil.copyfile(sample_template[0], tmp_path / "alps.db"))


def test_what_the_screen_called_saved_survives_a_few_kills(study: Path) -> None:
    count = kill_often(study, 3)
    assert count.in_the_middle >= 1
    assert count.promised > 0


@pytest.mark.slow
def test_what_the_screen_called_saved_survives_200_kills_over_whole_sessions(study: Path) -> None:
    count = kill_often(study, 200)
    assert count.in_the_middle >= 150
    assert count.landed_elsewhere == 0
    assert count.walked_to_the_end >= 1
    assert count.promised > 100
    assert set(count.kinds) >= KINDS
