"""The questions of a form as blocks of text: one line each, the one in focus with its answers and their meaning."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.widgets.blocks import EMPTY, Block, Blocks, Line, Parts

FEW = 6
"""So many questions stand in a line together, in the order of the form."""


@dataclass(frozen=True)
class Choice:
    """One possible answer. `anchor` says what it means."""

    key: str
    label: str
    anchor: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class Question:
    """A question as it stands on the screen. `answer` is its answer in words, empty while there is none."""

    field: str
    title: str
    choices: tuple[Choice, ...]
    answer: str
    required: bool
    help: str = ""
    hint: str = ""
    short: str = ""

    @property
    def answered(self) -> bool:
        return bool(self.answer)


class QuestionList(Blocks):
    """Shows questions. `live` says that digits go to the one in focus; the list itself takes no key."""

    DEFAULT_CSS = """
    QuestionList { height: auto; }
    """
    _asked: tuple[object, ...] = ()

    def ask(
        self,
        questions: Sequence[Question],
        focus: int | None,
        *,
        live: bool,
        terse: bool,
        ample: bool = False,
        crowded: bool = False,
    ) -> None:
        """Show these questions.

        focus   the question in focus, None if all are answered and none was chosen
        live    digits go to it now
        terse   little room: of the others only their answers, in one line; no help
        ample   every anchor whole: much room, or a pane that has the screen to itself
        crowded what is rated needs the room: more than a few others stand in a line or two, as where it is terse
        """
        asked = (tuple(questions), focus, live, terse, ample, crowded)
        if asked == self._asked:
            return
        self._asked = asked
        if terse or (crowded and len(questions) > FEW):
            blocks = [_others(questions, focus, rows=1 if terse else 3)] if len(questions) > 1 else []
            if focus is not None:
                bare = terse and crowded and not ample
                blocks.append(
                    question_block(
                        questions[focus], focus=True, live=live, terse=terse, ample=ample, bare=bare
                    )
                )
            self.show((b for b in blocks if b), len(blocks) - 1 if focus is not None else None)
            return
        shown = (
            question_block(q, focus=i == focus, live=live, terse=False, ample=ample)
            for i, q in enumerate(questions)
        )
        self.show(shown, focus)


def question_block(
    question: Question, *, focus: bool, live: bool, terse: bool, ample: bool, bare: bool = False
) -> Block:
    """One question; in focus with its answers below it, else one line with its answer.

    bare   no room for what the answers mean: their words alone, side by side
    """
    if not focus:
        return (Line(plain_line(question.title, "$foreground-muted"), prefix=_standing(question), rows=1),)
    mark = Content.styled("▌ ", "bold") if live else Content("  ")
    title = Line(_heading(question, bold=True), prefix=mark, rows=1 if terse else None)
    helping = (
        (Line(plain(question.help, "$foreground-muted"), prefix=Content("  ")),)
        if question.help and not terse
        else ()
    )
    rows = None if ample else 0 if bare else 1 if terse else 2
    return (title, *helping, *_answers(question, rows=rows))


def _heading(question: Question, *, bold: bool = False) -> Content:
    title = plain_line(question.title, "bold" if bold else "")
    return title + (Content.styled(" *", "bold") if question.required and not question.answered else EMPTY)


def _standing(question: Question) -> Content:
    """How far a question that is not in focus is: its answer, or whether it must be answered."""
    if question.answered:
        return Content("  ✓ ") + plain_line(question.answer, "bold") + Content("  ")
    return Content.styled(
        "  * " if question.required else "  · ", "bold" if question.required else "$foreground-muted"
    )


def _answers(question: Question, *, rows: int | None) -> Block:
    width = max((len(c.label) for c in question.choices), default=0)
    with_anchors = any(c.anchor for c in question.choices) and (
        rows is None or rows > 1 or (rows == 1 and len(question.choices) > 3)
    )
    if question.choices and with_anchors:
        lines = tuple(
            Line(
                plain_line(c.anchor, "bold" if c.chosen else "$foreground-muted"),
                prefix=_choice(c, min(width, 26)) + Content("  "),
                rows=rows,
            )
            for c in question.choices
        )
        more = plain_line(question.hint, "$foreground-muted")
        return (*lines, Line(more, prefix=Content("  "), rows=1)) if question.hint else lines
    parts = [_choice(c) for c in question.choices]
    if question.hint:
        parts.append(plain_line(question.hint, "$foreground-muted"))
    return (Parts(EMPTY, prefix=Content("  "), parts=tuple(parts)),)


def _choice(choice: Choice, width: int = 0) -> Content:
    """`1 yes`, and `[1 yes]` when chosen: the brackets say it without colour."""
    label = plain_line(choice.label)
    padded = label.pad_right(max(width - label.cell_length, 0)) if width else label
    if choice.chosen:
        return (
            Content.styled("[", "bold")
            + plain_line(choice.key, "bold")
            + Content(" ")
            + padded.stylize("bold")
            + Content.styled("]", "bold")
        )
    edge = Content(" ") if width else EMPTY
    return edge + plain_line(choice.key, "bold $text-accent") + Content(" ") + padded + edge


def _others(questions: Sequence[Question], focus: int | None, rows: int) -> Block:
    """All questions but the one in focus, in a line or more: short names with their answers.

    Where they are many, how many are answered stands before them, and the line begins with those that come next.
    """
    parts = []
    order = list(range(len(questions)))
    if len(questions) > FEW:
        parts.append(
            plain_line(f"{sum(q.answered for q in questions)} of {len(questions)}", "$foreground-muted")
        )
        at = 0 if focus is None else focus
        order = order[at:] + order[:at]
    for i in order:
        question = questions[i]
        if i != focus:
            name = plain_line(question.short or question.title, "$foreground-muted")
            says_all = question.answered and len(question.choices) == 1
            answer = plain_line(question.answer, "bold") if question.answered else Content("·")
            parts.append(answer if says_all else name + Content(" ") + answer)
    return (Line(Content("  ").join(parts), prefix=Content("  "), rows=rows),) if parts else ()
