"""Small games in virtual time: functions that begin them, play them, and check how they ended."""

from collections.abc import Callable

from netgame.crypto.transcript import expand
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.state.phases import Phase, Playing
from netgame.wire import messages as wire
from tests.netgame.simtable import SimTable, Sitter, full_table, kill, link_all, revive

NAMES = ("Ann", "Ben", "Cy", "Dee")
MINUTE = ("patience=minute",)


def offer(
    options: tuple[str, ...],
    rounds: int = 2,
    seats: int = 4,
    preset: str = "standard",
    switches: tuple[str, ...] = (),
) -> wire.Settings:
    """Return settings with a double-six set and hands of four tiles."""
    return wire.Settings(preset, switches, 6, seats, rounds, 4, options)


def new_table(
    options: tuple[str, ...], seed: int = 1, *, bots: bool = True, **more: object
) -> SimTable:
    """Return a full table, by default with a bot at each of four seats.

    `more` is passed on to `offer`.
    """
    settings = offer(options, **more)
    return full_table(NAMES[: settings.seats], settings, seed=bytes([seed]) * 32, bots=bots)


def late_table(seats: int = 2, options: tuple[str, ...] = MINUTE, **more: object) -> SimTable:
    """Return a full table, by default of two, with room for a latecomer (see `come_late`)."""
    return new_table(options, **{"seed": 7, "seats": seats, **more})


def come_late(table: SimTable) -> Sitter:
    """Wait until the first round is being played, then bring in Zoe, and return her."""
    table.run(lambda: playing(table))
    return table.seat("Zoe")


def given_up_and_back() -> tuple[SimTable, Sitter, Sitter]:
    """Return a table of four, its host Ann, and a sitter who was given up and is linked again.

    The sitter's process was killed during its own turn.
    """
    table = new_table(MINUTE, seed=2, rounds=3)
    ann, victim = table.host, table.sitters[2]
    table.run(lambda: is_its_turn(victim))
    kill(table, victim)
    table.run(lambda: bool(ann.state.gone))
    revive(table, victim)
    link_all(table)
    return table, ann, victim


def playing(table: SimTable, round_number: int = 0) -> bool:
    """Return True if this round, counted from 0, is being played in the host's log."""
    state = table.host.state
    return state.phase is Phase.PLAY and state.table.round_number == round_number


def is_its_turn(sitter: Sitter) -> bool:
    """Return True if the table waits for a move by this sitter, and for nothing else."""
    state = sitter.state
    return isinstance(state.now, Playing) and sitter.seat == state.table.to_move


def at(phase: Phase) -> Callable[[Sitter], bool]:
    """Return a function that returns True if a sitter's log is in this phase."""
    return lambda who: who.state.phase is phase


def kinds_of(table: SimTable) -> list[set[type]]:
    """Return the set of payload types in each step of the host's log."""
    return [{type(e.payload) for e in step} for step in table.host.ledger.steps]


def expect_whole(table: SimTable) -> None:
    """Check that all living sitters have finished with the same log, and that it verifies.

    None of them may have noticed a fault. Records with the same frames, in any order, are verified
    only once.
    """
    verified = set[frozenset[bytes]]()
    here = [sitter for sitter in table.sitters if sitter.alive]
    assert len({sitter.state.head for sitter in here}) == 1
    for sitter in here:
        assert sitter.state.phase is Phase.OVER
        assert not sitter.faults(), sitter.faults()
        if frozenset(sitter.record) in verified:
            continue
        verified.add(frozenset(sitter.record))
        verdict = verify_record(sitter.record_octets, expand(bytes(32), "verify"))
        assert verdict.ok, verdict.sentence
        assert verdict.finished


def end_whole(table: SimTable) -> None:
    """Play the game to its end, and check the result with `expect_whole`."""
    table.run_game()
    expect_whole(table)


def until_round(table: SimTable, number: int = 0) -> None:
    """Let time pass until this round, counted from 0, is being played."""
    table.run(lambda: playing(table, number))
