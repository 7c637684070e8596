"""What shows more than one rater's answers cannot be reached from the app in which people answer: not even its code."""

import subprocess
import sys

CODE = """
import importlib, pkgutil, sys
import alps_tui.ui, alps_tui.ui.app, alps_tui.commands.annotate
for module in pkgutil.walk_packages(alps_tui.ui.__path__, "alps_tui.ui."):
    if not module.name.startswith("alps_tui.ui.lead"):
        importlib.import_module(module.name)
forbidden = ("alps_tui.ui.lead.", "store.open_items", "store.ratings", "store.table", "alps_tui.judging")
print(*(name for name in sys.modules if name.startswith(forbidden)))
pure = {"alps_tui.agreement", "alps_tui.agreement.words"}  # how alike texts are: it ranks a pool by its question
print(*(name for name in sys.modules if name.startswith("alps_tui.agreement") and name not in pure))
"""


def test_the_app_of_raters_imports_no_screen_of_a_lead_and_nothing_that_reads_what_others_said() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
