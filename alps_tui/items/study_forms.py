"""The forms of a study as they were when their items were made: built in or a team's own, each version by itself."""

from collections.abc import Iterable

from alps_tui.protocols.loading import ProtocolError, builtin_names, load_builtin, load_text
from alps_tui.protocols.schema import Protocol
from store.database import Database
from store.versions import KnownForm, known_forms


def loaded(known: KnownForm) -> Protocol | None:
    """A version of a form with the guideline in use; None for one that this program cannot read and does not ship.

    A study whose form came without its text (made by another program) has the form that ships under that name.
    """
    ships = load_builtin(known.name) if known.name in builtin_names() else None
    if ships is not None and ships.content_hash == known.content_hash:
        return ships if ships.guideline == known.guideline else _guided(ships, known.guideline)
    try:
        return load_text(known.source, guideline=known.guideline, file=f"{known.name} {known.version}")
    except ProtocolError:
        return ships


def _guided(form: Protocol, guideline: str) -> Protocol:
    return form.model_copy(update={"guideline": guideline})


def newest(known: Iterable[KnownForm]) -> dict[str, KnownForm]:
    """Of each name the version that came last."""
    return {form.name: form for form in known}


def own_forms(db: Database) -> tuple[Protocol, ...]:
    """The newest version of each form that the study has and the product does not ship, by name."""
    with db.read() as conn:
        known = newest(known_forms(conn))
    names = set(builtin_names())
    found = (loaded(form) for name, form in sorted(known.items()) if name not in names)
    return tuple(form for form in found if form is not None)
