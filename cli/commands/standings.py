"""`boneyard standings`: the players of many tables, ranked over all their games."""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import asdict

from cli.exits import CommandFailed, ExitCode, sentence_about, sentence_of
from cli.history.naming import data_at, game_meant, record_octets
from cli.kept import summary_of_record
from cli.language import say, say_count, translated
from cli.render.cells import wrap_words
from cli.render.grid import Row, named, painted
from cli.render.palette import Line, Paint
from cli.results.standings import Placing, each_once, order_text, standings_of
from cli.results.summary import NeverBegan, Summary
from cli.settings.look import print_drawn
from cli.streams import window
from cli.visible import print_json, print_line, say_progress
from netgame.io.tables.kept import SavedGame, kept_games
from netgame.protocol.ledger.record import BadRecord
from netgame.protocol.text import fingerprint


class _Read(Struct):
    """The games with good records, in the order read, and the words left out, with reasons."""

    games: list[Summary] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    code: ExitCode = ExitCode.OK
    """The highest exit code of a bad record; a record is not bad because its game is unfinished."""


def run(options: argparse.Namespace) -> ExitCode:
    """Check the records and print the standings; return `OK` unless a named record is bad.

    Without names it reads the games on this computer, and silently leaves out the bad ones. A named
    record is bad if it cannot be read or does not hold, or if only another version of the program
    could check it. The record of a game that is not over, never began, or was dealt from a seed is
    left out with a sentence, but is not bad.
    """
    data = data_at(options.data)
    own = [game.called for game in reversed(kept_games(data)) if game.number]
    read = _Read()
    words = options.file or own
    for number, word in enumerate(words, 1):
        say_progress(say("Reading record {number} of {count} ...", number=number, count=len(words)))
        _read(word, game_meant(word, data), read, asked=bool(options.file))
    say_progress("")
    games = [game for game in each_once(read.games) if game.finished]
    rows = standings_of(games)
    if options.json:
        facts = {
            "games": len(games),
            "standings": [asdict(row) for row in rows],
            "left_out": [{"file": name, "why": why} for name, why in read.left_out],
        }
        print_json(facts)
    else:
        columns = window((100, 24)).columns
        print_drawn(_lines(rows, games, columns))
        for _, why in read.left_out:
            print_line(why)
    return read.code


def _read(word: str, kept: SavedGame | None, read: _Read, *, asked: bool) -> None:
    """Check the record of a `kept` game, or the file `word`, and add its game to `read`.

    An unfinished game is added as well. If the record was `asked` for by name, a game that does not
    count is noted in `left_out`, and so is a bad record, which also raises `read.code` to its code.
    """
    why, code = "", ExitCode.OK
    if kept is not None and kept.is_seeded:
        if asked:
            text = "Game {number} was dealt from a seed, and does not count."
            read.left_out.append((word, say(text, number=kept.called)))
        return
    try:
        game = summary_of_record(record_octets(word, kept))
    except NeverBegan:
        text = "{name} is a record of a game that never began, and does not count."
        why = say(text, name=word)
    except (CommandFailed, BadRecord) as problem:
        why = _why_bad(word, problem)
        code = problem.code if isinstance(problem, CommandFailed) else ExitCode.BAD_FILE
    else:
        read.games.append(game)
        if not game.finished:
            text = "{name} is a record that ends before its game, and does not count."
            why = say(text, name=word)
    if asked and why:
        read.left_out.append((word, why))
        read.code = max(read.code, code)


def _why_bad(word: str, problem: CommandFailed | BadRecord) -> str:
    """Return a sentence on why a record cannot be read, or why it does not hold."""
    if isinstance(problem, CommandFailed):
        return problem.sentence
    if problem.finding.is_made_otherwise:
        return f"{word}: {sentence_about(problem)}"
    text = "{name} is not a good record: {problem}"
    return sentence_of(say(text, name=word, problem=translated(problem.said)))


def _lines(rows: Sequence[Placing], games: Sequence[Summary], columns: int) -> Iterator[Line]:
    """Yield the table, best first, then how it is ordered, in lines of at most `columns` cells.

    Without rows, yields only a sentence saying that no game is finished.
    """
    if not rows:
        yield from wrap_words(say("No finished game is among these records."), columns)
        return
    heads = say("Player"), say("games"), say("won"), say("average place"), say("points a round")
    table: list[Row] = [painted(heads, Paint.STRONG)]
    digits = len(str(rows[-1].place))
    names = Counter(row.name.casefold() for row in rows)
    for row in rows:
        alike = names[row.name.casefold()] > 1
        name = f"{row.name} {fingerprint(bytes.fromhex(row.key))}" if alike else row.name
        average = "-" if row.average is None else str(row.average)
        cells = str(row.games), str(row.won), f"{row.mean_place:.2f}", average
        table.append((f"{row.place:>{digits}}. {name}", *cells))
    yield from named(table).or_sentences(columns)
    yield ()
    added = say_count("1 game counted.", "{count} games counted.", len(games))
    told = say("A person is a key, whatever its name; bots take places, and are not listed.")
    yield from wrap_words(f"{added} {order_text()} {told}", columns)
