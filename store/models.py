"""The tables of a study, as SQLModel classes, and the plain `Table` objects that every statement is built from.

Those of content are in `store.models_content`. Times are ISO 8601 text in UTC, JSON is text (see
`store.encoding`), closed vocabularies are checked columns. Nothing here knows a database; no class of this module
leaves the store.
"""

from sqlalchemy import BigInteger, Index, Table, Text, UniqueConstraint, text
from sqlmodel import Field

from store.kinds import Attested, ItemState, Phase, Purpose, RaterKind, Status, UnitKind, Verb
from store.models_base import Base, check, one_of
from store.models_content import (
    AnnotationRow,
    DialogueRow,
    LintRow,
    MemoryRow,
    QueryRow,
    ResponseRow,
    SourceFileRow,
    SourceRecordRow,
    TurnRow,
    UpdateTaskRow,
)

# ---------------------------------------------------------------- the study itself


class StudyRow(Base, table=True):
    """One row: who this study is. `id` is random, so that two studies are never taken for one another."""

    __tablename__ = "study"
    id: str = Field(primary_key=True, sa_type=Text)
    created_at: str = Field(sa_type=Text)


class SchemaMigrationRow(Base, table=True):
    """A migration that was applied, written in the transaction that applied it."""

    __tablename__ = "schema_migration"
    number: int = Field(primary_key=True)
    name: str = Field(sa_type=Text)
    applied_at: str = Field(sa_type=Text)


# ---------------------------------------------------------------- forms, items, raters


class ProtocolRow(Base, table=True):
    """One version of a form; never changed in place. `fields` is a JSON list of FieldScale."""

    __tablename__ = "protocol"
    __table_args__ = (UniqueConstraint("name", "version", name="one_protocol_each_version"),)
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=Text)
    version: str = Field(sa_type=Text)
    content_hash: str = Field(sa_type=Text, unique=True)
    source: str = Field(sa_type=Text)
    fields: str = Field(sa_type=Text)
    created_at: str = Field(sa_type=Text)


class GuidelineRow(Base, table=True):
    """One version of a form's guideline; the newest is the one in use (a text may come back).

    `note` says to those who knew the one before what has changed, in the form or in the guideline.
    """

    __tablename__ = "guideline"
    id: int | None = Field(default=None, primary_key=True)
    protocol_id: int = Field(foreign_key="protocol.id", index=True)
    content_hash: str = Field(sa_type=Text)
    text: str = Field(sa_type=Text)
    note: str = Field(default="", sa_type=Text, sa_column_kwargs={"server_default": ""})
    created_at: str = Field(sa_type=Text)


class ItemRow(Base, table=True):
    """A thing to be judged in one sitting. `preferences` and `candidates` are JSON lists of memory ids."""

    __tablename__ = "item"
    __table_args__ = (UniqueConstraint("protocol_id", "key", "version", name="one_item_each_version"),)
    id: int | None = Field(default=None, primary_key=True)
    protocol_id: int = Field(foreign_key="protocol.id")
    key: str = Field(sa_type=Text, index=True)
    version: int
    shown_id: str = Field(sa_type=Text)
    dialogue_id: int = Field(foreign_key="dialogue.id")
    query_id: int | None = Field(default=None, foreign_key="query.id")
    update_id: int | None = Field(default=None, foreign_key="update_task.id")
    preferences: str = Field(default="[]", sa_type=Text)
    candidates: str = Field(default="[]", sa_type=Text)
    language: str | None = Field(default=None, sa_type=Text)
    ability: str | None = Field(default=None, sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    created_at: str = Field(sa_type=Text)


class UnitRow(Base, table=True):
    """A part of an item that gets its own answers. `assignment_id` is set where a rater made it: then it is theirs."""

    __tablename__ = "unit"
    __table_args__ = (
        one_of("kind", UnitKind),
        Index("unit_of_item", "item_id", "key", unique=True,
              sqlite_where=text("assignment_id IS NULL"), postgresql_where=text("assignment_id IS NULL")),
        Index("unit_of_rater", "assignment_id", "key", unique=True,
              sqlite_where=text("assignment_id IS NOT NULL"), postgresql_where=text("assignment_id IS NOT NULL")),
    )  # fmt: skip
    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(foreign_key="item.id", index=True)
    assignment_id: int | None = Field(default=None, foreign_key="assignment.id")
    position: int
    key: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    shown_id: str = Field(sa_type=Text)
    memory_id: int | None = Field(default=None, foreign_key="memory.id")
    response_id: int | None = Field(default=None, foreign_key="response.id")
    query_id: int | None = Field(default=None, foreign_key="query.id")


class RaterRow(Base, table=True):
    """A pseudonym: a person, an LLM judge, the baseline, an imported judge, an adjudicator."""

    __tablename__ = "rater"
    __table_args__ = (one_of("kind", RaterKind),)
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=Text, unique=True)
    kind: str = Field(sa_type=Text)
    params: str = Field(default="{}", sa_type=Text)
    created_at: str = Field(sa_type=Text)


