"""Finding the record that a word of a command names: by its path, its game number, or `last`."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode, sentence_about, sentence_of
from cli.files import is_named, read_file, read_octets
from cli.language import say, translated
from cli.program import typed_in_shell
from netgame.errors import DiskTrouble
from netgame.io.disk.identity import KEY_FILE, default_data_dir, load_or_create
from netgame.io.disk.storage import seen_at
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import SavedGame, kept_games
from netgame.limits import RECORD_BYTES_MAX
from netgame.protocol.ledger.record import BadRecord

LAST: Final = "last"
_NUMBER_DIGITS_MAX: Final = 6


def data_at(chosen: str | None) -> DataFolder:
    """Return the data folder that `--data` names.

    If `chosen` is None or empty, it is the one that `BONEYARD_DATA` names, or else the system's
    usual one.
    """
    return DataFolder(
        default_data_dir({**os.environ, "BONEYARD_DATA": chosen} if chosen else os.environ)
    )


def own_key(data: DataFolder) -> str:
    """Return the player's key as 64 hex digits; empty if there is none, or it cannot be read."""
    if seen_at(data.path / KEY_FILE) is None:
        return ""
    try:
        return load_or_create(data.path).public.hex()
    except DiskTrouble:
        return ""


def record_named(word: str, data: DataFolder) -> str:
    """Return the path of the record that `word` names: that of a game's record, or `word` itself.

    `-` for standard input is returned as it is, and a path need not exist. Raises `CommandFailed`
    for an unknown game.
    """
    game = game_meant(word, data)
    return word if game is None else str(record_of(game))


def record_of(game: SavedGame) -> Path:
    """Return the path of the record of a game."""
    return game.path / "record"


def record_octets(word: str, game: SavedGame | None) -> bytes:
    """Return the octets of the record of a saved game, or else of the file `word`.

    Raises `CommandFailed` if they cannot be read, or are too many for a record.
    """
    if game is None:
        return read_octets(word, RECORD_BYTES_MAX)
    return read_file(record_of(game), RECORD_BYTES_MAX)


def game_meant(word: str, data: DataFolder) -> SavedGame | None:
    """Return the game that `word` means, by number or as `last`; None if it names a file.

    A file in the current folder whose name is that number takes precedence. Raises `CommandFailed`
    for an unknown game.
    """
    if word == LAST or (_is_number(word) and not is_named(word)):
        return game_named(word, data)
    return None


def game_named(word: str, data: DataFolder) -> SavedGame:
    """Return the game with this number, or the latest numbered game for `last`.

    Raises `CommandFailed` if there is none.
    """
    games = kept_games(data)
    if not games:
        text = say("There are no games yet in {folder}.", folder=data.path)
        raise CommandFailed(ExitCode.NOT_FOUND, text)
    found = next((game for game in games if game.number and word in (LAST, game.called)), None)
    if found is None:
        raise no_such_game(word)
    return found


def no_such_game(word: str) -> CommandFailed:
    """Return the failure saying that no game has this number; the caller raises it."""
    text = "There is no game {number}. List yours with: {command}"
    said = say(text, number=word, command=typed_in_shell("games"))
    return CommandFailed(ExitCode.NOT_FOUND, said)


@contextmanager
def record_meant(options: argparse.Namespace) -> Iterator[bytes]:
    """Yield the octets of the record that the arguments name.

    Raises `CommandFailed` if it cannot be read. A `BadRecord` raised inside the `with` block is
    also turned into a `CommandFailed`.
    """
    game = game_meant(options.file, data_at(options.data))
    name = options.file if game is None else record_of(game)
    try:
        yield record_octets(options.file, game)
    except BadRecord as problem:
        if problem.finding.is_made_otherwise:
            raise CommandFailed(ExitCode.BAD_FILE, sentence_about(problem)) from None
        text = say(
            "{name} is not a good record: {problem}", name=name, problem=translated(problem.said)
        )
        raise CommandFailed(ExitCode.BAD_FILE, sentence_of(text)) from None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _NUMBER_DIGITS_MAX
