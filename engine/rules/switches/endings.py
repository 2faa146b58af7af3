"""Switches about the end of a round, its scores, and the winner."""

from engine.rules.switches.switch import Switch, switch


@switch(
    "last-tile",
    "Does a player announce a last tile: not at all, as a courtesy, once they hold it, or before "
    "the play that leaves it?",
    "Parsons 1994; Mexican Train Fun 2015, roundhouse; wolf-lake",
)
class LastTile(Switch):
    """Whether and when a seat announces its last tile, and whether others may catch it. [§7.7]"""

    is_caught: bool
    """True if others may catch a seat that did not announce its last tile."""
    is_told: bool
    """True if a seat may announce its last tile at all."""
    is_told_after: bool
    """True if a seat may still announce after the play that left it one tile."""

    NONE = ("none", "Nobody has to announce a last tile.", "the first text")
    COURTESY = (
        "courtesy",
        "A player with one tile left tells the others by a tap, as a courtesy.",
        "Parsons 1994",
        {"is_told": True},
    )
    TAP = (
        "tap",
        "With one tile left you must tap; until you do, or your next turn begins, anybody may "
        "catch you.",
        "Mexican Train Fun 2015, roundhouse",
        {"is_caught": True, "is_told": True, "is_told_after": True},
    )
    BEFORE_PLAY = (
        "before-play",
        "You must tap (Choo Choo) before the play that leaves you one tile; anybody may catch "
        "you if you did not, until your next turn.",
        "wolf-lake",
        {"is_caught": True, "is_told": True},
    )


@switch(
    "tap-penalty",
    "How many tiles a seat draws that kept silent about its last tile and was caught.",
    "wolf-lake; Mexican Train Fun 2015, roundhouse",
)
class TapPenalty(Switch):
    """How many tiles a seat draws if it is caught silent with one tile left: 0, 1 or 2. [§7.7]"""

    ZERO = ("0", "Nobody draws a tile for keeping silent.", "the first text")
    ONE = ("1", "A player caught silent draws one tile.", "wolf-lake")
    TWO = ("2", "A player caught silent draws two tiles.", "Mexican Train Fun 2015, roundhouse")


@switch(
    "round-end",
    "A round in which nobody is out ends blocked, or with one last play each after the "
    "boneyard's last tile.",
)
class RoundEnd(Switch):
    """The end of a round in which nobody is out. [§7.8]

    The round is blocked once the boneyard is empty and all have passed; or each seat has one more
    turn after somebody draws the boneyard's last tile.
    """

    BLOCKED = (
        "blocked",
        "A round in which nobody is out ends when the boneyard is empty and all have passed in a "
        "row, counted anew whenever a marker has opened a place to play.",
        "Parsons 1994",
    )
    LAST_PLAYS = (
        "last-plays",
        "After the turn that draws the boneyard's last tile everybody has one more turn from "
        "the hand, and the player who drew it goes last; a double may be played only "
        "together with its cover. Then the round is over.",
        "wolf-lake",
    )


@switch(
    "scoring", "Do pips left in a hand count against their owner, or for the winner of the round?"
)
class HandPoints(Switch):
    """Whether pips left in hands count against their owners or for the winner. [§7.4]"""

    PENALTY = (
        "penalty",
        "Pips left in your hand count against you; the lowest total wins.",
        "the first text",
    )
    WINNER_TAKES = (
        "winner-takes",
        "The winner of a round scores the pips left in all other hands, the others nothing; "
        "if nobody is out, the lowest hand wins, and equal lowest hands each take what all "
        "others hold. The highest total wins.",
        "pagat.com and gamerules.com on Longana",
    )


@switch(
    "target",
    "Does the game end before its last round, once somebody has so many points?",
    "gamerules.com on Longana; Mexico Residency's guide",
    numbers=range(1, 1000),
    counted="The game is over after the round in which somebody reaches {count} points, or after "
    "its last round.",
)
class Target(Switch):
    """The total that ends a game, if any. [§7.4]

    With a number, the game also ends after the round in which a seat's total reaches that number.
    With `none`, the game ends only after its last round.
    """

    NONE = ("none", "The game is over after its last round.", "the first text")


