"""Every screen class of the product, found by importing all of it: those of raters, and those of a lead."""

import importlib
import pkgutil
from typing import Any

from textual.screen import Screen

import alps_tui.ui

ScreenClass = type[Screen[Any]]
LEAD = "alps_tui.ui.lead."


def screen_classes() -> frozenset[ScreenClass]:
    """The screens a rater can meet."""
    return frozenset(one for one in _of_the_product() if not one.__module__.startswith(LEAD))


def lead_screen_classes() -> frozenset[ScreenClass]:
    """The screens only a lead can meet, in an app of their own."""
    return frozenset(one for one in _of_the_product() if one.__module__.startswith(LEAD))


def _of_the_product() -> frozenset[ScreenClass]:
    """All but those that are only there to be extended and draw nothing themselves."""
    for module in pkgutil.walk_packages(alps_tui.ui.__path__, "alps_tui.ui."):
        importlib.import_module(module.name)
    ours = {one for one in _below(Screen) if one.__module__.startswith("alps_tui.")}
    return frozenset(one for one in ours if "compose" in vars(one) or not one.__subclasses__())


def _below(kind: type) -> set[type]:
    direct = set(kind.__subclasses__())
    return direct.union(*map(_below, direct)) if direct else direct
