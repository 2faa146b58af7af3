"""Switches about doubles: covers, duties, and ends."""

from engine.rules.switches.switch import Switch, switch


@switch(
    "cover",
    "The tile after a double goes on it; or anywhere, and later seats owe it or nobody does; or "
    "its player may cover it, and later seats owe it or nobody does; or it ends the turn, and "
    "later seats owe it or nobody does.",
    "Galt 1994, Bauguess 2012; Parsons 1994, roundhouse, walnut; Tactic, pagat.com; other "
    "publishers; Mique 2020; gamerules.com on Longana",
)
class Cover(Switch):
    """The tile that a double requires of its player and of later seats. [§5.2]

    The player must cover the double now, may leave it open, lays one more tile anywhere, or ends
    the turn. Each member also says whether later seats then owe the double.
    """

    leaves_duty: bool
    """True if later seats owe a double that its player left open."""
    brings_extra: bool
    """True if a double brings one more tile that may go anywhere."""
    is_free_to_layer: bool
    """True if the player may cover a double at once, and otherwise lays no further tile."""
    ends_turn: bool
    """True if a double ends the turn, so other seats may cover it before its player."""
    is_plain: bool
    """True if a double is a tile like any other."""

    ON_DOUBLE = (
        "on-double",
        "After a double you play a second tile at once, on that double. Until it is covered "
        "nobody may play elsewhere; a player who cannot cover it passes the duty on.",
        "Galt 1994, Bauguess 2012, Mexican Train Fun 2015",
        {"leaves_duty": True},
    )
    ANYWHERE_THEN_DUTY = (
        "anywhere-then-duty",
        "After a double you play one more tile on any end open to you or on the double; if it "
        "stays open, the players after you must cover it before they play elsewhere.",
        "Parsons 1994, roundhouse, walnut",
        {"leaves_duty": True, "brings_extra": True},
    )
    ANYWHERE = (
        "anywhere",
        "After a double you play one more tile on any end open to you or on the double; nobody "
        "has to cover it afterwards.",
        "Tactic, pagat.com",
        {"brings_extra": True},
    )
    LAYER_MAY = (
        "layer-may",
        "After a double you may cover it at once, without drawing for it; if you do not, the "
        "players after you must, before they play elsewhere.",
        "other publishers",
        {"leaves_duty": True, "is_free_to_layer": True},
    )
    NEXT = (
        "next",
        "A double ends your turn: the players after you must cover it before they play elsewhere.",
        "ourpastimes.com, htfbw.com on Chicken Foot",
        {"leaves_duty": True, "ends_turn": True},
    )
    OPTIONAL = (
        "optional",
        "After a double you may cover it at once; nobody ever has to.",
        "Mique 2020",
        {"is_free_to_layer": True},
    )
    NONE = (
        "none",
        "A double is a tile like any other: it ends your turn, and nobody has to cover it.",
        "gamerules.com on Longana; pagat.com on cross games",
        {"ends_turn": True, "is_plain": True},
    )


@switch(
    "several",
    "Doubles in one turn: one; two with a cover in hand; any number, shared out; any number and "
    "one more tile; any number until the last is covered.",
)
class Several(Switch):
    """The number of doubles in one turn: one, two, or any number; and who covers them. [§5.8]

    With two, the second needs a cover that was held before the turn. With any number, later seats
    cover all but the first; or one more tile follows the doubles; or the last tile of the turn must
    cover the last of them.
    """

    is_one: bool
    """True if a turn may have at most one double."""
    is_held_pair: bool
    """True if a second double needs a cover that was held before."""
    is_shared: bool
    """True if later seats cover further doubles, so nobody has to lay one."""

    ONE = ("one", "A turn has one double at most.", "the first text", {"is_one": True})
    TWO_HELD = (
        "two-held",
        "You may play two doubles in a turn if you then cover one of them with a tile that you "
        "held all along; the next player owes the other.",
        "Parsons 1994",
        {"is_held_pair": True},
    )
    SHARE = (
        "share",
        "A turn may have any number of doubles. Then you cover the first, which ends your turn; "
        "the players after you cover the others.",
        "Bauguess 2012",
        {"is_shared": True},
    )
    CHAIN = (
        "chain",
        "A turn may have any number of doubles, and then one more tile that is not a double.",
        "roundhouse, walnut",
    )
    UNTIL_COVERED = (
        "until-covered",
        "A turn may have any number of doubles if the last tile covers the last of them.",
        "other publishers",
    )


@switch(
    "double-anywhere",
    "May a double be played on a train that is closed to its player?",
    "gamerules.com on Longana",
)
class DoubleAnywhere(Switch):
    """Whether a double may be laid on any train that has a tile, even on a closed one. [§5.12]"""

    NO = ("no", "A double goes where any tile may go.", "the first text")
    YES = (
        "yes",
        "A double may be played on any train that has a tile, even one that is closed to you, "
        "unless another double has to be covered first.",
        "gamerules.com on Longana",
    )


