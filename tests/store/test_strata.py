"""Progress by what items are: every assignment counted once, lengths by length, what does not say last."""

from pathlib import Path

from command_line import run
from studies import VERIFICATION, act, dialogue, record, tiny_study, verification_item

from store.assignments import (
    add_item,
    add_protocol,
    add_rater,
    assign,
    assign_all,
    assignments,
    progress,
    raters,
)
from store.content import dialogues
from store.database import open_database
from store.decisions import append
from store.ingest import add_file, add_record
from store.kinds import RaterKind, Verb
from store.records import Progress
from store.strata import Share, Stratum, band, progress_by, rater_groups


def test_every_assignment_is_in_one_stratum_and_the_sums_are_those_of_the_raters(study_path: Path) -> None:
    with open_database(study_path) as db, db.write() as conn:
        ada, ben = raters(conn)
        mine = assignments(conn, ada.id)
        append(conn, act(Verb.SUBMIT, mine[0]))
        append(conn, act(Verb.SKIP, mine[1], reason="private"))
        append(conn, act(Verb.NOTE, mine[2], reason="odd"))
        forms = {one.protocol for one in mine}
        each = [progress(conn, rater.id, form) for rater in (ada, ben) for form in forms]
        for by in Stratum:
            shares = progress_by(conn, by)
            assert sum(share.items for share in shares) == 4
            assert sum(share.progress.total for share in shares) == sum(one.total for one in each) == 8
            assert sum(share.progress.submitted for share in shares) == 1
            assert sum(share.progress.skipped for share in shares) == 1
            assert sum(share.progress.started for share in shares) == 1
            only_ben = progress_by(conn, by, rater_ids=[ben.id])
            assert [share.progress.submitted for share in only_ben] == [0] * len(shares)


def test_strata_are_named_by_what_items_say_and_what_does_not_say_is_last(study_path: Path) -> None:
    with open_database(study_path) as db, db.read() as conn:
        nothing = Progress(4, 0, 0, 0)
        assert progress_by(conn, Stratum.ABILITY) == (
            Share("ability1", 2, nothing),
            Share("none", 2, nothing),
        )
        assert progress_by(conn, Stratum.ABILITY, protocol="memory-verification") == (
            Share("none", 2, nothing),
        )
        assert [one.stratum for one in progress_by(conn, Stratum.FORM)] == sorted(
            {"memory-verification", "response-rating"}
        )
        assert [one.stratum for one in progress_by(conn, Stratum.LENGTH)] == ["1-10 turns"]
        assert [one.stratum for one in progress_by(conn, Stratum.SOURCE)] == ["tiny"]
        assert progress_by(conn, Stratum.FORM, protocol="no-such-form") == ()


def test_a_new_version_of_an_item_is_not_counted_twice_unless_somebody_holds_the_old_one(
    study_path: Path,
) -> None:
    with open_database(study_path) as db, db.write() as conn:
        ada, ben = raters(conn)
        begun = assignments(conn, ada.id, "memory-verification")[0]
        append(conn, act(Verb.NOTE, begun, reason="odd"))
        form = add_protocol(conn, VERIFICATION)
        for one in dialogues(conn):
            spec = verification_item(conn, one.id, one.external_id)
            add_item(
                conn,
                form,
                type(spec)(**{name: getattr(spec, name) for name in spec.__slots__} | {"language": "fr"}),
            )
        for rater in (ada, ben):
            assign_all(conn, rater.id)
        old, new = progress_by(conn, Stratum.LANGUAGE, protocol="memory-verification")
    assert (old.stratum, old.items, old.progress) == ("en", 1, Progress(1, 0, 0, 1))
    assert (new.stratum, new.items, new.progress) == ("fr", 2, Progress(4, 0, 0, 0))


def test_bands_of_length_meet_without_a_gap() -> None:
    named = [band(turns) for turns in range(1, 300)]
    assert [named[place] for place in (0, 9, 10, 49, 50, 199, 200, 298)] == [
        "1-10 turns",
        "1-10 turns",
        "11-20 turns",
        "21-50 turns",
        "51-100 turns",
        "101-200 turns",
        "over 200 turns",
        "over 200 turns",
    ]


def test_the_command_prints_a_stratum_a_line_and_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    tiny_study(tmp_path / "alps.db").close()
    with open_database(tmp_path / "alps.db") as db, db.write() as conn:
        add_record(conn, add_file(conn, "more", "1", "tiny"), record(dialogue("d3", language="ar")))

    said = run("progress", "--by", "ability", "--db", tmp_path / "alps.db")
    told = run("progress", "--by", "form", "--json", "--db", tmp_path / "alps.db")
    wrong = run("progress", "--by", "weather", "--db", tmp_path / "alps.db")

    assert [line.split()[0] for line in said.out.splitlines()] == ["ability", "ability1", "none"]
    assert told.json[0] == {
        "form": "memory-verification",
        "items": 2,
        "total": 4,
        "submitted": 0,
        "skipped": 0,
        "started": 0,
    }
    assert wrong.code == 2
    assert "language, ability, length, label, source, form" in wrong.err


def test_judges_and_imported_raters_are_named_and_not_counted_unless_asked_for(tmp_path: Path) -> None:
    tiny_study(tmp_path / "alps.db").close()
    with open_database(tmp_path / "alps.db") as db, db.write() as conn:
        for name, kind, params in (
            ("jay", RaterKind.JUDGE, {}),
            ("base", RaterKind.BASELINE, {}),
            ("ann", RaterKind.HUMAN, {"imported": True}),
        ):
            rater = add_rater(conn, name, kind, params)
            for one in assignments(conn, raters(conn)[0].id):
                assign(conn, one.item_id, rater.id)
        add_rater(conn, "idle", RaterKind.JUDGE)
        people, others = rater_groups(conn)
    assert [one.name for one in people] == ["ada", "ben"]
    assert [one.name for one in others] == ["jay", "base", "ann"]

    asked = ("progress", "--by", "form", "--json", "--db", tmp_path / "alps.db")
    said, all_of_them = run(*asked), run(*asked, "--everyone")
    assert said.err == "Not counted: 2 judges, 1 imported rater. With them: --everyone\n"
    assert [row["total"] for row in said.json] == [4, 4] and all_of_them.err == ""
    assert [row["total"] for row in all_of_them.json] == [10, 10]
    each, everybody = (
        run("progress", "--json", "--db", tmp_path / "alps.db", *more) for more in ([], ["--everyone"])
    )
    assert {row["rater"] for row in each.json} == {"ada", "ben"} and "Not shown: 2 judges" in each.err
    assert {row["rater"] for row in everybody.json} == {"ada", "ben", "jay", "base", "ann"}
