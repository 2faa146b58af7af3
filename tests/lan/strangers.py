"""People who may not come in: `python -m tests.lan.strangers [wrong-code | middle | blocked | …]`.

Real processes in namespaces on a bridge. `wrong-code`: three wrong join codes, after which the host
asks for another one. `middle`: somebody with a key of his own stands between a joiner and the
table, and passes everything on. `changed-key`: a host whose player was met before comes with
another key. Whoever is to be kept out must be told why and end with exit code 4; then the table
must fill and play to its end, with one record for all. Exit 0 if all is well.

`blocked`: two addresses try wrong codes for as long as they please, so that the right one is not
taken; the host blocks both, and it is. `allowed`: they go on, and somebody comes in without a code,
as host and newcomer type each other's keys.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from cli.exits import ExitCode
from netgame.io.disk.identity import KEY_FILE
from netgame.io.disk.known_peers import FILE_NAME
from netgame.io.door.codes import CODE_WORDS, JoinCode, parse_code
from netgame.limits import CODE_TRIES_PER_ADDRESS, CODE_WRONG_BURST
from tests.lan.guests import Party, main_of, must, until
from tests.lan.network import ip

HOSTS = 4
PORT = 4747
WAIT_S = 60.0
STRANGER = "Mallory"
_KEY = "Your key is "
_WRONG = "rong join code"
_FIRST_CODE = r"Newcomers need this code: (\S+)"
_NEXT_CODE = r"code of this table is now (\S+)\."


class Door(Party):
    """A table for two that asks for a join code, and the people who come to it.

    `key_told` is the key by which the last refused person could be let in.
    """

    key_told: str = ""

    def known(self, name: str) -> Path:
        """Return somebody's file of known peers."""
        return self.data(name) / FILE_NAME

    def knows(self, name: str, other: str) -> None:
        """Wait until the known peers of `name` include `other`."""
        file = self.known(name)
        until(lambda: file.exists() and f'name = "{other}"' in file.read_text(), f"meets {other}")

    @property
    def table(self) -> str:
        """The address of the table."""
        return f"{self.net.address(0)}:{PORT}"

    def away(self, *names: str) -> None:
        """Kill these programs and delete their logs."""
        for name in names:
            self.kill(name)
            self.guests.pop(name).log.unlink()

    def host(self) -> str:
        """Have Ann open a table for two; return its join code."""
        words = ("--seats", "2", "--port", str(PORT), "--set", "9", "--rounds", "1", "--auto")
        self.come("Ann", "host", *words)
        return self.reads("Ann", _FIRST_CODE)

    def sit(self, name: str, code: str) -> None:
        """Have somebody take the other seat, which begins the game."""
        self.come(name, "join", self.table, "--code", code, "--auto")
        self.knows("Ann", name)
        self.knows(name, "Ann")
        self.say(f"{name} at {self.table} with {code}: has a seat")

    def refused(self, name: str, table: str, code: str = "") -> str:
        """Have somebody ask for a seat and be refused; return the last sentence they read.

        Store the key by which they could be let in as `key_told`. Raise NotShown if they are not
        refused.
        """
        words = ("--code", code) if code else ()
        guest = self.come(name, "join", table, *words, "--auto")
        guest.process.wait(WAIT_S)
        del self.guests[name]
        *before, sentence = guest.said.strip().split("\n")
        self.key_told = next((line.split()[3].strip(".") for line in before if _KEY in line), "")
        returned = guest.process.returncode
        self.say(f"{name} at {table} {code}: exit code {returned}: {sentence}")
        must(returned == ExitCode.REFUSED, f"{name} was not refused: {guest.said}")
        must("Traceback" not in guest.said, guest.said)
        return sentence

    def said_last(self, name: str, text: str) -> str:
        """Return the last line with this text that somebody has read."""
        return [line for line in self.guests[name].said.split("\n") if text in line][-1]

    def plays_on(self) -> None:
        """Wait for the end; each record must name all players, and not the stranger."""
        verdict = self.ends_well(WAIT_S)
        must(len(verdict.scores) > 0, "nobody has a score")
        for guest in self.guests.values():
            octets = guest.record.read_bytes()
            for name in self.guests:
                must(name.encode() in octets, f"{name} is not in the record of {guest.name}")
            must(STRANGER.encode() not in octets, f"{STRANGER} is in the record of {guest.name}")


# ---- the scenes -----------------------------------------------------------------------------


def wrong_codes(code: str) -> Iterator[str]:
    """Yield codes that differ from this one only in the second word."""
    right = parse_code(code)
    for word in CODE_WORDS:
        if word not in (right.first, right.second):
            yield str(JoinCode(right.number, right.first, word))


def told_of_old(code: str, fresh: str) -> str:
    """Return a text that a guest with the earlier code reads.

    It depends on whether both codes begin with the same number.
    """
    if parse_code(code).number == parse_code(fresh).number:
        return "join code is wrong"
    return "begins with another number; ask its host for the code shown now"


