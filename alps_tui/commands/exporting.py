"""Commands that write labels for other tools."""

from pathlib import Path
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import CHECK_FAILED, NOTHING_TO_DO, OK, Ending
from alps_tui.commands.render import count, out, out_json, say
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from collections.abc import Callable

    from exports.manifest import Manifest
    from store.database import Database


def long_table(url: str, folder: Path, force: bool, as_json: bool) -> int:
    """Write the long table and its manifest."""
    from exports.long_table import export_long_table

    return _export(url, folder, lambda study: export_long_table(study, folder, force=force), as_json)


def memories(url: str, folder: Path, unfinished: bool, force: bool, as_json: bool) -> int:
    """Write verified memories, one file per rater, and the manifest."""
    from exports.alpsbench_memories import export_memories

    return _export(
        url,
        folder,
        lambda study: export_memories(study, folder, unfinished=unfinished, force=force),
        as_json,
    )


def bundles(url: str, folder: Path, force: bool, as_json: bool) -> int:
    """Write imported annotations as the bundles AlpsBench's tool reads, one annotator a file, and the manifest."""
    from exports.alpsbench_bundles import export_bundles

    return _export(url, folder, lambda study: export_bundles(study, folder, force=force), as_json)


def _export(url: str, folder: Path, write: "Callable[[Database], Manifest]", as_json: bool) -> int:
    from exports.folder import ExportRefused

    study = open_study(url, read_only=True)
    try:
        manifest = write(study)
    except ExportRefused as problem:
        raise Ending(str(problem)) from problem
    except OSError as problem:
        raise Ending(
            f"{folder}: {problem.strerror or problem}. The export has no manifest, so it is not whole. "
            "Make room or name another folder, then export again."
        ) from problem
    finally:
        study.close()
    if as_json:
        out_json({"folder": str(folder)} | manifest.to_json())
    else:
        _print(folder, manifest)
    if not any(manifest.counts.values()):
        raise Ending(f"{url} holds nothing of this kind yet; the files are empty.", NOTHING_TO_DO)
    say(f"{folder}: {count(len(manifest.files), 'file')} and the manifest.")
    return OK if manifest.complete else CHECK_FAILED


def _print(folder: Path, manifest: "Manifest") -> None:
    for name, amount in manifest.counts.items():
        out(f"  {amount:,} {name.replace('_', ' ')}")
    for reason, amount in manifest.left_out.items():
        out(f"  left out: {amount:,} {reason.replace('_', ' ')}")
    for file in manifest.files:
        out(f"  {folder / file.name}")
