"""The program, which also tells of each link that somebody forwards: `python -m tests.lan.told …`.

What a person reads says nothing of who forwards what.
"""

import logging
import sys
from typing import Final

FORWARDED: Final = "a link by "
"""Begins the line that tells of one."""


def run() -> None:
    """Run the program with the words that were given."""
    heard = logging.StreamHandler(sys.stdout)
    heard.addFilter(lambda record: record.getMessage().startswith(FORWARDED))
    log = logging.getLogger("netgame.io")
    log.addHandler(heard)
    log.setLevel(logging.DEBUG)
    from cli.__main__ import main

    sys.exit(main())


if __name__ == "__main__":
    run()
