"""Make `docs/cheats.md` from the catalogue of cheats in `lab.simulation.cheats`.

Run from the project's root: `uv run python docs/make_cheats.py`. A test checks that the page is up
to date.
"""

import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from lab.simulation.cheats.catalogue import CATALOGUE  # noqa: E402 - from the root, wherever run
from lab.simulation.cheats.cheat import Cheat, How, tag  # noqa: E402
from netgame.protocol.log.fault import CheckCode  # noqa: E402

PAGE: Final = ROOT / "docs" / "cheats.md"
_COLUMNS: Final = 100

_HEAD: Final = """\
# Ways to cheat

`boneyard simulate --cheats` plays each of these once: a whole table in virtual time, at which one
seat runs a real program that cheats once and is honest otherwise. It prints where that was done and
found, by which check, with what evidence, whether the verifier agrees from the file alone, and whom
each honest peer named. In `boneyard simulate --seeds N` every fourth game has one of them among all
other faults, unless it needs a leaver, the host or an accomplice. What breaks no rule of the
protocol stands in the [threat model](threat-model.md). `uv run python docs/make_cheats.py` makes
this page from the catalogue.
"""

_CONVICTED: Final = """\
## Convicted: what is signed proves it to anybody

Listed by the check of protocol.md 7 that finds it: at the entry, where nothing else is said, so
that no honest log goes on past it. A shuffle is judged when all proofs of its chain are there. What
is signed *beside the true one* goes to one peer only, and is found as soon as two honest peers have
talked; the log may go on by a step or two until then.

A fault stops the table only while it can part honest logs (protocol.md 7): a second body for a
fresh slot, a pair of statements in an open poll, a false shuffle. Then nobody honest signs on, and
all leave after 15 s with the proof. Otherwise the others go on without its author where more than
half are not convicted; at a table of two any fault ends the game. A false shuffle proof that all
peers have taken before the cut stops the table too, as every honest peer holds the complete step.
`python -m tests.lan.convicted` plays a dozen of these with real processes.
"""

_UNSIGNED: Final = """\
## Named by those who received it: nobody has signed it
"""

_IDLE: Final = """\
## Without effect, but for a delay

Nobody is accused, and the table goes on. A cheat of a poll can keep it waiting, as nobody signs a
later step while a ballot is open (protocol.md 4.7): such a game has to be done with the poll within
a minute, and people can name whoever has them decide for nothing three times. A cheat that frames
an honest seat shows its forgery to all peers, and in files to people who were not there; each file
has to be refused.
"""

_PAID: Final = """\
## Paid for: a second look

Two play together. One keeps its shares back until all others have given theirs, shows them to its
partner alone, and leaves if what the partner sees is bad; at the next round it is back. It may have
lost its link at that moment, so nobody is accused. It pays as if it had left in a turn, and card,
end and `verify` say how often it went while its shares were due.
"""

_SILENT: Final = """\
## Silent: gone on without, and accused by nobody

A seat that does not answer may be dead, asleep or cut off; nothing can be proved. More than half of
the others go on without it from the very step that it left open (protocol.md 4.7). The verifier
follows the record, and the game goes on: the roster signed again, the round dealt again, the deck
rebuilt, or the round scored as it is.
"""


def _wrapped(item: str) -> str:
    return textwrap.fill(f"- {item}", _COLUMNS, subsequent_indent="  ", break_on_hyphens=False)


def _items(cheats: Sequence[Cheat]) -> Iterator[str]:
    """Yield an item for each cheat with an explanation, and a last one naming all other cheats."""
    said = {each.name: _said(each) for each in cheats}
    for name, text in said.items():
        if text:
            yield _wrapped(f"**{name}**: {text}")
    plain = [f"**{name}**" for name, text in said.items() if not text]
    if plain:
        yield _wrapped(", ".join(plain))


def _said(cheat: Cheat) -> str:
    """Return the description of a cheat and, unless it shows at once, when it is found."""
    later = f"found at the next `{tag(cheat.shown)}`" if cheat.shown else ""
    return "; ".join(filter(None, (cheat.about, later)))


def _convicted() -> Iterator[str]:
    binding = [each for each in CATALOGUE if each.binds]
    for number, check in enumerate(CheckCode, 1):
        found = [each for each in binding if each.check is check]
        if found:
            beside = ": beside the true one" if check is CheckCode.FORK else ""
            yield f"### 7.{number} `{check.value}`{beside}\n"
            yield from _items(found)
            yield ""
    yield "### What it has signed, once the two sides meet\n"
    yield from _items([each for each in binding if each.check is None])


def _done(*hows: How) -> Callable[[], Iterator[str]]:
    return lambda: _items([each for each in CATALOGUE if each.how in hows])


def _silent() -> Iterator[str]:
    for how, verb in ((How.SILENT, "is silent "), (How.AWAY, "leaves ")):
        names = (each.name.removeprefix(verb) for each in CATALOGUE if each.how is how)
        yield _wrapped(f"It {verb}{', '.join(names)}.")


_SECTIONS: Final = (
    (_CONVICTED, _convicted),
    (_UNSIGNED, _done(How.UNSIGNED)),
    (_IDLE, _done(How.IDLE, How.BRANCH, How.DAMAGED, How.KICKED, How.CROWD)),
    (_PAID, _done(How.LOOKS)),
    (_SILENT, _silent),
)


def page() -> str:
    """Return the page that lists every cheat in the catalogue, grouped by its outcome."""
    parts = ["\n".join((head, *lines())) + "\n" for head, lines in _SECTIONS]
    return "\n".join((_HEAD, *parts))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
