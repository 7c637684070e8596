"""What an item says, in the words and blocks its panes show: cards, questions, tabs and preferences."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from alps_tui.protocols.schema import Field
from alps_tui.ui.asking import bar_fields, verdict_field
from alps_tui.ui.capping import why_capped
from alps_tui.ui.memory_record import changed_keys, record_of, view_of
from alps_tui.ui.shown_intent import intent_text
from alps_tui.ui.shown_rating import (
    memories,
    memory_words,
    passage_words,
    passages,
    tenths,
    tenths_words,
)
from alps_tui.ui.shown_update import beside
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.memory_cards import Card, MemoryText
from alps_tui.ui.widgets.question_list import Choice, Question
from alps_tui.ui.widgets.unit_tabs import Tab
from store.content_records import Evidence, Json
from store.kinds import EvidenceMatch, Status, UnitKind
from store.records import Answer, MemoryView, UnitView

GLYPHS = {"keep": "✓", "edit": "✎", "delete": "✗", "in_doubt": "?"}
MATCH_WORDS = {
    EvidenceMatch.EXACT: "exact",
    EvidenceMatch.NORMALISED: "exact but for spacing or case",
    EvidenceMatch.FUZZY: "similar",
    EvidenceMatch.NOT_FOUND: "not found in the dialogue",
    EvidenceMatch.NO_QUOTE: "no quote",
}
CHANGED_WORDS = {
    "type": "type",
    "label": "label",
    "label_suggestion": "suggested label",
    "time_scope": "time scope",
    "confidence": "confidence",
    "emotion": "emotion",
    "preference_attitude": "attitude",
    "reasoning": "reasoning",
    "evidence": "evidence",
}
CANNOT = "cannot judge"


# ---------------------------------------------------------------- answers in words


def answer_words(field: Field, answer: Answer | None) -> str:
    """An answer as a person would say it; empty if there is none."""
    if answer is None:
        return ""
    if answer.status != Status.ANSWERED:
        why = f": {answer.reason}" if answer.reason else ""
        return f"{CANNOT if answer.status == Status.CANNOT_JUDGE else 'skipped'}{why}"
    typed = "" if answer.raw_value is None else f" (you: {value_words(field, answer.raw_value)})"
    return value_words(field, answer.value) + typed


def value_words(field: Field, value: Json) -> str:
    """A value with the word its option has: `4 mostly with them`, `no evidence, private`."""
    if isinstance(value, list | tuple) and field.kind == "multi":
        return ", ".join(value_words(field, part) for part in value)
    if field.in_tenths and isinstance(value, int | float):
        return tenths_words(field, value)
    if field.kind == "span" and field.on == "unit":
        return passage_words(field, value)
    if field.kind == "span":
        return ", ".join(f"turn {span['turn'] + 1}" for span in value or ())
    option = field.option(value)
    if option is None:
        return str(value)
    if field.kind == "scale" and option.label != str(value) and field.not_applicable != option:
        return f"{value} {option.label}"
    return option.label


# ---------------------------------------------------------------- memories


def memory_of(sitting: Sitting, unit: UnitView) -> MemoryView | None:
    """The memory as it stands for this rater: as edited or added, else as proposed."""
    record = sitting.value(unit, "memory")
    proposed = sitting.view.memories.get(unit.memory_id) if unit.memory_id is not None else None
    if not isinstance(record, dict):
        return replace(proposed, evidence=evidence_of(sitting, unit)) if proposed is not None else None
    return view_of(record, evidence_of(sitting, unit), unit.memory_id or 0)


def evidence_of(sitting: Sitting, unit: UnitView) -> tuple[Evidence, ...]:
    """Where a memory rests: what this rater marked, else what came with the proposal or the candidate."""
    return sitting.kept.of(unit, "evidence", lambda: _evidence_of(sitting, unit))


def _evidence_of(sitting: Sitting, unit: UnitView) -> tuple[Evidence, ...]:
    spans = sitting.value(unit, "evidence")
    if spans:
        return marked(sitting, spans)
    if sitting.value(unit, "target_verdict") == "swap":
        name = (sitting.value(unit, "memory") or {}).get("memory_id")
        return next((one.evidence for one in sitting.view.preferences if one.shown_id == name), ())
    if unit.memory_id is not None and unit.memory_id in sitting.view.memories:
        return sitting.view.memories[unit.memory_id].evidence
    source = sitting.value(unit, "from_candidate")
    return next((c.evidence for c in sitting.view.candidates if c.key == source), ())


def marked(sitting: Sitting, spans: Sequence[Mapping[str, Json]]) -> tuple[Evidence, ...]:
    """Passages that were marked in the dialogue, with their words."""
    turns = sitting.view.turns
    found = []
    for span in spans:
        turn, start, end = span["turn"], span["start"], span["end"]
        quote = turns[turn].text[start:end] if turn < len(turns) else ""
        found.append(Evidence(quote, EvidenceMatch.EXACT, turn, start, end))
    return tuple(found)


def _marked_words(sitting: Sitting, unit: UnitView) -> str:
    """How the evidence shown came to be the rater's: marked, or taken over with the memory."""
    spans = sitting.value(unit, "evidence")
    source = sitting.value(unit, "from_candidate")
    given = next((c.evidence for c in sitting.view.candidates if c.key == source), None)
    if not spans:
        return ""
    at = [(span["turn"], span["start"], span["end"]) for span in spans]
    if given is not None and at == [(e.turn, e.start, e.end) for e in given if e.turn is not None]:
        return "taken over"
    return "marked by you"


