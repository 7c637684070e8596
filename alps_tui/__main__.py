"""`python -m alps_tui` is `alps`."""

from alps_tui.cli import main

if __name__ == "__main__":
    main()
