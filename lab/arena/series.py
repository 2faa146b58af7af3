"""Many matches, in this process, in several, or on a cluster: any `Executor` will do."""

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeAlias

from cli.exits import CommandFailed, ExitCode
from lab.arena.matches import Contest, Match, MatchScore, play_match

Player: TypeAlias = Callable[[Contest, Iterable[Match]], Iterator[MatchScore]]
"""Plays matches and yields their scores in the order in which they end."""


def one_by_one(contest: Contest, matches: Iterable[Match]) -> Iterator[MatchScore]:
    """Play the matches in this process, and yield each score."""
    for match in matches:
        yield play_match(contest, match)


@contextmanager
def in_processes(workers: int) -> Iterator[Player]:
    """Provide a player that uses `workers` processes of this machine."""
    if workers == 1:
        yield one_by_one
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield _spread(pool)


@contextmanager
def on_cluster(address: str) -> Iterator[Player]:
    """Provide a player that uses the workers of a Dask scheduler.

    The workers need this clone installed. Raises `CommandFailed` if `distributed` is not
    installed here.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        text = "Playing on a cluster needs distributed: --with-requirements names what to add."
        raise CommandFailed(ExitCode.USAGE, text) from None
    with Client(address) as client:
        yield _spread(client.get_executor())


def _spread(pool: Executor) -> Player:
    def play(contest: Contest, matches: Iterable[Match]) -> Iterator[MatchScore]:
        waiting = [pool.submit(play_match, contest, match) for match in matches]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            for future in waiting:
                future.cancel()

    return play
