"""Active time is time with the person: idle gaps are capped, time away counts nothing, each second counts once."""

from hypothesis import given
from hypothesis import strategies as st

from alps_tui.ui.active_time import IDLE_CAP_SECONDS, ActiveClock


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_gaps_count_up_to_a_minute_and_time_away_counts_nothing() -> None:
    clock = Clock()
    active = ActiveClock(clock)
    clock.now += 5
    active.touch()
    clock.now += 600
    active.touch()
    active.blur()
    clock.now += 30
    active.focus()
    clock.now += 2
    assert active.take() == round((5 + IDLE_CAP_SECONDS + 2) * 1000)
    assert active.take() == 0


def test_another_item_starts_at_nothing() -> None:
    clock = Clock()
    active = ActiveClock(clock)
    clock.now += 7
    active.restart()
    clock.now += 1
    assert active.take() == 1000


@given(
    st.lists(st.tuples(st.sampled_from(("touch", "blur", "focus", "take")), st.floats(0, 500)), max_size=40)
)
def test_active_time_is_never_more_than_the_time_on_the_wall(steps: list[tuple[str, float]]) -> None:
    clock = Clock()
    active = ActiveClock(clock)
    total = 0
    for step, gap in steps:
        clock.now += gap
        total += getattr(active, step)() or 0
    total += active.take()
    assert 0 <= total <= round((clock.now - 100.0) * 1000) + len(steps) + 1
