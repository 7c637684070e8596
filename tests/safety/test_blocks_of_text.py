"""Lists, cards and questions are wrapped like the transcript: no row is wider than its pane, whatever the text."""

from hostile_text import HOSTILE
from hypothesis import given, settings
from hypothesis import strategies as st

from alps_tui.safe_text import one_line
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.widgets.blocks import Line

WIDTHS = st.one_of(st.integers(8, 20), st.integers(8, 200))


@given(HOSTILE, HOSTILE, WIDTHS, st.sampled_from([None, 1, 2, 5]))
@settings(max_examples=60)
def test_no_row_of_a_paragraph_is_wider_than_its_pane(
    text: str, prefix: str, width: int, rows: int | None
) -> None:
    wrapped = Line(plain(text), prefix=plain_line(prefix), rows=rows).wrapped(width)
    assert max(row.cell_length for row in wrapped) <= width
    assert rows is None or len(wrapped) <= rows
    assert all(one_line(row.plain) == row.plain for row in wrapped)


@given(HOSTILE.filter(lambda text: text.split()), WIDTHS)
@settings(max_examples=30)
def test_a_long_name_before_a_paragraph_leaves_room_for_it(text: str, width: int) -> None:
    first = Line(plain_line(text), prefix=plain_line("a name of many words " * 12)).wrapped(width)[0]
    assert first.plain.startswith("a name of many words "[: width * 2 // 3 - 1])
    assert first.cell_length > width * 2 // 3
