"""Makes `docs/boneyard.1`, the manual page, from the one parser of the command line.

Run from the project's root: `uv run --group dev python docs/make_man.py`.
"""

import os
import sys
from argparse import RawDescriptionHelpFormatter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


def page() -> str:
    """Return the page in roff; its usage lines break as at a terminal of 80 columns."""
    sys.path.insert(0, str(ROOT))
    os.environ["COLUMNS"] = "80"
    from argparse_manpage.manpage import Manpage

    from cli.arguments.parser import build_parser

    parser = build_parser(whole=True)
    parser.formatter_class = RawDescriptionHelpFormatter  # roff breaks the lines of prose itself
    facts = {
        "project_name": "boneyard",
        "description": "Mexican Train dominoes for a LAN party",
        "manual_title": "Boneyard",
        "date": "2026",
    }
    return f"{str(Manpage(parser, facts, 'pretty')).rstrip()}\n"


if __name__ == "__main__":
    (ROOT / "docs" / "boneyard.1").write_text(page(), encoding="utf-8")
