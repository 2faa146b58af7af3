"""Switches about trains and markers."""

from engine.rules.switches.switch import Switch, switch
from engine.tiles import Joins, what_joins


@switch(
    "others-trains",
    "Must a player who can play only on others' open trains do so, or may they draw instead?",
)
class OthersTrains(Switch):
    """Whether a seat that can play only on others' open trains must do so or may draw. [§2.8]"""

    MUST = ("must", "If you can play anywhere, you must.", "the first text")
    MAY = (
        "may",
        "If you can play on your own train or on a Mexican train, you must play, there or "
        "elsewhere; if you can play on other players' open trains only, you may do so or draw.",
        "wolf-lake",
    )


@switch(
    "mexican",
    "How many Mexican trains there are: one, none (private trains), or as many as are begun; or, "
    "instead of all trains, so many arms of the hub on which everybody plays.",
    "the first text; Chicken Foot",
)
class Mexican(Switch):
    """The number of Mexican trains: one, none or many; or only arms of the hub. [§4.1, §4.3]

    With 4, 6 or 8 arms, all play on these, and nobody has a train of their own.
    """

    is_many: bool
    """True if another Mexican train becomes available whenever one is started."""
    has_any: bool
    """True if there is a Mexican train to start."""
    arms: int
    """The number of tiles that go on the hub first, if nobody has a train of their own; else 0."""

    ONE = (
        "one",
        "There is one Mexican train, open to everybody.",
        "the first text",
        {"has_any": True},
    )
    NONE = ("none", "There is no Mexican train.", "the first text")
    MANY = (
        "many",
        "There are as many Mexican trains as are started; they are open to everybody.",
        "the first text",
        {"is_many": True, "has_any": True},
    )
    FOUR_ARMS = (
        "4-arms",
        "Nobody has a train of their own: all play on the double in the hub. It takes four tiles, "
        "one a turn, before anything else, and no more later; each of them begins an arm.",
        "ourpastimes.com, onlinedominogames.com, htfbw.com on Chicken Foot",
        {"arms": 4},
    )
    SIX_ARMS = (
        "6-arms",
        "Nobody has a train of their own: all play on the double in the hub. It takes six tiles, "
        "one a turn, before anything else, and no more later; each of them begins an arm.",
        "Russell's page on Chicken Foot, the double chicken foot",
        {"arms": 6},
    )
    EIGHT_ARMS = (
        "8-arms",
        "Nobody has a train of their own: all play on the double in the hub. It takes eight "
        "tiles, one a turn, before anything else, and no more later; each of them begins an arm.",
        "house rules of Chicken Foot",
        {"arms": 8},
    )

    @property
    def label(self) -> str:
        """The name of the shared train: `Arms` if nobody has their own train, else `Mexican`."""
        return "Arms" if self.arms else "Mexican"

    @property
    def noun(self) -> str:
        """The name of the shared train within a sentence: `the arms` or `the Mexican train`."""
        return "the arms" if self.arms else "the Mexican train"


@switch(
    "arms-then",
    "May any tile follow the first one of an arm, or must it be a double?",
    "Chicken Foot; pagat.com, gambiter.com and gamerules.com on the double or Maltese cross",
)
class ArmsThen(Switch):
    """The second tile of each arm: any tile, or a double. [§4.3]"""

    ANYTHING = (
        "anything",
        "Once the arms have their first tiles, you play on any of them.",
        "Chicken Foot",
    )
    DOUBLES = (
        "doubles",
        "Once the arms have their first tiles, each of them gets its double before anything else "
        "is played, unless that double lies on the table already.",
        "pagat.com, gambiter.com, gamerules.com",
    )


