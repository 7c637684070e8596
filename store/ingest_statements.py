"""What ingest asks and writes once for every record: statements made once, so that only their values are new."""

from functools import cache

from sqlalchemy import Insert, Table, bindparam, insert, select

from store import models as m

FILE = select(m.source_file.c.id).where(m.source_file.c.sha256 == bindparam("sha256"))
RECORD = (
    select(m.source_record.c.id).where(m.source_record.c.content_hash == bindparam("content_hash")).limit(1)
)
PLACE = select(m.source_record.c.id, m.source_record.c.reason).where(
    m.source_record.c.file_id == bindparam("file_id"), m.source_record.c.ordinal == bindparam("ordinal")
)
DIALOGUE = (
    select(m.dialogue.c.id, m.dialogue.c.version, m.dialogue.c.content_hash)
    .where(m.dialogue.c.source == bindparam("source"), m.dialogue.c.external_id == bindparam("external_id"))
    .order_by(m.dialogue.c.version.desc())
)
QUERIES = (
    select(m.query.c.id, m.query.c.external_id, m.query.c.kind, m.query.c.version)
    .where(m.query.c.dialogue_id == bindparam("dialogue_id"))
    .order_by(m.query.c.version)
)
RESPONSES = select(m.response.c.query_external_id, m.response.c.model, m.response.c.content_hash).where(
    m.response.c.dialogue_id == bindparam("dialogue_id")
)


@cache
def insert_into(table: Table) -> Insert:
    """The insert of whole rows."""
    return insert(table)
