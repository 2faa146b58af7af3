"""All planted bugs, and functions that run the simulator with one of them in place."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, islice
from types import ModuleType
from typing import Final

from lab.simulation.campaign import games
from lab.simulation.computers.clock import Stuck
from lab.simulation.game import Game, play_game
from netgame.wire.messages import Settings
from netgame.wire.statements import Ballot, bit
from tests.lab.simulation.planted import (  # noqa: F401 - which enter their bugs
    convicted,
    deal,
    disk,
    links,
    log,
    polls,
    restart,
    seats,
    talk,
    verdicts,
)
from tests.lab.simulation.planted.swaps import BUGS, Swap, check_find, check_fit
from tests.netgame.protocol.epochs.search import Search
from tests.netgame.protocol.epochs.small import Broken, Table
from tests.netgame.protocol.peer import test_coming_and_going, test_convicted, test_lobby
from tests.netgame.protocol.state import test_undone

PLACES: Final = {
    "an opening is sealed anew": Settings("standard", ("opening=simultaneous",), 6, 3, 1, 4)
}
"""Settings for a bug that has no chance to show in most games."""

BY_LIARS: Final = frozenset(
    {
        "a bad entry binds",
        "a fault of who has gone binds",
        "a fork of an old epoch binds",
        "a second body is taken for good unjudged",
        "a fork binds nobody",
        "two statements bind for ever",
        "a convicted key is not missed",
        "a program that a fault stops signs on",
    }
)
"""Bugs to look for at tables with liars."""

_TWO_BALLOTS: Final = (Ballot(1, 0), Ballot(1, 1))


def _no_two_values(table: Table) -> None:
    """Assert that a poll of this table decides at most one value.

    Every way in which its seats can decide is tried.
    """
    try:
        Search(table).all()
    except Broken as found:
        raise AssertionError(str(found)) from found


BY_TEST: Final[dict[str, Callable[[], None]]] = {
    # Simulated computers keep their addresses, and a process that finds its seat in the log asks
    # for none.
    "who sits down anew is told it sits": (
        test_lobby.test_a_process_that_starts_anew_takes_its_seat_over
    ),
    # A watcher would have to come back, from a record of the round before, to newcomers alone.
    "who has no seat turns away whom it does not know": (
        test_coming_and_going.test_a_watcher_catches_up_by_a_seat_that_its_record_does_not_know
    ),
    # In few games somebody leaves while all the others sign the last scores.
    "who goes when the game is scored loses the result": (
        test_undone.test_who_goes_when_the_game_is_scored_keeps_its_result
    ),
    # Two honest logs are rare when a liar has said one thing to each of two peers.
    "a fork binds nobody": test_convicted.test_two_legal_bodies_for_a_fresh_slot_stop_the_table,
    # People name somebody only if more than half do, so games of so few ballots hide these two.
    "half is a quorum": partial(_no_two_values, Table(4, _TWO_BALLOTS, wishes=(0, bit(3)))),
    "whoever has parted counts as parted in earlier ballots": partial(
        _no_two_values, Table(3, _TWO_BALLOTS, wishes=(0, bit(0)), leavers=bit(1) | bit(2))
    ),
}
"""Bugs that simulated games show rarely or never, each with the product's test that finds it."""


@contextmanager
def planted(name: str) -> Iterator[list[Swap]]:
    """Plant one bug within the block, and yield its swaps.

    Raise `BadlyPlanted` if a swap does not fit the code.
    """
    swaps = [(_home(where, what), what, wrong) for where, what, wrong in BUGS[name]()]
    for swap in swaps:
        check_fit(swap)
    right = [(where, what, where.__dict__[what]) for where, what, _ in swaps]
    try:
        for where, what, wrong in swaps:
            setattr(where, what, wrong)
        yield swaps
    finally:
        for where, what, thing in right:
            setattr(where, what, thing)


def _home(where: type | ModuleType, what: str) -> type | ModuleType:
    """Return `where` if it is a module; otherwise the class that defines `what`.

    That class is `where` itself or one of its bases.
    """
    if isinstance(where, ModuleType):
        return where
    home = (each for each in where.__mro__ if what in each.__dict__)
    return next(home, where)


def fails_by_test(name: str) -> bool:
    """Return True if the test for this bug fails with it, by an assertion or by getting stuck."""
    with planted(name):
        try:
            BY_TEST[name]()
        except (AssertionError, Stuck):
            return True
    return False


def found_by(name: str, seeds: int, first: int = 0) -> Game | None:
    """Return the first game that shows the bug, or None if none of `seeds` games does.

    Raise `BadlyPlanted` if that game shows a slip in the patch.
    """
    with planted(name) as swaps:
        played = islice(_games(name, first), seeds)
        game = next((game for game in played if game.trouble), None)
    if game is not None:
        check_find(swaps, game.trouble)
    return game


def _games(name: str, first: int) -> Iterator[Game]:
    """Yield the games in which to look for a bug: any games, or games that give it a chance."""
    place = PLACES.get(name)
    if place is None:
        return games(first, real=False, liars=name in BY_LIARS)
    return (play_game(seed, settings=place) for seed in count(first))


def shows_without_faults(name: str) -> bool:
    """Return True if one of three games without faults shows the bug."""
    with planted(name):
        return any(play_game(seed, faults=False).trouble for seed in range(3))