def cards(sitting: Sitting) -> tuple[Card, ...]:
    """A card for every memory of the item, then for those the rater added."""
    return tuple(card(sitting, unit) for unit in sitting.units)


def card(sitting: Sitting, unit: UnitView) -> Card:
    return sitting.kept.of(unit, "card", lambda: _card(sitting, unit))


def _card(sitting: Sitting, unit: UnitView) -> Card:
    memory = memory_of(sitting, unit)
    verdict = verdict_field(sitting, unit)
    glyph, word = state_of(sitting, unit)
    keys = tuple((o.key or "", o.label) for o in verdict.options) if verdict else _keys_of_made(unit)
    return Card(
        shown_id=unit.shown_id,
        glyph=glyph,
        word=word,
        text=_text_of(sitting, unit, memory),
        reason=_reason_words(sitting, unit, verdict),
        changes=_change_words(sitting, unit, memory),
        was=_was(sitting, unit, memory),
        marked=_marked_words(sitting, unit),
        source=_source_words(sitting, unit),
        note=sitting.shown.notes.get(unit.id, ""),
        flag=sitting.shown.flags.get(unit.id, ""),
        keys=keys,
        saving=unit.id < 0,
        beside=beside(sitting, unit, memory),
    )


def _text_of(sitting: Sitting, unit: UnitView, memory: MemoryView | None) -> MemoryText:
    if unit.kind is UnitKind.INTENT:
        return intent_text(sitting, unit)
    return _memory_text(memory) if memory else MemoryText(value=unit.shown_id)


def _keys_of_made(unit: UnitView) -> tuple[tuple[str, str], ...]:
    return (("e", "edit"), ("x", "take it out"), ("v", "evidence")) if unit.made else ()


def state_of(sitting: Sitting, unit: UnitView) -> tuple[str, str]:
    """A sign and a word for how far a part is: never colour alone."""
    verdict = verdict_field(sitting, unit)
    if verdict is None:
        if unit.made:
            return "+", "added"
        return ("✓", "done") if sitting.decided(unit) else ("·", "open")
    answer = sitting.answer(unit, verdict.key)
    if answer is None:
        return "·", "open"
    if answer.status != Status.ANSWERED:
        return "∅", CANNOT
    return GLYPHS.get(str(answer.value), "●"), value_words(verdict, answer.value)


def _memory_text(memory: MemoryView) -> MemoryText:
    first = memory.evidence[0] if memory.evidence else None
    more = len(memory.evidence) - 1
    return MemoryText(
        value=memory.value,
        label=memory.label or "no label",
        attributes=attributes(memory),
        quote=first.quote if first else "",
        where=_where(first) + (f" · {more} more" if more > 0 else "") if first else "no evidence given",
        reasoning=memory.reasoning or "",
    )


def attributes(memory: MemoryView) -> tuple[str, ...]:
    """The small print of a memory, what is null left out."""
    confidence = f"{memory.confidence:.2f}".lstrip("0") if memory.confidence is not None else None
    suggestion = f"suggests {memory.label_suggestion}" if memory.label_suggestion else None
    parts = (
        suggestion,
        memory.type,
        memory.time_scope,
        confidence,
        memory.preference_attitude,
        memory.emotion,
    )
    return tuple(part for part in parts if part)


def _where(evidence: Evidence) -> str:
    words = MATCH_WORDS[evidence.match]
    if evidence.match == EvidenceMatch.FUZZY and evidence.score is not None:
        words = f"{words} {evidence.score:.0%}"
    return words if evidence.turn is None else f"turn {evidence.turn + 1} · {words}"


def _reason_words(sitting: Sitting, unit: UnitView, verdict: Field | None) -> str:
    """What was said beside the verdict: reasons, the duplicate's name."""
    if verdict is None:
        return ""
    answer = sitting.answer(unit, verdict.key)
    if answer is not None and answer.status != Status.ANSWERED:
        return answer.reason or ""
    parts = []
    for field in sitting.visible_fields(unit):
        if field.kind in ("choice", "multi", "text") and field is not verdict:
            words = answer_words(field, sitting.answer(unit, field.key))
            if field.key == "duplicate_of" and words:
                other = sitting.unit(words)
                words = f"of {other.shown_id if other else words}"
            if words:
                parts.append(words)
    return " · ".join(parts)