@switch("duty-order", "Of several open doubles the first played is owed first, or the last.")
class DutyOrder(Switch):
    """Which of several open doubles is owed first: the first played, or the last. [§5.9]"""

    FIRST_PLAYED = (
        "first-played",
        "Of several open doubles the first one played is covered first.",
        "Bauguess 2012, walnut",
    )
    LAST_PLAYED = (
        "last-played",
        "Of several open doubles the last one played is covered first.",
        "roundhouse",
    )


@switch(
    "layer-miss",
    "A double's player without a further tile draws and plays what fits, or only draws.",
)
class LayerMiss(Switch):
    """Whether a player who must draw after their own double may then play, or only draws. [§5.10]

    After only drawing, the player's turn is over, and no marker goes up for the double.
    """

    DRAW = (
        "draw",
        "If you have no tile to follow your double, you draw one and play it if it fits.",
        "the first text",
    )
    DRAW_ONLY = (
        "draw-only",
        "If you have no tile to follow your double, you draw one and your turn is over; no marker "
        "goes up for that.",
        "roundhouse",
    )


@switch(
    "drawn-double",
    "A drawn double brings another draw for its cover, or is covered from the hand or by others.",
)
class DrawnDouble(Switch):
    """Whether a player who lays a double drawn in the same turn draws again for its cover. [§5.11]

    If not, the player may keep the double, and can cover it only with a tile held before the turn.
    """

    draws_again: bool
    """True if the player draws for the cover."""

    DRAW_AGAIN = (
        "draw-again",
        "If you draw a double and play it, you draw again if you hold no tile to follow it.",
        "the first text",
        {"draws_again": True},
    )
    NO_DRAW = (
        "no-draw",
        "If you draw a double you may play it or not. You follow it with a tile you hold, but do "
        "not draw for it: if you hold none, your marker goes up and the others try first.",
        "wolf-lake",
    )


@switch(
    "last-double",
    "Does a double as your last tile end the round, must it be covered first, or may it not "
    "be played?",
    "Galt 1994, dominorules.com, roundhouse, walnut; Mexican Train Fun 2015, wolf-lake",
)
class LastDouble(Switch):
    """The effect of a double as the last tile of a hand. [§7.1]

    It ends the round, or its player must first cover it with a drawn tile, or it may not be laid
    unless it is dead.
    """

    asks_for_cover: bool
    """True if a double needs a cover even as the last tile of a hand."""
    is_refused: bool
    """True if a double may not be the last tile of a hand."""

    ENDS = (
        "ends",
        "A double as your last tile ends the round; it need not be covered.",
        "Galt 1994, dominorules.com, roundhouse, walnut",
    )
    MUST_COVER = (
        "must-cover",
        "With a double as your last tile you are not out: you draw and must cover it first; with "
        "nothing left to draw you stay in, without a tile.",
        "Mexican Train Fun 2015, wolf-lake",
        {"asks_for_cover": True},
    )
    REFUSED = (
        "refused",
        "You may not play a double as your last tile, unless it is dead; holding only that, you "
        "draw.",
        "Mexican Train Fun 2015, where it prohibits this",
        {"asks_for_cover": True, "is_refused": True},
    )


@switch(
    "double-public",
    "Does a double played on a train make it public?",
    "the first text, Double public",
)
class DoublePublic(Switch):
    """Whether a double laid on a seat's train puts the marker of that train up. [§6.3]"""

    NO = ("no", "A double does not open a train.", "the first text")
    YES = (
        "yes",
        "A double on a player's train puts that player's marker up: the train is open to all.",
        "the first text, Double public",
    )


@switch(
    "continuous-draw",
    "Does a player whose double nobody covered draw until they can cover it?",
    "Endless 2020",
)
class ContinuousDraw(Switch):
    """How much a double's player draws once all other seats have left the double open. [§5.4]

    When that player's turn comes again, they draw until they can cover the double, or at most one
    tile.
    """

    NO = ("no", "You never draw more than one tile for a double.", "the first text")
    YES = (
        "yes",
        "When your double comes back to you uncovered, you draw until you can cover it.",
        "Endless 2020",
    )


@switch(
    "branching",
    "Doubles do not branch; or take two more tiles once covered; or need three covers; or open "
    "three ends on a seat's train.",
    "pagat.com; Mexican Train Fun 2015; wolf-lake",
)
class Branching(Switch):
    """The ends that a double opens. [§5.7]

    It opens only one; or two more once it is covered; or three that all need a tile before anything
    else is laid. Or a double on a seat's train opens three, any one of which covers it.
    """

    more_covers: int
    """How many tiles must go on a double after the first one, before anything else."""

    NONE = ("none", "Trains do not branch.", "the first text")
    CHICKEN_FOOT = (
        "chicken-foot",
        "A covered double takes two more tiles, each of them a new end.",
        "pagat.com",
    )
    THREE_REQUIRED = (
        "three-required",
        "Three tiles must go on a double, one a turn, before anything else is played; each is then "
        "an end to play on. Once the first lies there nobody's marker goes up for that double.",
        "Mexican Train Fun 2015",
        {"more_covers": 2},
    )
    SPUR = (
        "spur",
        "A double on a player's train opens three ends; a tile on any of them covers it, and the "
        "other two stay open. Not on the Mexican train.",
        "wolf-lake",
    )
