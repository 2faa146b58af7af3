"""What there is to learn, and which of it a turn is good for."""

from collections.abc import Collection, Mapping
from enum import Enum

from cli.language import say
from cli.scene import Scene, lays, own_train, tile_text, train_name
from engine.table.moves import LayTile


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
        "You could play nothing, not even what you drew, so your marker went up: others may play "
        "on your train. It comes down when you play there yourself. For now, type {play}.",
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

    def sentence(self, play: str) -> str:
        """Say what to do, with a play to type."""
        return say(self.value[1], play=play)


_BEST_FIRST = (
    Lesson.DRAW,
    Lesson.COVER,
    Lesson.MARKER,
    Lesson.DOUBLE,
    Lesson.MEXICAN,
    Lesson.OTHERS,
    Lesson.OWN_TRAIN,
)


def lesson_for(scene: Scene, learnt: Collection[Lesson]) -> tuple[Lesson, LayTile] | None:
    """Return what this turn can teach that is not learnt yet, and a play that shows it."""
    listed = lays(scene)
    for lesson in _BEST_FIRST:
        if lesson in learnt or (lesson is not Lesson.OWN_TRAIN and Lesson.OWN_TRAIN not in learnt):
            continue
        found = next((move for move in listed if _shows(lesson, scene, move)), None)
        if found is not None:
            return lesson, found
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
        Lesson.MARKER: own is not None and table.train(own).marker,
        Lesson.OTHERS: move.train >= 0 and move.train != own,
    }
    return shown.get(lesson, False)


def play_text(scene: Scene, move: LayTile) -> str:
    """Write a play as it may be typed."""
    where = "m" if move.train < 0 else train_name(scene, move.train).lower()
    return f"{tile_text(move.tile)} {where}"
