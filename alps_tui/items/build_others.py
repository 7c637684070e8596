"""Items of the forms that have no screen of their own yet: updates, retrieval, questions, reviews, use of a memory."""

from collections.abc import Iterable, Iterator

from alps_tui.items.content import Content
from alps_tui.items.hidden_names import Names
from alps_tui.items.units import (
    SESSION,
    hashed,
    memory_units,
    query_unit,
    query_units,
    response_units,
    update_units,
)
from store.content import StoredQuery
from store.records import ItemSpec, UnitSpec


def update_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per update: the session, and each memory of the updated list as a unit."""
    for update in content.updates:
        yield ItemSpec(
            key=f"{content.key}:{update.external_id}",
            shown_id=names.shown(content.dialogue),
            dialogue_id=content.dialogue.id,
            units=(SESSION, *update_units(update.answer)),
            language=content.dialogue.language,
        )


def retrieval_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per question that is put to a pool."""
    for query in content.retrieval:
        yield _of_query(content, query, names, (query_unit(query),))


def use_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per question that was put to a pool and answered: the question and each answer as units."""
    for query in content.retrieval:
        answers = content.responses.get(query.id, ())
        if answers:
            yield _of_query(content, query, names, (query_unit(query), *response_units(answers)))


def _of_query(content: Content, query: StoredQuery, names: Names, units: tuple[UnitSpec, ...]) -> ItemSpec:
    return ItemSpec(
        key=f"{content.key}:{query.external_id}",
        shown_id=names.shown(content.dialogue),
        dialogue_id=content.dialogue.id,
        query_id=query.id,
        units=units,
        language=content.dialogue.language,
    )


def utilization_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per dialogue with questions that test an ability: each question as a unit."""
    if content.queries:
        yield ItemSpec(
            key=f"{content.key}:questions",
            shown_id=names.shown(content.dialogue),
            dialogue_id=content.dialogue.id,
            units=tuple(query_units(content.queries)),
            language=content.dialogue.language,
        )


def review_items(content: Content, names: Names, models: Iterable[str] | None = None) -> Iterator[ItemSpec]:
    """One item per model: the session, and as units the gold it is held against, in the version it has now.

    models   those to make items for; the models whose memories the dialogue has, if None. One that extracted
             nothing has an item too, and neither key nor name of an item tells the model.
    """
    found = content.extracted
    wanted = {memory.origin_name for memory in found} if models is None else set(models)
    gold = tuple(memory_units(content.gold, names))
    if not gold and content.updates:
        gold = tuple(update_units(content.updates[-1].answer))
    for model in sorted(wanted):
        name = hashed(model)[:8]
        yield ItemSpec(
            key=f"{content.key}:review:{name}",
            shown_id=f"{names.shown(content.dialogue)}·{name[:4]}",
            dialogue_id=content.dialogue.id,
            units=(SESSION, *gold),
            candidates=tuple(memory.id for memory in found if memory.origin_name == model),
            language=content.dialogue.language,
        )
