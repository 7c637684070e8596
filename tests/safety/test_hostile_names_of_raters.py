"""Names of raters are text on the screens of a lead too: shown as they are, and nothing of them acts on the terminal."""

from pathlib import Path

from hostile_text import foreign, mixture, stored
from lead_desk import lead_desk
from screen_classes import lead_screen_classes
from studies import act, tiny_study

from alps_tui.commands.agreement_screen import screen_of
from store.assignments import add_rater, assign_all, assignments
from store.content import item_view
from store.decisions import append
from store.kinds import UnitKind, Verb
from store.records import Change


async def test_hostile_names_of_raters_are_shown_as_they_are(tmp_path: Path) -> None:
    names = [stored(f"{letter}{mixture(letter)}") for letter in "XY"]
    with tiny_study(tmp_path / "study.db") as db:
        with db.write() as conn:
            for place, name in enumerate(names):
                rater = add_rater(conn, name)
                assign_all(conn, rater.id)
                for one in assignments(conn, rater.id, "memory-verification"):
                    view = item_view(conn, one.id)
                    for at, unit in enumerate(u for u in view.units if u.kind == UnitKind.MEMORY):
                        verdict = "keep" if place and at else "delete"
                        append(conn, act(Verb.SET, one, Change("verdict", verdict, unit_id=unit.id)))
        async with lead_desk(lambda: screen_of(db, 42), (200, 60)) as desk:
            met = {type(desk.app.screen)}
            for key in ("w", "f", "2", "enter", "enter", "q", "q", "4", "q"):
                await desk.press(key)
                met.add(type(desk.app.screen))
            assert not foreign(desk.driver.frames)
            assert lead_screen_classes() <= met
