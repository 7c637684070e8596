"""CSV as RFC 4180 has it, with nothing and the empty text kept apart."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.csv_text import Bare, header, line, records

HOSTILE = st.text(max_size=40) | st.sampled_from(
    [
        '"',
        '""',
        ",",
        "\r\n",
        "\n",
        "\r",
        "",
        "=1+1",
        "@x",
        "-2",
        "\0",
        "a,b\r\nc",
        "\u2028",
        "\ufeff",
        "💥",
        "مرحبا",
        "null",
    ]
)
CELL = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | HOSTILE


def read(data):
    return list(records(data.decode("utf-8")))


def undone(cell):
    return cell.text if isinstance(cell, Bare) else cell


@given(st.lists(st.lists(CELL, min_size=2, max_size=5), max_size=5))
def test_any_cells_come_back_as_they_went_in(rows):
    back = read(b"".join(line(row) for row in rows))
    assert len(back) == len(rows)
    for cells, row in zip(back, rows, strict=True):
        for cell, value in zip(cells, row, strict=True):
            if isinstance(value, str) or value is None:
                assert cell == value
            elif isinstance(value, bool):
                assert undone(cell) == str(value).lower()
            else:
                assert type(value)(undone(cell)) == value


@given(st.lists(st.lists(HOSTILE, min_size=2, max_size=4), min_size=1, max_size=5))
def test_the_standard_reader_reads_the_same_texts(rows):
    data = b"".join(line(row) for row in rows).decode("utf-8")
    assert list(csv.reader(io.StringIO(data, newline=""), strict=True)) == rows


def test_nothing_and_the_empty_text_are_two_things():
    assert line([None, "", None]) == b',"",\r\n'
    assert read(b',"",\r\n') == [[None, "", None]]


def test_a_formula_is_written_as_it_is():
    assert line(["=HYPERLINK(1)", "x"]) == b'"=HYPERLINK(1)","x"\r\n'


def test_the_header_names_the_columns():
    assert header(("a", "b")) == b"a,b\r\n"


@pytest.mark.parametrize("broken", ['"open', '"a"b,c\r\n'])
def test_broken_quotes_are_said_and_not_guessed(broken):
    with pytest.raises(ValueError, match=r"quote"):
        list(records(broken))
