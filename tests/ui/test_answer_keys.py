"""The keys that the foot of the screen names for a question are those that answer it."""

from pathlib import Path

import pytest
from at_the_desk import RATE, at_the_desk
from paths import ALPSBENCH, needs_shared
from test_annotate_real import JUDGE_ITEMS, real_study

from alps_tui.protocols.loading import builtin_names, load_builtin
from alps_tui.ui.asking import answer_keys


@pytest.mark.parametrize(
    ("form", "key", "keys"),
    [
        ("response-rating", "preference_alignment", "0-5"),
        ("response-rating", "alignment", "0-9 x"),
        ("response-rating", "reasoning", "0-9"),
        ("response-preference", "reason", "1-8"),
        ("response-preference", "strength", "1-3"),
        ("utilization-check", "query_verdict", "a e"),
        ("ability-score", "score", "0 1"),
        ("memory-retrieval", "supportingMemories", "1-9"),
        ("intent", "intent_subtype", "1-9"),
    ],
)
def test_keys_in_a_row_are_a_range_and_letters_stand_for_themselves(form: str, key: str, keys: str) -> None:
    assert answer_keys(load_builtin(form).field(key)) == keys


def test_every_key_of_every_choice_is_named() -> None:
    for name in builtin_names():
        for field in load_builtin(name).fields:
            said = answer_keys(field)
            for option in field.choices:
                if option.key and option.key.isdigit() and "-" in said:
                    low, high = said.split()[0].split("-")
                    assert low <= option.key <= high, (name, field.key)
                elif option.key:
                    assert option.key in said.split(), (name, field.key)


@needs_shared
async def test_the_hint_under_a_response_follows_the_question(tmp_path: Path) -> None:
    assert ALPSBENCH.exists()
    with real_study(tmp_path / "real.db", f"{JUDGE_ITEMS}/ability3") as db:
        async with at_the_desk(db, RATE, size=(120, 40)) as desk:
            seen = set()
            for _ in range(30):
                asked = desk.annotate.question
                assert asked is not None
                word = "write" if asked[1].kind == "text" else "rate"
                assert f"{answer_keys(asked[1])} {word}" in desk.screen().splitlines()[-1]
                seen.add(asked[1].key)
                await desk.press("right")
            assert {"reasoning", "preference_alignment"} <= seen
