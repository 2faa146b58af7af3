"""`boneyard games`: every game that this player's folder keeps, the latest last."""

import argparse

from cli.exits import ExitCode
from cli.history.listing import ToldGame, began_at, game_sentence, told_games
from cli.history.naming import data_at
from cli.language import say
from cli.visible import print_json, print_line
from netgame.io.tables.kept import kept_games

_INDENT = " " * 6


def run(options: argparse.Namespace) -> ExitCode:
    """List the games, latest last, of a damaged one what is wrong with it; `OK` in any case."""
    data = data_at(options.data)
    games = kept_games(data)
    if not games and not options.json:
        text = "There are no games yet in {path}. Play one: boneyard play"
        print_line(say(text, path=data.path))
    for each in told_games(data, reversed(games)):
        if options.json:
            print_json(_facts(each))
        else:
            print_line(game_sentence(each), indent=_INDENT)
    return ExitCode.OK


def _facts(each: ToldGame) -> dict[str, object]:
    game, told = each.game, each.told
    facts: dict[str, object] = {
        "number": game.number or None,
        "record": str(game.path / "record"),
        "began": began_at(game).isoformat(timespec="seconds"),
        "version": game.version or None,
        "revision": game.revision or None,
    }
    if isinstance(told, str):
        is_other = game.is_of_other_version or game.is_by_other_rules
        return facts | {"unread" if is_other else "damaged": told}
    return facts | {
        "preset": told.preset,
        "switches": told.switches,
        "set": told.pip_max,
        "rounds": told.rounds,
        "players": [{"name": each.name, "key": each.key, "bot": each.bot} for each in told.players],
        "seat": each.own,
        "scores": told.scores,
        "winners": told.winners if told.finished else (),
        "finished": told.finished,
        "ended": game.notes.ended if game.notes is not None else "",
        "resume": game.waits and not told.finished,
    }
