"""The whole of an agreement report: decisions on proposals and every field of every form, from one long table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alps_tui.agreement.asked_fields import Asked, Said, asked_fields, form_of
from alps_tui.agreement.decisions import VERDICT, decision_report
from alps_tui.agreement.field_reports import FieldReport
from alps_tui.agreement.fields import field_report, of_form
from alps_tui.agreement.intervals import SEED
from alps_tui.agreement.ratings import Population, population
from alps_tui.agreement.report import DecisionReport
from alps_tui.agreement.sets import FinalList
from store.kinds import UnitKind
from store.table import Table

DECISIONS = "memory-verification"
SESSION, MEMORIES = "questions about the session", "questions about the memories"


@dataclass(frozen=True, slots=True)
class Imported:
    """What a study knows of imported annotators beyond its long table (see `decision_report`)."""

    sides: Mapping[str, str]
    lists: Sequence[FinalList] = ()
    seeds: Mapping[str, Sequence[str]] | None = None
    packetless: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Decisions first, then each form's fields; `decisions` is None where nobody decided on proposals.

    forms    by name; of `memory-verification` what is asked beside the decisions, by kind of unit
    open     form → fields without a level: texts, records and passages
    said     what was done to the rows before anything was computed, as sentences
    dropped  rows that contradict each other and were left out before
    """

    population: Population
    decisions: DecisionReport | None
    forms: Mapping[str, FieldReport]
    open: Mapping[str, tuple[str, ...]]
    said: tuple[str, ...]
    seed: int
    dropped: int = 0

    @property
    def left_rows(self) -> int:
        """Rows that should have counted and could not: off their scale, or contradicting each other."""
        return self.dropped + sum(one.off_scale for form in self.forms.values() for one in form.fields)

    @property
    def empty(self) -> bool:
        return self.population.kept == 0

    @property
    def refused(self) -> dict[str, str]:
        """Every field without a number, with the reason."""
        return {key: why for form in self.forms.values() for key, why in form.refused.items()}

    @property
    def n_fields(self) -> int:
        return sum(len(form.fields) for form in self.forms.values()) + (self.decisions is not None)

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.decisions is not None:
            found[DECISIONS] = self.decisions.to_json()
        for name, form in self.forms.items():
            if name in (SESSION, MEMORIES):
                key = "session_questions" if name == SESSION else "memory_questions"
                found.setdefault(DECISIONS, {})[key] = form.to_json()
            else:
                found[name] = form.to_json()
        return found | {
            "population": self.population.to_json(),
            "fields_without_a_level": {form: list(keys) for form, keys in self.open.items() if keys},
            "n_fields": self.n_fields,
            "said": list(self.said),
            "contradicting_rows": self.dropped,
            "seed": self.seed,
        }


def agreement_report(
    table: Table,
    *,
    said: Said | None = None,
    imported: Imported | None = None,
    field: str | None = None,
    told: Sequence[str] = (),
    dropped: int = 0,
    seed: int = SEED,
) -> AgreementReport:
    """Everything that can be said of a long table: of its default population, with what was left out.

    field    only this one
    told     sentences about what was done to the rows before, and `dropped` how many were left out: handed on
    raises   ValueError if one rater answered a unit twice in the population
    """
    kept, who = population(table)
    asked = asked_fields(kept, said)
    decisions = None
    forms: dict[str, FieldReport] = {}
    for one in asked:
        if one.form == DECISIONS:
            if field in (None, VERDICT):
                decisions = _decisions(of_form(table, DECISIONS), one, imported, seed)
            for name, kind in ((SESSION, UnitKind.SESSION), (MEMORIES, UnitKind.MEMORY)):
                _add(forms, name, _of_kind(table, kind), one, field, seed)
        else:
            _add(forms, one.form or "ratings", table, one, field, seed)
    open_ = {one.form: one.open for one in asked}
    return AgreementReport(who, decisions, forms, open_, tuple(told), seed, dropped)


def _decisions(table: Table, asked: Asked, imported: Imported | None, seed: int) -> DecisionReport | None:
    if not any(field.key == VERDICT for field in asked.fields):
        return None
    known = imported or Imported({})
    return decision_report(
        table,
        sides=known.sides,
        lists=known.lists,
        seeds=known.seeds,
        packetless=known.packetless,
        seed=seed,
        detail=True,
    )


def _of_kind(table: Table, kind: UnitKind) -> Table:
    return table.where(table.column("unit_kind") == kind)


def _add(
    forms: dict[str, FieldReport], name: str, table: Table, asked: Asked, wanted: str | None, seed: int
) -> None:
    """Report the fields of a form that have rows in the table, if there are any."""
    present = {
        key
        for key, protocol in dict.fromkeys(
            zip(table.column("field").tolist(), table.column("protocol").tolist(), strict=True)
        )
        if form_of(protocol) == asked.form
    }
    fields = [
        one
        for one in asked.fields
        if one.key in present and (asked.form, one.key) != (DECISIONS, VERDICT) and wanted in (None, one.key)
    ]
    refused = {key: why for key, why in asked.refused.items() if key in present and wanted in (None, key)}
    if fields or refused:
        rows = of_form(table, asked.form)
        forms[name] = field_report(rows, fields, seed=seed, refused=refused, detail=True)
