"""How a command ends: exit codes, the sentence that goes with each, and the guard around every command."""

import io
import sys
import traceback
from collections.abc import Callable, Sequence

OK = 0
CHECK_FAILED = 1
USAGE = 2
NOTHING_TO_DO = 3
BUSY = 4
INTEGRITY = 5
UNEXPECTED = 70
INTERRUPTED = 130


class Ending(Exception):
    """A command stops here, with a sentence for people and an exit code; `lines` are it, one mistake a line."""

    def __init__(self, sentence: str, code: int = USAGE) -> None:
        super().__init__(sentence)
        self.code = code
        self.lines: tuple[str, ...] = (sentence,)

    @classmethod
    def of_lines(cls, lines: Sequence[str], code: int = USAGE) -> "Ending":
        """An ending that says several things, each on a line of its own."""
        ending = cls("\n".join(lines), code)
        ending.lines = tuple(lines)
        return ending


def guard(command: Callable[[], object], *, debug: bool = False) -> int:
    """Run a command and return its exit code; people get a sentence, the log file gets the traceback."""
    from alps_tui.safe_text import one_line

    try:
        result = command()
        return result if isinstance(result, int) else OK
    except KeyboardInterrupt:
        print("Stopped. What was saved stays saved.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return OK
    except SystemExit as ending:  # the parser's own way out when nobody reads its output any more
        return OK if type(sys.stdout).__name__ == "PacifyFlushWrapper" else int(ending.code or OK)
    except Exception as problem:  # noqa: BLE001 - the outermost frame: everything else ends here, and is logged
        code, sentence = _explain(problem)
        if code == UNEXPECTED:
            sentence = f"{sentence} {_log(problem)}"
        if debug:
            traceback.print_exc()
        for line in problem.lines if isinstance(problem, Ending) else (sentence,) if sentence else ():
            print(one_line(line), file=sys.stderr)
        return code


def _explain(problem: Exception) -> tuple[int, str]:
    import typer

    from alps_tui.safe_text import one_line
    from store.errors import StoreError, StudyBusy, StudyDamaged

    if isinstance(problem, Ending):
        return problem.code, str(problem)
    if isinstance(problem, typer.Exit):
        return problem.exit_code, ""
    if isinstance(problem, typer.Abort):
        return INTERRUPTED, "Stopped. What was saved stays saved."
    show = getattr(problem, "show", None)
    if callable(
        show
    ):  # a usage error of the parser that typer carries; which module that is changes by version
        written = io.StringIO()
        show(file=written)
        print("\n".join(map(one_line, written.getvalue().rstrip("\n").split("\n"))), file=sys.stderr)
        return USAGE, ""
    if isinstance(problem, StudyBusy):
        return BUSY, str(problem)
    if isinstance(problem, StudyDamaged):
        return INTEGRITY, str(problem)
    if isinstance(problem, StoreError):
        return USAGE, str(problem)
    if isinstance(problem, OSError) and problem.strerror:
        where = f"{problem.filename}: " if problem.filename else ""
        return USAGE, f"{where}{problem.strerror}. Nothing more was done: check the place, then try again."
    return UNEXPECTED, f"Something unexpected happened: {type(problem).__name__}: {problem}."


def _log(problem: Exception) -> str:
    """Keep the traceback for whoever mends it; says where, or that there was no place for it."""
    from datetime import UTC, datetime

    from platformdirs import user_log_path

    try:
        path = user_log_path("alps-tui", ensure_exists=True) / "crashes.log"
        with path.open("a", encoding="utf-8") as log:
            log.write(f"{datetime.now(UTC).isoformat()}\n{''.join(traceback.format_exception(problem))}\n")
    except OSError:
        return "The details could not be written anywhere; ALPS_DEBUG=1 shows them."
    return f"The details are in {path}."
