"""The choices a rule set is made of: closed enumerations, one per switch.

A member's value is the word that `with:` and `--with` take. What each switch means and where it
comes from stands once, in `rules.SWITCHES`; what each value does, in docs/rules.md §8.
"""

from enum import Enum


class First(Enum):
    """Who plays first in the first round; afterwards the first turn moves clockwise."""

    RANDOM_ROTATE = "random-rotate"
    CHOSEN_ROTATE = "chosen-rotate"


class OpeningMiss(Enum):
    """What a seat does that cannot start its train in its first turn."""

    DRAW = "draw"
    MARKER = "marker"


class OwnTrainFirst(Enum):
    """Whether other trains are closed to a seat whose own train has no tile."""

    NO = "no"
    ELSEWHERE = "elsewhere"


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


class MarkerLayer(Enum):
    """When a seat marks its train for a double of its own that it cannot cover."""

    ALWAYS = "always"
    OWN_TRAIN = "own-train"


class MarkerDouble(Enum):
    """Whether a double that takes down its owner's marker has to be covered."""

    OWED = "owed"
    FREE = "free"


class LastDouble(Enum):
    """Whether a seat is out with a double that nobody covered."""

    ENDS = "ends"
    MUST_COVER = "must-cover"


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


class Draw(Enum):
    """How many tiles a seat draws that can lay nothing."""

    ONE = "one"
    UNTIL_PLAYABLE = "until-playable"


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
