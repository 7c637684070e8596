"""A study whose every text that comes from data is hostile, and forms whose every word is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from at_the_desk import CHECK, RATE, RETRIEVE, VERIFY
from hostile_text import file_name, stored
from studies import act

from alps_tui.commands.importing import make_items
from alps_tui.protocols.loading import load_builtin
from alps_tui.protocols.schema import Field, Option, Protocol
from alps_tui.protocols.taxonomy import LABELS
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments
from store.content import item_view
from store.database import Database, open_database
from store.decisions import append
from store.kinds import Status, UnitKind, Verb
from store.place import save_place
from store.records import Act, Assignment, Change, ItemView, NewUnit, Rater

JsonObject = dict[str, Any]


FOLDER = "FOLDER"
PAIRS, INTENT = "response-preference", "intent"
REVIEW, ALIGN = "extraction-review", "judge-alignment-extraction"


class Words:
    """Gives a hostile text for each place that data comes to; the text begins with the name of the place."""

    def __init__(self, nasty: Callable[[str], str]) -> None:
        self._nasty = nasty

    def __call__(self, place: str) -> str:
        text = place + self._nasty(place)
        return text if place != FOLDER else file_name(stored(text))

    def one(self, place: str) -> str:
        """The same as a program that lets everything through would have stored it."""
        return stored(self(place))


# ---------------------------------------------------------------- data


def hostile_study(folder: Path, words: Words) -> tuple[Path, Rater]:
    """The study, and the rater who has begun all of its items."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = folder / "lines.jsonl"
    documents = [
        _line(words, "", words("MODEL")) | {"judged": [_judged(words)]},
        _line(words, "TWO", words("SYSTEM")),
    ]
    lines.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    packet = folder / "packet.json"
    packet.write_text(json.dumps(_packet(words)), encoding="utf-8")
    path = folder / "study.db"
    with open_database(path, create=True) as db:
        report = import_paths(db, [lines, packet], labels=LABELS)
        assert report.complete, report.quarantined
        with db.write() as conn:
            rater = add_rater(conn, words.one("RATER"))
        make_items(db)
        _begin(db, rater, words)
    return path, rater


def _line(words: Words, number: str, model: str) -> JsonObject:
    said = words(f"TURN{number}")
    return {
        "dialogue_id": words(f"DIALOGUE{number}"),
        "language": words("LANGUAGE"),
        "source": words("SOURCE"),
        "dialogue": [
            {"role": "user", "speaker": words("SPEAKER"), "content": said, "translation": words("TRANSLATION")},
            {"role": words("ROLE"), "content": words("STRANGER"), "timestamp": words("TIME")},
            {"role": "assistant", "content": "\n".join(words(f"ROW{row}") for row in range(45))},
        ],
        "memories": [
            _memory(words, "FIRST", said),
            _memory(words, "SECOND", words("QUOTE")),
            _memory(words, "THIRD", [said, words("OTHERQUOTE")]) | {"label": "Preferences/Food"},
        ],
        "candidates": {model: [_memory(words, "CANDIDATE", said), _memory(words, "RIVAL", words("QUOTE"))]},
        "queries": [{"id": words("QUERYID"), "text": words("QUERY"), "ability": words("ABILITY"), "category": words("CATEGORY")}],
        "responses": [
            {"query_id": words("QUERYID"), "model": model, "text": words("RESPONSE")},
            {"query_id": words("QUERYID"), "model": words("OTHERMODEL"), "text": words("ANSWER")},
        ],
    }  # fmt: skip


def _judged(words: Words) -> JsonObject:
    """What a judge said of what the first line's model extracted."""
    pair = {
        "gold_id": words("FIRSTID"),
        "pred_id": words("CANDIDATEID"),
        "ok": False,
        "error_type": "VALUE_DRIFT",
    }
    missing = {
        "id": words("SECONDID"),
        "should_have_extracted": True,
        "severity": 1,
        "rationale": words("MISSED"),
    }
    reviews = {
        "pair_reviews": [pair | {"severity": 2, "rationale": words("RATIONALE")}],
        "missing_reviews": [missing],
        "extra_reviews": [],
    }
    return {"task": "extraction", "model": words("MODEL"), "judge": words("JUDGE"), "output": reviews}


def _packet(words: Words) -> JsonObject:
    """A session with a question and the pool it is put to; its target is known by the pool alone."""
    return {
        "session_id": words("SESSION"),
        "dialogue": [{"role": "user", "text": words("SESSIONTURN")}, {"role": "assistant", "text": "Yes."}],
        "task1": {"ground_truth_memories": [], "llm_outputs": {}},
        "task3": {
            "query": words("POOLQUERY"),
            "task3_selected_memory_id": words("TARGETID"),
            "candidate_memories": [
                {
                    "memory_id": "m1",
                    "value": words("ENTRY"),
                    "label": words("ENTRYLABEL"),
                    "more": words("MORE"),
                },
                {"memory_id": words("TARGETID"), "value": words("TARGET"), "label": words("TARGETLABEL")},
                {"memory_id": "m1", "value": 7, "label": [words("LISTED")], "confidence": words("WORDS")},
            ],
        },
    }


