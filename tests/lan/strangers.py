"""Who may not come in: `python -m tests.lan.strangers [wrong-code | middle | changed-key …]`.

Real processes in namespaces on a bridge. `wrong-code`: three wrong join codes, after which the host
asks for another one. `middle`: somebody with a key of his own stands between a joiner and the
table, and passes everything on. `changed-key`: a host whose player was met before comes with
another key. Whoever is to be kept out must be told why and end with exit code 4; then the table
must fill and play to its end, with one record for all. Exit 0 if all is well.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from cli.exits import ExitCode
from netgame.io.disk.identity import KEY_FILE
from netgame.io.disk.known_peers import FILE_NAME
from netgame.io.door.codes import CODE_WORDS, JoinCode, parse_code
from netgame.limits import CODE_TRIES_PER_ADDRESS
from tests.lan.guests import Party, main_of, must, until

HOSTS = 3
PORT = 4747
WAIT_S = 60.0
STRANGER = "Mallory"
_FIRST_CODE = r"Newcomers need this code: (\S+)"
_NEXT_CODE = r"code of this table is now (\S+)\."


class Door(Party):
    """A table for two that asks for a join code, and who comes to it."""

    def known(self, name: str) -> Path:
        """The file of known peers of somebody."""
        return self.data(name) / FILE_NAME

    def knows(self, name: str, other: str) -> None:
        """Wait until somebody has met another."""
        file = self.known(name)
        until(lambda: file.exists() and f'name = "{other}"' in file.read_text(), f"meets {other}")

    @property
    def table(self) -> str:
        """Where the table is."""
        return f"{self.net.address(0)}:{PORT}"

    def away(self, *names: str) -> None:
        """These go away."""
        for name in names:
            self.kill(name)
            self.guests.pop(name).log.unlink()

    def host(self) -> str:
        """Ann opens a table for two; its join code."""
        words = ("--seats", "2", "--port", str(PORT), "--set", "9", "--rounds", "1", "--auto")
        self.come("Ann", "host", *words)
        return self.reads("Ann", _FIRST_CODE)

    def sit(self, name: str, code: str) -> None:
        """Somebody takes the other seat; with that the game begins."""
        self.come(name, "join", self.table, "--code", code, "--auto")
        self.knows("Ann", name)
        self.knows(name, "Ann")
        self.say(f"{name} at {self.table} with {code}: has a seat")

    def refused(self, name: str, table: str, code: str = "") -> str:
        """Somebody asks for a seat and is sent away; with what sentence."""
        words = ("--code", code) if code else ()
        guest = self.come(name, "join", table, *words, "--auto")
        guest.process.wait(WAIT_S)
        del self.guests[name]
        sentence = guest.said.strip().rpartition("\n")[2]
        returned = guest.process.returncode
        self.say(f"{name} at {table} {code}: exit code {returned}: {sentence}")
        must(returned == ExitCode.REFUSED, f"{name} was not refused: {guest.said}")
        must("Traceback" not in guest.said, guest.said)
        return sentence

    def plays_on(self) -> None:
        """Everybody seated plays to the end, with one record, and nobody else is in it."""
        verdict = self.ends_well(WAIT_S)
        must(len(verdict.scores) > 0, "nobody has a score")
        for guest in self.guests.values():
            octets = guest.record.read_bytes()
            must(guest.name.encode() in octets, f"{guest.name} is not in the record")
            must(STRANGER.encode() not in octets, f"{STRANGER} is in the record")


# ---- the scenes -----------------------------------------------------------------------------


def wrong_codes(code: str) -> Iterator[str]:
    """Codes that differ from this one in one word."""
    right = parse_code(code)
    for word in CODE_WORDS:
        if word not in (right.first, right.second):
            yield str(JoinCode(right.number, right.first, word))


def told_of_old(code: str, fresh: str) -> str:
    """Return what somebody hears who brings the code from before: a fresh number shows it."""
    if parse_code(code).number == parse_code(fresh).number:
        return "join code is wrong"
    return "begins with another number; ask its host for the code shown now"


def wrong_code(door: Door) -> None:
    """Three wrong tries: each is refused, and then another code is asked for."""
    code = door.host()
    for wrong, _ in zip(wrong_codes(code), range(CODE_TRIES_PER_ADDRESS), strict=False):
        said = door.refused(STRANGER, door.table, wrong)
        must("join code is wrong" in said, said)
    fresh = door.reads("Ann", _NEXT_CODE)
    door.say(f"the host says: {door.reads('Ann', '(Wrong join codes .*)')}")
    must(fresh != code, "the host kept its code")
    said = door.refused(STRANGER, door.table, fresh)
    must("wait a minute" in said, said)
    said = door.refused("Ben", door.table, code)
    must(told_of_old(code, fresh) in said, said)
    door.sit("Ben", fresh)
    must(STRANGER not in door.known("Ann").read_text(), "the host noted the stranger")
    door.plays_on()


def middle(door: Door) -> None:
    """Who passes everything on gets nowhere, whether he passes on the proof of key or gives his."""
    code = door.host()
    for flags, told in (((), "key was not proved"), (("--own-proof",), "code is wrong")):
        between = f"{door.net.address(door.place('middle'))}:{PORT}"
        overheard = door.folder / f"overheard{len(flags)}"
        words = (sys.executable, "-m", "tests.lan.middle", between, door.table, str(overheard))
        door.run("middle", (*words, *flags))
        door.say(" ".join(("somebody", door.reads("middle", "(stands at .*)"), *flags)))
        said = door.refused("Ben", between, code)
        must(told in said and "somebody stands between" in said, said)
        check_overheard(door, overheard.read_bytes(), code)
        must(not door.known("Ben").exists(), "Ben noted the one in the middle")
        must(not door.known("Ann").exists(), "the host noted the one in the middle")
        door.away("middle")
    must(re.search(_NEXT_CODE, door.guests["Ann"].said) is None, "the code was changed")
    door.sit("Ben", code)
    door.plays_on()


def check_overheard(door: Door, octets: bytes, code: str) -> None:
    """Both ends spoke through the one in the middle, and neither said a word of the code."""
    must(b"server-hello" in octets and b"client-proof" in octets, "nothing was overheard")
    right = parse_code(code)
    for word in (right.first, right.second):
        must(word.encode() not in octets, f"{word} was overheard")
    door.say(f"overheard {len(octets)} octets, no word of the code among them")


def changed_key(door: Door) -> None:
    """A player met before, at the same address with another key: stopped, nothing overwritten."""
    door.sit("Ben", door.host())
    door.away("Ann", "Ben")
    (door.data("Ann") / KEY_FILE).unlink()
    before = door.known("Ben").read_bytes()
    door.say("the host's key is replaced; its address and name stay")
    code = door.host()
    for table, shown in (("Ann", ""), ("Ann", code), (door.table, code)):
        said = door.refused("Ben", table, shown)
        must("WARNING" in said and "another key than before" in said, said)
        must(door.known("Ben").read_bytes() == before, "the entry was overwritten")
    door.say("what Ben knows of the host is as it was")
    door.sit("Cy", code)
    door.plays_on()


SCENES = {"wrong-code": wrong_code, "middle": middle, "changed-key": changed_key}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Door))
