"""Cards, lists and quotes from right to left are drawn in order too, with their styles where they belong."""

from capture import run_captured
from hypothesis import given, settings
from hypothesis import strategies as st
from test_bidi import MIXED
from textual.app import App, ComposeResult
from textual.content import Content

from alps_tui.ui.in_order import in_order, line_in_order
from alps_tui.ui.look import Look, change
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.widgets.blocks import Blocks, Line, Paragraph
from alps_tui.ui.widgets.memory_cards import Card, MemoryText, opened

VISUAL = Look(visual=True)
HELLO, ILOVE = "שלום עולם", "عالم أخضر"


def drawn(content: Content, width: int = 20, prefix: str = "", rows: int | None = None) -> list[str]:
    line = Line(content, prefix=Content(prefix), rows=rows)
    return [row.plain for row in line.wrapped(width, visual=True)]


def test_a_paragraph_from_the_right_stands_at_the_right_and_the_prefix_at_the_left():
    assert drawn(plain(HELLO), prefix="m1 ") == ["m1         םלוע םולש"]
    assert drawn(plain(f"say {HELLO} now")) == ["say םלוע םולש now"]


def test_each_row_of_a_paragraph_is_ordered_by_itself_and_a_cut_is_where_reading_ends():
    assert drawn(plain("אחת שתיים שלוש ארבע"), 10) == [" םייתש תחא", " עברא שולש"]
    assert drawn(plain("אחת שתיים שלוש ארבע"), 10, rows=1) == ["…םייתש תחא"]


def test_the_second_paragraph_has_a_direction_of_its_own():
    assert drawn(plain(f"one\n{HELLO}\ntwo"), 12) == ["one", "   םלוע םולש", "two"]


def test_numbers_keep_their_order_and_brackets_turn():
    assert drawn(plain("טוב (123) abc")) == ["       abc (123) בוט"]


def test_a_style_stays_on_its_words():
    text = Content.assemble(("שלום", "bold"), (" עולם", ""))
    [row] = in_order([text], text.plain, 9)
    assert row.plain == "םלוע םולש"
    assert {at for span in row.spans if span.style == "bold" for at in range(span.start, span.end)} == {
        *range(5, 9)
    }


def test_a_line_of_ours_goes_from_left_to_right_whatever_name_is_in_it():
    assert line_in_order(f"1 user ({HELLO}) · 12 chars") == "1 user (םלוע םולש) · 12 chars"
    assert line_in_order(f"{HELLO} · 12") == "12 · םלוע םולש" or line_in_order("plain") == "plain"


@given(
    st.lists(MIXED, min_size=1, max_size=5).map(" \n".join), st.integers(4, 60), st.sampled_from([None, 1, 2])
)
@settings(max_examples=150)
def test_no_sign_is_lost_and_no_row_wider(text, width, rows):
    line = Line(plain(text), rows=rows)
    brackets = str.maketrans("", "", "()[] ")
    logical, visual = line.wrapped(width), line.wrapped(width, visual=True)
    assert len(logical) == len(visual)
    for one, other in zip(logical, visual, strict=True):
        assert other.cell_length <= width
        assert sorted(one.plain.translate(brackets)) == sorted(other.plain.translate(brackets))


def test_the_words_about_a_quote_stay_apart_from_one_that_is_read_from_the_right():
    text = MemoryText("likes it", quote=HELLO, where="turn 3 · exact")
    rows = [
        row.plain
        for line in opened(Card("m1", "·", "open", text), 2, roomy=True, wide=False)
        for row in line.wrapped(30, visual=True)
    ]
    assert ["                   ”םלוע םולש“"[-30:].rjust(30), "    turn 3 · exact"] == rows[-2:]
    english = MemoryText("likes it", quote="hello", where="turn 3 · exact")
    [*_, last] = opened(Card("m1", "·", "open", english), 2, roomy=True, wide=False)
    assert last.content.plain == "“hello” turn 3 · exact"


class Cards(App[None]):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self.joined_count = "clusters"

    def compose(self) -> ComposeResult:
        yield Paragraph(plain_line(f"“{HELLO}”"))
        yield Blocks()

    def on_mount(self) -> None:
        self.query(Blocks).last().show([(Line(plain(HELLO)),)])


async def test_the_look_can_change_while_cards_are_shown():
    app = Cards(Look())
    async with run_captured(app, (30, 6)) as (pilot, driver):
        await pilot.pause()
        assert driver.screen()[:2] == [f"“{HELLO}”", HELLO]
        change(app, visual=True)  # type: ignore[arg-type]
        await pilot.pause()
        await pilot.pause()
        assert [row.strip() for row in driver.screen()[:2]] == ["”םלוע םולש“", "םלוע םולש"]
        assert app.query(Blocks).last().text() == HELLO
