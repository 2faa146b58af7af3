"""What there is to learn, and which of it a turn is good for."""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from cli.language import say
from cli.scene import Scene, lays, own_train, tile_text, train_name
from engine.table.events import DoubleCovered, Event, MarkerUp, TileDrawn, TileLaid
from engine.table.moves import LayTile
from engine.table.trains import Seat, TrainId


class Lesson(Enum):
    """One thing to learn: its name, and what is said when it comes up. `{play}` is an example."""

    OWN_TRAIN = (
        "your own train",
        "The double in the middle is the engine, and your train starts there with a tile that has "
        "its number. Type the tile and your name, such as {play}, or its number in the list.",
    )
    MEXICAN = (
        "the Mexican train",
        "The Mexican train belongs to everybody and is always open. Start it or go on with it: "
        "type {play}.",
    )
    DOUBLE = (
        "a double",
        "You hold a double that fits. Play it with {play}: you then play again at once, as a "
        "double must be covered.",
    )
    COVER = (
        "covering",
        "A double is open, and whoever can must put a tile on it before anything else. Cover it: "
        "type {play}.",
    )
    DRAW = (
        "drawing",
        "Nothing you held fitted, so you drew a tile from the boneyard. This one fits, so you "
        "play it: type {play}.",
    )
    MARKER = (
        "the marker",
        "You could play nothing, so your marker went up: others may play on your train. It comes "
        "down when you play there yourself.",
    )
    OTHERS = (
        "open trains",
        "Somebody else's marker is up, so their train is open to you. Get rid of a tile there: "
        "type {play}.",
    )
    SCORE = (
        "the score",
        "The round ends when somebody has no tile left, or nobody can go on. The pips you still "
        "hold are your points, and the lowest total after all rounds wins.",
    )

    @property
    def title(self) -> str:
        """What it is about."""
        return say(self.value[0])

    def sentence(self, play: str = "") -> str:
        """Say what to do, with a play to type, or what has happened."""
        return say(self.value[1], play=play)


_BEST_FIRST = (
    Lesson.DRAW,
    Lesson.COVER,
    Lesson.DOUBLE,
    Lesson.MEXICAN,
    Lesson.OTHERS,
    Lesson.OWN_TRAIN,
)
"""What a turn can teach, by a play of it; marker and score are told when they come."""


class Taught(NamedTuple):
    """A lesson of this turn, and a play that shows it."""

    lesson: Lesson
    play: LayTile


def lesson_for(
    scene: Scene,
    learnt: Collection[Lesson],
    told: Collection[Lesson] = (),
    planned: LayTile | None = None,
) -> Taught | None:
    """Return what this turn can teach that is not learnt yet, and a play that shows it.

    What was told before and not done comes last. The own train comes before all that is a choice.
    Of several plays it is the one that is `planned`, so that following a lesson breaks no plan.
    """
    listed = sorted(lays(scene), key=lambda move: move != planned)
    begun = Lesson.OWN_TRAIN in learnt or Lesson.OWN_TRAIN in told
    for lesson in sorted(_BEST_FIRST, key=lambda each: each in told):
        if lesson in learnt or not (begun or lesson in (Lesson.OWN_TRAIN, Lesson.DRAW)):
            continue
        play = next((move for move in listed if _shows(lesson, scene, move)), None)
        if play is not None:
            return Taught(lesson, play)
    return None


def _shows(lesson: Lesson, scene: Scene, move: LayTile) -> bool:
    """Whether this play shows it, as the table stands."""
    own, table = own_train(scene), scene.table
    if lesson is Lesson.DRAW:
        return table.drawn
    if table.owed:
        return lesson is Lesson.COVER
    shown: Mapping[Lesson, bool] = {
        Lesson.OWN_TRAIN: move.train == own,
        Lesson.MEXICAN: move.train < 0,
        Lesson.DOUBLE: move.tile.is_double,
        Lesson.OTHERS: move.train >= 0 and move.train != own,
    }
    return shown.get(lesson, False)


def sentence_of(scene: Scene, taught: Taught) -> str:
    """Say a lesson as the table stands: one's own train may have begun without oneself."""
    own, play = own_train(scene), play_text(scene, taught.play)
    ends = () if own is None else scene.table.train(own).ends
    if taught.lesson is Lesson.OWN_TRAIN and own is not None and scene.table.train(own).lays:
        text = (
            "Your own train has your name, and others have begun it. It goes on with a tile that "
            "has its last number, {pip}. Type the tile and your name, such as {play}, or its "
            "number in the list."
        )
        return say(text, pip=ends[0].pip, play=play)
    return taught.lesson.sentence(play)


def met_by(events: Sequence[Event], seat: Seat) -> set[Lesson]:
    """Return the lessons that a play of this seat shows, whether or not they were told.

    A double is covered on any train, open or not.
    """
    found, own = set[Lesson](), TrainId(seat)
    covers = any(isinstance(event, DoubleCovered) for event in events)
    for event in events:
        match event:
            case TileLaid(tile=tile, train=train):
                elsewhere = Lesson.COVER if covers else Lesson.OTHERS
                theirs = Lesson.MEXICAN if train < 0 else elsewhere
                found.add(Lesson.OWN_TRAIN if train == own else theirs)
                found |= {Lesson.DOUBLE} if tile.is_double else set()
            case DoubleCovered():
                found.add(Lesson.COVER)
            case TileDrawn():
                found.add(Lesson.DRAW)
            case MarkerUp(train=train) if train == own:
                found.add(Lesson.MARKER)
            case _:
                pass
    return found


def play_text(scene: Scene, move: LayTile) -> str:
    """Write a play as it may be typed."""
    where = "m" if move.train < 0 else train_name(scene, move.train).lower()
    return f"{tile_text(move.tile)} {where}"
