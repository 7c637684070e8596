"""The example line of the README comes in as it stands there, and each part of it leads to an item."""

import json
import re
from pathlib import Path

from command_line import run

README = Path(__file__).parents[2] / "README.md"


def test_the_line_in_the_readme_comes_in_whole_and_every_part_of_it_is_asked_about(tmp_path: Path) -> None:
    shown = re.findall(r"```json\n(\{\"dialogue_id\".*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (document,) = [json.loads(text) for text in shown]
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(document) + "\n", encoding="utf-8")
    ended = run("import", file, "--db", tmp_path / "alps.db", "--json")
    assert ended.code == 0 and ended.json["quarantined"] == []
    made = {form: n for form, n in ended.json["items"].items() if n}
    assert made == {
        "memory-verification": 1,
        "memory-update": 1,
        "memory-retrieval": 1,
        "utilization-check": 1,
        "response-rating": 1,
        "intent": 1,
        "judge-alignment-ability": 1,
    }
