"""Show a verifier whatever honest seats have signed, over many games: it may convict nobody.

`python -m tests.lab.simulation.honest_signatures --seeds 200` plays games with polls, leavers,
latecomers and faults. Of each it shows every entry and statement that left an honest process, alone
and in pairs of one seat, with every prefix of the log; `--real` plays with the real group. It
prints how many tries there were, and fails at the first that convicts anybody.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from lab.judged_logs import growing
from lab.simulation import game
from lab.simulation.computers.records import signed_entry, signed_statement
from lab.simulation.computers.world import World
from netgame.crypto.transcript import expand
from netgame.protocol.epochs.cut import Cut
from netgame.protocol.ledger import record, verification
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.verdict import record_frames
from netgame.protocol.log.entry import Entry, ReceivedStatement, is_fork, read_entry
from netgame.wire.messages import EvidenceFrame, SignedEntry, SignedStatement
from netgame.wire.statements import Accept

NEAR = 2
"""How many steps before and after the due one are judged; every tenth prefix judges all steps."""


class Convicted(AssertionError):
    """A verifier convicted somebody by honest signatures, or an honest seat signed a fork."""


@dataclass
class Tries:
    """Counts of what was shown to a verifier, and the seeds of the games that were skipped."""

    games: int = 0
    singles: int = 0
    pairs: int = 0
    entries: int = 0
    statements: int = 0
    gone: int = 0
    """Seats that were given up."""
    skipped: list[int] = field(default_factory=list)
    """Seeds whose game had its own trouble, or no log."""

    @property
    def all(self) -> int:
        """The number of singles and pairs."""
        return self.singles + self.pairs


def signed_by_all(world: World) -> list[Entry]:
    """Return every entry that left any process, without repetitions."""
    sent = {signed_entry(each) for process in world.processes for each in process.sent}
    entries = [read_entry(signed) for signed in sent if signed is not None]
    return sorted(entries, key=lambda each: each.signed.body)


def said_by_all(world: World) -> list[ReceivedStatement]:
    """Return every statement that left any process, without repetitions."""
    sent = {signed_statement(each) for process in world.processes for each in process.sent}
    return sorted((each for each in sent if each is not None), key=lambda each: each.name)


def convicted(
    ledger: Ledger, entries: tuple[SignedEntry, ...], statements: tuple[SignedStatement, ...] = ()
) -> str:
    """Return in words the fault that the signatures prove to a verifier with this log.

    Return an empty string if they prove none.
    """
    pending = dict(ledger.pending)
    reading = record.Reading(expand(bytes(32), "honest"), ledger, entries=1)
    fault = verification._proved(reading, EvidenceFrame("", entries, statements))
    ledger.pending = pending
    return "" if fault is None else f"step {fault.step}: {fault.finding}"


def is_shown(step: int, due: int) -> bool:
    """Return True if an entry or statement of this step is judged when step `due` is due."""
    return abs(step - due) <= NEAR or due % 10 == 0


def in_pairs(entries: list[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Yield pairs to judge, both ways round: of one step, or of one seat in adjacent steps."""
    for one, other in combinations(entries, 2):
        if one.step == other.step or (one.seat == other.seat and abs(one.step - other.step) == 1):
            yield one, other
            yield other, one


def try_all(world: World, tries: Tries) -> None:
    """Judge everything signed in a game.

    Raise `Convicted` if that convicts anybody, or if a seat has signed a fork.
    """
    entries = signed_by_all(world)
    tries.entries += len(entries)
    said = said_by_all(world)
    tries.statements += len(said)
    evidence = list(evidence_in(world, said, entries))
    forks = [pair for pair in combinations(entries, 2) if is_fork(*pair)]
    if any(_author(world, one) == _author(world, other) for one, other in forks):
        raise Convicted("an honest seat has signed a fork")
    longest = world.longest()
    tries.gone += len(longest.state.gone)
    for ledger in growing(Ledger(longest.state.table_id), record_frames(longest)):
        due = ledger.state.step
        for step, entry, statements in evidence:
            if not is_shown(step, due):
                continue
            tries.pairs += 1
            shown = convicted(ledger, entry, statements)
            if shown:
                raise Convicted(f"before step {due}, by statements: {shown}")
        near = [each for each in entries if is_shown(each.step, due)]
        for each in near:
            tries.singles += 1
            _expect_none(ledger, (each,))
        for pair in in_pairs(near):
            tries.pairs += 1
            _expect_none(ledger, pair)


