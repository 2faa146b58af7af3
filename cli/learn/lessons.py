"""The lessons, and the choice of one that suits a turn."""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from cli.language import say
from cli.scene import (
    Scene,
    chosen_among_ends,
    lays,
    own_train,
    place_text,
    tile_text,
    tiles_text,
    train_number,
)
from engine.bots.advice import planned_train
from engine.table.moves import LayTile
from engine.tiles import Tile
from engine.view import SeatView


class Lesson(Enum):
    """One thing to learn: its title, and what is said when it comes up.

    `{play}` is an example; `facts_of` gives the other facts.
    """

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
        "The round ends when somebody runs out of tiles or nobody can play. The pips you still "
        "hold are your points; the lowest total after all rounds wins.",
    )
    PLAN = (
        "a plan",
        "You hold a train of {plan}. Type plan to keep it below your hand, and begin it with "
        "{play}. In a game Enter then plays its next tile, turn after turn.",
    )
    OWED = (
        "a double owed",
        "{double} is owed: until somebody covers it nobody may play elsewhere, and a player "
        "who cannot cover it draws. You can: type {play}.",
    )
    READY = (
        "a double and its cover",
        "A double you cannot cover costs you a draw, and the next player must cover it. You "
        "have {tiles} to cover {double}, so play it while you can: type {play}.",
    )
    CLOSE = (
        "closing your train",
        "Your marker is up, so others may use up the end that you were keeping. Any tile of yours "
        "there takes it down: type {play}.",
    )
    SPARE = (
        "what your train can spare",
        "Nobody else may play on your train, so it can wait. Keep {plan} for it, and get rid of a "
        "tile that it does not need: type {play}.",
    )
    COUNT = (
        "counting what is out",
        "Count the tiles with {pip}: {seen} are on the table or in your hand, so only {out} "
        "are still out. Leave that end to the others, since few tiles can follow it: type "
        "{play}. Type odds to count every end.",
    )

    @property
    def title(self) -> str:
        """The subject of the lesson."""
        return say(self.value[0])

    def sentence(self, play: str = "", **facts: object) -> str:
        """Return the text of the lesson, with a play to type and other facts filled in."""
        return say(self.value[1], play=play, **facts)


FIRST: Final = (
    Lesson.DRAW,
    Lesson.COVER,
    Lesson.DOUBLE,
    Lesson.MEXICAN,
    Lesson.OTHERS,
    Lesson.OWN_TRAIN,
    Lesson.MARKER,
    Lesson.SCORE,
)
SECOND: Final = (Lesson.PLAN, Lesson.OWED, Lesson.CLOSE, Lesson.COUNT, Lesson.READY, Lesson.SPARE)
"""The lessons of each course, in order of preference; marker and score wait for their event."""

ASKED_DRAW: Final = (
    "Nothing you hold fits where you may play, so you draw a tile from the boneyard, the tiles "
    "that nobody holds. If it fits you play it, else your turn is over. Press Enter to draw."
)
"""The lesson on drawing, before the tile is turned over."""

LOST_DRAW: Final = (
    "Nothing you held fitted, so you drew a tile from the boneyard. It did not fit either, and "
    "your turn was over."
)
"""The lesson on drawing, told after a turn in which the drawn tile did not fit either."""

PLAY_ON: Final = "No new lesson in this turn: play {play}, which leads to the next one."
"""The text beside a turn that leads to the next lesson."""

ON_YOUR_OWN: Final = (
    "You have had all the lessons, and the rest of the round is yours: play any tile of the list "
    "by its number, or type hint to be told a good one."
)

FEW: Final = 4
"""An end is worth leaving to the others if at most this many tiles that fit it are still out."""


class Taught(NamedTuple):
    """A lesson of this turn, and a play that shows it."""

    lesson: Lesson
    play: LayTile


def lesson_for(
    scene: Scene, told: Collection[Lesson], course: Sequence[Lesson] = FIRST
) -> Taught | None:
    """Return a lesson not told yet that this turn can teach, with a play that shows it.

    None if no play of this turn shows a further lesson of the `course`; laying a double that could
    not be covered is not considered. In the first course, if a tile fits the player's own train,
    the lesson on that train comes before all others but drawing.
    """
    listed = _good_lays(scene)
    begun = Lesson.OWN_TRAIN in told or course is not FIRST
    begun |= all(move.train != own_train(scene) for move in listed)
    for lesson in course:
        if lesson in told or not (begun or lesson in (Lesson.OWN_TRAIN, Lesson.DRAW)):
            continue
        play = next((move for move in listed if _shows(lesson, scene, move)), None)
        if play is not None:
            return Taught(lesson, play)
    return None


