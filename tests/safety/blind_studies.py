"""Studies for a blind rater: brought in as the command line does it, with peers and judges who have answered."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from at_the_desk import CHECK, RETRIEVE
from canaries import Canaries, annotated, check_item, judge_parts, packet, plain_line
from paths import ALPSBENCH
from sqlalchemy import text
from studies import act

from alps_tui.commands.importing import make_items
from alps_tui.judging.runner import run_offline
from alps_tui.protocols.taxonomy import LABELS
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments
from store.content import item_view
from store.database import Database, open_database
from store.decisions import append
from store.kinds import RaterKind, Status, UnitKind, Verb
from store.place import save_place
from store.records import Assignment, Change, ItemView, NewUnit, Rater

BLIND = "ada"
"""The rater who must not know."""


def written_study(folder: Path, canaries: Canaries) -> Path:
    """The hand-written study: packets, a double annotation, a task-4 item and plain lines. Returns the study's path."""
    model, other = canaries.name("name of a model"), canaries.name("name of a model")
    telling = f"sess_{model.lower()}"
    group = canaries.word("names of the annotators")
    sources = folder / "sources"
    _write(sources / "packets" / "one.json", packet(canaries, "sess_known", model, other))
    _write(sources / "packets" / "two.json", packet(canaries, telling, other, model))
    for side in (1, 2):
        for session in ("sess_known", telling):
            path = sources / f"annotator_{side}" / f"{group}__{session}.json"
            _write(path, annotated(canaries, session, side, group))
    _write(sources / "items" / "item.json", check_item(canaries, "ability5_1", other))
    lines = [plain_line(canaries, "d1", model, other), plain_line(canaries, f"{other}/d2", other, model)]
    (sources / "lines.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return _study(folder / "study.db", [sources], canaries)


def real_study(folder: Path, canaries: Canaries, packets: int | None = None) -> Path:
    """The real packets and all real task-4 items with canaries where models and judges stand. Returns the path.

    packets   how many of the packets, the shortest first; None: all
    """
    sources = folder / "sources"
    names: dict[str, str] = {}
    found = sorted((ALPSBENCH / "session_packets").glob("*.json"), key=lambda path: path.stat().st_size)
    for path in found[:packets]:
        _write(sources / path.name, _seeded_packet(_read(path), canaries, names))
    for path in sorted((ALPSBENCH / "manual_check_data").rglob("item.json")):
        document = _read(path)
        if str(document.get("task", "")).startswith("task4") and "assigned_model" in document:
            _write(sources / "items" / f"{path.parent.name}.json", _seeded_item(document, canaries, names))
    return _study(folder / "study.db", [sources], canaries)


def _seeded_packet(document: Any, canaries: Canaries, names: dict[str, str]) -> Any:
    """Each model under a name of the canaries, its memory ids after it, its output and file replaced."""
    outputs = {}
    for model, output in document["task1"]["llm_outputs"].items():
        name = names.setdefault(model, canaries.name("name of a model"))
        items = [
            memory | {"memory_id": f"{name}_p{number}", "judge_review": canaries.word("judge's review")}
            for number, memory in enumerate(output["memory_items"], 1)
        ]
        outputs[name] = output | {
            "source_result_file": f"results/{name}/{canaries.word('result file')}.json",
            "raw_output": canaries.word("raw output of a model"),
            "memory_items": items,
        }
    document["task1"]["llm_outputs"] = outputs
    return document


def _seeded_item(document: Any, canaries: Canaries, names: dict[str, str]) -> Any:
    """The model under a name of the canaries; everything a judge said replaced."""
    model = names.setdefault(document["assigned_model"], canaries.name("name of a model"))
    document["model_output"]["score_rows"] = [{"score": canaries.number("score row")}]
    files = {"assigned_model": model, "source_result_file": f"results/{model}/ability.json"}
    return document | judge_parts(canaries) | files


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")


# ---------------------------------------------------------------- the study and those who have answered it


def _study(path: Path, sources: Iterable[Path], canaries: Canaries) -> Path:
    with open_database(path, create=True) as db:
        report = import_paths(db, list(sources), labels=LABELS)
        assert report.complete, report.quarantined
        peers = _raters(db, canaries)
        make_items(db)
        run_offline(db)
        for peer in peers:
            _answer(db, peer, canaries)
        _know_what_others_wrote(db, canaries)
    return path


def _raters(db: Database, canaries: Canaries) -> list[Rater]:
    """The blind rater, and a peer and a judge whose names tell."""
    with db.write() as conn:
        add_rater(conn, BLIND)
        judge = canaries.name("name of a judge")
        return [
            add_rater(conn, canaries.word("name of a peer")),
            add_rater(
                conn, judge, RaterKind.JUDGE, {"model": judge, "prompt": canaries.word("judge's prompt")}
            ),
        ]


def _answer(db: Database, rater: Rater, canaries: Canaries) -> None:
    """Decisions with reasons, an edited record, a unit of one's own, notes, flags and a draft, on every item."""
    with db.write() as conn:
        assign_all(conn, rater.id)
        for mine in assignments(conn, rater.id):
            for said in _said(mine, item_view(conn, mine.id), canaries):
                append(conn, said)
            draft = {"drafts": {"note": canaries.word("draft of a peer")}}
            save_place(conn, mine.id, draft)


def _said(mine: Assignment, view: ItemView, canaries: Canaries) -> list[Any]:
    what = "answer of a peer or judge"
    acts = []
    for unit in view.units:
        if unit.kind is UnitKind.MEMORY:
            record = {
                "value": canaries.word("value edited by a peer"),
                "label": canaries.word("label of a peer"),
            }
            changes = (
                Change("verdict", "edit", unit.id, reason=canaries.word(what)),
                Change("memory", record, unit.id),
                Change("edit_reason", [canaries.word(what)], unit.id),
            )
        elif unit.kind is UnitKind.RESPONSE:
            changes = (
                Change("resonation", canaries.number("score of a peer"), unit.id),
                Change("reception", None, unit.id, status=Status.CANNOT_JUDGE, reason=canaries.word(what)),
            )
        elif unit.kind is UnitKind.RESPONSE_PAIR:
            changes = (
                Change("preference", "first", unit.id),
                Change("reason", [canaries.word(what)], unit.id),
                Change("strength", canaries.number("score of a peer"), unit.id),
            )
        elif unit.kind is UnitKind.QUERY and mine.protocol in (RETRIEVE, CHECK):
            changes = (
                Change("queryText", canaries.word(what), unit.id),
                Change("memory", {"value": canaries.word("value edited by a peer")}, unit.id),
                Change("supportingMemories", [canaries.word(what)], unit.id),
            )
        else:
            continue
        acts += [
            act(Verb.SET, mine, *changes),
            act(Verb.NOTE, mine, reason=canaries.word("note of a peer"), unit_id=unit.id),
            act(Verb.FLAG, mine, reason=canaries.word("flag of a peer"), unit_id=unit.id),
        ]
    new = NewUnit(UnitKind.MEMORY, canaries.word("key of a peer's memory"), canaries.word("a peer's memory"))
    acts.append(act(Verb.SET, mine, Change("memory", {"value": canaries.word(what)}, new_unit=new)))
    last = Verb.SKIP if mine.position % 3 == 2 else Verb.SUBMIT
    return [*acts, act(last, mine, reason=canaries.word("reason of a peer") if last is Verb.SKIP else None)]


def _know_what_others_wrote(db: Database, canaries: Canaries) -> None:
    """The ids of all acts there are: whoever fetches a row of another rater's log fetches one of them."""
    with db.read() as conn:
        for (act_id,) in conn.execute(text("SELECT DISTINCT act_id FROM decision")):
            canaries.known("act of another rater", act_id)
