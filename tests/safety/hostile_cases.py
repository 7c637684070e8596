"""The cases of the hostile tour: each screen of the product, and each way in which data comes to it."""

from at_the_desk import CHECK, RATE, RETRIEVE, VERIFY
from hostile_studies import ALIGN, FOLDER, INTENT, PAIRS, REVIEW
from hostile_tour import Tour, case
from textual.command import CommandPalette
from textual.widgets import OptionList

from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.change import ChangeScreen
from alps_tui.ui.screens.filter_list import FilterScreen
from alps_tui.ui.screens.home import HomeScreen
from alps_tui.ui.screens.intent_editor import IntentEditor
from alps_tui.ui.screens.memory_editor import MemoryEditor
from alps_tui.ui.screens.not_saved import NotSavedScreen
from alps_tui.ui.screens.pick import PickScreen
from alps_tui.ui.screens.pool_acts import FilterLine
from alps_tui.ui.screens.prompt import NoteScreen, PromptScreen
from alps_tui.ui.screens.reading import GuidelineScreen, KeysScreen, TextScreen
from alps_tui.ui.screens.rendered import RenderedScreen
from alps_tui.ui.screens.rewrite import RewriteScreen
from store.kinds import ItemState
from store.versions import News

# ---------------------------------------------------------------- the first screen


@case(HomeScreen, "", "RATER", "FORM")
async def my_queues(tour: Tour) -> None:
    await tour.look()
    await tour.press("j")
    await tour.look()


@case(HomeScreen, "", "ERROR")
async def a_study_that_cannot_be_read(tour: Tour) -> None:
    home = tour.desk.app.screen
    assert isinstance(home, HomeScreen)
    await tour.desk.until(lambda: home.has_read)
    home.post_message(HomeScreen.QueuesRead((), tour.words("ERROR")))
    await tour.desk.until(lambda: not home._queues)
    await tour.look()
    home.read()
    await tour.desk.until(lambda: bool(home._queues))


# ---------------------------------------------------------------- the item