class AssignmentRow(Base, table=True):
    """An item × rater × phase × occasion. `given_phase` is the key's phase, `phase` where a reveal has led since.

    `protocol_name` repeats the item's protocol for the queue's index. What the log says is repeated in state,
    phase, revision, skip_reason, remarks and active_ms: a projection, checked by `decisions.verify`.
    """

    __tablename__ = "assignment"
    __table_args__ = (
        UniqueConstraint(
            "item_id", "rater_id", "given_phase", "occasion", name="one_assignment_each_occasion"
        ),
        one_of("given_phase", Phase),
        one_of("phase", Phase),
        one_of("purpose", Purpose),
        one_of("state", ItemState),
        check("probability_is_one", "probability > 0 AND probability <= 1"),
        Index("assignment_queue", "rater_id", "protocol_name", "withdrawn_at", "state", "position"),
        Index("assignment_order", "rater_id", "protocol_name", "position"),
    )
    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(foreign_key="item.id")
    rater_id: int = Field(foreign_key="rater.id")
    protocol_id: int = Field(foreign_key="protocol.id")
    protocol_name: str = Field(sa_type=Text)
    given_phase: str = Field(sa_type=Text)
    phase: str = Field(sa_type=Text)
    occasion: int = 0
    purpose: str = Field(sa_type=Text)
    probability: float = 1.0
    position: int
    seed: int = Field(sa_type=BigInteger)
    state: str = Field(default=ItemState.OPEN.value, sa_type=Text)
    revision: int = 0
    skip_reason: str | None = Field(default=None, sa_type=Text)
    remarks: str = Field(default="{}", sa_type=Text)
    active_ms: int = Field(default=0, sa_type=BigInteger)
    created_at: str = Field(sa_type=Text)
    opened_at: str | None = Field(default=None, sa_type=Text)
    submitted_at: str | None = Field(default=None, sa_type=Text)
    withdrawn_at: str | None = Field(default=None, sa_type=Text)
    lease_holder: str | None = Field(default=None, sa_type=Text)
    lease_until: str | None = Field(default=None, sa_type=Text)


# ---------------------------------------------------------------- what was decided


