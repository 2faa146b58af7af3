"""Networks as people have them: `python -m tests.lan.networks [vpn | ipv6 | alone | twin | …]`.

Real processes in namespaces. `vpn`: the host has a VPN's address, too, whose number is lower.
`ipv6`: a link without IPv4, with link-local addresses alone, and a host called `.net`. `alone`: a
computer without a network. `twin`: somebody announces the table once more, with its key or another,
and hangs up on everybody. `unplugged`: somebody's cable is pulled in mid-game. `cloned`: one
identity on two computers in a lobby; `cloned-game`: at a game. What each screen says is held to
what is so; then the table must fill, where there is one, and play to its end, with one record for
all. Exit 0 if all is well.
"""

import shutil
import subprocess
import sys
import time

from cli.exits import ExitCode
from netgame.io.disk.identity import KEY_FILE
from netgame.limits import HOST_GONE_S
from tests.lan.guests import PROGRAM, NotShown, Party, main_of, must, until
from tests.lan.network import ip

HOSTS = 4
PORT = 4747
WAIT_S = 30.0
TRIES = 4
"""Runs of `tables`, which looks for three seconds: news of a host takes a second or two."""
GAME = ("--seats", "2", "--set", "6", "--rounds", "1", "--auto")
_CODE = r"Newcomers need this code: (\S+)"
_ELSEWHERE = "Another program plays with the key of this seat"