@switch(
    "mexican-from",
    "When the Mexican train may be started: at once, after all first turns or by the first player "
    "in theirs, or by a seat whose own train had a tile before this turn.",
    "Parsons 1994; University Games; Livestrong Bay; wolf-lake",
)
class MexicanFrom(Switch):
    """When a Mexican train may be started, and by which seats. [§4.2]

    Any seat may start one at any time. Or any seat may start one once all have had their first
    turns; under `first-player`, the first player may also do so in the very first turn. Or only a
    seat whose own train had a tile before this turn may start one.
    """

    first_turns: int
    """How many first turns of a round may go to a Mexican train; 14 means all."""
    needs_own: bool
    """True if only a seat whose own train had a tile before this turn may start it."""

    FIRST_TURN = (
        "first-turn",
        "Anybody may start a Mexican train at any time, with their first turn too.",
        "Parsons 1994",
        {"first_turns": 14},
    )
    AFTER_OPENING = (
        "after-opening",
        "Anybody may start a Mexican train once all have had their first turn.",
        "University Games 2015, roundhouse, walnut",
    )
    OWN_STARTED = (
        "own-started",
        "You may start a Mexican train if your own train had a tile before this turn.",
        "wolf-lake; other publishers",
        {"needs_own": True},
    )
    FIRST_PLAYER = (
        "first-player",
        "The first player may start a Mexican train with their first turn; anybody may once all "
        "have had theirs.",
        "Livestrong Bay; the first text, of Parsons 1994",
        {"first_turns": 1},
    )


@switch(
    "marker-down",
    "What takes a marker down: the owner's play, the owner's play but no uncovered double, or "
    "anybody's play.",
    "Galt and Parsons 1994; other publishers; roundhouse",
)
class MarkerDownBy(Switch):
    """The lays on a train that take its marker down. [§6.2]

    They are all lays by the owner; or all by the owner except a double left uncovered; or all lays
    by anybody.
    """

    by_open_double: bool
    """True if a double that is left uncovered takes the marker down, too."""
    by_anybody: bool
    """True if a lay by another seat takes the marker down."""

    OWN_PLAY = (
        "own-play",
        "Your marker comes down when you play on your own train.",
        "Parsons 1994, Galt 1994, Bauguess 2012",
        {"by_open_double": True},
    )
    OWN_COVERED = (
        "own-covered",
        "Your marker comes down when you play on your own train, but not for a double that you "
        "leave uncovered, whoever covers it later.",
        "other publishers",
    )
    ANY_PLAY = (
        "any-play",
        "A marker comes down when anybody plays on that train.",
        "roundhouse",
        {"by_open_double": True, "by_anybody": True},
    )


@switch(
    "marker-empty",
    "With nothing to play and nothing to draw the marker goes up, or the seat just passes.",
)
class MarkerEmpty(Switch):
    """Whether the marker goes up if a seat must draw but the boneyard is empty. [§6.1]"""

    UP = (
        "up",
        "With nothing to play and an empty boneyard your marker goes up.",
        "the first text, walnut",
    )
    PASS = (
        "pass",
        "If you have to draw and the boneyard is empty already, you pass and no marker goes up, "
        "not for a double either.",
        "roundhouse",
    )


@switch(
    "marker-voluntary",
    "May a player who plays a tile leave their marker up, or take such a marker down?",
    "wolf-lake",
)
class MarkerVoluntary(Switch):
    """Whether a seat that lays from its hand may put its marker up by choice. [§6.4]

    It may later take such a marker down in the same way.
    """

    NO = ("no", "Nobody leaves a marker up by choice.", "the first text")
    YES = (
        "yes",
        "Before you play a tile from your hand you may say open: your marker is up when the "
        "turn ends, even if you play on your own train. Say close to take such a marker down.",
        "wolf-lake",
    )


