"""Draws the pictures of the README from the sample study.

python tests/screenshots/make.py
"""

import asyncio
import re
import tempfile
from pathlib import Path

from alps_tui.demo.load import load_sample
from alps_tui.ui.app import AlpsApp
from store.assignments import add_rater, assign_all
from store.database import open_database

HERE = Path(__file__).parent
SIZE = (120, 36)
PICTURES = {
    "annotate": ("memory-verification", "ward-counts", ["a", "j", "a"]),
    "rate": ("response-rating", "bottom-bracket·q2", ["4", "2"]),
}
WEB_FONT = re.compile(r"@font-face\s*\{[^}]*\}\s*")


async def draw(name: str, place: Path) -> None:
    form, item, keys = PICTURES[name]
    with open_database(place) as study:
        with study.write() as connection:
            rater = add_rater(connection, "ana")
            assign_all(connection, rater.id)
        app = AlpsApp(study, rater, protocol=form, start_item=item)
        async with app.run_test(size=SIZE) as pilot:
            await _settled(pilot)
            for key in keys:
                await pilot.press(key)
                await _settled(pilot)
            svg = app.export_screenshot(title="alps annotate")
        app.close_session()
    (HERE / f"{name}.svg").write_text(WEB_FONT.sub("", svg), encoding="utf-8")


async def _settled(pilot) -> None:  # type: ignore[no-untyped-def]
    for _ in range(6):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause(0.05)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "sample.db")
        with open_database(place, create=True) as study:
            load_sample(study)
        for name in PICTURES:
            asyncio.run(draw(name, place))


if __name__ == "__main__":
    main()
