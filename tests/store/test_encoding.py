"""JSON, hashes and text as the store writes them."""

import math
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.content_records import Evidence, Turn
from store.encoding import (
    as_it_came,
    canonical,
    digest,
    evidence_from_json,
    evidence_to_json,
    now,
    read_json,
    storable,
    turns_from_json,
    turns_to_json,
)
from store.kinds import EvidenceMatch

any_text = st.text()
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=10,
)


@given(values)
def test_any_value_comes_back_lone_surrogates_and_large_numbers_among_them(value: object) -> None:
    assert read_json(canonical(value)) == value
    assert read_json(as_it_came(value)) == value


@given(st.dictionaries(any_text, st.integers(), min_size=2))
def test_equal_objects_have_one_text_whatever_the_order_of_their_keys(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical(turned) == canonical(value)
    assert list(read_json(as_it_came(turned))) == list(turned)


@pytest.mark.parametrize("value", [math.nan, math.inf, [1, {"a": -math.inf}]])
def test_nan_is_no_value(value: object) -> None:
    with pytest.raises(ValueError):
        canonical(value)
    assert "null" not in as_it_came(value)


@pytest.mark.parametrize("value", [{1, 2}, object(), b"bytes"])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        canonical(value)


def test_frozen_rows_are_written_as_their_fields_by_both_writers() -> None:
    plain = Turn("user", "x")
    assert read_json(canonical([plain]))[0]["text"] == "x"
    odd = Turn("user", "\ud800")
    assert read_json(canonical(odd))["text"] == "\ud800"


texts = st.text(st.characters(exclude_categories=("Cs",)))


@given(st.lists(st.builds(Turn, texts, texts, st.none() | texts, st.none() | texts, st.none() | texts)))
def test_turns_come_back(turns: list[Turn]) -> None:
    assert turns_from_json(turns_to_json(turns)) == tuple(turns)


@given(st.lists(st.builds(Evidence, texts, st.sampled_from(EvidenceMatch), st.none() | st.integers(0, 99))))
def test_evidence_comes_back(evidence: list[Evidence]) -> None:
    assert evidence_from_json(evidence_to_json(evidence)) == tuple(evidence)


def test_a_hash_knows_where_its_parts_end() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("ab", "c") != digest("abc")
    assert digest(b"ab") == digest("ab")
    assert digest("\ud800")


@given(any_text)
def test_storable_text_changes_nothing_but_what_no_database_takes_and_keeps_every_place(text: str) -> None:
    stored = storable(text)
    assert len(stored) == len(text)
    stored.encode()
    for before, after in zip(text, stored, strict=True):
        assert after == before or before == "\0" or 0xD800 <= ord(before) < 0xE000


def test_now_is_utc_with_microseconds() -> None:
    assert now().endswith("+00:00")
    assert len(now()) == len("2026-01-01T00:00:00.000000+00:00")


def test_a_mapping_that_is_no_dict_is_written_too() -> None:
    with pytest.raises(TypeError):
        canonical(MappingProxyType({"a": 1}))
