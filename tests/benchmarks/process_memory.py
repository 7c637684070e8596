"""Memory of this process in MB, as the kernel counts it for the program that runs now.

Not `ru_maxrss`: that one starts at what the process was forked from.
"""

import gc
from pathlib import Path


def peak() -> float:
    """The most that was ever resident, or was since `forget_peak`."""
    return _megabytes("VmHWM")


def forget_peak() -> float:
    """What is resident now, after a look for garbage; `peak` counts from here on."""
    now = resident()
    Path("/proc/self/clear_refs").write_text("5")
    return now


def resident() -> float:
    """What is resident now, after a look for garbage."""
    gc.collect()
    return _megabytes("VmRSS")


def _megabytes(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1]) / 1024
