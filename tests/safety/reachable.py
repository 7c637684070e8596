"""Every text that can be reached from an object by attributes, containers and closures, with the way to it."""

from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache, partial
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

NOT_ENTERED = (
    "sqlalchemy", "sqlite3", "asyncio", "_asyncio", "threading", "_thread", "logging", "concurrent", "_pytest",
    "rich.style", "rich.console", "rich.color", "re",
    "textual.css", "textual._styles_cache", "textual._compositor", "textual.strip", "textual.geometry",
    "textual.binding", "textual.color", "textual.timer", "textual.cache", "textual.filter", "textual.theme",
    "textual.style", "textual.design",
)  # fmt: skip
"""Packages whose objects hold machinery: the database behind its door, loops, locks and loggers, styles, and the
strips that were drawn, which are looked at as frames."""

ATOMS = (int, float, bool, type(None), BuiltinFunctionType, CodeType, ModuleType, type, range)

Found = tuple[str, str]
"""The way to a text, and the text; numbers with a fraction count as texts."""


def reachable_texts(root: object, *, leave_out: tuple[type, ...] = ()) -> Iterator[Found]:
    """Walk breadth first from `root`; each object once. Objects of the types in `leave_out` are not entered."""
    seen: dict[int, object] = {}  # holds what it has seen, so that no id comes again
    waiting: deque[tuple[str, object]] = deque([("", root)])
    while waiting:
        way, one = waiting.popleft()
        kind = type(one)
        if issubclass(kind, str):
            yield way, str(one)
        elif issubclass(kind, bytes | bytearray):
            yield way, bytes(one).decode("utf-8", "replace")  # type: ignore[call-overload]
        elif kind is float:
            yield way, repr(one)
        elif not issubclass(kind, ATOMS) and id(one) not in seen:
            seen[id(one)] = one
            if _is_entered(kind) and not issubclass(kind, leave_out):
                waiting.extend((way + step, part) for step, part in _parts(one))


@cache
def _is_entered(kind: type) -> bool:
    module = kind.__module__
    return not any(module == name or module.startswith(f"{name}.") for name in NOT_ENTERED)


def _parts(one: Any) -> Iterator[tuple[str, object]]:
    """What an object holds: entries, attributes, what a function closes over, what a partial call is made of."""
    if isinstance(one, Mapping):
        for key, value in list(one.items()):
            yield "[key]", key
            yield f"[{key!r:.40}]" if isinstance(key, str) else "[…]", value
    elif isinstance(one, list | tuple | set | frozenset | deque):
        for value in list(one):
            yield "[]", value
    elif isinstance(one, FunctionType):
        for name, cell in zip(one.__code__.co_freevars, one.__closure__ or (), strict=True):
            yield f"<{name}>", _content(cell)
        yield "<defaults>", (one.__defaults__, one.__kwdefaults__)
    elif isinstance(one, MethodType):
        yield ".__self__", one.__self__
        yield ".__func__", one.__func__
    elif isinstance(one, partial):
        yield "<call>", (one.func, one.args, one.keywords)
    for name, value in list(getattr(one, "__dict__", {}).items()):
        yield f".{name}", value
    for name in _slots(type(one)):
        try:
            yield f".{name}", object.__getattribute__(one, name)
        except AttributeError:
            continue  # a slot that was never filled


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that was never filled
        return None


@cache
def _slots(kind: type) -> tuple[str, ...]:
    found = [base.__dict__.get("__slots__", ()) for base in kind.__mro__]
    names = [name for slots in found for name in ((slots,) if isinstance(slots, str) else slots)]
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))