class DecisionRow(Base, table=True):
    """One row of the log: one changed field of one act, or an act without fields. Append only (triggers).

    The rows of an act share `act_id` and follow one another in `act_part`. `chain` is the SHA-256 of the chain
    before it and this row: a row changed behind our back breaks it.
    """

    __tablename__ = "decision"
    __table_args__ = (
        UniqueConstraint("assignment_id", "revision", name="one_row_each_revision"),
        UniqueConstraint("act_id", "act_part", name="one_row_each_part"),
        one_of("verb", Verb),
        one_of("phase", Phase),
        one_of("status", Status, optional=True),
        one_of("attested", Attested, optional=True),
        check("only_an_answer_has_a_value", "value IS NULL OR (status IS NOT NULL AND status = 'answered')"),
        check("revisions_count_from_one", "revision >= 1"),
        Index("acknowledged", "guideline_id",
              sqlite_where=text("verb = 'acknowledge'"), postgresql_where=text("verb = 'acknowledge'")),
    )  # fmt: skip
    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id")
    revision: int
    act_id: str = Field(sa_type=Text)
    act_part: int
    verb: str = Field(sa_type=Text)
    phase: str = Field(sa_type=Text)
    unit_id: int | None = Field(default=None, foreign_key="unit.id")
    field: str | None = Field(default=None, sa_type=Text)
    status: str | None = Field(default=None, sa_type=Text)
    value: str | None = Field(default=None, sa_type=Text)
    old_value: str | None = Field(default=None, sa_type=Text)
    raw_value: str | None = Field(default=None, sa_type=Text)
    reason: str | None = Field(default=None, sa_type=Text)
    attested: str | None = Field(default=None, sa_type=Text)
    decided_at: str = Field(sa_type=Text)
    recorded_at: str = Field(sa_type=Text)
    active_ms: int = 0
    presentation: str = Field(default="[]", sa_type=Text)
    saw_prefill: bool = False
    saw_judge: bool = False
    saw_peer: bool = False
    saw_translation: bool = False
    protocol_id: int = Field(foreign_key="protocol.id")
    guideline_id: int | None = Field(default=None, foreign_key="guideline.id")
    chain: str = Field(sa_type=Text)


class RatingRow(Base, table=True):
    """The latest value of a unit's field in one phase of one assignment: a projection of the log."""

    __tablename__ = "rating"
    __table_args__ = (
        one_of("phase", Phase),
        one_of("status", Status),
        one_of("attested", Attested),
        check("only_an_answer_has_a_value", "(status = 'answered') = (value IS NOT NULL)"),
    )
    assignment_id: int = Field(primary_key=True, foreign_key="assignment.id")
    unit_id: int = Field(primary_key=True, foreign_key="unit.id")
    field: str = Field(primary_key=True, sa_type=Text)
    phase: str = Field(primary_key=True, sa_type=Text)
    status: str = Field(sa_type=Text)
    value: str | None = Field(default=None, sa_type=Text)
    raw_value: str | None = Field(default=None, sa_type=Text)
    reason: str | None = Field(default=None, sa_type=Text)
    attested: str = Field(sa_type=Text)
    revision: int
    decided_at: str = Field(sa_type=Text)
    active_ms: int = 0
    presentation: str = Field(default="[]", sa_type=Text)
    saw_prefill: bool = False
    saw_judge: bool = False
    saw_peer: bool = False
    saw_translation: bool = False
    guideline_id: int | None = Field(default=None, foreign_key="guideline.id")


class PlaceRow(Base, table=True):
    """Where a rater was in an item: reading position, folds, draft. Not a decision."""

    __tablename__ = "place"
    assignment_id: int = Field(primary_key=True, foreign_key="assignment.id")
    data: str = Field(sa_type=Text)
    updated_at: str = Field(sa_type=Text)


# ---------------------------------------------------------------- judges and sampling


class JudgeRow(Base, table=True):
    """A judge's definition: model, prompt and parameters. It answers through its rater."""

    __tablename__ = "judge"
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=Text)
    rater_id: int = Field(foreign_key="rater.id")
    definition: str = Field(sa_type=Text)
    definition_hash: str = Field(sa_type=Text, unique=True)
    created_at: str = Field(sa_type=Text)


