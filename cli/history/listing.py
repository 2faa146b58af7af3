"""One line about each past game: number, date, rules, company, and how it ended."""

from datetime import datetime

from cli.exits import sentence_about
from cli.language import joined, say, say_count, say_to
from cli.results.summary import Summary, summary_of
from netgame.errors import NetgameError
from netgame.io.tables.kept import SavedGame
from netgame.protocol.ledger.record import MadeOtherwise

_ENDS = {"left": "left for good", "over": "stopped", "demonstration": "seeded, not finished"}


def told_by(game: SavedGame) -> Summary | str:
    """Return what the game's record tells, or why it tells nothing."""
    try:
        return summary_of(game.path)
    except MadeOtherwise as problem:
        return sentence_about(problem)
    except NetgameError as problem:
        return say("damaged: {problem}", problem=problem)


def began_at(game: SavedGame) -> datetime:
    """Return when the player sat down, in the time of this computer."""
    return datetime.fromtimestamp(game.since).astimezone()


def own_seat(game: SavedGame, told: Summary, key: str) -> int | None:
    """Return the seat of the player with this key; None for who only watched."""
    return told.seat_of(told.host if is_seeded(game) else key)


def is_seeded(game: SavedGame) -> bool:
    """Whether it was dealt from a seed, and so with the keys of that seed."""
    return game.notes is not None and game.notes.ended == "demonstration"


def game_sentence(game: SavedGame, told: Summary | str, key: str) -> str:
    """Say number, date, rules, company and result of one game."""
    return f"{game.called:>4}  {unnumbered(game, told, key)}"


def unnumbered(game: SavedGame, told: Summary | str, key: str) -> str:
    """Say that without the number, for a list that has it."""
    head = f"{began_at(game):%Y-%m-%d %H:%M}"
    if isinstance(told, str):
        return f"{head}  {told}"
    parts = rules_text(told), _rounds_text(told), company_text(told, own_seat(game, told, key))
    return f"{head}  {', '.join(parts)}: {result_text(game, told, key)}"


def rules_text(told: Summary) -> str:
    """Name what was played by."""
    text = "{preset} with {switches} double-{pips}" if told.switches else "{preset} double-{pips}"
    switches = " ".join(told.switches)
    return say(text, preset=told.preset, switches=switches, pips=told.pip_max)


def _rounds_text(told: Summary) -> str:
    scored = len(told.scores)
    if not told.finished:
        return say("{scored} of {rounds} rounds", scored=scored, rounds=told.rounds)
    return say_count("1 round", "{count} rounds", scored)


def company_text(told: Summary, own: int | None) -> str:
    """Name the others."""
    others = [each.name for at, each in enumerate(told.players) if at != own]
    return say("watched {names}" if own is None else "with {names}", names=joined(others))


def result_text(game: SavedGame, told: Summary, key: str) -> str:
    """Say who won, that it ended otherwise, or whose turn it is."""
    own = own_seat(game, told, key)
    names = [say("you") if at == own else each.name for at, each in enumerate(told.players)]
    if told.finished:
        winners = joined([names[seat] for seat in told.winners])
        won = say_to(own in told.winners, "{names} won", names=winners)
        return won if told.winners else say("over")
    if game.notes is not None and game.notes.ended:
        return say(_ENDS[game.notes.ended])
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
    """Say whose turn it is in a game that goes on."""
    if told.turn == own:
        return say("your turn")
    return say("{name}'s turn", name=told.players[told.turn].name)
