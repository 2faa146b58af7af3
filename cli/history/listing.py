"""One line about each past game: number, date, rules, company, and how it ended."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct

from cli.exits import sentence_about
from cli.history.naming import own_key
from cli.kept import summary_of
from cli.language import joined, say, say_count, say_to, translated
from cli.results.summary import NeverBegan, Summary
from netgame.errors import NetgameError
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import SavedGame
from netgame.io.tables.notes import Ended
from netgame.protocol.ledger.record import BadRecord

_ENDS = {
    "left": "you left for good",
    "over": "stopped",
    "demonstration": "from a seed, not finished, so it is not resumed",
}


class ToldGame(Struct, frozen=True):
    """A game, the summary of its record, and the player's own seat."""

    game: SavedGame
    told: Summary | str
    """The summary of the record, or a sentence saying why it cannot be read."""
    own: int | None = None
    """The player's own seat; None if they only watched, or if the record cannot be read."""


def told_games(data: DataFolder, games: Iterable[SavedGame]) -> Iterator[ToldGame]:
    """Yield each of these games in order, reading its record only when reached.

    A bad record raises nothing: the game's `told` then says what is wrong with it.
    """
    key = own_key(data)
    for game in games:
        told = _told_by(game)
        if isinstance(told, str):
            yield ToldGame(game, told)
        else:  # in a game from a seed, the keys come from the seed
            yield ToldGame(game, told, told.seat_of(told.host if game.is_seeded else key))


def _told_by(game: SavedGame) -> Summary | str:
    try:
        return summary_of(game.path)
    except NeverBegan as problem:
        return sentence_about(problem)
    except NetgameError as problem:
        if isinstance(problem, BadRecord) and problem.finding.is_made_otherwise:
            return sentence_about(problem)
        return say("damaged: {problem}", problem=translated(problem.said))


def ended_as(game: SavedGame, *, finished: bool) -> Ended:
    """Return how a game without a result ended for the player; empty if it goes on or has one.

    `finished` is True if its record has the result.
    """
    return "" if finished or game.notes is None else game.notes.ended


def began_at(game: SavedGame) -> datetime:
    """Return the time at which the player sat down, in this computer's time zone."""
    return datetime.fromtimestamp(game.since).astimezone()


def game_sentence(each: ToldGame) -> str:
    """Return the number of a game, or its name if it has none, and its `unnumbered` sentence."""
    return f"{each.game.called:>4}  {unnumbered(each)}"


def unnumbered(each: ToldGame) -> str:
    """Return a game's date, then its rules, company and result, or why its record is not read."""
    head, told = f"{began_at(each.game):%Y-%m-%d %H:%M}", each.told
    if isinstance(told, str):
        return f"{head}  {told}"
    parts = rules_text(told), _rounds_text(told), company_text(told, each.own)
    return f"{head}  {', '.join(parts)}: {_result_text(each.game, told, each.own)}"


def game_facts(told: Summary) -> dict[str, object]:
    """Return a game's summary as data for JSON; nobody wins an unfinished game."""
    return {
        "preset": told.preset,
        "switches": told.switches,
        "set": told.pip_max,
        "rounds": told.rounds,
        "players": [
            {"name": each.name, "key": each.key, "bot": each.bot, "tab": each.tab}
            for each in told.players
        ],
        "scores": told.scores,
        "winners": told.winners if told.finished else (),
        "finished": told.finished,
    }


def rules_text(told: Summary) -> str:
    """Return the rule set, the switches changed in it, and the set: `standard double-12`."""
    text = "{preset} with {switches} double-{pips}" if told.switches else "{preset} double-{pips}"
    switches = " ".join(told.switches)
    return say(text, preset=told.preset, switches=switches, pips=told.pip_max)


def _rounds_text(told: Summary) -> str:
    scored = len(told.scores)
    if not told.finished:
        return say("{scored} of {rounds} rounds", scored=scored, rounds=told.rounds)
    return say_count("1 round", "{count} rounds", scored)


def company_text(told: Summary, own: int | None) -> str:
    """Return words such as `with Ann and Ben`: the others or, if `own` is None, all who played."""
    others = [each.name for at, each in enumerate(told.players) if at != own]
    return say("watched {names}" if own is None else "with {names}", names=joined(others))


def _result_text(game: SavedGame, told: Summary, own: int | None) -> str:
    """Return who won, or how else the game ended, or that it is unfinished and whose turn it is."""
    names = [say("you") if at == own else each.name for at, each in enumerate(told.players)]
    if told.finished:
        winners = joined([names[seat] for seat in told.winners])
        won = say_to(own in told.winners, "{names} won", names=winners)
        return won if told.winners else say("over")
    if ended := ended_as(game, finished=told.finished):
        return say(_ENDS[ended])
    if game.is_by_other_rules:
        text = "unfinished; by revision {revision} of the rules, which this program does not play"
        return say(text, revision=game.revision)
    if game.is_of_other_version:
        text = "unfinished; of protocol version {version}, which this program does not play"
        return say(text, version=game.version)
    if told.turn < 0:
        return say("unfinished")
    return say("unfinished, {turn}", turn=turn_text(told, own))


def turn_text(told: Summary, own: int | None) -> str:
    """Return whose turn it is in a game that goes on; `told.turn` must be a seat."""
    if told.turn == own:
        return say("your turn")
    return say("{name}'s turn", name=told.players[told.turn].name)