@switch(
    "blanks",
    "What blanks in the hand cost: nothing, 25 a half and 50 the double, or 50 or 25 the double.",
    "Mexican Train Fun 2015; other publishers",
)
class Blanks(Switch):
    """The cost of blanks left in a hand, beyond their pips. [§7.3]

    It is nothing, a price for each blank half, or a price for the double blank alone.
    """

    each: int
    """Points for each blank half."""
    double: int
    """Additional points for the double blank."""

    ZERO = ("0", "A blank left in the hand counts 0.", "the first text")
    EACH_25_DOUBLE_50 = (
        "25-50",
        "Each blank half left in the hand costs 25, so the double blank 50.",
        "Mexican Train Fun 2015",
        {"each": 25},
    )
    DOUBLE_50 = (
        "0-50",
        "The double blank left in the hand costs 50, other blanks nothing.",
        "other publishers",
        {"double": 50},
    )
    DOUBLE_25 = (
        "0-25",
        "The double blank left in the hand costs 25, other blanks nothing.",
        "Table Games Hub; docslib's leaflet of Chickenfoot and Mexican Train",
        {"double": 25},
    )


@switch("blocked-winner", "Does the lowest hand of a blocked round count its pips, or score 0?")
class BlockedWinner(Switch):
    """The score of the lowest hands of a blocked round: their cost, or 0. [§7.3]"""

    PIPS = (
        "pips",
        "The lowest hand wins a round in which nobody can play on; everybody counts their pips.",
        "the first text",
    )
    ZERO = (
        "zero",
        "The lowest hand wins a round in which nobody can play on, and scores 0.",
        "other publishers",
    )


@switch(
    "ties",
    "Are equal totals decided by rounds at 0, then by the lowest other round?",
    "Mexican Train Fun 2015",
)
class Ties(Switch):
    """How equal totals are decided: by tie-breakers, or not at all, so the game is shared. [§7.5]

    The tie-breakers are more rounds at 0, then the lowest other round.
    """

    ZERO_ROUNDS = (
        "zero-rounds",
        "On equal totals the player with more rounds at 0 wins, then the one with the lowest "
        "other round.",
        "Mexican Train Fun 2015",
    )
    SHARED = ("shared", "Players with equal totals share the game.", "other publishers")


@switch(
    "leaver-score",
    "Does a player who leaves in the middle of a round pay for the heaviest tiles that they may "
    "have held, or for tiles of average weight?",
    "our reading",
)
class LeaverScore(Switch):
    """The points that a seat forfeits if it leaves a round for good. [§7.11]

    The seat pays for as many unseen tiles as it held: the heaviest ones, or tiles of average
    weight. If the average counts, it pays nothing once the play of the round is over.
    """

    HEAVIEST = (
        "heaviest",
        "A player who leaves for good, or is voted out, pays in that round for as many tiles "
        "as they held: the costliest of those not on the table at that time.",
        "our reading",
    )
    AVERAGE = (
        "average",
        "A player who leaves for good, or is voted out, pays in that round for as many tiles "
        "as they held, at the average of all tiles not on the table at that time, rounded "
        "down; nothing once play is over.",
        "our reading",
    )


@switch(
    "strategic-error",
    "Does drawing or passing with a playable tile, once proved, cost the round's highest score?",
)
class StrategicError(Switch):
    """Whether a draw or pass with a playable tile is refused or penalized. [§7.9]

    The penalty is the round's highest score.
    """

    NO = (
        "no",
        "Drawing or passing with a tile that you have to play is refused.",
        "the first text",
    )
    YES = (
        "yes",
        "Drawing or passing with a tile that you have to play costs the highest score of the "
        "round (a written game only: over a network the proof rules it out).",
        "the first text",
    )


@switch(
    "bullet",
    "May a player who can play the whole hand on their own train end the round that way?",
    "the first text, Bullet Train",
)
class Bullet(Switch):
    """Whether a seat may lay its whole hand on its own train at once to end the round. [§7.10]

    The others then lay what they can on their own trains before the round is over.
    """

    NO = ("no", "Nobody plays a whole hand at once.", "the first text")
    YES = (
        "yes",
        "If your whole hand makes one train you may play it all on your own train (bullet); the "
        "others play what they can on theirs, and the round is over.",
        "the first text, Bullet Train",
    )


@switch(
    "partners",
    "Are opposite seats partners, with one train of two ends and one score?",
    "the first text, Partnerships",
)
class Partners(Switch):
    """Whether opposite seats are partners, with one train of two ends and one score. [§2.5]"""

    NO = ("no", "Everybody plays alone.", "the first text")
    YES = (
        "yes",
        "Opposite players are partners, with one train of two ends and one score; 4, 6 or 8 play.",
        "the first text, Partnerships",
    )
