"""Sentences about the table that answer questions for which there is no command."""

from collections.abc import Iterator
from typing import Final

from cli.language import joined, say
from cli.scene import Scene, count_text, tiles_text
from cli.wording.events import whose_train
from cli.wording.round_end import wins_text
from cli.wording.since import Since, since_sentence
from engine.rules.sentences import chapter_sentences, value_sentences
from engine.scoring import hand_points
from engine.table.trains import Train

_UNABLE: Final = "draw"
_UNABLE_TO_START: Final = "opening-miss"
"""The switches on a player who cannot play: in any turn, and in the first."""
_MARKERS: Final = "Markers"
"""The chapter whose first sentence says when a marker goes up."""


def held_sentences(scene: Scene) -> str:
    """Return sentences on how many tiles each player and the boneyard hold.

    If the player has a hand, they begin with its tiles and the points it would cost.
    """
    table = scene.table
    said: list[str] = []
    held = [] if scene.hand is None else [tile for _, tile in scene.hand.tiles]
    if held:
        points = count_text(hand_points(table.rules, held))
        text = "You hold {tiles}, {points} if the round ended now."
        said.append(say(text, tiles=tiles_text(len(held)), points=points))
    others = [
        f"{scene.names[seat]} {len(table.hands[seat])}"
        for seat in table.present
        if seat != scene.seat
    ]
    said.append(say("Tiles held by the others: {others}.", others=joined(others)))
    said.append(say("Tiles in the boneyard: {count}.", count=len(table.boneyard)))
    return " ".join(said)


def win_sentences(scene: Scene) -> str:
    """Return brief sentences on how to win a round, who wins the game, and how long it is."""
    spec = scene.table.spec
    rules, rounds = spec.rules, spec.rounds
    text = (
        "Get rid of your tiles: in your turn add one to a train, like ends together. The round "
        "ends when somebody runs out or nobody can play, and the tiles still held count. {wins}"
    )
    said = say(text, wins=wins_text(rules))
    more = say("This game has {rounds} rounds.", rounds=rounds) if rounds > 1 else ""
    if spec.is_open:
        more = say("This game goes on until somebody has {points} points.", points=rules.target)
    rest = say("Type rules for all rules of this table.")
    return " ".join(filter(None, (said, more, rest)))


def open_sentences(scene: Scene) -> str:
    """Return sentences on which trains are open to all or private, and what makes them so."""
    trains = scene.table.trains
    always = [train for train in trains if train.is_mexican]
    marked = [train for train in trains if train.marker and not train.is_mexican]
    private = [train for train in trains if not (train.marker or train.is_mexican)]
    return " ".join(_open_sentences(scene, always, marked, private))


def _open_sentences(
    scene: Scene, always: list[Train], marked: list[Train], private: list[Train]
) -> Iterator[str]:
    if always or marked:
        names = [whose_train(scene, each.id) for each in (*always, *marked)]
        yield say("Open to all: {trains}.", trains=joined(names))
    if private:
        names = [whose_train(scene, each.id) for each in private]
        yield say("Private: {trains}.", trains=joined(names))
    yield say(
        "A train is open while its marker is up, which usually goes up when its owner passes and "
        "comes down when they play there again; the Mexican train is always open."
    )


def happened_sentence(scene: Scene, since: Since) -> str:
    """Return a sentence on the moves since the player's last turn, or that there were none."""
    nothing = "Nobody has played since the deal."
    if since.had_turn:
        nothing = "Nobody has played since your last turn."
    return since_sentence(scene, since) or say(nothing)


def began_sentence(scene: Scene) -> str:
    """Return a sentence saying who had the first turn of this round, or that nobody has yet."""
    table = scene.table
    if table.hub is None:
        return say("Nobody has begun this round yet.")
    text = "{name} had the first turn of round {number}."
    if table.first == scene.seat:
        text = "You had the first turn of round {number}."
    return say(text, name=scene.names[table.first], number=table.round_number + 1)


def unable_sentences(scene: Scene) -> str:
    """Return sentences on what this table's rules do with a player who can play nothing."""
    rules = scene.table.rules
    told = value_sentences(rules, _UNABLE)
    if scene.table.turns < len(scene.table.present):
        told = (*value_sentences(rules, _UNABLE_TO_START), *told)
    marker = chapter_sentences(rules, _MARKERS)[:1]
    return " ".join(map(say, (*told, *marker)))