@switch(
    "marker-layer",
    "A seat that cannot cover its own double puts its marker up always, or not for a double on "
    "somebody else's train.",
    "Parsons and Galt 1994; the first text's strategy section",
)
class MarkerLayer(Switch):
    """Whether a seat that cannot cover its own double always puts its marker up. [§6.1]

    If not, the marker stays down for a double on another player's train.
    """

    ALWAYS = (
        "always",
        "If you can play nothing after your own double your marker goes up, wherever the double "
        "lies.",
        "Parsons 1994, Galt 1994",
    )
    OWN_TRAIN = (
        "own-train",
        "If you can play nothing after your own double your marker goes up, but not for a double "
        "on somebody else's train.",
        "the first text, strategy section",
    )


@switch("marker-double", "Must a double that takes your own marker down be covered?")
class MarkerDouble(Switch):
    """Whether a double that takes down its player's own marker must be covered. [§5.6]"""

    OWED = (
        "owed",
        "A double that takes your marker down must be covered like any other.",
        "the first text",
    )
    FREE = (
        "free",
        "A double that takes your own marker down need not be covered.",
        "Galt 1994, DillyDally",
    )


@switch(
    "draw",
    "Does a player who can play nothing draw one tile, draw until they can play, or not draw?",
    "other publishers",
)
class DrawRule(Switch):
    """How many tiles a seat draws if it can play nothing: one, until one fits, or none. [§2.4]"""

    goes_on: bool
    """True if a seat draws until a tile fits."""
    is_never: bool
    """True if nobody draws a tile in play."""

    ONE = (
        "one",
        "If you can play nothing you draw one tile and play it if it fits; if it does not, or the "
        "boneyard is empty, you pass.",
        "the first text",
    )
    UNTIL_PLAYABLE = (
        "until-playable",
        "If you can play nothing you draw until a tile fits; if the boneyard runs out, you pass.",
        "other publishers",
        {"goes_on": True},
    )
    NONE = (
        "none",
        "If you can play nothing you pass, and draw nothing.",
        "gamerules.com on Longana; outsidetheboxgame.com on Maltese Cross",
        {"is_never": True},
    )


@switch("direction", "Do turns go to the left, clockwise, or to the right?")
class Direction(Switch):
    """The direction in which turns pass from seat to seat. [§2.1]

    The lead also moves in this direction from round to round. So does a swan drive, and so do draws
    that the seats make one after the other.
    """

    step: int
    """The step from a seat's number to the next seat's."""

    LEFT = ("left", "Turns go clockwise, to the left.", "the first text", {"step": 1})
    RIGHT = (
        "right",
        "Turns go counter-clockwise, to the right.",
        "gamerules.com on Longana; Wikipedia on Private Trains; htfbw.com",
        {"step": -1},
    )


@switch(
    "wild-blanks",
    "Does a blank half fit any end, and does an open blank take any half?",
    "the first text, Blanks",
)
class WildBlanks(Switch):
    """Whether blanks are wild: a blank half joins any end, and an open blank takes any half. [§2.7]

    If they are not, blanks join only blanks.
    """

    joins: Joins
    fits: tuple[int, ...]
    """For each pip value of an end, the bit set of the tiles that join it."""
    faces: tuple[int, ...]
    """For each pip value of an end, the bit set of the pip values that join it."""

    NO = ("no", "A blank joins a blank only.", "the first text", what_joins(wild=False))
    YES = (
        "yes",
        "Blanks are wild: a blank half fits any end, and an open blank takes any half; where both "
        "halves fit, you choose.",
        "the first text, Blanks; University Games 2015",
        what_joins(wild=True),
    )


@switch(
    "swan-drive",
    "May a play on your own train be followed by one tile on each further public train?",
    "the first text, Swan drive",
)
class SwanDrive(Switch):
    """Whether a lay on one's own train may be followed by one on each further public train. [§2.6]

    The drive takes the trains in the order of turns, and may leave out only a Mexican train.
    """

    NO = ("no", "A turn does not go on along the public trains.", "the first text")
    YES = (
        "yes",
        "After a tile on your own train you may play one on the next public train, as turns "
        "go, then on the one after it, none left out but a Mexican train, until you stop or cannot "
        "play.",
        "the first text, Swan drive",
    )
