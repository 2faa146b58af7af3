"""A process that is killed at any statement it signs, and owners that die with their ballots."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from netgame.protocol.log.entry import read_statement, sign_statement
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from netgame.wire.statements import Accept, Promise, Proposal, Statement, author
from tests.netgame.protocol.happenings import apart, gone, heal, in_turn, seated
from tests.netgame.protocol.peer.test_polls import SIX
from tests.netgame.simtable import SimTable, Sitter, kill, link_all, revive
from tests.netgame.small_games import MINUTE, expect_whole
from tests.sliced import sliced

Crash = Callable[[Sitter, Statement], bool]


class CrashTable(SimTable):
    """A table at which a process is killed where it writes a statement of its own to its journal.

    `crashes` says at which; with `is_synced` the journal has it by then, though nobody else does.
    A process that `comes_back` is started again after a `pause` in seconds.
    """

    crashes: Crash = staticmethod(lambda *_: False)
    is_synced = True
    comes_back = True
    pause = 2.0

    def do(self, sitter: Sitter, effects: Sequence[fx.Effect]) -> None:
        """Carry out effects in order, up to where the process is killed."""
        life = sitter.lives
        for effect in effects:
            if sitter.lives != life:
                return
            statement = own_statement(sitter, effect)
            if statement is None or not self.crashes(sitter, statement):
                self._do_one(sitter, effect)
                continue
            if self.is_synced:
                self._do_one(sitter, effect)
            kill(self, sitter)
            if self.comes_back:
                self.later(self.pause, partial(self.start_again, sitter))
            return

    def start_again(self, sitter: Sitter) -> None:
        """From what it wrote down."""
        revive(self, sitter, f"life {sitter.lives}")
        link_all(self)


def own_statement(sitter: Sitter, effect: fx.Effect) -> Statement | None:
    """What a process says in a poll, where it writes that to its journal."""
    if not isinstance(effect, fx.Journalled):
        return None
    frame = decode_any(effect.record, wire.JournalFrame)
    if not isinstance(frame, wire.RecordStatement):
        return None
    said = read_statement(frame.statement)
    return said.statement if said.is_by(sitter.core.key) else None


def crash_table(seats: int = 4, options: tuple[str, ...] = MINUTE, seed: int = 1) -> CrashTable:
    """Bots at double-6, three tiles each."""
    settings = wire.Settings("standard", (), 6, seats, 1, 3, options)
    table = CrashTable(settings, bytes([seed]) * 32)
    seated(table, *SIX[:seats])
    return table


class Nth:
    """Crashes at the n-th statement that is written, by whomever, once."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, _: Sitter, __: Statement) -> bool:
        """Whether it is this one."""
        self.left -= 1
        return self.left == -1


STATEMENTS = {"nobody": 9, "farewell": 17, "vanishes": 16}
"""What a coin takes of a table of four, and a coin and one seat that goes, at the least."""
CASES = [
    (number, is_synced, goes)
    for goes, statements in STATEMENTS.items()
    for number in range(statements)
    for is_synced in (True, False)
]


@sliced(("number", "is_synced", "goes"), CASES, 7)
def test_a_process_killed_at_a_statement_goes_on(number: int, is_synced: bool, goes: str) -> None:
    """Nothing is forgotten that left, so nobody is accused, and the table ends with one log.

    Meanwhile nobody goes, or somebody says farewell, or somebody vanishes.
    """
    table = crash_table()
    nth = table.crashes = Nth(number)
    table.is_synced = is_synced
    if goes != "nobody":
        leaves = in_turn(table)
        if goes == "farewell":
            table.act(leaves, leave_for_good)
            table.later(5.0, lambda: kill(table, leaves))
        else:
            kill(table, leaves)
    table.run_game()
    expect_whole(table)
    assert nth.left < 0, "nobody was killed"


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_forgotten_promise_is_shown_to_its_author_before_it_promises_again(seed: int) -> None:
    """A disk has lost it; one other seat has it, which can tell nobody else."""
    table = crash_table(4, seed=seed)
    table.is_synced, holders = False, list[Sitter]()

    def crash(sitter: Sitter, statement: Statement) -> bool:
        if (
            holders
            or not isinstance(statement, Promise)
            or statement.seat == statement.ballot.owner
        ):
            return False
        owner = sitter.core.state.company.now.keys[statement.ballot.owner]
        holder = next(
            e for e in table.sitters if e.alive and e.core.key not in (owner, sitter.core.key)
        )
        holders.append(holder)
        said = sign_statement(sitter.signer, statement).signed
        table.do(
            holder, holder.core.frame(sitter.core.key, encode(wire.Statements((said,))), table.now)
        )
        heal(table, table.sitters)
        apart(table, [holder], [each for each in table.sitters if each not in (holder, sitter)])
        return True

    away = in_turn(table)
    table.crashes, table.pause = crash, 0.1
    apart(table, [away], [each for each in table.sitters if each is not away])
    table.run(lambda: bool(holders))
    table.pass_time(20.0)
    assert not any(each.faults() for each in table.sitters)
    heal(table, [each for each in table.sitters if each.alive])
    table.run_game()
    expect_whole(table)


def owner_dies(kind: type[Statement]) -> Crash:
    """Crashes the owner of a ballot in which somebody would go at its first statement of a kind."""
    opened = set[tuple[bytes, int]]()

    def crash(_: Sitter, statement: Statement) -> bool:
        if isinstance(statement, Promise) and author(statement) == statement.ballot.owner:
            opened.add((statement.id, author(statement)))
        return isinstance(statement, kind) and (statement.id, author(statement)) in opened

    return crash


@pytest.mark.parametrize("kind", [Promise, Proposal, Accept])
@pytest.mark.parametrize("is_synced", [True, False])
def test_an_owner_that_dies_with_its_ballot_goes_as_well(kind, is_synced: bool) -> None:
    """After its promise, its proposal or its own accept: three of five decide, once or twice."""
    table = crash_table(5)
    first = in_turn(table)
    table.is_synced, table.comes_back, table.crashes = is_synced, False, owner_dies(kind)
    kill(table, first)

    def ends_crashes(crash: Crash = table.crashes) -> Crash:
        return lambda who, said: (
            all(e.alive for e in table.sitters if e is not first) and crash(who, said)
        )

    table.crashes = ends_crashes()
    table.run_game()
    expect_whole(table)
    stay = [each for each in table.sitters if each.alive]
    assert len(stay) == 3
    assert all(len(gone(each)) == 2 for each in stay)
