"""Strangers who come to an open table in play: `python -m tests.lan.newcomers [yes | nobody …]`.

Real processes in namespaces on a bridge; three play at a table that asks for no join code. `yes`:
the host sits at a terminal; a stranger asks for a seat, watches, and sits down for the next round
once the host has typed `allow`. `nobody`: the host plays by itself, and the stranger watches to the
end. What each reads is waited for; then the game is played to its end, with one record for all.
Exit 0 if all is well.
"""

import os
import sys
from contextlib import suppress
from threading import Event, Thread

from tests.lan.guests import PROGRAM, Party, main_of, must, until

HOSTS = 4
PORT = 4747
RULES = ("--set", "6", "--rounds", "3", "--port", str(PORT))
AT_TERMINAL = (sys.executable, "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)")
"""Runs a program at a terminal that reads keys from a pipe."""
_DEALT = r"Round {} of 3 is dealt"


class OpenTable(Party):
    """An open table for three, and a stranger who comes in the first round."""

    @property
    def table(self) -> str:
        """The address of the table."""
        return f"{self.net.address(0)}:{PORT}"

    def opens(self, *words: str, program: tuple[str, ...] = PROGRAM) -> None:
        """Have Ann open the table and two others sit down, and wait for the deal."""
        self.come("Ann", "host", "--open", "--seats", "3", *RULES, *words, program=program)
        self.reads("Ann", "Others join with")
        for name in ("Ben", "Cy"):
            self.come(name, "join", self.table, "--auto")
        self.reads("Ann", _DEALT.format(1))

    def types(self, name: str, line: str) -> None:
        """Type a line for somebody at a terminal."""
        pipe = self.guests[name].process.stdin
        must(pipe, f"{name} has no keys")
        os.write(pipe.fileno(), f"{line}\n".encode())

    def quotes(self, name: str, *words: str) -> None:
        """Wait until somebody has read these words, wherever lines break, and print them."""
        text = " ".join(words)
        until(lambda: text in " ".join(self.guests[name].said.split()), f"{name} reads {text!r}")
        self.say(f"{name} reads: {text}")

    def plays(self, name: str, is_over: Event) -> None:
        """Type 1 for somebody whenever it is their turn, until `is_over` is set."""
        made = 0
        while not is_over.wait(0.1):
            if self.guests[name].said.count("Your turn.") > made:
                made += 1
                with suppress(BrokenPipeError):
                    self.types(name, "1")

    def goes(self, *names: str) -> None:
        """Wait for the game to end at these people's terminals, and quit their programs."""
        for name in names:
            self.reads(name, "wins? the game", 120.0)
            self.types(name, "quit")

    def asks(self) -> None:
        """Have a stranger at a terminal come and ask for a seat."""
        program = (*AT_TERMINAL, *PROGRAM)
        self.come("Zoe", "join", self.table, program=program)
        self.quotes("Zoe", "Sit down? [Y/n]")
        self.types("Zoe", "y")


def yes(party: OpenTable) -> None:
    """The host reads who asks and what to type, and types it; then the stranger gets a seat."""
    party.opens(program=(*AT_TERMINAL, *PROGRAM))
    party.asks()
    party.quotes("Zoe", "Nobody at this table knows you yet: you watch, and get a seat")
    party.quotes("Ann", "Zoe asks for a seat, and your program does not know this key:")
    party.quotes("Ann", "To give Zoe a seat, type allow Zoe.")
    is_over = Event()
    players = [Thread(target=party.plays, args=(name, is_over)) for name in ("Ann", "Zoe")]
    for each in players:
        each.start()
    try:
        party.reads("Ann", _DEALT.format(2))
        must("4 Zoe" not in party.guests["Ben"].said, "Zoe sat down before anybody said yes")
        party.types("Ann", "allow zoe")
        party.quotes("Ann", "Zoe may sit down at the next round.")
        party.quotes("Ben", "Ann: Zoe may sit down at the next round.")
        party.quotes("Zoe", "you watch round 2 and get a seat when round 3 is dealt")
        party.reads("Zoe", _DEALT.format(3))
        must(" Zoe " in party.guests["Ben"].said.partition(_DEALT.format(3))[0], "Ben sees no Zoe")
        party.goes("Ann", "Zoe")
    finally:
        is_over.set()
        for each in players:
            each.join()
    party.ends_well()


def nobody(party: OpenTable) -> None:
    """If nobody is there to say yes, the stranger is told that, watches, and gets no seat."""
    # with a small set the game may be over before a newcomer has started on a busy computer
    party.opens("--auto", "--set", "12")
    party.asks()
    party.quotes("Zoe", "nobody is at the keyboard to say yes: you watch.")
    party.reads("Zoe", _DEALT.format(3), 120.0)
    party.goes("Zoe")
    verdict = party.ends_well()
    must(len(verdict.scores[-1]) == 3, "somebody sat down")
    must("and Zoe." not in verdict.says, verdict.says)


SCENES = {"yes": yes, "nobody": nobody}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, OpenTable))
