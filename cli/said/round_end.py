"""The end of a round in words: what was held, points, places, the longest train, who has won."""

from cli.said.events import event_sentence
from cli.scene import RoundCard, Scene, tile_text, train_name, who
from engine.scoring import places, totals, winners
from engine.table.events import GameEnded
from engine.table.trains import Seat
from netgame.protocol.text import join_names


def round_title(card: RoundCard) -> str:
    """Name the round: its number of how many, and its engine."""
    table = card.end.table
    engine = "" if table.hub is None else f", engine {tile_text(table.hub)}"
    return f"Round {table.round_number + 1} of {table.spec.rounds}{engine}"


def held_text(card: RoundCard, seat: int) -> str:
    """List what a seat still held, the heaviest tile first."""
    held = card.end.hands[seat]
    if not held:
        return "left" if card.end.table.aside.gone >> seat & 1 else "nothing"
    return " ".join(tile_text(tile) for tile in sorted(held, key=lambda t: (-t.pips, -t.high)))


def longest_text(card: RoundCard) -> str:
    """Name the longest train played, or those that share it."""
    table = card.end.table
    longest = max(len(train.lays) for train in table.trains)
    if not longest:
        return "No train was begun."
    scene = _scene(card)
    names = [train_name(scene, train.id) for train in table.trains if len(train.lays) == longest]
    tiles = "1 tile" if longest == 1 else f"{longest} tiles"
    return f"Longest train{'s' if len(names) > 1 else ''}: {join_names(names)}, {tiles}."


def card_sentences(card: RoundCard) -> tuple[str, ...]:
    """Say the whole card to who reads no tables: a sentence a seat, the leader first."""
    table = card.end.table
    stand, total = places(table), totals(table)
    order = sorted(range(table.spec.seats), key=lambda seat: (stand[seat] or 99, seat))
    said = [f"{round_title(card)}."]
    for seat in order:
        own = seat == card.seat
        name, has = who(_scene(card), Seat(seat)), "have" if own else "has"
        points = "no points"
        if table.past:
            points = f"{table.past[-1][seat]} points this round, {total[seat]} in all"
        place = "" if stand[seat] is None else f", place {stand[seat]}"
        held = f"; held {held_text(card, seat)}" if card.end.hands[seat] else ""
        said.append(f"{name} {has} {points}{place}{held}.")
    return (*said, longest_text(card))


def winner_text(card: RoundCard) -> str:
    """Say who has won the game."""
    return event_sentence(_scene(card), GameEnded(winners(card.end.table)))


def _scene(card: RoundCard) -> Scene:
    return Scene(card.end.table, None, card.names, card.seat, can_move=False)