@case(AnnotateScreen, VERIFY, "DIALOGUE", "TURN", "SPEAKER", "EDITED")
async def memories_beside_their_dialogue(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.look()
    for _ in range(4):
        await tour.press("j")
        await tour.look()


@case(AnnotateScreen, VERIFY, "STRANGER", "ROLE", "ROW0")
async def a_dialogue_alone(tour: Tour) -> None:
    await tour.press("tab", "tab", "z", "home")
    for key in ("}", "pagedown", "space", "pagedown", "end"):
        await tour.press(key)
        await tour.look()
    await tour.press("escape")


@case(
    AnnotateScreen,
    VERIFY,
    "EDITED",
    "FIRST",
    "EDITEDLABEL",
    "SECONDLABELSUGGESTION",
    "CANNOT",
    "OWN",
    "DUPLICATE",
    "NOTE",
    "FLAG",
    "QUOTE",
)
async def memories_alone(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("z")
    await tour.look()
    for key in ("j", "j", "j"):
        await tour.press(key)
        await tour.look()
    await tour.press("escape")


@case(AnnotateScreen, VERIFY, "QUESTION", "ANCHOR", "LABEL")
async def the_questions_about_a_session(tour: Tour) -> None:
    await tour.press("tab")
    await tour.look()
    await tour.press("z", "j", "j")
    await tour.look()
    await tour.press("escape")


@case(AnnotateScreen, RATE, "RESPONSE", "QUERY", "ABILITY", "THIRD", "THIRDPREFERENCEATTITUDE")
async def responses_beside_their_dialogue(tour: Tour) -> None:
    await tour.look()
    for key in ("z", "j", "z", "right", "5"):
        await tour.press(key)
        await tour.look()
    await tour.press("escape", "k")


@case(AnnotateScreen, VERIFY, "SKIPPED")
async def an_item_that_was_skipped(tour: Tour) -> None:
    queue = tour.desk.annotate.queue.assignments
    here = next(a for a in queue if a.id == tour.desk.assignment.id)
    skipped = next(a for a in queue if a.state == ItemState.SKIPPED)
    way = queue.index(skipped) - queue.index(here)
    there, back = ("]", "[") if way > 0 else ("[", "]")
    for _ in range(abs(way)):
        await tour.press(there)
    assert tour.desk.assignment.id == skipped.id
    await tour.look()
    for _ in range(abs(way)):
        await tour.press(back)
    assert tour.desk.assignment.id == here.id


@case(AnnotateScreen, VERIFY, "FOUND")
async def a_word_that_is_nowhere(tour: Tour) -> None:
    await tour.press("/")
    await tour.paste(tour.words("FOUND"))
    await tour.press("enter")
    await tour.look()


@case(AnnotateScreen, RATE, "ERROR")
async def an_act_that_is_refused(tour: Tour) -> None:
    tour.desk.annotate.say(tour.words("ERROR"))
    await tour.look()


# ---------------------------------------------------------------- texts that are typed


@case(PromptScreen, VERIFY, "PASTED")
async def a_word_to_find(tour: Tour) -> None:
    await tour.press("/")
    await tour.paste(tour.words("PASTED"))
    await tour.press("home")
    await tour.look()


@case(NoteScreen, VERIFY, "NOTE")
async def a_note_that_was_kept(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("o", "home", "pageup")
    await tour.look()


@case(NoteScreen, RATE, "PASTED")
async def a_note_that_is_pasted(tour: Tour) -> None:
    await tour.press("o", "f7", "backspace")
    await tour.paste(tour.words("PASTED"))
    await tour.press("home", "pageup")
    await tour.look()


@case(NoteScreen, VERIFY, "TURN")
async def a_note_of_what_was_copied(tour: Tour) -> None:
    """A turn is selected with the mouse, copied, and put into a note with ctrl+v; the same into a line."""
    desk = tour.desk
    dialogue = desk.annotate.panes.dialogue
    await tour.press("tab", "tab", "home", "escape")
    region = dialogue.content_region
    await desk.pilot.mouse_down(offset=(region.x + 3, region.y + 1))
    await desk.pilot.hover(offset=(region.x + 20, region.y + 3))
    await desk.pilot.mouse_up(offset=(region.x + 20, region.y + 3))
    await tour.press("ctrl+c")
    await tour.look(copying=True)
    assert "TURN" in desk.app.clipboard
    await tour.press("/", "ctrl+v")
    await tour.look()
    await tour.press("escape", "o", "f7", "backspace", "ctrl+v", "home", "pageup")
    await tour.look()


@case(
    MemoryEditor,
    VERIFY,
    "DRAFT",
    "DRAFTLABEL",
    "DRAFTLABELSUGGESTION",
    "DRAFTEMOTION",
    "DRAFTTYPE",
    "DRAFTREASONING",
)
async def a_memory_that_is_edited(tour: Tour) -> None:
    tour.stand_on(-1)
    await tour.press("e", "home", "pageup")
    await tour.look()
    for _ in range(9):
        await tour.press("tab")
        await tour.look()


@case(MemoryEditor, VERIFY, "SECOND", "QUOTE")
async def a_memory_with_its_quote(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("j", "e", "home", "pageup")
    await tour.look()


@case(MemoryEditor, VERIFY, "THIRD", "EDITED")
async def memories_that_are_merged(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("m")
    await tour.look()
    await tour.press("2", "home", "pageup")
    await tour.look()


@case(IntentEditor, INTENT, "INTENTWHY", "LABEL", "INTENTID")
async def an_intent_that_is_edited(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("e", "1")
    await tour.look()
    for _ in range(5):
        await tour.press("tab")
        await tour.look()
    await tour.paste(tour.words("PASTED"))
    await tour.look()


# ---------------------------------------------------------------- pairs and intents


@case(AnnotateScreen, PAIRS, "RESPONSE", "ANSWER", "QUERY", "THIRD", "QUESTION", "LABEL")
async def two_responses_side_by_side(tour: Tour) -> None:
    await tour.look()
    for key in ("x", "1", "2", "z", "z", "tab", "shift+tab", "pagedown", "home"):
        await tour.press(key)
        await tour.look()


@case(AnnotateScreen, INTENT, "INTENTWHY", "INTENTID", "LABEL", "TURN")
async def what_a_person_wants(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.look()
    await tour.press("z")
    await tour.look()
    await tour.press("escape")


# ---------------------------------------------------------------- questions


@case(AnnotateScreen, RETRIEVE, "POOLQUERY", "ENTRY", "ENTRYLABEL", "TARGET", "TARGETLABEL")
async def a_question_before_its_pool(tour: Tour) -> None:
    await tour.look()
    await tour.press("t")
    await tour.look()
    for _ in range(2):
        await tour.press("k")
        await tour.look()
    for _ in range(2):
        await tour.press("j", "m")
        await tour.look()


@case(FilterLine, RETRIEVE, "PASTED")
async def a_pool_that_is_filtered(tour: Tour) -> None:
    await tour.press("/")
    await tour.paste(tour.words("PASTED"))
    await tour.press("home")
    await tour.look()


@case(RewriteScreen, RETRIEVE, "POOLQUERY")
async def a_question_in_other_words(tour: Tour) -> None:
    await tour.press("e", "home", "pageup")
    await tour.look()


@case(AnnotateScreen, CHECK, "QUERY", "ABILITY", "FIRST", "SECOND")
async def a_question_with_what_is_on_record(tour: Tour) -> None:
    await tour.press("z")
    await tour.look()
    await tour.press("z")


# ---------------------------------------------------------------- lists


@case(FilterScreen, VERIFY, "DIALOGUE", "DIALOGUETWO")
async def the_list_of_items(tour: Tour) -> None:
    await tour.press(":", "down", "up")
    await tour.look()


@case(FilterScreen, RATE, "DIALOGUE", "ABILITY")
async def the_list_of_items_with_abilities(tour: Tour) -> None:
    await tour.press(":")
    await tour.paste(tour.words("ABILITY"))
    await tour.look()


@case(FilterScreen, VERIFY, "CANDIDATE", "RIVAL", "CANDIDATELABEL")
async def the_list_of_candidates(tour: Tour) -> None:
    await tour.press("t", "down")
    await tour.look()
    await tour.press("up")
    await tour.look()


@case(PickScreen, VERIFY, "QUESTION", "ANCHOR", "LABEL")
async def the_reasons_to_delete(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("x", "down")
    await tour.look()


@case(PickScreen, VERIFY, "SECOND", "THIRD")
async def the_memories_that_say_the_same(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("m", "down")
    await tour.look()


@case(PickScreen, RATE, "RESPONSE", "ANSWER")
async def what_is_wrong_with_a_passage(tour: Tour) -> None:
    for _ in range(2):  # each rater has an order of the responses
        await tour.press("v", "down", "down", "enter", "down")
        await tour.look()
        await tour.press("escape", "j")


@case(PickScreen, RATE, "FLAG")
async def the_flag_there_is(tour: Tour) -> None:
    await tour.press("f", "up")
    await tour.look()


@case(PickScreen, RATE, "QUESTION")
async def why_it_cannot_be_judged(tour: Tour) -> None:
    await tour.press("c")
    await tour.look()


# ---------------------------------------------------------------- pages to read


@case(
    GuidelineScreen,
    RATE,
    "FORM",
    "HEADING",
    "GUIDELINE",
    "BULLET",
    "CITED",
    "STRONG",
    "CODE",
    "CELL",
    "FENCED",
)
async def a_guideline_of_somebodys_own(tour: Tour) -> None:
    await tour.press("g")
    await tour.look()
    for _ in range(3):
        await tour.press("pagedown")
        await tour.look()


@case(ChangeScreen, VERIFY, "FORM", "VERSION", "CHANGED", "SAIDBEFORE", "SAIDNOW")
async def what_is_new_in_a_form(tour: Tour) -> None:
    words = tour.words
    news = News(
        version=words.one("VERSION"),
        before="1",
        note=words("CHANGED"),
        guideline=f"# Memories\n\nKeep them.\n\n{words.one('SAIDNOW')}",
        guideline_before=f"# Memories\n\n{words.one('SAIDBEFORE')}\n\nKeep them.",
        guideline_id=0,
        assignment_id=0,
        item_id=0,
    )
    tour.desk.app.push_screen(ChangeScreen(words("FORM"), news))
    await tour.until_on(ChangeScreen)
    await tour.look()
    await tour.press("pagedown")
    await tour.look()


@case(KeysScreen, VERIFY, "QUESTION", "LABEL")
async def the_keys_of_a_form(tour: Tour) -> None:
    await tour.press("?")
    await tour.look()
    await tour.press("pagedown")
    await tour.look()


@case(TextScreen, VERIFY, "TRANSLATION")
async def a_stored_translation(tour: Tour) -> None:
    await tour.press("tab", "tab", "home", "escape", "y")
    await tour.look()


@case(RenderedScreen, VERIFY, "TURN")
async def a_turn_as_markdown(tour: Tour) -> None:
    await tour.press("tab", "tab", "home", "escape", "M")
    await tour.look()


@case(RenderedScreen, VERIFY, "ROW0")
async def a_long_turn_as_markdown(tour: Tour) -> None:
    await tour.press("tab", "tab", "end", "escape", "M")
    await tour.look()


@case(CommandPalette, VERIFY, "PASTED")
async def every_action(tour: Tour) -> None:
    tour.desk.hit("ctrl+p")
    await tour.until_on(CommandPalette)
    options = tour.desk.app.screen.query_one(OptionList)
    await tour.desk.until(lambda: options.option_count > 0)
    await tour.look()
    await tour.paste(tour.words("PASTED"))
    await tour.look()
    await tour.press("ctrl+v")
    await tour.look()


# ---------------------------------------------------------------- what could not be written


@case(NotSavedScreen, RATE, "ERROR", FOLDER)
async def what_is_not_saved(tour: Tour) -> None:
    desk = tour.desk
    tour.disk_is_busy = True
    desk.hit("4")
    await desk.until(lambda: bool(desk.app.session.failed))
    await tour.look()
    desk.hit("q")
    await tour.until_on(NotSavedScreen)
    await tour.look()
    desk.hit("e")
    await desk.settle_anywhere()
    await tour.until_on(NotSavedScreen)
    await desk.until(lambda: "You can leave now" in desk.app.screen._words())
    await tour.look()
    tour.disk_is_busy = False
    desk.hit("r")
    await desk.until(lambda: not desk.app.session.failed)


# ---------------------------------------------------------------- reviews, and a judge beside one's own


@case(AnnotateScreen, REVIEW, "FIRST", "CANDIDATE", "FIRSTLABEL", "NOTE")
async def two_lists_of_memories(tour: Tour) -> None:
    await tour.look()
    for key in ("j", "j", "j", "z"):
        await tour.press(key)
        await tour.look()
    await tour.press("escape")


@case(PickScreen, REVIEW, "QUESTION", "LABEL", "ANCHOR")
async def what_a_pair_differs_in(tour: Tour) -> None:
    tour.stand_on(0)
    await tour.press("1")
    await tour.look()


@case(AnnotateScreen, ALIGN, "RATIONALE", "MISSED", "FIRST")
async def what_a_judge_said_beside_ones_own(tour: Tour) -> None:
    for _ in tour.desk.annotate.sitting.units:
        await tour.press("x", "2")
    await tour.press("enter")
    await tour.desk.until(lambda: tour.desk.annotate.sitting.is_revealed)
    await tour.desk.settle()
    await tour.look()
    for key in ("j", "z"):
        await tour.press(key)
        await tour.look()
    await tour.press("escape")
