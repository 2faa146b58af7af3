"""What each value of a switch means to a player, in one sentence, and who wrote it so.

What a switch is about as a whole stands in `engine.rules.sentences`. Rows: value, sentence, source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FIRST_TEXT", "ROWS"]

FIRST_TEXT: Final = "the first text"
_OTHERS: Final = "other publishers"
_SHEETS: Final = "Parsons 1994, Galt 1994, Bauguess 2012"
_WHOLE: Final = "Galt 1994, Bauguess 2012, roundhouse, walnut"

ROWS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    "engine": (
        (
            "set-aside",
            "The round's double lies in the hub before the shuffle: the highest first, then each "
            "next lower one.",
            "Parsons 1994, Bauguess 2012",
        ),
        (
            "holder",
            "The round's double is dealt with the rest, and whoever holds it lays it in the hub.",
            "roundhouse, walnut",
        ),
        (
            "highest-held",
            "The highest double that anybody holds goes in the hub, whatever it is.",
            "roundhouse, as its alternate; walnut, in its quick game",
        ),
        (
            "first-seat",
            "The first player's highest double goes in the hub; without one, any double that the "
            "next player likes.",
            "Galt 1994",
        ),
        (
            "declared",
            "From the highest down everybody may declare a double not used in this game; nobody "
            "has to, but in the last round. The first one declared goes in the hub.",
            "wolf-lake",
        ),
    ),
    "engine-missing": (
        (
            "all-draw",
            "If nobody has the double, everybody draws one tile, again and again until it shows; "
            "if the boneyard cannot serve all, the round is dealt again.",
            "roundhouse",
        ),
        (
            "turn-draw",
            "If nobody has the double, players draw one tile in turn until it shows, and keep "
            "what they drew.",
            "Galt 1994, walnut",
        ),
    ),
    "first": (
        (
            "random-rotate",
            "Who begins the first round is drawn by lot; each further round the next player "
            "clockwise does.",
            "Parsons 1994",
        ),
        (
            "chosen-rotate",
            "The table names who begins the first round: the host does in the lobby, and if not, "
            "it is who sat down first. Each further round the next player clockwise begins.",
            "Tactic",
        ),
        (
            "high-draw",
            "Before each deal everybody turns up one tile; the highest begins, and the tiles are "
            "shuffled in again.",
            "RNK 2020",
        ),
        ("engine-layer", "Whoever laid the double in the hub begins.", "roundhouse, walnut"),
        (
            "after-layer",
            "Laying the double in the hub was a turn: the player after it begins.",
            "wolf-lake",
        ),
    ),
    "opening": (
        ("single", "Your first turn is one tile, from the hub on your own train.", FIRST_TEXT),
        (
            "whole-train",
            "Your first turn is a whole train: one tile after the other on your own train, as "
            "many as you like.",
            _WHOLE,
        ),
        (
            "simultaneous",
            "Everybody lays a whole train at once, each on their own; then the first player goes "
            "on.",
            "Galt 1994, Fast game",
        ),
        (
            "delayed",
            "In the turn in which you start your train you may lay a whole one; if you cannot "
            "start, you draw one tile, and then start or wait as you like.",
            "the first text, Delayed first turn",
        ),
    ),
    "opening-miss": (
        (
            "draw",
            "If you cannot start in your first turn, you draw one tile and start with it, or put "
            "your marker up.",
            FIRST_TEXT,
        ),
        (
            "marker",
            "If you cannot start in your first turn, your marker goes up; nobody draws.",
            "roundhouse, walnut",
        ),
    ),
    "opening-double": (
        (
            "owed",
            "An opening train may end with a double: it must be covered once everybody has "
            "opened, in the order laid.",
            "roundhouse, walnut",
        ),
        ("refused", "An opening train may not end with a double.", _OTHERS),
    ),
    "own-train-first": (
        ("no", "You may lay on other open trains before your own is started.", FIRST_TEXT),
        (
            "elsewhere",
            "Until your own train has a tile you lay nowhere else, except to cover a double.",
            _OTHERS,
        ),
        (
            "always",
            "Until your own train has a tile you lay nowhere else, not even to cover a double.",
            "wolf-lake",
        ),
    ),
    "opening-elsewhere": (
        ("no", "Your first turn goes to your own train.", FIRST_TEXT),
        (
            "may",
            "From the second player on, if you could start your train in your first turn, you may "
            "play on a public train instead; yours waits, without a marker.",
            "the first text, Strategy",
        ),
    ),
    "others-trains": (
        ("must", "If you can play anywhere, you must.", FIRST_TEXT),
        (
            "may",
            "If you can play on other players' open trains only, you may do so or draw.",
            "wolf-lake",
        ),
    ),
    "mexican": (
        ("one", "There is one Mexican train, open to everybody.", FIRST_TEXT),
        ("none", "There is no Mexican train.", FIRST_TEXT),
        (
            "many",
            "There are as many Mexican trains as are started; they are open to everybody.",
            FIRST_TEXT,
        ),
    ),
    "mexican-from": (
        (
            "after-opening",
            "Anybody may start it once all have had their first turn.",
            "University Games 2015, roundhouse, walnut",
        ),
        ("first-turn", "Anybody may start it, even in the first turn.", "Parsons 1994"),
        (
            "own-started",
            "You may start it if your own train had a tile before this turn.",
            "wolf-lake; other publishers",
        ),
    ),
    "marker-down": (
        ("own-play", "Your marker comes down when you lay on your own train.", _SHEETS),
        (
            "own-covered",
            "Your marker comes down when you lay on your own train, but not for a double that is "
            "left uncovered.",
            _OTHERS,
        ),
        ("any-play", "A marker comes down when anybody lays on that train.", "roundhouse"),
    ),
    "marker-empty": (
        (
            "up",
            "With nothing to lay and an empty boneyard your marker goes up.",
            "the first text, walnut",
        ),
        (
            "pass",
            "With nothing to lay and an empty boneyard you pass, and no marker goes up.",
            "roundhouse",
        ),
    ),
    "marker-voluntary": (
        ("no", "Nobody leaves a marker up by choice.", FIRST_TEXT),
        (
            "yes",
            "In a turn in which you lay a tile from your hand you may say that your marker stays "
            "up (open), or take such a marker down (close).",
            "wolf-lake",
        ),
    ),
    "marker-layer": (
        (
            "always",
            "If you cannot cover your own double your marker goes up, wherever the double lies.",
            "Parsons 1994, Galt 1994",
        ),
        (
            "own-train",
            "If you cannot cover your own double your marker goes up, but not for a double on "
            "somebody else's train.",
            "the first text, strategy section",
        ),
    ),
    "cover": (
        (
            "on-double",
            "The tile after a double must go on it, and until then nothing may be laid elsewhere; "
            "whoever cannot passes the duty on.",
            "Galt 1994, Bauguess 2012, Mexican Train Fun 2015",
        ),
        (
            "anywhere-then-duty",
            "After a double you lay one more tile on any end open to you or on the double; if it "
            "stays open, the players after you must cover it.",
            "Parsons 1994, roundhouse, walnut",
        ),
        (
            "anywhere",
            "After a double you lay one more tile on any end open to you or on the double; nobody "
            "has to cover it afterwards.",
            "Tactic, pagat.com",
        ),
        (
            "layer-may",
            "After a double you may cover it at once, without drawing for it; if you do not, the "
            "players after you must.",
            _OTHERS,
        ),
        ("optional", "After a double you may cover it at once; nobody ever has to.", "Mique 2020"),
    ),
    "several": (
        ("one", "A turn has one double at most.", FIRST_TEXT),
        (
            "two-held",
            "A second double in a turn is allowed together with a tile, held all along, that "
            "covers one of the two; the next player owes the other.",
            "Parsons 1994",
        ),
        (
            "share",
            "A turn may have any number of doubles; you cover the first, the players after you "
            "the others.",
            "Bauguess 2012",
        ),
        (
            "chain",
            "A turn may have any number of doubles, and then one more tile that is none.",
            "roundhouse, walnut",
        ),
        (
            "until-covered",
            "A turn may have any number of doubles if the last tile covers the last of them.",
            _OTHERS,
        ),
    ),
    "duty-order": (
        (
            "first-played",
            "Of several open doubles the first one laid is covered first.",
            "Bauguess 2012, walnut",
        ),
        (
            "last-played",
            "Of several open doubles the last one laid is covered first.",
            "roundhouse",
        ),
    ),
    "layer-miss": (
        (
            "draw",
            "If you have no tile to follow your double, you draw one and lay it if it fits; else "
            "your marker goes up.",
            FIRST_TEXT,
        ),
        (
            "draw-only",
            "If you have no tile to follow your double, you draw one and your turn is over; no "
            "marker goes up.",
            "roundhouse",
        ),
    ),
    "drawn-double": (
        ("draw-again", "If you draw a double and lay it, you may draw again for it.", FIRST_TEXT),
        (
            "no-draw",
            "If you draw a double you may lay it or not; either way your turn ends there, and the "
            "others try to cover it first.",
            "wolf-lake",
        ),
    ),
    "marker-double": (
        (
            "owed",
            "A double that takes your marker down must be covered like any other.",
            FIRST_TEXT,
        ),
        (
            "free",
            "A double that takes your own marker down need not be covered.",
            "Galt 1994, DillyDally",
        ),
    ),
    "last-double": (
        (
            "ends",
            "A double as your last tile ends the round; it need not be covered.",
            "Galt 1994, dominorules.com, roundhouse, walnut",
        ),
        (
            "must-cover",
            "With a double as your last tile you are not out: you draw and must cover it first.",
            "Mexican Train Fun 2015, wolf-lake",
        ),
        (
            "refused",
            "You may not play a double as your last tile, unless it is dead; holding only that, "
            "you draw.",
            "Mexican Train Fun 2015, where it prohibits this",
        ),
    ),
    "double-public": (
        ("no", "A double does not open a train.", FIRST_TEXT),
        (
            "yes",
            "A player's train on which a double is laid is open to all from then on.",
            "the first text, Double public",
        ),
    ),
    "continuous-draw": (
        ("no", "You never draw more than one tile for a double.", FIRST_TEXT),
        (
            "yes",
            "When your double comes back to you uncovered, you draw until you can cover it.",
            "Endless 2020",
        ),
    ),
    "branching": (
        ("none", "Trains do not branch.", FIRST_TEXT),
        (
            "chicken-foot",
            "A covered double takes two more tiles, each a new end of the train.",
            "pagat.com",
        ),
        (
            "three-required",
            "Three tiles must go on a double, one a turn, before anything else is laid.",
            "Mexican Train Fun 2015",
        ),
        (
            "spur",
            "A double on a player's train opens three ends; a tile on any of them covers it, and "
            "the other two stay open. Not on the Mexican train.",
            "wolf-lake",
        ),
    ),
    "draw": (
        ("one", "If you can lay nothing you draw one tile, and lay it if it fits.", FIRST_TEXT),
        ("until-playable", "If you can lay nothing you draw until a tile fits.", _OTHERS),
    ),
    "last-tile": (
        ("none", "Nobody has to tell that one tile is left.", FIRST_TEXT),
        (
            "courtesy",
            "Whoever has one tile left tells the others by a tap, as a courtesy.",
            "Parsons 1994",
        ),
        (
            "tap",
            "Whoever has one tile left must tap; anybody may catch a player who did not, until "
            "that player's next turn.",
            "Mexican Train Fun 2015, roundhouse",
        ),
        (
            "before-play",
            "You must tap (Choo Choo) before the play that leaves you one tile; anybody may catch "
            "you if you did not, until your next turn.",
            "wolf-lake",
        ),
    ),
    "tap-penalty": (
        ("0", "Nobody draws a tile for keeping silent.", FIRST_TEXT),
        ("1", "Whoever is caught silent draws one tile.", "wolf-lake"),
        ("2", "Whoever is caught silent draws two tiles.", "Mexican Train Fun 2015, roundhouse"),
    ),
    "round-end": (
        (
            "blocked",
            "A round that nobody wins ends when the boneyard is empty and all have passed.",
            "Parsons 1994",
        ),
        (
            "last-plays",
            "After the turn that draws the last tile of the boneyard everybody has one more turn "
            "from the hand; a double only together with its cover.",
            "wolf-lake",
        ),
    ),
    "blanks": (
        ("0", "Blanks left in the hand cost nothing.", FIRST_TEXT),
        (
            "25-50",
            "Each blank half left in the hand costs 25, so the double blank 50.",
            "Mexican Train Fun 2015",
        ),
        ("0-50", "The double blank left in the hand costs 50, other blanks nothing.", _OTHERS),
    ),
    "blocked-winner": (
        ("pips", "In a round that nobody wins everybody counts their pips.", FIRST_TEXT),
        ("zero", "In a round that nobody wins the lowest hand scores 0.", _OTHERS),
    ),
    "ties": (
        (
            "zero-rounds",
            "Of equal totals the one with more rounds at 0 wins, then the one with the lowest "
            "other round.",
            "Mexican Train Fun 2015",
        ),
        ("shared", "Players with equal totals share the game.", _OTHERS),
    ),
    "strategic-error": (
        ("no", "Drawing or passing with a tile that fits is refused.", FIRST_TEXT),
        (
            "yes",
            "Drawing or passing with a tile that fits costs the highest score of the round "
            "(a written game only: over a network the proof rules it out).",
            FIRST_TEXT,
        ),
    ),
    "partners": (
        ("no", "Everybody plays alone.", FIRST_TEXT),
        (
            "yes",
            "Opposite players are partners: one train with two ends, one score; 4, 6 or 8 play.",
            "the first text, Partnerships",
        ),
    ),
    "swan-drive": (
        ("no", "A turn does not go on along the public trains.", FIRST_TEXT),
        (
            "yes",
            "After a tile on your own train you may lay one on the next public train clockwise, "
            "then on the one after it, and so on.",
            "the first text, Swan drive",
        ),
    ),
    "bullet": (
        ("no", "Nobody lays a whole hand at once.", FIRST_TEXT),
        (
            "yes",
            "If your whole hand makes one train you may lay it all on your own train (bullet); "
            "the others lay what they can on theirs, and the round is over.",
            "the first text, Bullet Train",
        ),
    ),
    "wild-blanks": (
        ("no", "A blank joins a blank only.", FIRST_TEXT),
        (
            "yes",
            "Blanks are wild: a blank half fits any end, and an open blank takes any half.",
            "the first text, Blanks; University Games 2015",
        ),
    ),
}
"""Every switch but `deal`, whose values are numbers."""
