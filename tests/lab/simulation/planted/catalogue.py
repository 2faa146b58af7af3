"""All bugs, and what the simulator finds with one of them in place."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from lab.simulation.campaign import games
from lab.simulation.game import Game, play_game
from tests.lab.simulation.planted import deal, disk, links, log, restart, seats, verdicts
from tests.lab.simulation.planted.swaps import Bug

BUGS: dict[str, Bug] = {
    name: bug
    for part in (disk, links, restart, log, deal, seats, verdicts)
    for name, bug in part.BUGS.items()
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Have one bug in place within the block."""
    swaps = [(_home(where, what), what, wrong) for where, what, wrong in BUGS[name]()]
    right = [(where, what, where.__dict__[what]) for where, what, _ in swaps]
    try:
        for where, what, wrong in swaps:
            setattr(where, what, wrong)
        yield
    finally:
        for where, what, thing in right:
            setattr(where, what, thing)


def _home(where: type, what: str) -> type:
    """The class that says what: `where` itself or one it builds on."""
    return next(each for each in where.__mro__ if what in each.__dict__)


def found_by(name: str, seeds: int, first: int = 0) -> Game | None:
    """The first game that shows the bug, if any of so many seeds does."""
    with planted(name):
        played = islice(games(first, real=False), seeds)
        return next((game for game in played if game.trouble), None)


def shows_without_faults(name: str) -> bool:
    """Whether a game in which nothing goes wrong shows the bug as well."""
    with planted(name):
        return any(play_game(seed, faults=False).trouble for seed in range(3))