def wrong_code(door: Door) -> None:
    """Three wrong tries are refused, after which the host asks for another code."""
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
    """A proxy gets nobody in, whether it forwards the joiner's proof of key or sends its own."""
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
    """Check that both ends spoke through the proxy, and that neither sent a word of the code."""
    must(b"server-hello" in octets and b"client-proof" in octets, "nothing was overheard")
    right = parse_code(code)
    for word in (right.first, right.second):
        must(word.encode() not in octets, f"{word} was overheard")
    door.say(f"overheard {len(octets)} octets, no word of the code among them")


def changed_key(door: Door) -> None:
    """A guest who knew the host by another key is stopped, and keeps the entry for the old one."""
    door.sit("Ben", door.host())
    door.away("Ann", "Ben")
    (door.data("Ann") / KEY_FILE).unlink()
    before = door.known("Ben").read_bytes()
    door.say("the host's key is replaced; its address and name stay")
    code = door.host()
    for table, shown in (("Ann", ""), ("Ann", code), (door.table, code)):
        said = door.refused("Ben", table, shown)
        must("WARNING" in said and "a different key from before" in said, said)
        must(door.known("Ben").read_bytes() == before, "the entry was overwritten")
    door.say("what Ben knows of the host is as it was")
    door.sit("Cy", code)
    door.plays_on()


# ---- wrong codes without end ----------------------------------------------------------------

MANY = 12
"""The number of extra addresses: they use up the shared tries within seconds, not minutes."""


def besiege(door: Door) -> None:
    """Have Ann open a table, and Mallory try codes until the door accepts no more.

    After that, Mallory goes on trying, but from only two addresses.
    """
    door.host()
    computer = door.net.name(door.place(STRANGER))
    for number in range(MANY):
        ip("-n", computer, "addr", "add", f"10.77.0.{100 + number}/24", "dev", "eth0")
    own = door.net.address(door.place(STRANGER))
    guess = (sys.executable, "-m", "tests.lan.liar", "guess", door.table)
    door.run(STRANGER, (*guess, *(f"10.77.0.{100 + number}" for number in range(MANY))))
    door.wait_for_lines("Ann", _WRONG, CODE_WRONG_BURST)
    door.say(f"{CODE_WRONG_BURST} wrong codes; the last: {door.said_last('Ann', _WRONG)}")
    door.kill(STRANGER)
    door.run(STRANGER, (*guess, own, "10.77.0.100"))


def code_now(door: Door) -> str:
    """Return the last code that Ann's screen has shown, after at least one change of the code."""
    return re.findall(_NEXT_CODE, door.guests["Ann"].said)[-1]


def is_told_to_wait(door: Door, name: str) -> None:
    """Check that somebody with the right code is refused because too many codes were tried.

    A try becomes free every half minute. Once the two guessers have taken it, there is none for a
    while.
    """
    door.wait_for_lines("Ann", _WRONG, door.guests["Ann"].said.count(_WRONG) + 1)
    said = door.refused(name, door.table, code_now(door))
    must("tried too many join codes" in said, said)
    door.say(f"{name} reads: {door.key_told}")


def blocked(door: Door) -> None:
    """Ann blocks both addresses, and the newcomer with the right code comes in at once."""
    besiege(door)
    is_told_to_wait(door, "Ben")
    door.types_aloud("Ann", "block")
    door.say(f"Ann reads: {door.reads('Ann', '(Wrong join codes came from .*[)][.])')}")
    for address in (door.net.address(door.place(STRANGER)), "10.77.0.100"):
        door.types_aloud("Ann", f"block {address}")
        door.say(f"Ann reads: {door.reads('Ann', f'(Nobody can join from {address} .*)')}")
    since = len(door.guests[STRANGER].said)
    hung_up = door.reads(STRANGER, "guess from .*: (the table is busy, .*)", WAIT_S, since)
    door.say(f"{STRANGER} reads: {hung_up}")
    door.sit("Ben", code_now(door))
    door.away(STRANGER)
    door.plays_on()


def allowed(door: Door) -> None:
    """While the guessing goes on, Ann and Ben type each other's keys, and Ben comes in."""
    besiege(door)
    is_told_to_wait(door, "Ben")
    door.types_aloud("Ann", f"allow {door.key_told[:9]}")
    door.say(f"Ann reads: {door.reads('Ann', '(That is half a key.*)')}")
    door.types_aloud("Ann", f"allow {door.key_told}")
    told = door.reads("Ann", "(.* can come in without the join code.*)")
    door.say(f"Ann reads: {told}")
    own = told.rpartition(" ")[2]
    said = door.refused("Cy", door.table, own)
    must("has not allowed your key yet" in said, said)
    must("tried too many" in door.refused("Cy", door.table, code_now(door)), "Cy comes in")
    door.come("Ben", "join", door.table, "--code", own, "--auto")
    door.knows("Ben", "Ann")
    door.reads("Ann", "Round 1 of 1 is dealt")
    door.say("Ben has a seat")
    door.away(STRANGER)
    door.plays_on()


SCENES = {
    "wrong-code": wrong_code,
    "middle": middle,
    "changed-key": changed_key,
    "blocked": blocked,
    "allowed": allowed,
}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Door))
