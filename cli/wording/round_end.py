"""The end of a round in words: what was held, points, places, the longest train, who has won."""

from cli.language import joined, say, say_count
from cli.scene import RoundCard, tile_text, tiles_text, train_name
from cli.wording.events import event_sentence
from engine.scoring import places, totals, winners
from engine.table.events import GameEnded


def round_title(card: RoundCard) -> str:
    """Name the round: its number of how many, and its engine."""
    table = card.end.table
    facts = {"number": table.round_number + 1, "rounds": table.spec.rounds}
    if table.hub is None:
        return say("Round {number} of {rounds}", **facts)
    return say("Round {number} of {rounds}, engine {tile}", tile=tile_text(table.hub), **facts)


def held_text(card: RoundCard, seat: int) -> str:
    """List what a seat still held, the heaviest tile first."""
    held = card.end.hands[seat]
    if not held:
        return say("left" if card.end.table.memory.gone >> seat & 1 else "nothing")
    return " ".join(tile_text(tile) for tile in sorted(held, key=lambda t: (-t.pips, -t.high)))


def longest_text(card: RoundCard) -> str:
    """Name the longest train played, or those that share it."""
    table = card.end.table
    longest = max(len(train.lays) for train in table.trains)
    if not longest:
        return say("No train was begun.")
    if table.rules.mexican.arms:
        return say("{tiles} lie on the arms.", tiles=tiles_text(longest))
    shared = [train.id for train in table.trains if len(train.lays) == longest]
    names = [train_name(card.scene, train) for train in shared]
    return say_count(
        "Longest train: {trains}, {tiles}.",
        "Longest trains: {trains}, {tiles}.",
        len(names),
        trains=joined(names),
        tiles=tiles_text(longest),
    )


def card_sentences(card: RoundCard) -> tuple[str, ...]:
    """Say the whole card to who reads no tables: a sentence a seat, the leader first."""
    table = card.end.table
    stand, total = places(table), totals(table)
    order = sorted(range(table.spec.seats), key=lambda seat: (stand[seat] or 99, seat))
    said = [f"{round_title(card)}."]
    for seat in order:
        points = [say("no points")]
        if table.past:
            scored = {"points": table.past[-1][seat], "total": total[seat]}
            points = [say("{points} points this round, {total} in all", **scored)]
        if stand[seat] is not None:
            points.append(say("place {place}", place=stand[seat]))
        own, held = seat == card.seat, card.end.hands[seat]
        text = "You have {points}." if own else "{name} has {points}."
        if held:
            text = (
                "You have {points}; held {tiles}." if own else "{name} has {points}; held {tiles}."
            )
        facts = {"name": card.names[seat], "tiles": held_text(card, seat)}
        said.append(say(text, points=", ".join(points), **facts))
    return (*said, longest_text(card))


def winner_text(card: RoundCard) -> str:
    """Say who has won the game."""
    return event_sentence(card.scene, GameEnded(winners(card.end.table)))
