"""What a command reports it can say as one JSON document too, and nothing else stands on stdout then."""

from pathlib import Path

from command_line import run

ACTS = {"annotate", "demo", "init", "protocol add", "protocol new", "reset-terminal", "show"}
"""Commands that report nothing but that they were carried out, or open the workbench."""


def test_the_exports_say_what_they_wrote(sample, tmp_path: Path) -> None:
    for kind, counted in (("long", "rows"), ("memories", "sessions")):
        told = run("export", kind, tmp_path / kind, "--db", sample[0], "--json").json
        assert told["counts"][counted] > 0 and told["folder"] == str(tmp_path / kind)
        assert {one["name"] for one in told["files"]} < {one.name for one in (tmp_path / kind).iterdir()}
    nothing = run("export", "bundles", tmp_path / "b", "--db", sample[0], "--json")
    assert nothing.code == 3 and not any(nothing.json["counts"].values())


def test_new_raters_and_a_copy_say_what_came_of_them(alps, tmp_path: Path) -> None:
    assert alps("rater", "add", "ana", "ben", "--json").json == [
        {"rater": "ana", "new_items": 0},
        {"rater": "ben", "new_items": 0},
    ]
    told = alps("backup", "copy.db", "--json").json
    assert told["copy"] == "copy.db" and told["bytes"] == (tmp_path / "copy.db").stat().st_size


def test_every_command_that_reports_has_json() -> None:
    import typer

    from alps_tui.cli import app

    def commands(group, path=()):
        for name, one in group.commands.items():
            yield from commands(one, (*path, name)) if hasattr(one, "commands") else [((*path, name), one)]

    without = {
        " ".join(path)
        for path, one in commands(typer.main.get_command(app))
        if not any("--json" in parameter.opts for parameter in one.params)
    }
    assert without - ACTS == set()