def _memory(words: Words, place: str, evidence: Any) -> JsonObject:
    named = {
        key: words(f"{place}{key.upper().replace('_', '')}")
        for key in (
            "type",
            "label",
            "label_suggestion",
            "reasoning",
            "time_scope",
            "emotion",
            "preference_attitude",
        )
    }
    return {
        "id": words(f"{place}ID"),
        "value": words(place),
        "evidence": evidence,
        "confidence": 0.5,
        **named,
    }


def _begin(db: Database, rater: Rater, words: Words) -> None:
    """Hostile answers, notes, flags, reasons and drafts of the rater's own; the second item of each form is skipped."""
    with db.write() as conn:
        assign_all(conn, rater.id)
        for mine in assignments(conn, rater.id):
            view = item_view(conn, mine.id)
            for one in _acts(mine, view, words):
                append(conn, one)
            second = view.turns[0].text == words.one("TURNTWO") or (
                mine.protocol == VERIFY and view.turns[0].text == words.one("SESSIONTURN")
            )
            if second:
                append(conn, act(Verb.SKIP, mine, reason=words.one("SKIPPED")))
            save_place(conn, mine.id, {"drafts": {f"edit {words.one('OWNKEY')}": _record(words, "DRAFT")}})


def _acts(mine: Assignment, view: ItemView, words: Words) -> list[Act]:
    units = [unit for unit in view.units if unit.kind in (UnitKind.MEMORY, UnitKind.RESPONSE)]
    acts = []
    for number, unit in enumerate(units):
        acts += [
            act(Verb.NOTE, mine, reason=words.one("NOTE"), unit_id=unit.id),
            act(Verb.FLAG, mine, reason=words.one("FLAG"), unit_id=unit.id),
        ]
        if unit.kind is UnitKind.MEMORY and mine.protocol == VERIFY:
            acts.append(act(Verb.SET, mine, *_verdict(unit.id, number, words)))
    acts.append(act(Verb.NOTE, mine, reason=words.one("ITEMNOTE")))
    if mine.protocol == VERIFY:
        made = NewUnit(UnitKind.MEMORY, words.one("OWNKEY"), words.one("OWNID"))
        values = {"memory": _record(words, "OWN"), "split_from": words.one("SPLITFROM")}
        acts.append(
            act(Verb.SET, mine, *(Change(key, value, new_unit=made) for key, value in values.items()))
        )
    if mine.protocol == INTENT:
        wanted = NewUnit(UnitKind.INTENT, words.one("INTENTKEY"), words.one("INTENTID"))
        said = {
            "intent_category": "creative",
            "probability": 1,
            "evidence": [{"turn": 0, "start": 0, "end": len(view.turns[0].text)}],
            "reasoning": words.one("INTENTWHY"),
        }
        acts.append(
            act(Verb.SET, mine, *(Change(key, value, new_unit=wanted) for key, value in said.items()))
        )
    return acts


def _verdict(unit_id: int, number: int, words: Words) -> tuple[Change, ...]:
    if number == 0:
        record = _record(words, "EDITED")
        return (
            Change("verdict", "edit", unit_id),
            Change("memory", record, unit_id),
            Change("edit_reason", ["wording"], unit_id),
        )
    if number == 1:
        given = {"verdict": "delete", "delete_reason": "duplicate", "duplicate_of": words.one("DUPLICATE")}
        return tuple(Change(key, value, unit_id) for key, value in given.items())
    return (Change("verdict", None, unit_id, status=Status.CANNOT_JUDGE, reason=words.one("CANNOT")),)


def _record(words: Words, place: str) -> JsonObject:
    record = {
        key: stored(value) if isinstance(value, str) else value
        for key, value in _memory(words, place, None).items()
    }
    return record | {
        "memory_id": record.pop("id"),
        "evidence": {"utterance_index": 0, "text": words.one("QUOTE")},
    }


# ---------------------------------------------------------------- forms


def hostile_forms(words: Words) -> dict[str, Protocol]:
    """Forms as a team could write them: every word that is shown is hostile; fields, values and keys are not."""
    return {
        name: _hostile_form(load_builtin(name), words)
        for name in (VERIFY, RATE, RETRIEVE, CHECK, PAIRS, INTENT, REVIEW, ALIGN)
    }


def _hostile_form(form: Protocol, words: Words) -> Protocol:
    guideline = "\n\n".join(
        (f"# {words.one('HEADING')}", words.one("GUIDELINE"), f"- {words.one('BULLET')}", f"> {words.one('CITED')}",
         f"**{words.one('STRONG')}** `{words.one('CODE')}`", f"| {words.one('CELL')} | b |\n|---|---|\n| c | d |", f"```\n{words.one('FENCED')}\n```")
    )  # fmt: skip
    fields = tuple(_hostile_field(field, words) for field in form.fields)
    changed = {"title": words("FORM"), "fields": fields, "guideline": guideline}
    return Protocol(**{name: getattr(form, name) for name in Protocol.model_fields} | changed)


def _hostile_field(field: Field, words: Words) -> Field:
    changed = {
        "title": words("QUESTION"),
        "help": words("HELP") if field.help else "",
        "options": tuple(_hostile_option(option, words) for option in field.options),
        "not_applicable": field.not_applicable and _hostile_option(field.not_applicable, words),
    }
    return field.model_copy(update=changed)


def _hostile_option(option: Option, words: Words) -> Option:
    return option.model_copy(
        update={"label": words("LABEL"), "anchor": words("ANCHOR"), "example": words("EXAMPLE")}
    )
