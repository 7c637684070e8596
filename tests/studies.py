"""A tiny study through the store's real functions, for the tests of every room."""

import itertools
import uuid
from pathlib import Path
from typing import Any

from store.assignments import add_item, add_protocol, add_rater, assign_all
from store.content import add_file, add_record, dialogues, memories, queries, responses
from store.content_records import Dialogue, Evidence, Memory, Query, Response, SourceRecord, Turn
from store.database import Database, open_database
from store.kinds import EvidenceMatch, Origin, UnitKind, Verb
from store.records import Act, Change, FieldScale, ItemSpec, ProtocolVersion, UnitSpec

RATERS = ("ada", "ben")
MODELS = ("model-north", "model-south")

VERIFICATION = ProtocolVersion(
    name="memory-verification",
    version="1",
    content_hash="verification-1",
    source="# the form of the tiny study",
    guideline="Keep what the dialogue says.",
    fields=(
        FieldScale(
            "verdict",
            UnitKind.MEMORY,
            "choice",
            "nominal",
            ("keep", "edit", "delete", "in_doubt"),
            required=True,
        ),
        FieldScale("memory", UnitKind.MEMORY, "memory", None, None, required=False),
        FieldScale(
            "faithfulToOriginalMeaning",
            UnitKind.SESSION,
            "choice",
            "ordinal",
            ("yes", "partial", "no"),
            required=True,
        ),
    ),
)

RATING = ProtocolVersion(
    name="response-rating",
    version="1",
    content_hash="rating-1",
    source="# the form of the tiny study",
    guideline="Rate what the person prefers.",
    fields=(
        FieldScale(
            "preference_alignment", UnitKind.RESPONSE, "scale", "ordinal", (1, 2, 3, 4, 5), required=True
        ),
        FieldScale("resonation", UnitKind.RESPONSE, "scale", "ordinal", (1, 2, 3, 4, 5), required=True),
    ),
)


def memory(
    name: str, value: str, origin: Origin = Origin.GOLD, origin_name: str = "gold", position: int = 0
) -> Memory:
    """A memory with one located quote."""
    return Memory(
        external_id=name,
        origin=origin,
        origin_name=origin_name,
        position=position,
        value=value,
        label="Preferences/Food",
        type="direct",
        reasoning="said so",
        confidence=0.8,
        time_scope="long_term",
        preference_attitude="like",
        evidence=(Evidence("green tea", EvidenceMatch.EXACT, turn=0, start=7, end=16),),
        raw={"memory_id": name, "value": value, "label": "Preferences/Food"},
    )


def dialogue(name: str, *, language: str = "en") -> Dialogue:
    """Four turns, two gold memories, two models' memories, one query with two responses."""
    return Dialogue(
        source="tiny",
        external_id=name,
        turns=(
            Turn("user", "I like green tea in the morning."),
            Turn("assistant", "Noted: green tea."),
            Turn("user", "And no meat, please.", translation="Und kein Fleisch, bitte."),
            Turn("assistant", "No meat then."),
        ),
        memories=(
            memory("m1", "Likes green tea"),
            memory("m2", "Eats no meat", position=1),
            memory("m1", "Likes tea", Origin.MODEL, MODELS[0]),
            memory("m1", "Is a vegetarian", Origin.MODEL, MODELS[1]),
        ),
        queries=(Query("q1", "utilization", "What should I cook?", ability="ability1", given=("m2",)),),
        responses=(
            Response("q1", MODELS[0], "A lentil soup.", 0),
            Response("q1", MODELS[1], "A steak.", 1),
        ),
        language=language,
        meta={"topic": "food"},
    )


def record(dialogue: Dialogue, ordinal: int = 0, raw: bytes | None = None) -> SourceRecord:
    return SourceRecord(ordinal, dialogue.external_id, raw or repr(dialogue).encode(), (dialogue,))


def tiny_study(path: Path) -> Database:
    """A study of two dialogues, both forms' items, and two raters with their queues. The caller closes it."""
    db = open_database(path, create=True)
    with db.write() as conn:
        file_id = add_file(conn, "tiny.jsonl", "0" * 64, "tiny")
        for ordinal, name in enumerate(("d1", "d2")):
            add_record(conn, file_id, record(dialogue(name), ordinal))
        verification = add_protocol(conn, VERIFICATION)
        rating = add_protocol(conn, RATING)
        for one in dialogues(conn):
            add_item(conn, verification, verification_item(conn, one.id, one.external_id))
            add_item(conn, rating, rating_item(conn, one.id, one.external_id))
        for name in RATERS:
            assign_all(conn, add_rater(conn, name).id)
    return db


def verification_item(conn: Any, dialogue_id: int, name: str) -> ItemSpec:
    gold = memories(conn, dialogue_id, Origin.GOLD)
    return ItemSpec(
        key=name,
        shown_id=name,
        dialogue_id=dialogue_id,
        units=(
            UnitSpec("session", UnitKind.SESSION, "session"),
            *(
                UnitSpec(f"gold:{one.external_id}", UnitKind.MEMORY, f"m{place}", memory_id=one.id)
                for place, one in enumerate(gold, 1)
            ),
        ),
        candidates=tuple(one.id for one in memories(conn, dialogue_id, Origin.MODEL)),
        language="en",
    )


def rating_item(conn: Any, dialogue_id: int, name: str) -> ItemSpec:
    query = queries(conn, dialogue_id, "utilization")[0]
    return ItemSpec(
        key=f"{name}/{query.external_id}",
        shown_id=f"{name} · 1",
        dialogue_id=dialogue_id,
        query_id=query.id,
        units=(
            UnitSpec("query", UnitKind.QUERY, "query", query_id=query.id),
            *(
                UnitSpec(
                    f"response:{one.model}",
                    UnitKind.RESPONSE,
                    str(place),
                    response_id=one.id,
                    query_id=query.id,
                )
                for place, one in enumerate(responses(conn, query.id), 1)
            ),
        ),
        preferences=tuple(one.id for one in memories(conn, dialogue_id, Origin.GOLD)),
        language="en",
        ability=query.ability,
    )


_clock = itertools.count()


def act(verb: Verb, assignment: Any, *changes: Change, **fields: Any) -> Act:
    """An act on an assignment, with a fresh id and a time of its own."""
    count = next(_clock)
    return Act(
        verb=verb,
        assignment_id=assignment.id,
        item_id=assignment.item_id,
        act_id=fields.pop("act_id", uuid.uuid4().hex),
        decided_at=f"2026-01-01T{count // 3600 % 24:02}:{count // 60 % 60:02}:{count % 60:02}.000000+00:00",
        changes=changes,
        **fields,
    )
