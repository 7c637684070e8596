"""The tables of content: what came in as it came, and as it was understood. Written once, never changed."""

from sqlalchemy import Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from store.kinds import Origin
from store.models_base import Base, check, one_of

# ---------------------------------------------------------------- content as it came


class SourceFileRow(Base, table=True):
    """A file that was imported, known by the hash of its bytes."""

    __tablename__ = "source_file"
    id: int | None = Field(default=None, primary_key=True)
    path: str = Field(sa_type=Text)
    sha256: str = Field(sa_type=Text, unique=True)
    format: str = Field(sa_type=Text)
    imported_at: str = Field(sa_type=Text)


class SourceRecordRow(Base, table=True):
    """One record of a file, verbatim. `content_hash` is NULL where the record was quarantined."""

    __tablename__ = "source_record"
    __table_args__ = (
        UniqueConstraint("file_id", "ordinal", name="one_record_each_place"),
        check("quarantined_has_a_reason", "(content_hash IS NULL) = (reason IS NOT NULL)"),
    )
    id: int | None = Field(default=None, primary_key=True)
    file_id: int = Field(foreign_key="source_file.id")
    ordinal: int
    external_id: str = Field(sa_type=Text)
    raw: bytes = Field(sa_type=LargeBinary)
    content_hash: str | None = Field(default=None, sa_type=Text, index=True)
    reason: str | None = Field(default=None, sa_type=Text)


class LintRow(Base, table=True):
    """Something odd in a record that did not stop its import."""

    __tablename__ = "lint"
    id: int | None = Field(default=None, primary_key=True)
    record_id: int = Field(foreign_key="source_record.id", index=True)
    code: str = Field(sa_type=Text)
    location: str = Field(sa_type=Text)
    message: str = Field(sa_type=Text)


# ---------------------------------------------------------------- content as it was understood


