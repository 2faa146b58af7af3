"""The other players' moves, each kind explained when a learner sees it for the first time."""

from collections.abc import Container, Sequence
from enum import Enum
from typing import Final

from cli.language import say
from cli.learn.lessons import Lesson
from cli.render.cells import Canvas
from cli.scene import Scene, own_train, tile_text
from cli.wording import glossary
from engine.table.events import DoubleOwed, Event, MarkerUp, TileLaid
from engine.table.trains import Seat, TrainId


class Happening(Enum):
    """Something that another player does, and its explanation.

    If a play shows several that are new, the one that comes first here is explained.
    """

    MARKER = (
        "{name} could not play, so you may play on {name}'s train as well, until {name} plays "
        "there again."
    )
    DOUBLE = (
        "A double such as {tile} has to be covered: nobody may play elsewhere before somebody puts "
        "another {pip} on it. {name} has the first try."
    )
    YOUR_TRAIN = (
        "Your train is open, so {name} could play {tile} there. It is still yours, and ends in "
        "{pip} now."
    )
    MEXICAN = (
        "The Mexican train is open to everybody, so {name} could play {tile} there. It ends in "
        "{pip} now: a tile with {pip} fits."
    )
    THEIR_TRAIN = (
        "On {name}'s own train {joined} now meets {joined}, and {pip} is the new end. You "
        "may not play there while that train is private."
    )


TAUGHT_BY: Final = {Happening.MEXICAN: Lesson.MEXICAN, Happening.MARKER: Lesson.OTHERS}
"""The lesson that teaches each of these happenings, after which no explanation is needed."""


def explained(
    scene: Scene, events: Sequence[Event], known: Container[Happening] = ()
) -> tuple[Happening, str] | None:
    """Return the first happening in these events that is not `known`, and a sentence about it.

    The events are one play of another seat, named as in `scene`. None if they show nothing new.
    """
    shown = {happening: facts for event in events for happening, facts in _shown(scene, event)}
    for happening in Happening:
        if happening in shown and happening not in known:
            return happening, say(happening.value, **shown[happening])
    return None


def _shown(scene: Scene, event: Event) -> Sequence[tuple[Happening, dict[str, object]]]:
    match event:
        case MarkerUp(train=train) if train >= 0:
            return [(Happening.MARKER, {"name": scene.names[train]})]
        case DoubleOwed(tile=tile, seat=seat):
            facts = {"name": scene.names[seat], "tile": tile_text(tile), "pip": tile.high}
            return [(Happening.DOUBLE, facts)]
        case TileLaid(seat, tile, train, joined):
            where = _where(scene, seat, train)
            end = tile.other_end(joined)
            told = tile_text(tile, joined)
            facts = {"name": scene.names[seat], "tile": told, "joined": joined, "pip": end}
            return [] if where is None else [(where, facts)]
        case _:
            return []


def _where(scene: Scene, seat: Seat, train: TrainId) -> Happening | None:
    """Return the happening for a tile on this train; None if the train is a third player's."""
    if train < 0:
        return Happening.MEXICAN
    if train == own_train(scene):
        return Happening.YOUR_TRAIN
    return Happening.THEIR_TRAIN if train == TrainId(seat) else None


def legend(scene: Scene, canvas: Canvas, *, has_board: bool) -> str:
    """Return an explanation of the signs of the drawn board.

    Without a board, explain the sentences that are shown instead.
    """
    if has_board:
        signs = glossary.legend(canvas.glyphs.open_end, "has", "●", "end", "!", "+", "=")
        return say("Each row is a train: {signs}.", signs=signs)
    text = (
        "Ends lists each train with the number that its next tile needs. Everybody may play on "
        "an open train, and only its owner on a private one. 9-4 is a tile, {hub} a double."
    )
    hub = scene.table.hub
    return say(text, hub="" if hub is None else tile_text(hub))