def play_on(scene: Scene) -> LayTile | None:
    """Return the play for a turn that teaches nothing new, to get closer to the next lesson.

    Prefer the next tile of the longest train in hand, on the player's own train; else take the
    heaviest tile. Take a double that cannot be covered only if nothing else can be played. Return
    None if nothing can be played.
    """
    own, plan, listed = own_train(scene), _plan(scene), _good_lays(scene) or lays(scene)
    best = (lay for lay in listed if lay.train == own and plan[:1] == (lay.tile,))
    return next(best, max(listed, key=lambda lay: lay.tile.pips, default=None))


def _good_lays(scene: Scene) -> Sequence[LayTile]:
    """Return the legal plays, except of doubles that no other tile in hand could cover."""
    return [lay for lay in lays(scene) if not lay.tile.is_double or _covers(scene, lay.tile)]


def _shows(lesson: Lesson, scene: Scene, move: LayTile) -> bool:
    """Return True if this play shows the lesson at this table."""
    own, table = own_train(scene), scene.table
    if lesson is Lesson.DRAW:
        return table.drawn
    if table.owed:
        return lesson in (Lesson.COVER, Lesson.OWED)
    elsewhere, end, plan = move.train != own, move.tile.other_end(move.joined), _plan(scene)
    spare = elsewhere and move.tile not in plan
    covered = move.tile.is_double and _covers(scene, move.tile) > 0
    shown: Mapping[Lesson, bool] = {
        Lesson.OWN_TRAIN: move.train == own,
        Lesson.MEXICAN: move.train < 0,
        Lesson.DOUBLE: covered,
        Lesson.OTHERS: move.train >= 0 and elsewhere,
        Lesson.PLAN: plan[:1] == (move.tile,) and not (elsewhere or table.train(move.train).lays),
        Lesson.CLOSE: not elsewhere and table.train(move.train).marker,
        Lesson.COUNT: spare and not move.tile.is_double and _out(scene, end) <= FEW,
        Lesson.READY: covered,
        Lesson.SPARE: spare and len(plan) > 1,
    }
    return shown.get(lesson, False)


def _held(scene: Scene) -> list[Tile]:
    return [] if scene.hand is None else [tile for _, tile in scene.hand.tiles]


def _plan(scene: Scene) -> tuple[Tile, ...]:
    """Return the tiles of the longest train in hand that the player can lay on their own train.

    Empty if the marker is up there, so that others may play on it, or if they have no such train.
    """
    own = own_train(scene)
    if own is None or scene.table.train(own).marker:
        return ()
    plan = planned_train(SeatView(scene.table, scene.seat, scene.hand))
    return () if plan is None else plan.tiles


def _covers(scene: Scene, double: Tile) -> int:
    """Return the number of other tiles in hand that cover this double."""
    return sum(tile.has(double.high) for tile in _held(scene) if tile != double)


def _out(scene: Scene, pip: int) -> int:
    """Return the number of tiles with this pip that are neither on the table nor in hand."""
    return scene.table.fitting(pip) - sum(tile.has(pip) for tile in _held(scene))


def facts_of(scene: Scene, move: LayTile) -> Mapping[str, object]:
    """Return the facts of a play that the texts of lessons may name, by their names in braces.

    `double` is the double owed on its train, else the tile itself.
    """
    pip, tile = move.tile.other_end(move.joined), move.tile
    owed = next((owed.tile for owed in scene.table.owed if owed.train == move.train), tile)
    out = _out(scene, pip)
    return {
        "double": tile_text(owed),
        "tiles": tiles_text(_covers(scene, tile)),
        "plan": tiles_text(len(_plan(scene))),
        "pip": pip,
        "out": out,
        "seen": scene.table.spec.pip_max + 1 - out,
    }


def sentence_of(scene: Scene, taught: Taught) -> str:
    """Return the sentence of a lesson.

    The one on the player's own train differs if tiles are already on it.
    """
    own, play = own_train(scene), play_text(scene, taught.play)
    ends = () if own is None else scene.table.train(own).ends
    if taught.lesson is Lesson.OWN_TRAIN and own is not None and scene.table.train(own).lays:
        text = (
            "Your own train has your name, and others have begun it. It goes on with a tile that "
            "has its last number, {pip}. Type the tile and your name, such as {play}, or its "
            "number in the list."
        )
        return say(text, pip=ends[0].pip, play=play)
    return taught.lesson.sentence(play, **facts_of(scene, taught.play))


def play_text(scene: Scene, move: LayTile) -> str:
    """Return a play as it may be typed."""
    where = place_text(scene, move).lower()
    if move.train < 0 and chosen_among_ends(scene.table, move) is None:
        where = train_number(move.train).lower()
    return f"{tile_text(move.tile)} {where}"
