"""Commands about forms: list, show, check."""

from pathlib import Path

from alps_tui.commands.exit_codes import CHECK_FAILED, Ending
from alps_tui.commands.render import count, out, out_json, say, table
from alps_tui.protocols.schema import Field, Protocol


def list_all(as_json: bool) -> None:
    """The built-in forms with their versions."""
    from alps_tui.protocols.loading import builtin_names, load_builtin

    protocols = [load_builtin(name) for name in builtin_names()]
    if as_json:
        keys = ("name", "version", "title", "screen")
        out_json([{key: getattr(p, key) for key in keys} for p in protocols])
        return
    rows = [[p.name, p.version, str(len(p.fields)), "" if p.screen else "no screen yet"] for p in protocols]
    out(table(["form", "version", "fields", ""], rows))


def show(name: str, guideline: bool) -> None:
    """A form field by field, or its guideline."""
    from alps_tui.protocols.loading import builtin_names, load_builtin

    if name not in builtin_names():
        raise Ending(f"There is no built-in form called {name}. There are: {', '.join(builtin_names())}.")
    protocol = load_builtin(name)
    if guideline:
        out(protocol.guideline)
        return
    out(f"{protocol.title} · {protocol.name} {protocol.version}")
    for field in protocol.fields:
        out()
        out(_heading(field))
        for option in field.options:
            out(f"    {option.key or '·'}  {option.value}: {option.anchor or option.label}")
    if protocol.keys:
        out()
        out(
            "Keys: " + ", ".join(f"{key} {action.replace('_', ' ')}" for action, key in protocol.keys.items())
        )


def _heading(field: Field) -> str:
    needed = "required" if field.required else "optional"
    level = f", {field.level}" if field.level else ""
    return f"{field.key} · per {field.per} · {field.kind}{level} · {needed}\n    {field.title}"


def check(path: Path) -> int:
    """Every mistake of a form with file, line and key; exit code 1 if there is one."""
    from alps_tui.protocols.loading import ProtocolError, load_file

    try:
        protocol: Protocol = load_file(path)
    except ProtocolError as problem:
        for line in str(problem).splitlines():
            out(line)
        return CHECK_FAILED
    except OSError as problem:
        raise Ending(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    say(f"{path}: no mistake. {protocol.name} {protocol.version}, {count(len(protocol.fields), 'field')}.")
    return 0