class DialogueRow(Base, table=True):
    """A conversation. Changed turns under the same id are a new version; the old one stays."""

    __tablename__ = "dialogue"
    __table_args__ = (UniqueConstraint("source", "external_id", "version", name="one_dialogue_each_version"),)
    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(sa_type=Text)
    external_id: str = Field(sa_type=Text, index=True)
    version: int = 1
    language: str | None = Field(default=None, sa_type=Text)
    meta: str = Field(default="{}", sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    record_id: int | None = Field(default=None, foreign_key="source_record.id")


class TurnRow(Base, table=True):
    """One utterance; `position` counts from 0. `translation` is an imported one, never fetched."""

    __tablename__ = "turn"
    dialogue_id: int = Field(primary_key=True, foreign_key="dialogue.id")
    position: int = Field(primary_key=True)
    role: str = Field(sa_type=Text)
    speaker: str | None = Field(default=None, sa_type=Text)
    timestamp: str | None = Field(default=None, sa_type=Text)
    text: str = Field(sa_type=Text)
    translation: str | None = Field(default=None, sa_type=Text)


class MemoryRow(Base, table=True):
    """A candidate memory. One (dialogue, origin, origin name) holds a list; a changed list is a new version of it."""

    __tablename__ = "memory"
    __table_args__ = (
        UniqueConstraint(
            "dialogue_id", "origin", "origin_name", "version", "ordinal", name="one_memory_each_place"
        ),
        one_of("origin", Origin),
    )
    id: int | None = Field(default=None, primary_key=True)
    dialogue_id: int = Field(foreign_key="dialogue.id")
    origin: str = Field(sa_type=Text)
    origin_name: str = Field(sa_type=Text)
    version: int
    ordinal: int
    external_id: str = Field(sa_type=Text)
    position: int
    value: str = Field(sa_type=Text)
    label: str | None = Field(default=None, sa_type=Text)
    type: str | None = Field(default=None, sa_type=Text)
    label_suggestion: str | None = Field(default=None, sa_type=Text)
    reasoning: str | None = Field(default=None, sa_type=Text)
    confidence: float | None = None
    time_scope: str | None = Field(default=None, sa_type=Text)
    emotion: str | None = Field(default=None, sa_type=Text)
    preference_attitude: str | None = Field(default=None, sa_type=Text)
    evidence: str = Field(default="[]", sa_type=Text)
    raw: str = Field(default="{}", sa_type=Text)
    list_hash: str = Field(sa_type=Text)
    record_id: int | None = Field(default=None, foreign_key="source_record.id")


class QueryRow(Base, table=True):
    """A question asked of a model. `pool` is the distractor list in order, as records (ids repeat in it).

    `shown_pool` and `shown_target` are pool and target as a blind rater may see them (`store.shown_records`).
    """

    __tablename__ = "query"
    __table_args__ = (
        UniqueConstraint("dialogue_id", "kind", "external_id", "version", name="one_query_each_version"),
    )
    id: int | None = Field(default=None, primary_key=True)
    dialogue_id: int = Field(foreign_key="dialogue.id")
    kind: str = Field(sa_type=Text)
    external_id: str = Field(sa_type=Text)
    version: int
    text: str = Field(sa_type=Text)
    ability: str | None = Field(default=None, sa_type=Text)
    category: str | None = Field(default=None, sa_type=Text)
    target: str | None = Field(default=None, sa_type=Text)
    given: str = Field(default="[]", sa_type=Text)
    pool: str = Field(default="[]", sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    record_id: int | None = Field(default=None, foreign_key="source_record.id")
    shown_pool: str = Field(default="[]", sa_type=Text)
    shown_target: str = Field(default="", sa_type=Text)


class ResponseRow(Base, table=True):
    """A model's answer. `query_id` is NULL as long as the query it names has not been imported."""

    __tablename__ = "response"
    __table_args__ = (
        UniqueConstraint(
            "dialogue_id", "query_external_id", "model", "content_hash", name="one_response_each_text"
        ),
    )
    id: int | None = Field(default=None, primary_key=True)
    dialogue_id: int = Field(foreign_key="dialogue.id")
    query_id: int | None = Field(default=None, foreign_key="query.id", index=True)
    query_external_id: str = Field(sa_type=Text)
    model: str = Field(sa_type=Text)
    position: int
    text: str = Field(sa_type=Text)
    reason: str = Field(default="", sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    record_id: int | None = Field(default=None, foreign_key="source_record.id")


class UpdateTaskRow(Base, table=True):
    """An update to be judged: pool before, new dialogue, answer pool, as JSON of the records as they came.

    `shown_before` and `shown_after` are pool and answer as a blind rater may see them (`store.shown_records`).
    """

    __tablename__ = "update_task"
    __table_args__ = (
        UniqueConstraint("dialogue_id", "external_id", "version", name="one_update_each_version"),
    )
    id: int | None = Field(default=None, primary_key=True)
    dialogue_id: int = Field(foreign_key="dialogue.id")
    external_id: str = Field(sa_type=Text)
    version: int
    selected: str | None = Field(default=None, sa_type=Text)
    new_dialogue: str = Field(sa_type=Text)
    pool: str = Field(sa_type=Text)
    answer: str = Field(sa_type=Text)
    shown_before: str = Field(default="[]", sa_type=Text)
    shown_after: str = Field(default="[]", sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    record_id: int | None = Field(default=None, foreign_key="source_record.id")


class AnnotationRow(Base, table=True):
    """What somebody annotated elsewhere, verbatim. A changed payload is a new version."""

    __tablename__ = "annotation"
    __table_args__ = (
        UniqueConstraint(
            "source", "session_id", "task", "rater_id", "side", "version", name="one_annotation_each_version"
        ),
        Index("annotation_by_task", "task", "session_id"),
    )
    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(sa_type=Text)
    session_id: str = Field(sa_type=Text)
    task: str = Field(sa_type=Text)
    rater_id: int = Field(foreign_key="rater.id")
    side: str = Field(sa_type=Text)
    version: int
    payload: str = Field(sa_type=Text)
    updated_at: str | None = Field(default=None, sa_type=Text)
    content_hash: str = Field(sa_type=Text)
    record_id: int | None = Field(default=None, foreign_key="source_record.id")
