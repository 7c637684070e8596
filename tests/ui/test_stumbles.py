"""What a new annotator stumbled on: each key does something or says why not, and words on the screen are words."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

from at_the_desk import RATE, VERIFY, at_the_desk, tiny_desk
from studies import act, tiny_study

from alps_tui.protocols.loading import builtin_names, load_builtin
from alps_tui.ui.guideline_words import for_people
from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.filter_list import Entrant, has_word, matches
from alps_tui.ui.screens.home import HomeScreen
from store.assignments import add_rater, assign_all
from store.database import open_database
from store.decisions import append
from store.errors import StudyBusy
from store.kinds import Verb
from store.records import Change


async def test_after_an_added_memory_is_taken_out_another_part_has_the_cursor(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("t", "enter", "x")
        assert desk.cursor == "m2"
        assert "a keep" in desk.screen().splitlines()[-1]
        await desk.press("a")
        assert desk.value("m2", "verdict") == "keep"


async def test_after_undo_removes_an_added_memory_another_part_has_the_cursor(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("t", "enter", "u")
        assert desk.cursor == "m2"
        await desk.press("escape")
        assert "a keep" in desk.screen().splitlines()[-1]


async def test_a_doubt_offers_its_note_at_once_and_escape_leaves_it(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("d")
        assert "in doubt: between which verdicts" in desk.screen()
        await desk.press("escape")
        assert desk.value("m1", "verdict") == "in_doubt"
        assert desk.acts() == ["set"]
        await desk.press("d")
        await desk.type("keep or edit")
        await desk.press("enter")
        assert "keep or edit" in desk.stored().notes.values()
        assert desk.value("m2", "verdict") == "in_doubt"


async def test_the_note_of_a_doubt_is_asked_for_while_its_memory_is_in_sight(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("j", "d")
        assert "m2 in doubt: between which verdicts" in desk.screen()
        assert desk.cursor == "m2"
        await desk.press("escape")
        assert desk.cursor == "m1"


async def test_the_translation_closes_with_y_and_other_keys_close_it_and_act(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("}", "y")
        assert "Und kein Fleisch" in desk.screen()
        await desk.press("y")
        assert "Und kein Fleisch" not in desk.screen()
        await desk.press("y", "down")
        assert "Und kein Fleisch" in desk.screen()
        await desk.press("j")
        assert "Und kein Fleisch" not in desk.screen()
        assert desk.cursor == "m2"


async def test_all_keys_begin_with_moving(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, size=(80, 24)) as desk:
        await desk.press("?")
        assert "Next memory, question or response" in desk.screen()


async def test_once_the_disk_takes_it_the_panel_is_gone_and_undo_says_meanwhile_why_not(
    tmp_path: Path,
) -> None:
    full = [False]

    def disk() -> None:
        if full[0]:
            raise StudyBusy("The disk is full.")

    async with tiny_desk(tmp_path, before_write=disk) as desk:
        full[0] = True
        desk.hit("a")
        await desk.until(lambda: "NOT SAVED" in desk.status())
        desk.hit("u")
        await desk.until(lambda: "Undo waits" in desk.sentence)
        desk.hit("q")
        await desk.until(lambda: "Leaving waits" in desk.screen())
        full[0] = False
        desk.app.session.retry()
        await desk.until(lambda: "NOT SAVED" not in desk.screen())
        await desk.settle()
        assert desk.acts() == ["set"]
        await desk.press("u")
        assert not desk.stored().answers


async def test_what_another_window_changed_is_said_until_something_was_decided_on_it(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        unit = next(u for u in desk.annotate.sitting.view.units if u.shown_id == "m2")
        with desk.db.write() as conn:
            append(conn, act(Verb.SET, desk.assignment, Change("verdict", "keep", unit.id)))
        await desk.press("a")
        assert "CHANGED IN ANOTHER WINDOW" in desk.screen()
        assert (desk.value("m1", "verdict"), desk.value("m2", "verdict")) == (None, "keep")
        await desk.press("1")
        assert "ANOTHER WINDOW" not in desk.screen()


def test_a_filter_finds_words_by_their_beginning() -> None:
    shown = [Entrant(1, "1  d1  en · open"), Entrant(2, "2  d2  zh · open")]
    assert [e.value for e in matches(shown, "en")] == [1]
    assert [e.value for e in matches(shown, "open")] == [1, 2]
    assert has_word("preferences/food", "foo")
    assert has_word("喜欢绿茶", "绿茶")
    assert not has_word("open", "en")


async def test_home_answers_every_key(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, protocol=None) as desk:
        assert isinstance(desk.app.screen, HomeScreen)
        await desk.press("?")
        assert "Choose a queue" in desk.screen()
        await desk.press("escape", "g")
        assert "Guideline · " in desk.screen()
        await desk.press("escape", "p")
        assert "does nothing here" in desk.sentence
        await desk.press("ctrl+p")
        await desk.until(lambda: "Open: " in desk.screen())


async def test_an_item_only_looked_at_is_not_begun(tmp_path: Path) -> None:
    db = tiny_study(tmp_path / "study.db")
    async with at_the_desk(db, VERIFY) as desk:
        await desk.press("]", "q")
        await desk.until(lambda: isinstance(desk.app.screen, HomeScreen) and desk.app.screen.has_read)
        await desk.until(lambda: "0 begun" in desk.screen())
    db.close()


async def test_one_comes_back_to_the_item_one_was_on(tmp_path: Path) -> None:
    db = tiny_study(tmp_path / "study.db")
    async with at_the_desk(db, VERIFY) as desk:
        await desk.press("]", "a")
        there = desk.shown_item()
        await desk.press("q")
        await desk.until(lambda: isinstance(desk.app.screen, HomeScreen) and desk.app.screen.has_read)
        await desk.press("enter")
        await desk.until(lambda: bool(desk.shown_item()))
        assert desk.shown_item() == there
    async with at_the_desk(db, VERIFY) as desk:
        assert desk.shown_item() == there
    db.close()


async def test_an_added_memory_starts_with_nothing_chosen(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, size=(80, 24)) as desk:
        await desk.press("+")
        await desk.type("Cooks")
        assert "None is none" not in desk.screen()
        assert "no label is chosen yet" in desk.screen()
        assert "enter save" in desk.screen()
        await desk.press("tab")
        await desk.type("Food")
        await desk.press("enter")
        attitude = next(row for row in desk.screen().splitlines() if "attitude" in row)
        assert "not chosen yet" in attitude
        assert "[" not in attitude


async def test_a_digit_stands_in_the_row_of_its_word(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, size=(80, 24)) as desk:
        await desk.press("+", "tab", "tab", "tab", "tab", "tab")
        rows = [row.rstrip(" │┃▌▎") for row in desk.screen().splitlines() if "✗" not in row]
        assert any("1 " in row for row in rows)
        assert not any(row.endswith(tuple(f" {digit}" for digit in range(10))) for row in rows)


async def test_no_question_is_named_by_its_key(tmp_path: Path) -> None:
    for form in (VERIFY, RATE):
        folder = tmp_path / form
        folder.mkdir()
        async with tiny_desk(folder, form, size=(80, 24)) as desk:
            for key in ("w", "1"):
                await desk.press(key)
                await asyncio.sleep(0)
                shown = desk.screen()
                assert not any(
                    f.key in shown
                    for f in load_builtin(form).fields
                    if "_" in f.key or f.key[1:].lower() != f.key[1:]
                )
                assert "no memory no memory" not in shown.replace("  ", " ")


def test_a_guideline_names_the_answers_as_the_screen_does() -> None:
    for name in builtin_names():
        form = load_builtin(name)
        words = for_people(form)
        assert words.count("#") <= form.guideline.count("#")
    assert "`partly`" in for_people(load_builtin(VERIFY))
    assert "### `partial`" not in for_people(load_builtin(VERIFY))
    assert "### `does not apply`" in for_people(load_builtin(RATE))


async def test_the_dialogue_says_where_one_is(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        assert "turn 1 of 4" in desk.screen()
        await desk.press("}")
        assert "turn 3 of 4" in desk.screen()


async def test_at_80x24_what_is_on_record_stands_beside_the_response_and_zoom_shows_the_scale_whole(
    tmp_path: Path,
) -> None:
    async with tiny_desk(tmp_path, RATE, size=(80, 24)) as desk:
        assert "On record about this person · 2 (proposed)" in desk.screen()
        assert "Likes green tea" in desk.screen()
        assert "z whole scale" in desk.screen().splitlines()[-1]
        await desk.press("z")
        shown = " ".join(desk.screen().split())
        for option in load_builtin(RATE).field("preference_alignment").choices:
            assert option.anchor in shown
        await desk.press("z")
        assert "Dialogue" in desk.screen()


async def test_a_choice_made_just_before_enter_counts_however_fast_the_keys_come(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("+")
        await desk.type("Cooks at home")
        await desk.press("tab")
        await desk.type("past")
        await desk.press("enter")
        desk.hit("tab", "1", "tab", "3", "tab", "2", "enter")
        await desk.until(lambda: desk.stored().made != ())
        record = desk.value("n1", "memory")
        assert (record["type"], record["time_scope"], record["confidence"]) == ("direct", "long_term", 0.8)


async def test_the_guideline_is_read_over_a_menu_of_reasons_which_waits(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        for key in ("g", "?"):
            await desk.press("x", key)
            assert "Guideline · " in desk.screen()
            await desk.press("escape")
            assert "g guideline" in desk.screen()
            await desk.press("escape")
        assert desk.acts() == []
        await desk.press("x", "g", "q", "2")
        assert desk.value("m1", "verdict") == "delete"


async def test_queues_stand_in_the_order_of_the_work_and_those_after_the_ninth_have_keys_too(
    sample_template: tuple[Path, Any], tmp_path: Path
) -> None:
    shutil.copyfile(sample_template[0], tmp_path / "sample.db")
    with open_database(tmp_path / "sample.db") as db:
        with db.write() as conn:
            assign_all(conn, add_rater(conn, "ada").id)
        async with at_the_desk(db, None, size=(100, 60)) as desk:
            home = desk.app.screen
            assert isinstance(home, HomeScreen)
            await desk.until(lambda: bool(home._queues))
            await desk.settle()
            names = [queue.protocol.name for queue in home._queues]
            assert (
                names[:2] == ["memory-verification", "memory-update"] and names[-1] == "judge-alignment-use"
            )
            assert len(names) == 12
            assert "b Align a judge of memory use" in desk.screen()
            await desk.press("b")
            await desk.until(lambda: isinstance(desk.app.screen, AnnotateScreen))
            assert desk.annotate.protocol.name == "judge-alignment-use"


async def test_undo_says_of_which_part_and_question(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("a", "u")
        assert desk.sentence == "Undone: m1, “What should happen to this memory?”."
        await desk.press("U")
        assert desk.sentence == "Done again: m1, “What should happen to this memory?”."
