"""A computer without anything gets the program from another one: `python -m tests.lan.shared`.

Two hosts on a bridge, and no way out. On the first somebody shares the program beside an open
table. On the second somebody types the line that the first one's screen shows, into a plain Python
with an empty home; they read the same fingerprint, install, find the table, and sit down. Pressing
Enter ends the sharing. Exit 0 if all is well.
"""

import shlex
import sys
from pathlib import Path

from tests.lan.guests import PROGRAM, Party, main_of, must

HOSTS = 2
PYTHON = getattr(sys, "_base_executable", sys.executable)
"""The interpreter that knows nothing of this project's environment."""


def installs(party: Party) -> None:
    """Somebody with nothing but Python types a line from a screen, installs, and sits down."""
    party.places.update({"Ann": 0, "Share": 0, "Ben": 1})
    party.come("Ann", "host", "--seats", "3", "--open", "--set", "6", "--rounds", "1")
    party.reads("Ann", "Others join with")
    party.run("Share", (*PROGRAM, "share", "--data", str(party.data("Share"))))
    line = party.reads("Share", r"(python3 -c \".*\")")
    shown = party.reads("Share", r"Fingerprint: ([0-9a-f ]{19})")
    home = party.folder / "home"
    home.mkdir()
    typed = [PYTHON if word == "python3" else word for word in shlex.split(line)]
    settings = (f"HOME={home}", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "BONEYARD_NAME=Ben")
    party.run("Ben", ("env", "-i", *settings, *typed))
    must(party.reads("Ben", r"Fingerprint: ([0-9a-f ]{19})") == shown, "another fingerprint")
    party.types("Ben", "")
    party.reads("Ben", "Installed. Next time: ")
    must(is_apart(home), "the project's own environment is used")
    party.reads("Ben", "You sit down")
    party.reads("Ann", "Ben sits down")
    party.types("Share", "")
    must(party.guests["Share"].process.wait(10.0) == 0, "sharing does not end well")


def is_apart(home: Path) -> bool:
    """Return True if the installation below `home` contains this program and its libraries."""
    lib = home / "boneyard" / "lib"
    wanted = ("cli", "engine", "netgame", "trio", "cryptography")
    return all((lib / name).is_dir() for name in wanted)


if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, {"installs": installs}, Party))
