"""The command line: parse, call, print."""


def main() -> None:
    """Entry point of `alps`."""
    raise SystemExit("alps: no command yet")
