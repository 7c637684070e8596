"""Draws the pictures of the README and one of every form's screen in two sizes, from the sample study.

python tests/screenshots/make.py            all of them
python tests/screenshots/make.py FORM ...   those of these forms
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from html import unescape
from pathlib import Path

from judged_material import write_material
from sqlalchemy import text

from alps_tui.commands.importing import make_items
from alps_tui.demo.load import load_sample
from alps_tui.protocols.loading import builtin_names, load_builtin
from alps_tui.sources.importer import import_paths
from alps_tui.ui.app import AlpsApp
from alps_tui.ui.look import Look
from alps_tui.ui.screens.annotate import AnnotateScreen
from store.assignments import add_rater, assign_all
from store.database import Database, open_database
from store.records import Rater

HERE = Path(__file__).parent
FORMS = HERE / "forms"
README_SIZE = (120, 36)
README = {
    "annotate": ("memory-verification", "ward-counts", ["a", "j", "a"]),
    "rate": ("response-rating", "bottom-bracket·q2", ["4", "2"]),
}
SIZES = ((80, 24), (120, 40))
REVEALED, REVEALING = "judge-alignment-ability", ("0", "enter")
"""A form in which a judge is held against people, and the keys that lock one's own answer."""
WEB_FONT = re.compile(r"@font-face\s*\{[^}]*\}\s*")
RULE = re.compile(r"\.\S+-(r\d+) \{ ([^}]*?) *\}")
WORDS = re.compile(r'<text class="\S+-(r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')

Said = list[tuple[float, float, str, str]]


def picture_of(form: str, size: tuple[int, int], *, revealed: bool = False) -> Path:
    return FORMS / f"{form}{'-revealed' if revealed else ''}-{size[0]}x{size[1]}.svg"


def forms_with_screens() -> tuple[str, ...]:
    """The built-in forms that people fill."""
    return tuple(name for name in builtin_names() if load_builtin(name).screen)


def sample_study(path: Path) -> tuple[Database, Rater]:
    """The sample study with a rater who has answered nothing. The caller closes it."""
    study = open_database(path, create=True)
    load_sample(study)
    return study, _with_everything(study)


def judged_study(path: Path) -> tuple[Database, Rater]:
    """What the sample has none of: an updated list that a judge reviewed. The caller closes it."""
    study = open_database(path, create=True)
    import_paths(study, write_material(path.parent / f"{path.stem}-material"))
    make_items(study)
    return study, _with_everything(study)


def _with_everything(study: Database) -> Rater:
    with study.write() as connection:
        rater = add_rater(connection, "ana")
        assign_all(connection, rater.id)
    return rater


def first_items(study: Database, rater: Rater) -> dict[str, str]:
    """Form → the first of its items in the order of the data that the rater has."""
    of_rater = text(
        "SELECT p.name, i.shown_id FROM assignment a JOIN item i ON i.id = a.item_id "
        "JOIN protocol p ON p.id = i.protocol_id WHERE a.rater_id = :rater ORDER BY i.id DESC"
    )
    with study.read() as connection:
        return {name: shown for name, shown in connection.execute(of_rater, {"rater": rater.id}).all()}


async def drawn(
    study: Database, rater: Rater, form: str, item: str, size: tuple[int, int], keys: Sequence[str] = ()
) -> str:
    """The screen of an item after these keys, as SVG without the font that a browser would fetch."""
    app = AlpsApp(study, rater, protocol=form, start_item=item, look=Look())
    async with app.run_test(size=size) as pilot:
        while not (isinstance(app.screen, AnnotateScreen) and app.screen.has_item):
            await pilot.pause(0.01)
        await _settled(pilot)
        for key in keys:
            await pilot.press(key)
            await _settled(pilot)
        svg = app.export_screenshot(title="alps annotate")
    app.close_session()
    return WEB_FONT.sub("", svg)


async def _settled(pilot) -> None:  # type: ignore[no-untyped-def]
    for _ in range(3):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause(0.03)


def said(svg: str) -> Said:
    """What a picture says: each text with its row, its column and how it is drawn; no id, no font."""
    rules = dict(RULE.findall(svg))
    return sorted(
        (float(y), float(x), unescape(words).rstrip("\xa0 "), rules.get(rule, ""))
        for rule, x, y, words in WORDS.findall(svg)
        if unescape(words).strip("\xa0 ")
    )


def draw_revealed(folder: Path) -> None:
    """What a judge said, each size in a study of its own: what is locked stays locked."""
    for size in SIZES:
        study, rater = sample_study(folder / f"revealed-{size[0]}.db")
        with study:
            item = first_items(study, rater)[REVEALED]
            svg = asyncio.run(drawn(study, rater, REVEALED, item, size, REVEALING))
        picture_of(REVEALED, size, revealed=True).write_text(svg, encoding="utf-8")


def draw_forms(study: Database, rater: Rater, forms: Iterable[str]) -> None:
    items = first_items(study, rater)
    for form in forms:
        for size in SIZES:
            svg = asyncio.run(drawn(study, rater, form, items[form], size))
            picture_of(form, size).write_text(svg, encoding="utf-8")


def main(wanted: Sequence[str]) -> None:
    FORMS.mkdir(exist_ok=True)
    forms = wanted or forms_with_screens()
    with tempfile.TemporaryDirectory() as folder:
        study, rater = sample_study(Path(folder, "sample.db"))
        with study:
            in_sample = set(first_items(study, rater))
            draw_forms(study, rater, [form for form in forms if form in in_sample])
        study, rater = judged_study(Path(folder, "judged.db"))
        with study:
            draw_forms(study, rater, [form for form in forms if form not in in_sample])
        if REVEALED in forms:
            draw_revealed(Path(folder))
        study, rater = sample_study(Path(folder, "readme.db"))
        with study:
            for name, (form, item, keys) in {} if wanted else README.items():
                svg = asyncio.run(drawn(study, rater, form, item, README_SIZE, keys))
                (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
