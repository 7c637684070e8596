"""Text is text on every screen: nothing of it acts on the terminal, is taken for markup, or is left out unseen."""

import asyncio
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import pytest
from hostile_round import toured
from hostile_studies import Words
from hostile_text import BITES, BREAKS, HOSTILE, TWISTS, mixture, shown
from hostile_tour import CASES, Case, Seen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from screen_classes import screen_classes

SIZE = (100, 34)
"""Wide enough for two panes, high enough for every case to show the places it names."""

LOOKED_AT = len(BREAKS)
"""How many signs of a text behind the name of its place must stand on the screen: lists cut after a row."""

Toured = tuple[Words, dict[str, Seen]]


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Toured:
    """What a terminal got in each case, of texts that bite and twist."""
    words = Words(mixture)
    return words, asyncio.run(toured(tmp_path_factory.mktemp("tour"), words, SIZE))


def assert_text_is_text(case: Case, words: Words, seen: Seen, *, places: bool) -> None:
    assert case.screen in seen.screens
    assert not seen.alien, f"{case.name}: a terminal got {seen.alien!r}"
    assert not {link for link in seen.links if "hacked" in link}
    assert not seen.otherwise
    for place in case.places if places else ():
        texts = shown(words(place), len(place) + LOOKED_AT)
        assert any(text in one for text in texts for one in seen.text), (
            f"{case.name}: no {texts} on {seen.text}"
        )


def test_every_screen_has_a_hostile_case() -> None:
    missing = screen_classes() - {case.screen for case in CASES}
    assert not missing, f"bring these up with hostile data, in hostile_cases.py: {missing}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_hostile_text_is_text(tour: Toured, case: Case) -> None:
    words, found = tour
    assert_text_is_text(case, words, found[case.name], places=True)


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(1, max(len(BITES), len(TWISTS)), 2))
def test_any_hostile_text_is_text_in_any_place(tmp_path: Path, turn: int) -> None:
    words = Words(partial(mixture, turn=turn))
    found = asyncio.run(toured(tmp_path, words, SIZE))
    for case in CASES:
        assert_text_is_text(case, words, found[case.name], places=True)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (40, 12), (120, 40), (200, 60)], ids=str)
def test_hostile_text_is_text_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    words = Words(partial(mixture, turn=size[0]))
    found = asyncio.run(toured(tmp_path, words, size))
    for case in CASES:
        assert_text_is_text(case, words, found[case.name], places=False)


@pytest.mark.slow
@given(st.lists(HOSTILE, min_size=12, max_size=12), st.sampled_from([(80, 24), SIZE]))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_the_texts_no_screen_lets_them_act(texts: list[str], size: tuple[int, int]) -> None:
    words = Words(lambda place: texts[crc32(place.encode()) % len(texts)])
    with TemporaryDirectory() as folder:
        found = asyncio.run(toured(Path(folder), words, size))
    for case in CASES:
        assert_text_is_text(case, words, found[case.name], places=False)
