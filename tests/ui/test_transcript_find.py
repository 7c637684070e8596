"""Finding in a dialogue of any length: every place once, from where the reader is, without holding the keys."""

import re

from hypothesis import given
from hypothesis import strategies as st
from shown_transcript import reports, showing

from alps_tui.ui.widgets.transcript_find import STRETCH, Search

TEXTS = st.lists(st.text(alphabet="abAB. é", max_size=40), min_size=1, max_size=6)
HUGE = [("many words without it, " * 20_000) + ("needle " if turn in (1, 4) else "") for turn in range(5)]


def search(needle: str, texts: list[str], turn: int = 0, offset: int = 0, seconds: float = 0.0) -> Search:
    found = Search(needle, texts, turn, offset)
    while found.go_on(seconds):
        pass
    return found


@given(TEXTS, st.text(alphabet="abB.", min_size=1, max_size=3), st.integers(0, 5), st.integers(-1, 40))
def test_a_search_in_slices_finds_what_one_look_at_every_text_finds(texts, needle, turn, offset):
    pattern = re.compile(re.escape(needle), re.IGNORECASE)
    every = [(number, *m.span()) for number, text in enumerate(texts) for m in pattern.finditer(text)]
    matches = search(needle, texts, turn, offset).matches
    assert matches.hits == every
    after = [hit for hit in every if hit >= (turn, offset, -1)]
    assert matches.current == (after or every or [None])[0]


def test_a_hit_across_two_stretches_is_found_once():
    text = "x" * (STRETCH - 3) + "needle" + "y" * STRETCH + "needle"
    assert [hit[1] for hit in search("NEEDLE", [text]).matches.hits] == [STRETCH - 3, 2 * STRETCH + 3]


def test_hits_from_around_the_end_leave_the_current_one_current():
    found = Search("a", ["a", "b", "a", "b"], 1)
    found.go_on(0.0)
    found.go_on(0.0)
    assert found.matches.current == (2, 0, 1)
    while found.go_on(0.0):
        pass
    assert found.matches.current == (2, 0, 1)
    assert found.matches.hits == [(0, 0, 1), (2, 0, 1)]


def test_an_empty_needle_is_nowhere():
    assert search("", ["abc"]).matches.hits == []


async def test_a_search_over_two_megabytes_goes_on_in_slices_and_says_when_it_is_over():

    async with showing(HUGE) as (transcript, pilot, driver):
        transcript.find("NEEDLE")
        assert transcript.is_searching
        while transcript.is_searching:
            await pilot.pause()
        await pilot.pause()
        assert "searched" in pilot.app.heard
        assert transcript.found == (1, 2)
        assert "needle" in reports(driver)
        transcript.find_next()
        assert transcript.found == (2, 2)


async def test_a_new_search_takes_the_place_of_one_that_goes_on():
    async with showing(HUGE) as (transcript, pilot, _):
        transcript.find("without")
        transcript.find("nowhere to be found")
        while transcript.is_searching:
            await pilot.pause()
        assert transcript.found == (0, 0)
