"""Items of the forms that have no screen of their own yet: updates, retrieval, questions, reviews, use of a memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from alps_tui.items.content import OTHER_LAYOUTS, Content
from alps_tui.items.hidden_names import Names
from alps_tui.items.units import (
    SESSION,
    hashed,
    memory_units,
    model_units,
    query_unit,
    query_units,
    response_units,
    update_units,
)
from store.content import StoredMemory, StoredQuery
from store.kinds import UnitKind
from store.records import ItemSpec, UnitSpec


def update_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per update: the session, and each memory of the updated list as a unit."""
    for update in content.updates:
        yield ItemSpec(
            key=f"{content.key}:{update.external_id}",
            shown_id=names.shown(content.dialogue),
            dialogue_id=content.dialogue.id,
            update_id=update.id,
            units=(SESSION, *update_units(update.answer, names)),
            language=content.dialogue.language,
        )


def retrieval_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per question that is put to a pool, with all that is on record about the person."""
    known = _on_record(content)
    for query in content.retrieval:
        unit = query_unit(query, known.get(query.target or ""))
        yield _of_query(content, query, names, (unit,), tuple(one.id for one in known.values()))


def use_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per question that was put to a pool and answered: the question and each answer as units."""
    for query in content.retrieval:
        answers = content.responses.get(query.id, ())
        if answers:
            yield _of_query(content, query, names, (query_unit(query), *response_units(answers)))


def _on_record(content: Content) -> dict[str, StoredMemory]:
    """The gold memories of a dialogue, and those given with its questions, by their ids; the first of each id."""
    known: dict[str, StoredMemory] = {}
    for memory in (*content.gold, *content.given):
        known.setdefault(memory.external_id, memory)
    return known


def _of_query(
    content: Content,
    query: StoredQuery,
    names: Names,
    units: tuple[UnitSpec, ...],
    on_record: tuple[int, ...] = (),
) -> ItemSpec:
    return ItemSpec(
        key=f"{content.key}:{query.external_id}",
        shown_id=names.shown(content.dialogue),
        dialogue_id=content.dialogue.id,
        query_id=query.id,
        units=units,
        preferences=on_record,
        language=content.dialogue.language,
    )


def utilization_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per dialogue with questions that test an ability: each question as a unit, and what is on record."""
    if content.queries:
        known = _on_record(content)
        yield ItemSpec(
            key=f"{content.key}:questions",
            shown_id=names.shown(content.dialogue),
            dialogue_id=content.dialogue.id,
            units=tuple(query_units(content.queries, known, names)),
            preferences=tuple(one.id for one in known.values()),
            language=content.dialogue.language,
        )


def review_items(
    content: Content,
    names: Names,
    models: Iterable[str] | None = None,
    cited: Iterable[str] = (),
    others: Iterable[Content] = (),
) -> Iterator[ItemSpec]:
    """One item per model: the session, and as units the gold it is held against.

    models   those to make items for. None: the models whose memories the dialogue has, where it came to have them
             held against its gold; of a session whose gold is still to be verified there is nothing to review.
             One that extracted nothing has an item too, and neither key nor name of an item tells the model.
    cited    ids that a judge's reviews name: where the gold of now lacks one, the judge saw another version. The
             item is then one of its own, of the gold as it was: a list that the study knows, of this dialogue or
             of `others`, the same session from other files; else what is known of it, with an empty unit for
             each memory that is gone.
    """
    found = content.extracted
    wanted = {memory.origin_name for memory in found} if models is None else set(models)
    if models is None and content.dialogue.source not in OTHER_LAYOUTS:
        return
    names_cited = sorted(set(cited), key=lambda one: (len(one), one))
    gold, seen = _gold_seen(content, names, names_cited, others)
    for model in sorted(wanted):
        name = hashed(model)[:8]
        extracted = [memory for memory in found if memory.origin_name == model]
        yield ItemSpec(
            key=f"{content.key}:review:{name}{seen}",
            shown_id=f"{names.shown(content.dialogue)}·{name[:4]}",
            dialogue_id=content.dialogue.id,
            units=(SESSION, *gold, *model_units(extracted, names)),
            language=content.dialogue.language,
            update_id=content.updates[-1].id if _is_of_update(content) else None,
        )


def _is_of_update(content: Content) -> bool:
    """Whether what models made is an updated list, and the gold is one too."""
    return bool(content.updates) and not content.gold


def _gold_seen(
    content: Content, names: Names, cited: Sequence[str], others: Iterable[Content]
) -> tuple[tuple[UnitSpec, ...], str]:
    """The units of the gold that has all the ids cited, and what marks its items; "" for the gold of now."""
    now = tuple(memory_units(content.gold, names))
    known: dict[str, StoredMemory | None] = {memory.external_id: memory for memory in content.gold}
    if _is_of_update(content):
        answer = content.updates[-1].answer
        now, known = tuple(update_units(answer, names)), {str(one.get("memory_id")): None for one in answer}
    if known.keys() >= set(cited):
        return now, ""
    mark = f":gold-{hashed(*cited)[:8]}"
    lists = [*content.older_gold, *(one.gold for one in others)]
    complete = [some for some in lists if {memory.external_id for memory in some} >= set(cited)]
    if complete:
        return tuple(memory_units(min(complete, key=len), names)), mark
    kind = UnitKind.UPDATE if _is_of_update(content) else UnitKind.MEMORY
    return tuple(_cited_units(cited, known, kind)), mark


def _cited_units(
    cited: Sequence[str], known: Mapping[str, StoredMemory | None], kind: UnitKind
) -> Iterator[UnitSpec]:
    for place, name in enumerate(cited, 1):
        memory = known.get(name)
        yield UnitSpec(f"gold:{name}", kind, f"m{place}", memory_id=None if memory is None else memory.id)
