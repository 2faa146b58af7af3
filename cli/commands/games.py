"""`boneyard games`: list every game in this player's folder, the latest last.

It also copies a game to a file for somebody else, and deletes unwanted games.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from typing import Final

from cli.exits import CommandFailed, ExitCode, sentence_about
from cli.files import read_file, write_new
from cli.history.listing import ToldGame, began_at, game_facts, game_sentence, told_games
from cli.history.naming import data_at, game_named
from cli.language import means_yes, say, say_count
from cli.program import typed_in_shell
from cli.results.summary import Summary
from cli.streams import ask_line, has_terminal, is_terminal
from cli.visible import print_json, print_line, print_octets
from netgame.errors import DiskTrouble
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import SavedGame, forget_game, kept_games
from netgame.limits import RECORD_BYTES_MAX

_INDENT: Final = " " * 6
_PRACTICE: Final = "practice"
"""The word for all unfinished games against bots."""


def run(options: argparse.Namespace) -> ExitCode:
    """List the games, latest last, with the fault of a damaged one; or copy or delete games.

    Returns `OK`. Raises `CommandFailed` for an unknown game, a game to delete that others may wait
    for, options that do not go together, a file that cannot be read or written, or a game that
    cannot be deleted.
    """
    data = data_at(options.data)
    if options.copy is not None:
        return _copy(data, *options.copy, as_json=options.json)
    if options.forget is not None:
        return _forget(data, _meant(data, options.forget), options)
    if options.force:
        raise CommandFailed(ExitCode.USAGE, say("--force goes with --forget."))
    games = kept_games(data)
    if not games and not options.json:
        text = "There are no games yet in {path}. Play one: {command}"
        print_line(say(text, path=data.path, command=typed_in_shell("play")))
    _list(data, reversed(games), as_json=options.json)
    return ExitCode.OK


def _list(data: DataFolder, games: Iterable[SavedGame], *, as_json: bool) -> None:
    for each in told_games(data, games):
        if as_json:
            print_json(_facts(each))
        else:
            print_line(game_sentence(each), indent=_INDENT)


def _copy(data: DataFolder, word: str, name: str, *, as_json: bool) -> ExitCode:
    """Write the record of a game to a new file, or to standard output for `-`.

    Raises `CommandFailed` if the file exists or cannot be written. With `-`, raises it if standard
    output is a terminal, or with `--json`, which would write there too.
    """
    game, path = game_named(word, data), Path(name)
    octets = read_file(game.path / "record", RECORD_BYTES_MAX)
    if name == "-":
        if as_json:
            text = "The record itself goes to standard output. Leave out --json."
            raise CommandFailed(ExitCode.USAGE, say(text))
        if is_terminal():
            text = "A record is no text for a terminal. Name a file, or send it on: {command} | …"
            command = typed_in_shell("games", "--copy", game.called, "-")
            raise CommandFailed(ExitCode.USAGE, say(text, command=command))
        print_octets(octets)
        return ExitCode.OK
    try:
        write_new(path, octets)
    except FileExistsError:
        text = "{path} exists already. Name another file."
        raise CommandFailed(ExitCode.USAGE, say(text, path=path)) from None
    if as_json:
        print_json({"number": game.number, "copied": str(path)})
    else:
        text = "Game {number} is copied to {path}. Anybody can check it: {command}"
        command = typed_in_shell("verify", quote(name))
        print_line(say(text, number=game.called, path=path, command=command))
    return ExitCode.OK


def _meant(data: DataFolder, words: Iterable[str]) -> list[SavedGame]:
    """Return the games that the words mean, each once.

    The word `practice` means all unfinished games against bots. Raises `CommandFailed` for an
    unknown game, or for one that others may wait for.
    """
    meant: dict[Path, SavedGame] = {}
    for word in words:
        games = [game_named(word, data)] if word != _PRACTICE else _practice(data)
        meant |= {game.path: game for game in games}
    for game in meant.values():
        if game.waits and not game.is_practice:
            text = (
                "The others of game {number} may wait for you. Leave it first: {command}, then "
                "leave."
            )
            command = typed_in_shell("resume", game.called)
            raise CommandFailed(ExitCode.FAILED, say(text, number=game.called, command=command))
    return [*meant.values()]


def _practice(data: DataFolder) -> list[SavedGame]:
    """Return the unfinished games against bots, including those left, stopped or seeded."""
    games = told_games(data, (game for game in kept_games(data) if game.is_practice))
    return [
        each.game for each in games if isinstance(each.told, Summary) and not each.told.finished
    ]


def _forget(data: DataFolder, games: list[SavedGame], options: argparse.Namespace) -> ExitCode:
    """Delete these games; asks a person at a terminal first, unless `--force` is given.

    Raises `CommandFailed` if nobody can be asked, or for a game that cannot be deleted.
    """
    as_json = options.json
    if games and not options.force:
        if as_json or not has_terminal():
            text = "Nobody can be asked here. To delete without a question, add --force."
            raise CommandFailed(ExitCode.USAGE, say(text))
        _list(data, games, as_json=False)
        one = "Delete this game for good? yes or no:"
        many = "Delete these {count} games for good? yes or no:"
        if not _agrees(say_count(one, many, len(games))):
            print_line(say("Nothing is deleted."))
            return ExitCode.OK
    for game in games:
        try:
            forget_game(game)
        except DiskTrouble as problem:
            raise CommandFailed(ExitCode.FAILED, sentence_about(problem)) from None
        if as_json:
            print_json({"number": game.number, "forgotten": True})
    if not as_json:
        print_line(say_count("1 game is deleted.", "{count} games are deleted.", len(games)))
    return ExitCode.OK


def _agrees(question: str) -> bool:
    """Ask a person at the terminal; return True for yes, and False at the end of the input."""
    try:
        return means_yes(ask_line(f"{question} ").strip().lower())
    except EOFError:
        return False


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
    return (
        facts
        | game_facts(told)
        | {
            "seat": each.own,
            "ended": game.notes.ended if game.notes is not None else "",
            "resume": game.waits and not told.finished,
        }
    )
