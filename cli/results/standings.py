"""Games of many tables added up, with a place for each person: of an evening, or all there are."""

import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from cli.language import say
from cli.results.summary import Player, Summary, summary_of
from netgame.errors import NetgameError
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import SavedGame, kept_games

_DIGITS: Final = 2
"""Decimals of what rows are compared and shown by."""

_EVENING_S: Final = 12 * 3_600.0
"""Games that began further apart are not of one evening."""


class Placing(Struct, frozen=True):
    """The finished games of one person, added up; `key` is 64 hex digits, `name` the latest one."""

    place: int
    """Counted from 1; equal rows share a place."""
    name: str
    key: str
    games: int
    won: int
    mean_place: float
    rounds: int
    """Those that were played: not those before a latecomer sat down."""
    points: int
    """The totals of the games, with what a latecomer began with."""
    average: float | None
    """Points a round that was played; None without one."""


def each_once(games: Iterable[Summary]) -> list[Summary]:
    """Return each game once, however many of its players brought a record of it: the fullest one.

    A leaver's record of a game ends before those of the others. The order is that in which each
    game came first.
    """
    found = dict[str, Summary]()
    for game in games:
        other = found.get(game.game)
        if other is None or (game.finished, game.octets) > (other.finished, other.octets):
            found[game.game] = game
    return list(found.values())


def standings_of(games: Iterable[Summary]) -> tuple[Placing, ...]:
    """Add up games, given oldest first; a person is a key, and bots are nobody.

    The games must be finished, which is not checked.
    The rows come in the order that `order_text` tells; equal ones share a place.
    """
    played = dict[str, list[tuple[Summary, int]]]()
    for game in games:
        for seat, player in enumerate(game.players):
            if not player.bot:
                played.setdefault(player.key, []).append((game, seat))
    rows = [_added_up(key, seats) for key, seats in played.items()]
    rows.sort(key=lambda row: (_rank(row), row.name.casefold(), row.key))
    ranks = [_rank(row) for row in rows]
    return tuple(replace(row, place=1 + ranks.index(_rank(row))) for row in rows)


def order_text() -> str:
    """Say which row of `standings_of` comes first."""
    return say("Most wins come first, then the better mean place.")


def times_ahead(games: Iterable[Summary]) -> Counter[tuple[str, str]]:
    """Count, for each two keys, the games in which the first was placed before the second.

    Bots count too. Whoever left a game was last in it.
    """
    found = Counter[tuple[str, str]]()
    for game in games:
        ranks = [(_place(game, at), each.key) for at, each in enumerate(game.players)]
        pairs = permutations(ranks, 2)
        found.update((one, other) for (own, one), (theirs, other) in pairs if own < theirs)
    return found


def evening_of(table: Path, players: Iterable[Player], *, is_over: bool) -> tuple[Summary, ...]:
    """Return the games that the company at a table has finished here this evening, oldest first.

    They come from the records of its data folder, so it does not matter who has come back, or begun
    anew. A game counts if it began within 12 hours of this one, or of now if this has not begun,
    and was played by the same people, or by at least two of them; games from seeds and others are
    not mixed. Records that cannot be read or do not hold are left out. One that was summed up
    before is not verified again. Bots are known by their names, which they keep from table to
    table, and so is everybody in games from seeds. The game at the table counts once it `is_over`;
    before it has begun, the evening is what was played until now.
    """
    kept, found = kept_games(DataFolder(table.parent.parent)), list[Summary]()
    this = next((game for game in kept if game.path == table), None)
    since = time.time() if this is None else this.since
    by_name = this is not None and _is_from_seed(this)
    company = _people(players, by_name=by_name)
    for game in reversed(kept):
        if abs(game.since - since) > _EVENING_S:
            continue
        if _is_from_seed(game) is by_name and (is_over or game != this):
            with suppress(NetgameError):
                told = summary_of(game.path)
                people = _people(told.players, by_name=by_name)
                if told.finished and (people == company or len(people & company) > 1):
                    found.append(with_bots(told, by_name=by_name))
    return (*found,)


def evening_until(table: Path) -> tuple[Summary, ...]:
    """Return `evening_of` a table that is over, its own game included.

    Empty if its record cannot be read or does not hold.
    """
    with suppress(NetgameError):
        return evening_of(table, summary_of(table).players, is_over=True)
    return ()


def with_bots(game: Summary, *, by_name: bool = False) -> Summary:
    """Return the game with each bot as a person whose key is its name.

    With `by_name`, where a seed made the keys, the names are everybody's keys.
    """
    players = (
        replace(each, key=each.name, bot=False) if each.bot or by_name else each
        for each in game.players
    )
    return replace(game, players=(*players,))


def _is_from_seed(game: SavedGame) -> bool:
    return game.notes is not None and game.notes.ended == "demonstration"


def _people(players: Iterable[Player], *, by_name: bool) -> set[str]:
    return {each.name if by_name else each.key for each in players if not each.bot}


def _rank(row: Placing) -> tuple[int, float]:
    return -row.won, row.mean_place


def _added_up(key: str, seats: list[tuple[Summary, int]]) -> Placing:
    """Add up the seats of one person."""
    places = [_place(game, seat) for game, seat in seats]
    last, seat = seats[-1]
    points = [game.scores[at][seat] for game, seat in seats for at in game.rounds_of(seat)]
    return Placing(
        place=0,
        name=last.players[seat].name,
        key=key,
        games=len(seats),
        won=sum(seat in game.winners for game, seat in seats),
        mean_place=round(sum(places) / len(places), _DIGITS),
        rounds=len(points),
        points=sum(game.totals[seat] for game, seat in seats),
        average=round(sum(points) / len(points), 1) if points else None,
    )


def _place(game: Summary, seat: int) -> int:
    """Return the place of a seat; whoever left a game has the last one in it.

    Notes of before tell no places: there all but the winners have the last one.
    """
    if not game.places:
        return 1 if seat in game.winners else len(game.players)
    return game.places[seat] or len(game.players)
