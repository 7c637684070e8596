"""The agreement screen: reads the study, hands the screen what computes the report, and runs it."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import Ending
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.panel import Panel
    from alps_tui.agreement.whole import AgreementReport
    from alps_tui.ui.lead.agreement import AgreementScreen
    from store.database import Database


def run(url: str, seed: int) -> int:
    """Open the screen on a study, without a rater; returns the exit code. Nothing is written."""
    if not sys.stdout.isatty():
        raise Ending(
            "--screen needs a terminal. Without one: alps agreement, or --json, --csv, --markdown, --latex"
        )
    from alps_tui.ui.keyed_app import ran
    from alps_tui.ui.lead.app import LeadApp

    study = open_study(url, read_only=True)
    try:
        return ran(LeadApp(lambda: screen_of(study, seed)))
    finally:
        study.close()


def screen_of(study: "Database", seed: int) -> "AgreementScreen":
    """The screen of an open study; what it computes it computes in threads of its own."""
    from alps_tui.commands.annotate import own_keymap
    from alps_tui.ui.lead.agreement import AgreementScreen
    from alps_tui.ui.lead.shelf import Shelf

    def load(doing: Callable[[str], None]) -> "AgreementReport":
        from alps_tui.commands.agreement import make_report

        doing("Computing every coefficient with its interval")
        return make_report(study, seed)

    return AgreementScreen(
        load, Shelf(study, own_keymap(None)), lambda form, key: with_seeded(study, form, key)
    )


def with_seeded(study: "Database", form: str, key: str) -> "Panel | None":
    """A field's answers of the default population with the seeded ones; None where they are sets or an open scale."""
    from alps_tui.agreement.asked_fields import Said, asked_fields
    from alps_tui.agreement.field_meta import AnswerKind
    from alps_tui.agreement.panel import panel_of
    from alps_tui.agreement.ratings import population
    from alps_tui.commands.agreement import known_forms
    from store.ratings import ratings_table

    with study.read() as connection:
        table, _ = population(ratings_table(connection, protocol=form, field=key))
    for asked in asked_fields(table, Said(forms=known_forms(study))):
        for field in asked.fields:
            if field.key == key and field.closed and field.kind is not AnswerKind.SET:
                return panel_of(table, key, field.level, field.scale)
    return None
