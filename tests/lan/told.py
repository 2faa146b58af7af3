"""The program, which here also prints each forwarded link: `python -m tests.lan.told …`.

Otherwise no screen says who forwards which link.
"""

import logging
import sys
from typing import Final

FORWARDED: Final = "a link by "
"""The first words of the line about a forwarded link."""


def run() -> None:
    """Run the program with the arguments given."""
    heard = logging.StreamHandler(sys.stdout)
    heard.addFilter(lambda record: record.getMessage().startswith(FORWARDED))
    log = logging.getLogger("netgame.io")
    log.addHandler(heard)
    log.setLevel(logging.DEBUG)
    from cli.__main__ import main

    sys.exit(main())


if __name__ == "__main__":
    run()
