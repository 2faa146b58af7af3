"""`boneyard stats`: the sums of all your games."""

import argparse
from collections.abc import Iterable, Iterator

from msgspec.structs import asdict

from cli.exits import ExitCode
from cli.history.listing import ToldGame, ended_as, told_games
from cli.history.naming import data_at
from cli.language import say, say_count
from cli.program import typed_in_shell
from cli.render.cells import wrap_words
from cli.render.grid import Column, Grid, Prose, Row, named, painted
from cli.render.palette import Line, Paint
from cli.results.stats import BOTS, Stats, Tally, stats_of
from cli.results.summary import Summary
from cli.scene import tiles_text
from cli.settings.look import print_drawn
from cli.streams import window
from cli.visible import print_json, print_line, say_progress
from netgame.io.tables.kept import kept_games
from netgame.protocol.text import fingerprint


def run(options: argparse.Namespace) -> ExitCode:
    """Add up the games of this player's folder, and print the sums; return `OK`."""
    data = data_at(options.data)
    kept = [*reversed(kept_games(data))]
    games: list[ToldGame] = []
    for number, game in enumerate(kept, 1):
        say_progress(say("Reading record {number} of {count} ...", number=number, count=len(kept)))
        games += told_games(data, [game])
    say_progress("")
    stats, unread = stats_of(_own_games(games)), sum(map(_is_unread, games))
    left = sum(map(_is_left, games))
    if options.json:
        print_json({**_facts(stats), "unread": unread})
    else:
        print_drawn(stats_lines(stats, window((100, 24)).columns))
        if left:
            one = "You left 1 game for good: what you scored after that is not in your record."
            many = (
                "You left {count} games for good: what you scored after that is not in your "
                "records."
            )
            print_line(say_count(one, many, left))
        if unread:
            one = "1 game was made by another version of Boneyard, and is not counted."
            many = "{count} games were made by another version of Boneyard, and are not counted."
            print_line(say_count(one, many, unread))
    return ExitCode.OK


def _is_unread(each: ToldGame) -> bool:
    """Return True if only another version of this program can read the game."""
    is_other = each.game.is_of_other_version or each.game.is_by_other_rules
    return is_other and isinstance(each.told, str)


def _is_left(each: ToldGame) -> bool:
    """Return True if the player left the game for good, and its record ends there."""
    told = each.told
    return not isinstance(told, str) and ended_as(each.game, finished=told.finished) == "left"


def _own_games(games: Iterable[ToldGame]) -> Iterator[tuple[Summary, int]]:
    """Yield the games in which the player had a seat, with that seat; leave out seeded games."""
    for each in games:
        if not isinstance(each.told, str) and each.own is not None and not each.game.is_seeded:
            yield each.told, each.own


def _facts(stats: Stats) -> dict[str, object]:
    return {
        "total": _tally_facts(stats.total),
        "rules": {name: _tally_facts(tally) for name, tally in stats.rules.items()},
        "opponents": [{"key": key, **asdict(each)} for key, each in stats.opponents.items()],
    }


def _tally_facts(tally: Tally) -> dict[str, object]:
    return {**asdict(tally), "average": tally.average}


def stats_lines(stats: Stats, columns: int) -> Iterator[Line]:
    """Yield the sums as lines, or a sentence if no game is finished and no round scored.

    No line is wider than `columns`, unless a single word is.
    """
    total = stats.total
    if not (total.rounds or total.games):
        text = "No round of yours is scored yet. Play one: {command}"
        none = say(text, command=typed_in_shell("play"))
        yield from wrap_words(none, columns)
        return
    games, rounds = _won(total.games_won, total.games), _won(total.rounds_won, total.rounds)
    points = "{average} a round; best {best}, worst {worst}"
    sums = {
        say("Games"): say("{count} finished, {won}", count=total.games, won=games),
        say("Rounds"): say("{count} scored, {won}", count=total.rounds, won=rounds),
    }
    if total.rounds:
        sums[say("Points")] = say(points, average=total.average, best=total.best, worst=total.worst)
        sums[say("Train")] = say("{tiles} at the longest", tiles=tiles_text(total.longest))
    told = Grid((Column(gap=0),), [*sums.items()], Prose(free=0))
    yield from told.lines(columns)
    yield ()
    won = say("won")
    heads = say("By rules"), say("games"), won, say("rounds"), won, say("a round"), say("longest")
    rows: list[Row] = [painted(heads, Paint.STRONG)]
    for name, each in stats.rules.items():
        counts = each.games, each.games_won, each.rounds, each.rounds_won
        average = "-" if each.average is None else str(each.average)
        rows.append((name, *map(str, counts), average, str(each.longest)))
    yield from named(rows).or_sentences(columns)
    if stats.opponents:
        yield ()
        others = say("Against"), say("games"), say("you won"), say("they won")
        rows = [painted(others, Paint.STRONG)]
        for key, other in stats.opponents.items():
            shown = other.name if key == BOTS else f"{other.name} {fingerprint(bytes.fromhex(key))}"
            rows.append((shown, *map(str, (other.games, other.you_won, other.they_won))))
        yield from named(rows).or_sentences(columns)
    yield ()
    text = "A person is a key, whatever its name; bots have new keys each time and count as one."
    yield from wrap_words(say(text), columns)


def _won(number: int, of: int) -> str:
    text = "{count} won ({percent}%)" if of else "{count} won"
    return say(text, count=number, percent=round(100 * number / max(of, 1)))
