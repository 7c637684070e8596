"""The doctor: is the study whole, and is its place safe."""

from alps_tui.commands.exit_codes import CHECK_FAILED, INTEGRITY, OK
from alps_tui.commands.render import out, out_json, out_prose
from alps_tui.commands.study import open_study


def run(url: str, as_json: bool) -> int:
    """Print every check; exit code 5 if the file is damaged, 1 if something else needs care."""
    from store.health import examine

    study = open_study(url, read_only=True)
    try:
        checks = examine(study)
    finally:
        study.close()
    if as_json:
        out_json([{"check": c.name, "well": c.well, "found": c.found, "advice": c.advice} for c in checks])
    else:
        for check in checks:
            out_prose(f"{'✓' if check.well else '✗'} {check.name}: {check.found}")
            if check.advice:
                out(f"    {check.advice}")
    if any(check.name == "integrity" and not check.well for check in checks):
        return INTEGRITY
    return OK if all(check.well for check in checks) else CHECK_FAILED
