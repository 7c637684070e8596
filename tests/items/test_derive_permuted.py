"""The real annotations swapped, renamed and altered: the same decisions as a second implementation finds."""

import json
import random
from collections import Counter

import pytest
from paths import ALPSBENCH, needs_shared

from alps_tui.items.derive import derive_decisions
from alps_tui.sources.importer import import_paths
from store.database import open_database
from store.ratings import long_rows

SWAPPED = {"annotator_1": "annotator_2", "annotator_2": "annotator_1"}


def altered(final, rng):
    """A list with one record changed, dropped or added."""
    final = [dict(record) for record in final]
    change = rng.choice(["value", "drop", "add", "private"]) if final else "add"
    if change == "drop":
        final.pop(rng.randrange(len(final)))
    elif change == "add":
        final.insert(0, {"memory_id": "new-memory-7", "value": "Plays chess", "label": "UNMAPPED"})
    else:
        record = rng.choice(final)
        record["_note" if change == "private" else change] = "altered"
    return final


@pytest.fixture(scope="module")
def permuted(tmp_path_factory):
    """(folder, session → proposals, (session, side) → final list) of the permuted copy, task 1 only."""
    if not ALPSBENCH.is_dir():
        pytest.skip("the shared data is not beside this checkout")
    rng = random.Random(11)
    folder = tmp_path_factory.mktemp("permuted")
    proposals, lists, records = {}, {}, []
    for path in sorted((ALPSBENCH / "session_packets").glob("*.json")):
        packet = json.loads(path.read_text(encoding="utf-8"))
        packet = {
            "session_id": f"s-{packet['session_id'][::-1]}",
            "dialogue": packet["dialogue"],
            "task1": packet["task1"],
        }
        packet["task1"]["llm_outputs"] = {}
        proposals[packet["session_id"]] = packet["task1"]["ground_truth_memories"]
        (folder / path.name).write_text(json.dumps(packet), encoding="utf-8")
    for path in sorted((ALPSBENCH / "double_annotations").glob("*/*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        record["sessionId"] = f"s-{record['sessionId'][::-1]}"
        record["annotatorFolder"] = SWAPPED[record["annotatorFolder"]]
        record["tasks"] = {"task1": {"annotation": record["tasks"]["task1"]["annotation"]}}
        records.append(record)
    for record in rng.sample([one for one in records if one["sessionId"] in proposals], 20):
        payload = record["tasks"]["task1"]["annotation"]
        payload["editableGoldMemories"] = altered(payload["editableGoldMemories"], rng)
    for place, record in enumerate(records):
        side = folder / record["annotatorFolder"]
        side.mkdir(exist_ok=True)
        (side / f"{record['group']}__{place}.json").write_text(json.dumps(record), encoding="utf-8")
        final = record["tasks"]["task1"]["annotation"]["editableGoldMemories"]
        lists[record["sessionId"], record["annotatorFolder"]] = final
    return folder, proposals, lists


def second_implementation(proposals, final):
    """memory_id → (verdict, seeded), straight from the definition."""

    def public(record):
        return sorted((key, json.dumps(value)) for key, value in record.items() if key[0] != "_")

    by_id = {record["memory_id"]: record for record in final}
    found = {}
    for proposal in proposals:
        record = by_id.get(proposal["memory_id"])
        equal = record is not None and public(record) == public(proposal)
        found[proposal["memory_id"]] = "delete" if record is None else "keep" if equal else "edit"
    untouched = set(found.values()) <= {"keep"} and len(final) == len(proposals)
    return {memory: (verdict, untouched) for memory, verdict in found.items()}


@needs_shared
def test_each_decision_on_a_permuted_copy_is_what_a_second_implementation_finds(permuted, tmp_path):
    folder, proposals, lists = permuted
    wanted = {
        (session, side, memory): decided
        for (session, side), final in lists.items()
        if session in proposals
        for memory, decided in second_implementation(proposals[session], final).items()
    }
    with open_database(tmp_path / "alps.db", create=True) as db:
        import_paths(db, [folder], locate=False)
        report = derive_decisions(db)
        with db.read() as conn:
            rows = [row for row in long_rows(conn) if row["field"] == "verdict"]
    found = {
        (row["dialogue_id"], row["rater"].split("-")[0], row["unit_id"].rpartition("gold:")[2]): (
            json.loads(row["value"]),
            row["attested"] == "seeded",
        )
        for row in rows
    }
    assert found == wanted
    assert Counter(verdict for verdict, _ in wanted.values())["edit"] > 60
    assert len(report.without_packet) == 46