def evidence_in(
    world: World, said: list[ReceivedStatement], entries: list[Entry]
) -> Iterator[tuple[int, tuple[SignedEntry, ...], tuple[SignedStatement, ...]]]:
    """Yield evidence about each statement: the step it names, signed entries, signed statements.

    The evidence is the statement with those it refers to, then with each other statement of its
    seat and the proposals that either refers to, then with each entry of its seat that is of its
    epoch and near its step.
    """
    cut = Cut(0, Ledger(b""))
    for each in said:
        cut.add(each.name, each.statement)
    by_name = {each.name: each for each in said}
    authors = {each.name: _author(world, each) for each in said}
    for each in said:
        step = _step_of(by_name, each)
        yield step, (), tuple(by_name[name].signed for name in cut.behind(each.name))
        others = (other for other in said if authors[other.name] == authors[each.name])
        for other in others:
            if other is not each:
                named = _proposals_of(by_name, each, other)
                yield step, (), (each.signed, other.signed, *(one.signed for one in named))
        for entry in entries:
            is_near = entry.id == each.statement.id and abs(entry.step - step) <= NEAR
            if is_near and _author(world, entry) == authors[each.name]:
                yield step, (entry.signed,), (each.signed,)


def _step_of(by_name: dict[bytes, ReceivedStatement], said: ReceivedStatement) -> int:
    """Return the step that a statement names.

    For an accept it is the step of its proposal, or 0 if that proposal is not known.
    """
    statement = said.statement
    if isinstance(statement, Accept):
        return (
            _step_of(by_name, by_name[statement.proposal]) if statement.proposal in by_name else 0
        )
    return statement.step


def _proposals_of(
    by_name: dict[bytes, ReceivedStatement], *pair: ReceivedStatement
) -> list[ReceivedStatement]:
    names = (getattr(e.statement, kind, b"") for e in pair for kind in ("accepted", "proposal"))
    return [by_name[name] for name in dict.fromkeys(names) if name in by_name]


def _expect_none(ledger: Ledger, shown: tuple[Entry, ...]) -> None:
    said = convicted(ledger, tuple(each.signed for each in shown))
    if said:
        raise Convicted(f"before step {ledger.state.step}, by {shown}: {said}")


def _author(world: World, said: Entry | ReceivedStatement) -> bytes | None:
    """Return the key that signed this, or None if no process has it."""
    return next((each.key for each in world.processes if said.is_by(each.key)), None)


def play_and_try(seed: int, tries: Tries, *, real: bool = False, **how: bool) -> None:
    """Play one game and show everything signed in it; skip a game that had trouble of its own.

    Raise `Convicted` if an honest seat is convicted.
    """
    true, looked = game.wrong, []

    def look(world: World, *more: object, **named: object) -> list[str]:
        found = true(world, *more, **named)
        looked.append(world)
        if not found:
            try_all(world, tries)
        return found

    game.wrong = look
    try:
        played = game.play_game(seed, real=real, **how)
    finally:
        game.wrong = true
    tries.games += 1
    if played.trouble or not looked:
        tries.skipped.append(seed)


def kind_of(seed: int) -> dict[str, bool]:
    """Return the options of `play_game` for this seed.

    Half of the seeds have `leave`, a quarter have `company`, and four in five have `faults`.
    """
    faults = seed % 5 != 0
    if seed % 2:
        return {"leave": True, "faults": faults}
    return {"company": seed % 4 == 0, "faults": faults}


def main() -> int:
    """Play `--seeds` games and print the number of tries; return 1 if anybody is convicted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=40, help="how many games")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--real", action="store_true", help="with the real group")
    options = parser.parse_args()
    tries, begun = Tries(), time.monotonic()
    for seed in range(options.first, options.first + options.seeds):
        try:
            play_and_try(seed, tries, real=options.real, **kind_of(seed))
        except Convicted as found:
            print(f"seed {seed}: {found}")
            return 1
    print(
        f"{tries.games} games, {tries.entries:,} entries and {tries.statements} statements of "
        f"honest seats, {tries.gone} seats given up: "
        f"{tries.singles:,} singles and {tries.pairs:,} pairs, "
        f"{tries.all:,} tries in {time.monotonic() - begun:.0f} s: nobody is convicted"
    )
    if tries.skipped:
        print(f"without a log, or with trouble of their own: {tries.skipped}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
