"""Makes items of content: what of a dialogue is judged in one sitting under each form, and the units it has.

Making items again changes nothing; content that has changed makes a new version of the items it is in.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from alps_tui.items import build_others
from alps_tui.items.content import OTHER_LAYOUTS, Content, contents
from alps_tui.items.hidden_names import Names, model_names
from alps_tui.items.pairs import chosen_pairs
from alps_tui.items.study_forms import own_forms
from alps_tui.items.units import (
    SESSION,
    memory_units,
    pair_units,
    preference_units,
    query_unit,
    response_units,
)
from alps_tui.protocols.loading import builtin_names, load_builtin
from alps_tui.protocols.schema import Protocol
from alps_tui.protocols.taxonomy import is_in_preference_set
from store.assignments import add_item, add_protocol
from store.batches import in_batches
from store.content import StoredMemory, StoredQuery, StoredResponse
from store.database import Database
from store.encoding import same_words
from store.kinds import Origin, UnitKind
from store.records import ItemSpec


def build_items(db: Database, protocols: Iterable[Protocol] | None = None) -> dict[str, int]:
    """Make the items of every form (the built-in ones with a screen and the study's own, if None) from all content.

    returns  form → how many items or new versions of items it got; 0 where nothing had changed
    raises   NotPossible if a form of the same name and version is in the study with another content
    """
    forms = tuple(protocols) if protocols is not None else (*_with_screen(), *_own(db))
    known = [content.slim() for content in contents(db)]
    names = model_names(known)
    specs: dict[str, list[ItemSpec]] = {form.name: [] for form in forms}
    for content in known:
        for form in forms:
            specs[form.name] += (as_asked(form, spec) for spec in BUILDERS[form.item](content, names))
    with db.write() as conn:
        ids = {form.name: add_protocol(conn, form.to_version()) for form in forms}
    offering = {form.name for form in forms if form.item in OFFERING}
    return {
        name: sum(new for _, new in write_items(db, ids[name], found, offers=name in offering))
        for name, found in specs.items()
    }


def _with_screen() -> tuple[Protocol, ...]:
    forms = map(load_builtin, builtin_names())
    return tuple(form for form in forms if form.screen and not form.reveals)


def as_asked(form: Protocol, spec: ItemSpec) -> ItemSpec:
    """The item under this form: with a response's preferences as units only where the form asks about them."""
    aside = UnitKind.RESPONSE_PREFERENCE
    if aside in form.kinds:
        return spec
    return replace(spec, units=tuple(unit for unit in spec.units if unit.kind is not aside))


def _own(db: Database) -> tuple[Protocol, ...]:
    """The newest version of each form that the study itself brought in."""
    return tuple(form for form in own_forms(db) if form.screen and form.item in BUILDERS)


def write_items(
    db: Database, protocol_id: int, specs: Sequence[ItemSpec], *, offers: bool = False
) -> list[tuple[int, bool]]:
    """Row id of each item and whether it is new; `offers` as for `add_item`."""
    return list(in_batches(db, specs, lambda conn, spec: add_item(conn, protocol_id, spec, offers=offers)))


# ---------------------------------------------------------------- dialogue, memory-verification


def dialogue_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item of every dialogue, with the session as its only unit; of a session in several layouts, one."""
    if content.dialogue.source not in OTHER_LAYOUTS:
        yield ItemSpec(
            key=content.key,
            shown_id=names.shown(content.dialogue),
            dialogue_id=content.dialogue.id,
            units=(SESSION,),
            language=content.dialogue.language,
        )


def verification_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item of a dialogue: the session and each gold memory as units.

    Candidates are what models extracted, each value once, without those that are a proposal already. A dialogue
    without either has an item too: whether there is nothing to remember, or something was missed, a person says.
    But one that came to have its answers rated, with memories given to the model or with responses and no memory,
    was never to be verified. A session that is in the study in another layout too is verified once: see
    `content.OTHER_LAYOUTS`.
    """
    if content.dialogue.source in OTHER_LAYOUTS:
        return
    gold = content.gold
    candidates = distinct(content.extracted, without={same_words(memory.value) for memory in gold})
    if not gold and not candidates and (content.given or any(content.responses.values())):
        return
    yield ItemSpec(
        key=content.key,
        shown_id=names.shown(content.dialogue),
        dialogue_id=content.dialogue.id,
        units=(SESSION, *memory_units(gold, names)),
        preferences=tuple(memory.id for memory in gold if is_in_preference_set(memory.label)),
        candidates=tuple(memory.id for memory in candidates),
        language=content.dialogue.language,
    )


def distinct(found: Iterable[StoredMemory], without: set[str]) -> list[StoredMemory]:
    """The first memory of each normalised value, none of a value in `without`, in the order given."""
    seen = set(without)
    kept: list[StoredMemory] = []
    for memory in found:
        value = same_words(memory.value)
        if value and value not in seen:
            seen.add(value)
            kept.append(memory)
    return kept


# ---------------------------------------------------------------- response-rating


def rating_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per question with at least one response: as units the query, each response, and each response with
    each preference of the set."""
    for number, query in enumerate(content.queries, 1):
        answers = content.responses.get(query.id, ())
        if answers:
            item = _rating_item(content, query, number, answers, names)
            both = preference_units(item.units[1:], preference_set(query, content), names)
            yield replace(item, units=(*item.units, *both))


def _rating_item(
    content: Content, query: StoredQuery, number: int, answers: Sequence[StoredResponse], names: Names
) -> ItemSpec:
    return ItemSpec(
        key=f"{content.key}:{query.external_id}",
        shown_id=f"{names.shown(content.dialogue)}·q{number}",
        dialogue_id=content.dialogue.id,
        query_id=query.id,
        units=(query_unit(query), *response_units(answers)),
        preferences=tuple(memory.id for memory in preference_set(query, content)),
        language=content.dialogue.language,
        ability=query.ability,
    )


def preference_set(query: StoredQuery, content: Content) -> list[StoredMemory]:
    """The memories a response is held against, in content order.

    What was given with the query where the data says so (AlpsBench's task-4 items): all of it, whatever its
    label. Else the gold memories under Preferences/* and Constraints_and_Boundaries/*, and those the query names.
    """
    named = set(query.given)
    given = [m for m in content.memories if m.origin is Origin.GIVEN and m.external_id in named]
    if given:
        return given
    return [m for m in content.gold if is_in_preference_set(m.label) or m.external_id in named]


# ---------------------------------------------------------------- response-preference


def preference_items(content: Content, names: Names) -> Iterator[ItemSpec]:
    """One item per question with at least two responses: the responses, and the pairs of them to be compared."""
    for number, query in enumerate(content.queries, 1):
        answers = content.responses.get(query.id, ())
        if len(answers) >= 2:
            item = _rating_item(content, query, number, answers, names)
            units = tuple(response_units(answers))
            yield replace(item, units=(*units, *pair_units(units, chosen_pairs(len(units), item.key))))


BUILDERS: dict[str, Callable[[Content, Names], Iterator[ItemSpec]]] = {
    "dialogue": dialogue_items,
    "memory-verification": verification_items,
    "response-rating": rating_items,
    "response-preference": preference_items,
    "memory-update": build_others.update_items,
    "memory-retrieval": build_others.retrieval_items,
    "utilization-check": build_others.utilization_items,
    "memory-use": build_others.use_items,
    "extraction-review": build_others.review_items,
}
"""What a form's `item` names → how its items are made of one dialogue."""

OFFERING = frozenset({"memory-verification"})
"""Those whose candidates are offered to take over, so that more of them, from a model that comes later, make no new
version of an item that people have begun."""
