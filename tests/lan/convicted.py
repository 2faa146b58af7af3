"""Cheats at tables of real processes: `python -m tests.lan.convicted [SCENE …]`.

Each computer is a namespace on a bridge, and one of the players cheats (`tests.lan.faults`). The
others must finish the game with one good record, blame nobody but the cheat, and crash nowhere.

`score`, `scores`: a wrong score in the last round, alone or beside the right one. `body`: a second
body for a slot of the first round, in the second; `farewell`: the same and a farewell, in one
breath. `two`: a wrong score at a table of two: the game ends, and the screen says with what result.
`proof`: a false proof with double-18 whose slow check ends behind the cut. `lobby`: false heads,
which keep no table of five from beginning. `step`, `polls`, `filled`: false heads, which silence
nobody who was killed and started again in play. Two scenes are played side by side. Exit 0 if all
is well.
"""

import re
import sys
import time
from collections.abc import Sequence
from functools import partial

from cli.exits import ExitCode
from tests.lan.guests import Party, Verdict, main_of, must, verify

HOSTS = 5
PORT = 4747
CHEAT = "Dee"
GAME = ("--set", "6", "--rounds", "2")
LIMIT_S = 150.0
PROVES = "The proof is in evidence-"
LETS_GO = f"Your program and the others vote to go on without {CHEAT}"
OF_CHEAT = re.compile(f"proof is in|without {CHEAT}|{CHEAT} (leaves|has quit|is gone|signed)")
WENT_ON = f"The table went on without {CHEAT}."


def gather(held: Party, lie: str, *game: str) -> None:
    """Start a table of four players, one of whom, CHEAT, tells this lie."""
    held.gather(4, *(game or GAME), port=PORT, lies={CHEAT: lie})


def finish(held: Party, *said: str) -> list[Verdict]:
    """Wait for the honest players to finish; check that they read these texts and the liar lied.

    The liar need not finish. Print what each player was told about the liar, and return the
    verdicts of `verify` on their records.
    """
    held.ends_well(LIMIT_S, without=CHEAT)
    liar = held.guests[CHEAT].said
    must("liar: " in liar, f"{CHEAT} has not lied")
    must("Traceback" not in liar, f"{CHEAT} printed a traceback")
    honest = [guest for guest in held.guests.values() if guest.name != CHEAT]
    for guest in honest:
        for line in filter(OF_CHEAT.search, guest.said.splitlines()):
            held.say(f"{guest.name} reads: {line}")
        for text in said:
            must(text in guest.said, f"{guest.name} has not read: {text}")
    return convicted(held, *(guest.name for guest in honest))


def convicted(held: Party, *names: str, cheat: str = CHEAT) -> list[Verdict]:
    """Return the verdicts on these players' records.

    Raise NotShown if a record is bad, or if its evidence convicts anybody but the cheat.
    """
    records = [next(held.data(name).glob("tables/*/record")) for name in names]
    verdicts = verify(*records)
    for name, verdict in zip(names, verdicts, strict=True):
        held.say(f"{name}: {verdict.says} {' '.join(verdict.convicted)}")
        must(verdict.ok, f"{name}: {verdict.says}")
        must(all(text.startswith(f"{cheat} (") for text in verdict.convicted), f"{name} lies")
    return verdicts


def cheats(held: Party, lie: str, said: Sequence[str] = ()) -> None:
    """One of four players cheats; the others finish, each with the evidence on disk."""
    gather(held, lie)
    verdicts = finish(held, f"{CHEAT} signed ", *said)
    must(all(each.convicted for each in verdicts), "somebody keeps no proof")


def two(held: Party) -> None:
    """One of two players cheats; the game ends, and the other reads the result and has proof."""
    held.gather(2, *GAME, port=PORT, lies={"Ben": "wrong-score"})
    ann = held.guests["Ann"]
    must(ann.process.wait(240) == ExitCode.FAILED, f"Ann ended with {ann.process.returncode}")
    must("Traceback" not in ann.said, "Ann printed a traceback")
    for text in (
        f"{PROVES}\\S+ The table stops.",
        "The game ends here: Ben cheated, and nobody can play on.",
        r"After round \d of 2, the last that was scored, .* leads? with .*\.",
        "show who cheated; check them with: ",
    ):
        must(re.search(text, ann.said), f"Ann has not read: {text}")
    must("come back" not in ann.said, "Ann is told to wait for a cheat")
    held.say("\n".join(ann.said.splitlines()[-6:]))
    proofs = convicted(held, "Ann", cheat="Ben")[0].convicted
    must(proofs, "no proof is kept")
    must(not any("played on" in text for text in proofs), "Ben is said to have played on")


def late_proof(held: Party) -> None:
    """A liar shows a false proof to the first peer that votes it out; the others finish."""
    gather(held, "late-proof", "--set", "18", "--rounds", "1")
    finish(held)
    must("a false proof shown" in held.guests[CHEAT].said, "nobody was shown a proof")


def lobby(held: Party) -> None:
    """The first guest at a table of five claims steps that do not exist; the game still begins."""
    held.come(
        "Ann",
        "host",
        "--seats",
        "5",
        "--open",
        "--set",
        "9",
        "--rounds",
        "1",
        "--port",
        str(PORT),
        "--auto",
    )
    held.reads("Ann", "Others join with")
    words = ("join", f"{held.net.address(0)}:{PORT}", "--auto")
    held.come(CHEAT, *words, program=(sys.executable, "-m", "tests.lan.liar", "claims-step"))
    held.reads("Ann", f"{CHEAT} sits down")
    for name in ("Ben", "Cy", "Eve"):
        held.come(name, *words)
    for name in held.guests:
        held.reads(name, "The game begins", 60.0)
    held.say("the game begins")
    finish(held)


def claims(held: Party, lie: str) -> None:
    """A guest is killed and resumed while another claims more of the log than exists.

    The game goes on to its end all the same.
    """
    gather(held, lie, "--set", "9", "--rounds", "1")
    held.wait_for_play(4)
    held.kill("Cy")
    time.sleep(2.0)
    held.resume("Cy")
    finish(held)


SCENES = {
    "score": partial(cheats, lie="wrong-score", said=(PROVES, LETS_GO, WENT_ON)),
    "scores": partial(cheats, lie="two-scores"),
    "body": partial(cheats, lie="second-body", said=(PROVES, LETS_GO, WENT_ON)),
    "farewell": partial(cheats, lie="parting-body", said=(PROVES, "left for good.")),
    "two": two,
    "proof": late_proof,
    "lobby": lobby,
    "step": partial(claims, lie="claims-step"),
    "polls": partial(claims, lie="claims-polls"),
    "filled": partial(claims, lie="claims-filled"),
}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Party, at_once=2))