class Computers(Party):
    """Computers with unusual networks, and their screens."""

    def link(self, name: str, *words: str) -> None:
        """Run `ip` on somebody's computer."""
        ip("-n", self.net.name(self.place(name)), *words)

    def asks(self, name: str, *words: str) -> str:
        """Run `boneyard` with these words on somebody's computer; return its output as one line.

        Raise NotShown if it prints a traceback.
        """
        done = subprocess.run(
            self.net.command(self.place(name), (*PROGRAM, *words)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
        said = " ".join((done.stdout + done.stderr).split())
        self.say(f"{name}: boneyard {' '.join(words)}: exit code {done.returncode}: {said[:300]}")
        must("Traceback" not in said, said)
        return said

    def reads_so(self, name: str, text: str) -> None:
        """Wait until somebody's screen has these words, wherever its lines break."""
        until(lambda: text in " ".join(self.guests[name].said.split()), f"{name} reads {text}")

    def finds(self, name: str, *texts: str) -> str:
        """Have somebody list the tables until all texts are there, and return that list.

        Raise NotShown if they are not there after TRIES lists.
        """
        for _ in range(TRIES):
            said = self.asks(name, "tables")
            if all(text in said for text in texts):
                return said
        raise NotShown(f"{name} does not find {' and '.join(texts)}: {said}")

    def doctor(self, name: str) -> str:
        """Return the output of `doctor` on somebody's computer."""
        return self.asks(name, "doctor", "--data", str(self.data(name)))


# ---- the scenes -----------------------------------------------------------------------------


def vpn(here: Computers) -> None:
    """All screens show the address that others can reach, and the VPN's address only after it."""
    here.link("Ann", "link", "add", "tun0", "type", "veth", "peer", "name", "tun1")
    for end in ("tun0", "tun1"):
        here.link("Ann", "link", "set", end, "up")
    here.link("Ann", "addr", "add", "10.8.0.5/32", "dev", "tun0")
    here.come("Ann", "host", "--open", *GAME)
    here.reads_so("Ann", "Others join with: boneyard join 10.77.0.1:4747 or 10.8.0.5:4747")
    here.finds("Ben", "open to all, at 10.77.0.1:4747")
    said = here.doctor("Ann")
    must("tun0 has the address 10.8.0.5, as a VPN gives it" in said, said)
    must("Ann's table answers at 10.77.0.1:4747" in said, said)
    here.come("Ben", "join", "ann", "--auto")
    here.ends_well(WAIT_S)


def ipv6(here: Computers) -> None:
    """With only link-local addresses, a table is shown, found, joined and played."""
    for name in (".net", "Ben", "Cy"):
        here.link(name, "addr", "flush", "dev", "eth0", "scope", "global")
        until(lambda n=name: _link_local(here, n), f"{name} has a link-local address")
    here.come(".net", "host", "--open", *GAME)
    address = f"[{_link_local(here, '.net')}]:4747"
    here.reads_so(".net", f"Others join with: boneyard join {address}")
    said = here.finds("Ben", ".net, standard double-6, 1 of 2 seats taken, open to all, at [fe80::")
    must("127.0.0.1" not in said, said)
    for name in (".net", "Ben"):
        said = here.doctor(name)
        must("Multicast works on eth0" in said and "A game can be hosted here" in said, said)
    here.come("Ben", "join", address, "--auto")
    here.ends_well(WAIT_S)


def _link_local(here: Computers, name: str) -> str:
    """Return the link-local address of somebody's computer.

    Return an empty string if there is none yet, or while it is tentative.
    """
    words = ("ip", "-6", "-o", "addr", "show", "dev", "eth0", "scope", "link")
    command = here.net.command(here.place(name), words)
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return "" if "tentative" in told else told.partition("inet6 ")[2].partition("/")[0]


def alone(here: Computers) -> None:
    """Without a network, the table is offered at the loopback address, for this computer only.

    `doctor` says that there is no other address.
    """
    here.link("Ann", "link", "del", "eth0")
    here.come("Ann", "host", "--open", *GAME)
    here.reads("Ann", r"On this computer others join with: .*boneyard join 127\.0\.0\.1:4747")
    here.finds("Ann", "at 127.0.0.1:4747 on this computer")
    must("no address on any network" in here.doctor("Ann"), "doctor saw a network")


def twin(here: Computers) -> None:
    """The table and its copy under another key are listed; a guest still finds its way in."""
    for name in ("Ann", "Ben", "Mallory"):
        here.place(name)
    here.come("Ann", "host", *GAME)
    code = here.reads("Ann", _CODE)
    for number, key in enumerate(("22222222", "same")):  # sorts before all other keys in a list
        name = f"Mallory-{key}"
        here.places[name] = here.place("Mallory")
        here.run(name, (sys.executable, "-m", "tests.lan.twin", str(6660 + number), key))
        here.say(here.reads(name, "announces .*"))
    said = here.finds("Ben", "Ann (key 22222222)", "10.77.0.1:4747")
    must(said.count("Ann (key ") == 2, f"not one row for each key: {said}")
    ben = here.come("Ben", "join", "ann", "--code", code, "--auto")
    here.reads_so("Ben", "The same table is announced at")
    here.reads_so("Ben", "You sit down")
    here.say(" ".join(ben.said.split())[:400])
    for name in ("Mallory-22222222", "Mallory-same"):
        here.kill(name)
        del here.guests[name]
    here.ends_well(WAIT_S)


def unplugged(here: Computers) -> None:
    """Ben, whose cable is pulled, reads that the network is lost; the others read that he is away.

    Once plugged in again, he reads that he is back, and never that somebody else was away.
    """
    here.come("Ann", "host", "--open", "--seats", "3", "--set", "9", "--rounds", "1", "--auto")
    here.reads("Ann", "Others join with")
    for name in ("Ben", "Cy"):
        here.come(name, "join", "--auto")
    here.wait_for_play(4)
    ben, since = here.guests["Ben"], len(here.guests["Ben"].said)
    here.net.cut(here.place("Ben"))
    here.reads("Ben", "Your computer has lost the network", since=since)
    for name in ("Ann", "Cy"):
        here.reads(name, "Ben has not answered")
    time.sleep(HOST_GONE_S + 2.0)
    here.net.restore(here.place("Ben"))
    here.reads("Ben", "Your computer is back on the network", since=since)
    here.reads("Ben", "You are connected to Ann again", since=since)
    for text in ("has not answered", "does not answer", "is gone", "is back.", "can only wait"):
        must(text not in ben.said[since:], f"Ben reads that somebody {text}")
    here.say(" ".join(ben.said[since:].split())[:300])
    here.ends_well()


def cloned(here: Computers) -> None:
    """Both programs with one key leave the lobby and say why; then one of them comes back alone."""
    here.come("Ann", "host", "--open", "--seats", "3", *GAME[2:])
    table = f"{here.net.address(0)}:{PORT}"
    here.reads("Ann", "Others join with")
    here.come("Ben", "join", table, "--auto")
    here.reads("Ben", "You sit down")
    here.data("Ben-2").mkdir()
    shutil.copy(here.data("Ben") / KEY_FILE, here.data("Ben-2") / KEY_FILE)
    here.come("Ben-2", "join", table, "--auto")
    both_stop(here, "Ben", "Ben-2")
    here.reads("Ann", r"Ben(-2)? no longer sits here")
    here.come("Ben", "join", table, "--auto")
    here.come("Cy", "join", table, "--auto")
    here.ends_well(WAIT_S)


def cloned_game(here: Computers) -> None:
    """Both programs with one key stop in a game and say why; one of them resumes and plays on."""
    here.come("Ann", "host", "--open", "--bots", "1", "--seats", "3", *GAME[2:])
    here.reads("Ann", "Others join with")
    here.come("Ben", "join", f"{here.net.address(0)}:{PORT}", "--yes")
    here.reads("Ben", "Your turn")
    shutil.copytree(here.data("Ben"), here.data("Ben-2"))
    here.come("Ben-2", "resume")
    both_stop(here, "Ben", "Ben-2")
    here.resume("Ben")
    here.ends_well(WAIT_S)


def both_stop(here: Computers, *names: str) -> None:
    """Wait until both programs have ended with the sentence that says why.

    Then delete their logs, so that they may start again.
    """
    for name in names:
        guest = here.guests.pop(name)
        code = guest.process.wait(WAIT_S)
        must(code == ExitCode.FAILED, f"{name} ended with exit code {code}: {guest.said}")
        must(_ELSEWHERE in " ".join(guest.said.split()), guest.said)
        must("Traceback" not in guest.said, guest.said)
        here.say(f"{name}: {' '.join(guest.said.split())[-350:]}")
        guest.log.unlink()


SCENES = {
    "vpn": vpn,
    "ipv6": ipv6,
    "alone": alone,
    "twin": twin,
    "unplugged": unplugged,
    "cloned": cloned,
    "cloned-game": cloned_game,
}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Computers))
