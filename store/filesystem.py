"""Which filesystem a path is on, and whether SQLite's write-ahead log can be trusted there."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

NETWORK_TYPES = frozenset(
    [
        "afs",
        "afpfs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "fuse.ceph",
        "fuse.davfs",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs3",
        "nfs4",
        "orangefs",
        "pvfs2",
        "smb2",
        "smb3",
        "smbfs",
        "vboxsf",
        "webdav",
    ]
)

Mount = tuple[str, str, str]
"""Mount point, filesystem type, options."""


def parse_proc_mounts(text: str) -> tuple[Mount, ...]:
    """The mounts of Linux's /proc/self/mounts; blanks in a mount point are written there as \\040."""
    mounts = []
    for line in text.splitlines():
        parts = line.split()
        if len(parts) >= 4:
            point = parts[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
            mounts.append((point, parts[2], parts[3]))
    return tuple(mounts)


def parse_mount_command(text: str) -> tuple[Mount, ...]:
    """The mounts as `mount` prints them on macOS: `what on /point (type, option, …)`."""
    mounts = []
    for line in text.splitlines():
        left, bracket, right = line.rpartition(" (")
        _, on, point = left.partition(" on ")
        if bracket and on:
            kind, _, options = right.rstrip(")").partition(", ")
            mounts.append((point, kind, options))
    return tuple(mounts)


def read_mounts() -> tuple[Mount, ...]:
    """The mounts of this machine; empty where they cannot be read."""
    table = Path("/proc/self/mounts")
    if table.exists():
        return parse_proc_mounts(table.read_text(errors="replace"))
    if sys.platform == "darwin":
        listed = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=False, timeout=5)
        return parse_mount_command(listed.stdout)
    return ()


def network_filesystem(path: Path, mounts: Iterable[Mount] | None = None) -> str | None:
    """The type of the network filesystem that holds `path`, or None.

    The longest mount point above the path counts. A Windows drive inside WSL (9p with drvfs) counts as one:
    two kernels do not share the memory that the write-ahead log needs.
    """
    resolved = path.resolve()
    best: tuple[int, str, str] | None = None
    for point, kind, options in read_mounts() if mounts is None else mounts:
        inside = resolved == Path(point) or Path(point) in resolved.parents
        if inside and (best is None or len(point) >= best[0]):
            best = (len(point), kind, options)
    if best is None:
        return None
    _, kind, options = best
    if kind in NETWORK_TYPES or (kind == "9p" and "drvfs" in options):
        return kind
    return None
