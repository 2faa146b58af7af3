"""A recorded game in notation: hands open, scores as assertions, read again by the referee.

People write less than peers sign: tiles turned up for the first turn are told by `first`, a deal
that found no engine is left out, and what goes without saying is not said. [docs/rules.md §11]
"""

from collections.abc import Iterator, Sequence

from cli.exits import CommandFailed, ExitCode
from cli.written.deals import Change, Departure, History, Story, WrittenDeal
from cli.written.moves import MoveWriter, Unseen, is_asking, written
from engine.rules.choose import format_rules
from engine.scoring import totals, winners
from engine.table.table import RoundPhase, Table
from engine.written.game import (
    Action,
    Assertion,
    GameText,
    RoundText,
    SeatChange,
    Verb,
    WrittenDone,
)
from engine.written.game import Line as WrittenLine
from engine.written.text import format_game
from netgame.protocol.fold.options import Draws
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.record import Walked


def notation_of(steps: Iterator[Walked]) -> str:
    """Write a recorded game in notation, hands open, with the scores as assertions.

    A round that is not over is left out, as its hands are not known. Raises `CommandFailed` where
    nothing is left to write, or a tile that went back unseen would have to be named.
    """
    state: State | None = None
    story = Story()
    for step in steps:
        state = step.after
        story.take(step)
    if state is None or state.spec is None or not story.deals:
        raise CommandFailed(ExitCode.FAILED, "No round of this game was finished.")
    names = _written_names(state)
    hides = state.options.draws is Draws.HIDDEN
    rounds = [_round_text(deal, names, hides=hides) for deal in story.deals]
    if (last := story.left_alone(state)) is not None:
        lines = (_winner(last, names),)
        rounds.append(RoundText(lines=lines, changes=_changes(story.changes, names)))
    preset, words = format_rules(state.spec.rules)
    switches = tuple((name, value) for name, _, value in (word.partition("=") for word in words))
    began = names[: story.seats]
    game = GameText(began, tuple(rounds), preset, switches, state.spec.pip_max, state.spec.rounds)
    return format_game(game)


def _written_names(state: State) -> tuple[str, ...]:
    """Return the seats' names; `S1`, `S2`, … where notation could not read one of them."""
    names = tuple(seat.name for seat in state.seats)
    plain = all(name[:1].isalpha() and name.isalnum() and name.isascii() for name in names)
    reserved = any(name.lower().startswith("mexican") or name == "table" for name in names)
    alike = len(set(names)) < len(names)
    if plain and not reserved and not alike:
        return names
    return tuple(f"S{n}" for n in range(1, len(names) + 1))


def _changes(changes: Sequence[Change], names: Sequence[str]) -> tuple[SeatChange, ...]:
    return tuple(
        SeatChange(tuple(names[seat] for seat in each.seats), each.joins) for each in changes
    )


# ---- one deal -------------------------------------------------------------------------------


def _round_text(deal: WrittenDeal, names: tuple[str, ...], *, hides: bool) -> RoundText:
    """Write one round that was scored, its hands open, or given up, as all saw it.

    `hides`: at this table nobody can tell when a tile was drawn.
    """
    names = names[: deal.began.spec.seats]
    writer = MoveWriter(deal.tiles, names, deal.hidden)
    try:
        lines = _lines(deal, writer)
        hands = tuple(
            (names[seat], tuple(map(writer.known, positions)))
            for seat, positions in enumerate(deal.began.hands)
            if positions and (seat not in deal.hidden or deal.tiles.keys() >= {*positions})
        )
    except Unseen:
        number = deal.began.round_number + 1
        why = "a tile went back that was never shown"
        if hides:
            why = "this table hid when each tile was drawn (draws=hidden)"
        text = f"Round {number} cannot be written down: {why}."
        raise CommandFailed(ExitCode.FAILED, text) from None
    lines += [] if deal.voided else _assertions(deal, names)
    return RoundText(
        first=names[deal.began.first],
        engine=None if deal.began.hub is None else written(deal.began.hub),
        hands=hands,
        lines=tuple(lines),
        changes=_changes(deal.changes, names),
    )


def _lines(deal: WrittenDeal, writer: MoveWriter) -> list[WrittenLine]:
    """Write the moves, and between them who left."""
    found: list[Action] = []
    begin = 0
    for departure in deal.departures:
        found += writer.actions(_before(deal, departure, deal.history[begin : departure.at]))
        begin = departure.at
        first, *others = (writer.names[seat] for seat in departure.seats)
        leaves = Action(first, Verb.LEAVES, together=tuple(others), redeal=departure.redeal)
        found.append(leaves)
    found += writer.actions(deal.history[begin:])
    return [*map(WrittenDone, found)]


def _before(deal: WrittenDeal, departure: Departure, moves: History) -> History:
    """Return the moves that counted when somebody left.

    Answers that only some had given, and looks at tiles that nobody opened, say nothing about a
    round that is given up.
    """
    if not departure.redeal or deal.ended.hub is not None or moves == ():
        return moves
    while moves and is_asking(moves[-1][0]):
        moves = moves[:-1]
    return moves if _changed_anything(deal) else ()


def _changed_anything(deal: WrittenDeal) -> bool:
    """Whether the search for the engine has given anybody a tile, or shown one."""
    seek = deal.ended.aside.seek
    laid = seek is not None and seek.tile is not None
    return laid or list(map(len, deal.ended.hands)) != list(map(len, deal.began.hands))


def _assertions(deal: WrittenDeal, names: Sequence[str]) -> list[WrittenLine]:
    table = deal.ended
    scores = tuple(f"{name}={score}" for name, score in zip(names, table.past[-1], strict=True))
    sums = tuple(f"{name}={total}" for name, total in zip(names, totals(table), strict=True))
    lines: list[WrittenLine] = [Assertion("score", None, scores), Assertion("total", None, sums)]
    return lines + ([_winner(table, names)] if table.phase is RoundPhase.FINISHED else [])


def _winner(table: Table, names: Sequence[str]) -> Assertion:
    return Assertion("winner", None, tuple(names[seat] for seat in winners(table)))
