"""Where a rater is and what is typed there outlives a study that takes nothing at the very end."""

from pathlib import Path

import pytest
from sqlalchemy import text
from studies import tiny_study

from alps_tui.protocols.loading import load_builtin
from alps_tui.ui.session import PlaceFailed, Session
from store.assignments import assignments, rater_by_name
from store.database import open_database
from store.place import load_place
from store.recovery import recovery_path

FORM = "memory-verification"
REFUSE = "CREATE TRIGGER full BEFORE INSERT ON place BEGIN SELECT RAISE(FAIL, 'no'); END"
TYPED = {"drafts": {"edit gold:m1": {"value": "half a"}}}


@pytest.mark.parametrize("beside", [True, False])
def test_what_was_typed_last_goes_beside_the_study_and_in_again(
    tmp_path: Path, beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        with db.read() as conn:
            ada = rater_by_name(conn, "ada")
            assert ada is not None
            first = assignments(conn, ada.id, FORM)[0]
        with db.write() as conn:
            conn.execute(text(REFUSE))
        said: list[object] = []
        session = Session(db, ada, {FORM: load_builtin(FORM)}, said.append)
        if not beside:
            recovery_path(db).mkdir()
            monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
        session.keep(first.id, TYPED)
        assert session.close(30) is beside
        assert any(isinstance(one, PlaceFailed) for one in said)
        with db.write() as conn:
            conn.execute(text("DROP TRIGGER full"))
    if not beside:
        return
    with open_database(tmp_path / "study.db") as db, db.read() as conn:
        place = load_place(conn, first.id)
        assert place["drafts"] == TYPED["drafts"]
        assert not recovery_path(db).exists()