def _change_words(sitting: Sitting, unit: UnitView, memory: MemoryView | None) -> tuple[str, ...]:
    """What an edit changed beside the wording, old and new."""
    record = sitting.value(unit, "memory")
    proposed = sitting.view.memories.get(unit.memory_id) if unit.memory_id is not None else None
    if not isinstance(record, dict) or proposed is None or memory is None:
        return ()
    before = record_of(proposed)
    keys = [key for key in changed_keys(before, record) if key in CHANGED_WORDS]
    return tuple(f"{CHANGED_WORDS[key]}: {_changed(before.get(key), record.get(key))}" for key in keys)


def _changed(before: Json, after: Json) -> str:
    old, new = _said(before), _said(after)
    return f"another passage of {new}" if old == new else f"{old} → {new}"


def _said(value: Json) -> str:
    """A value in a word or two; of evidence the turns it stands in."""
    if isinstance(value, dict):
        turn = value.get("utterance_index")
        return f"turn {turn + 1}" if isinstance(turn, int) else "not in the dialogue"
    if isinstance(value, list | tuple):
        return ", ".join(_said(part) for part in value)
    return "none" if value is None else str(value)


def _was(sitting: Sitting, unit: UnitView, memory: MemoryView | None) -> str:
    proposed = sitting.view.memories.get(unit.memory_id) if unit.memory_id is not None else None
    if proposed is None or memory is None or proposed.value == memory.value:
        return ""
    return proposed.value


def _source_words(sitting: Sitting, unit: UnitView) -> str:
    for field, words in (("from_candidate", "taken over from"), ("split_from", "split from")):
        source = sitting.value(unit, field)
        if source:
            others = (sitting.unit(str(source)), *(c for c in sitting.view.candidates if c.key == source))
            return f"{words} {next((other.shown_id for other in others if other), source)}"
    return ""


# ---------------------------------------------------------------- questions, tabs


def questions(sitting: Sitting, unit: UnitView | None) -> tuple[Question, ...]:
    """The questions about a part that stand in a list."""
    return tuple(question(sitting, unit, field) for field in bar_fields(sitting, unit)) if unit else ()


def question(sitting: Sitting, unit: UnitView, field: Field) -> Question:
    answer = sitting.answer(unit, field.key)
    value = answer.value if answer and answer.status == Status.ANSWERED else None
    if field.in_tenths or field.kind in ("span", "entries"):
        return _rated(sitting, unit, field, value)
    chosen = value if isinstance(value, list | tuple) and field.kind == "multi" else [value]
    choices = tuple(
        Choice(
            o.key or str(i),
            o.label,
            o.anchor,
            chosen=answer is not None and any(o == field.option(v) for v in chosen),
        )
        for i, o in enumerate(field.choices, 1)
    )
    return Question(
        field=field.key,
        title=field.title,
        choices=choices if field.kind in ("choice", "multi", "scale") else (),
        answer=answer_words(field, answer),
        required=field.required,
        short=field.short,
        help=field.help,
        hint={"text": "1 write", "number": "type the number"}.get(field.kind, ""),
    )


def _rated(sitting: Sitting, unit: UnitView, field: Field, value: Json) -> Question:
    """A question whose answers are points of a scale of tenths, memories on record, or passages of the part."""
    words = answer_words(field, sitting.answer(unit, field.key))
    if field.in_tenths:
        choices, hint = tenths(field, value), "1–9: the tenths between"
    elif field.kind == "entries":
        choices, hint = memories(sitting, field, value), "each key sets or takes away one"
        words = memory_words(sitting, field, value) if value is not None else words
    else:
        choices, hint = passages(field, value), "v marks a passage; its key takes it away"
    return Question(
        field=field.key,
        title=field.title,
        choices=choices,
        answer=words,
        required=field.required,
        short=field.short,
        help=" ".join(part for part in (why_capped(sitting, unit, field), field.help) if part),
        hint=hint,
    )


def tabs(sitting: Sitting, current: UnitView | None) -> tuple[Tab, ...]:
    """One tab per response: its letter and how many of its required questions are answered."""
    found = []
    for unit in sitting.units:
        required = [f for f in sitting.visible_fields(unit) if f.required]
        missing = len(sitting.missing(unit))
        marks = "⚑" if sitting.shown.flags.get(unit.id) else ""
        marks += "✎" if sitting.shown.notes.get(unit.id) else ""
        found.append(
            Tab(
                unit.shown_id,
                len(required) - missing,
                len(required),
                unit == current,
                marks,
                broken=bool(sitting.broken(unit)),
            )
        )
    return tuple(found)


def preference_lines(preferences: Sequence[MemoryView]) -> tuple[str, ...]:
    """A preference set, one line each, with where it was said."""
    lines = []
    for memory in preferences:
        turns = [e.turn + 1 for e in memory.evidence if e.turn is not None]
        where = f" (turn {turns[0]})" if turns else ""
        attitude = f"{memory.preference_attitude}: " if memory.preference_attitude else ""
        lines.append(f"{attitude}{memory.value}{where}")
    return tuple(lines)