class JudgeRunRow(Base, table=True):
    """One run of a judge over a protocol."""

    __tablename__ = "judge_run"
    id: int | None = Field(default=None, primary_key=True)
    judge_id: int = Field(foreign_key="judge.id", index=True)
    protocol_id: int = Field(foreign_key="protocol.id")
    params: str = Field(default="{}", sa_type=Text)
    started_at: str = Field(sa_type=Text)
    ended_at: str | None = Field(default=None, sa_type=Text)


class JudgeCallRow(Base, table=True):
    """One call. `request_hash` finds it again, so that nothing is paid twice; a failed call is a status."""

    __tablename__ = "judge_call"
    __table_args__ = (
        UniqueConstraint("request_hash", "repeat", name="one_call_each_request"),
        check("known_status", "status IN ('ok', 'parse_error', 'refusal', 'api_error', 'timeout')"),
    )
    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="judge_run.id", index=True)
    assignment_id: int | None = Field(default=None, foreign_key="assignment.id")
    request_hash: str = Field(sa_type=Text)
    repeat: int = 0
    status: str = Field(sa_type=Text)
    raw_text: str | None = Field(default=None, sa_type=Text)
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: int | None = None
    called_at: str = Field(sa_type=Text)


class SplitRow(Base, table=True):
    """Which part of a split a dialogue is in; `opened_at` says when a sealed test was first read."""

    __tablename__ = "split"
    __table_args__ = (check("known_part", "part IN ('train', 'dev', 'test')"),)
    name: str = Field(primary_key=True, sa_type=Text)
    dialogue_id: int = Field(primary_key=True, foreign_key="dialogue.id")
    part: str = Field(sa_type=Text)
    opened_at: str | None = Field(default=None, sa_type=Text)


class CalibratorRow(Base, table=True):
    """A fitted mapping from a judge's scores to people's, and what it was fitted on."""

    __tablename__ = "calibrator"
    id: int | None = Field(default=None, primary_key=True)
    judge_id: int = Field(foreign_key="judge.id", index=True)
    field: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    params: str = Field(sa_type=Text)
    split_name: str | None = Field(default=None, sa_type=Text)
    created_at: str = Field(sa_type=Text)


class DrawRow(Base, table=True):
    """An item drawn for a purpose, with its probability and the seed of the draw."""

    __tablename__ = "draw"
    __table_args__ = (
        one_of("purpose", Purpose),
        check("probability_is_one", "probability > 0 AND probability <= 1"),
    )
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=Text, index=True)
    item_id: int = Field(foreign_key="item.id")
    purpose: str = Field(sa_type=Text)
    stratum: str | None = Field(default=None, sa_type=Text)
    probability: float
    seed: int = Field(sa_type=BigInteger)
    drawn_at: str = Field(sa_type=Text)


class AnchorRow(Base, table=True):
    """An item that is judged again and again, so that drift shows."""

    __tablename__ = "anchor"
    name: str = Field(primary_key=True, sa_type=Text)
    item_id: int = Field(primary_key=True, foreign_key="item.id")
    added_at: str = Field(sa_type=Text)


metadata = Base.metadata


def _table(row: type[Base]) -> Table:
    return metadata.tables[str(row.__tablename__)]


study = _table(StudyRow)
schema_migration = _table(SchemaMigrationRow)
source_file = _table(SourceFileRow)
source_record = _table(SourceRecordRow)
lint = _table(LintRow)
dialogue = _table(DialogueRow)
turn = _table(TurnRow)
memory = _table(MemoryRow)
query = _table(QueryRow)
response = _table(ResponseRow)
update_task = _table(UpdateTaskRow)
annotation = _table(AnnotationRow)
protocol = _table(ProtocolRow)
guideline = _table(GuidelineRow)
item = _table(ItemRow)
unit = _table(UnitRow)
rater = _table(RaterRow)
assignment = _table(AssignmentRow)
decision = _table(DecisionRow)
rating = _table(RatingRow)
place = _table(PlaceRow)
judge = _table(JudgeRow)
judge_run = _table(JudgeRunRow)
judge_call = _table(JudgeCallRow)
