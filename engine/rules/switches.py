"""The choices a rule set is made of: closed enumerations, one per switch.

A member's value is the word that `with:` and `--with` take. What each switch means and where it
comes from stands once, in `told.TOLD`; what each value does, in docs/rules.md §8.
"""

from enum import Enum


class Engine(Enum):
    """How the double of the hub is found."""

    SET_ASIDE = "set-aside"
    HOLDER = "holder"
    HIGHEST_HELD = "highest-held"
    FIRST_SEAT = "first-seat"
    DECLARED = "declared"


class EngineMissing(Enum):
    """What is drawn when no hand holds the double that is looked for."""

    ALL_DRAW = "all-draw"
    TURN_DRAW = "turn-draw"


class First(Enum):
    """Who plays first; a seat drawn or chosen moves one place clockwise a round."""

    RANDOM_ROTATE = "random-rotate"
    CHOSEN_ROTATE = "chosen-rotate"
    HIGH_DRAW = "high-draw"
    ENGINE_LAYER = "engine-layer"
    AFTER_LAYER = "after-layer"


class Opening(Enum):
    """How many tiles start a train."""

    SINGLE = "single"
    WHOLE_TRAIN = "whole-train"
    SIMULTANEOUS = "simultaneous"
    DELAYED = "delayed"


class OpeningMiss(Enum):
    """What a seat does that cannot start its train in its first turn."""

    DRAW = "draw"
    MARKER = "marker"


class OpeningDouble(Enum):
    """Whether an opening chain may end on a double."""

    OWED = "owed"
    REFUSED = "refused"


class OwnTrainFirst(Enum):
    """Whether other trains are closed to a seat whose own train has no tile."""

    NO = "no"
    ELSEWHERE = "elsewhere"
    ALWAYS = "always"


class OpeningElsewhere(Enum):
    """Whether a first turn may go to a public train, though the own one could be started."""

    NO = "no"
    MAY = "may"


class OthersTrains(Enum):
    """Whether a seat has to lay that can do so on others' open trains only."""

    MUST = "must"
    MAY = "may"


class Mexican(Enum):
    """How many Mexican trains there are."""

    ONE = "one"
    NONE = "none"
    MANY = "many"


class MexicanFrom(Enum):
    """From when the Mexican train may be started."""

    FIRST_TURN = "first-turn"
    AFTER_OPENING = "after-opening"
    OWN_STARTED = "own-started"


class MarkerDown(Enum):
    """Which lay takes a marker down."""

    OWN_PLAY = "own-play"
    OWN_COVERED = "own-covered"
    ANY_PLAY = "any-play"


class MarkerEmpty(Enum):
    """Whether the marker goes up when there is nothing to lay and nothing to draw."""

    UP = "up"
    PASS = "pass"


class MarkerVoluntary(Enum):
    """Whether a seat may leave its marker up, or take such a marker down."""

    NO = "no"
    YES = "yes"


class MarkerLayer(Enum):
    """When a seat marks its train for a double of its own that it cannot cover."""

    ALWAYS = "always"
    OWN_TRAIN = "own-train"


class Cover(Enum):
    """What a double asks of its player, and of the seats after."""

    ON_DOUBLE = "on-double"
    ANYWHERE_THEN_DUTY = "anywhere-then-duty"
    ANYWHERE = "anywhere"
    LAYER_MAY = "layer-may"
    OPTIONAL = "optional"


class Several(Enum):
    """How many doubles one turn may have."""

    ONE = "one"
    TWO_HELD = "two-held"
    SHARE = "share"
    CHAIN = "chain"
    UNTIL_COVERED = "until-covered"


class DutyOrder(Enum):
    """Which of several open doubles is owed first."""

    FIRST_PLAYED = "first-played"
    LAST_PLAYED = "last-played"


class LayerMiss(Enum):
    """What a double's player does who has no further tile."""

    DRAW = "draw"
    DRAW_ONLY = "draw-only"


class DrawnDouble(Enum):
    """What a double asks for that was drawn in the turn it is laid in."""

    DRAW_AGAIN = "draw-again"
    NO_DRAW = "no-draw"


class MarkerDouble(Enum):
    """Whether a double that takes down its owner's marker has to be covered."""

    OWED = "owed"
    FREE = "free"


class LastDouble(Enum):
    """Whether a seat is out with a double that nobody covered, or may lay it at all."""

    ENDS = "ends"
    MUST_COVER = "must-cover"
    REFUSED = "refused"


class DoublePublic(Enum):
    """Whether a double makes the train public that it is laid on."""

    NO = "no"
    YES = "yes"


class ContinuousDraw(Enum):
    """Whether the layer of a double that comes back uncovered draws until it can be covered."""

    NO = "no"
    YES = "yes"


class Branching(Enum):
    """What a covered double still takes."""

    NONE = "none"
    CHICKEN_FOOT = "chicken-foot"
    THREE_REQUIRED = "three-required"
    SPUR = "spur"


class Draw(Enum):
    """How many tiles a seat draws that can lay nothing."""

    ONE = "one"
    UNTIL_PLAYABLE = "until-playable"


class LastTile(Enum):
    """Whether a seat must say that it has one tile left."""

    NONE = "none"
    COURTESY = "courtesy"
    TAP = "tap"
    BEFORE_PLAY = "before-play"


class TapPenalty(Enum):
    """How many tiles a seat draws that was caught silent with one tile left."""

    ZERO = "0"
    ONE = "1"
    TWO = "2"


class RoundEnd(Enum):
    """How a round ends in which nobody is out."""

    BLOCKED = "blocked"
    LAST_PLAYS = "last-plays"


class Blanks(Enum):
    """What a blank half left in a hand costs."""

    ZERO = "0"
    EACH_25_DOUBLE_50 = "25-50"
    DOUBLE_50 = "0-50"


class BlockedWinner(Enum):
    """What the lowest hand of a blocked round scores."""

    PIPS = "pips"
    ZERO = "zero"


class Ties(Enum):
    """How equal totals are told apart."""

    ZERO_ROUNDS = "zero-rounds"
    SHARED = "shared"


class StrategicError(Enum):
    """Whether a draw or pass with a playable tile costs the round's highest score."""

    NO = "no"
    YES = "yes"


class Partners(Enum):
    """Whether opposite seats share a train and a score."""

    NO = "no"
    YES = "yes"


class SwanDrive(Enum):
    """Whether a lay on the own train may go on along the public trains."""

    NO = "no"
    YES = "yes"


class Bullet(Enum):
    """Whether a seat may lay its whole hand on its own train and end the round."""

    NO = "no"
    YES = "yes"


class WildBlanks(Enum):
    """Whether blanks join everything."""

    NO = "no"
    YES = "yes"
