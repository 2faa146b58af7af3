"""The sentences of a rule sheet that depend on switches other than their own.

`sentences` picks those that fit the rules of a table.
"""

from typing import Final, NamedTuple


class SheetSentence(NamedTuple):
    """A sentence, and the rules under which a sheet has it.

    `about` is one value of a switch (`cover next`), several values of one switch (`cover next
    optional`), or the title of a chapter. `where` has conditions joined by ` | `, which must all
    hold: each is a switch and the values that it may have.
    """

    about: str
    where: str
    sentence: str


_ARMS: Final = "mexican 4-arms 6-arms 8-arms"
_CHAINS: Final = "opening whole-train simultaneous delayed"

INSTEAD: Final = (
    # ---- the deal
    SheetSentence("The deal", "draw none", "The tiles that are not dealt are the boneyard."),
    # ---- the engine
    SheetSentence(
        "engine set-aside",
        "start-double lowest",
        "The round's double lies in the hub before the shuffle; each further round has the next "
        "higher one.",
    ),
    SheetSentence(
        "engine holder",
        "start-double lowest",
        "The round's double is dealt with the rest, and its holder plays it in the hub; each "
        "further round has the next higher one.",
    ),
    SheetSentence(
        "engine-missing all-draw",
        "engine highest-held first-seat last-winner",
        "If nobody holds a double, everybody draws one tile and keeps it, again and again until "
        "one shows; if the boneyard cannot serve all, the round is dealt again.",
    ),
    SheetSentence(
        "engine-missing all-draw",
        "engine highest-unused",
        "If nobody holds an unused double, everybody draws one tile and keeps it, again and again "
        "until one shows; if the boneyard cannot serve all, the round is dealt again.",
    ),
    SheetSentence(
        "engine-missing turn-draw",
        "engine highest-held first-seat last-winner",
        "If nobody holds a double, players draw one tile in turn, from the one who leads on, "
        "until one shows, and keep what they drew.",
    ),
    SheetSentence(
        "engine-missing turn-draw",
        "engine highest-unused",
        "If nobody holds an unused double, players draw one tile in turn, from the one who leads "
        "on, until one shows, and keep what they drew.",
    ),
    # ---- the opening
    SheetSentence(
        "opening delayed",
        "draw until-playable",
        "In the turn in which you start your train you may play a whole one; if you cannot start, "
        "you draw until you can, and then start or wait as you like.",
    ),
    SheetSentence(
        "opening-miss draw draw-until",
        "double-anywhere yes | draw until-playable",
        "If you can play nothing in your first turn, you draw until you can; if the boneyard runs "
        "out before, your marker goes up.",
    ),
    SheetSentence(
        "opening-miss draw-until",
        "double-anywhere yes",
        "If you can play nothing in your first turn, you draw until you can; if the boneyard runs "
        "out before, your marker goes up.",
    ),
    SheetSentence(
        "opening-miss draw",
        "double-anywhere yes",
        "If you can play nothing in your first turn, you draw one tile and play it if it fits; "
        "otherwise your marker goes up.",
    ),
    SheetSentence(
        "opening-miss marker",
        "double-anywhere yes",
        "If you can play nothing in your first turn, your marker goes up; nobody draws.",
    ),
    SheetSentence(
        "opening-miss draw",
        "draw until-playable",
        "If you cannot start in your first turn, you draw until you can; if the boneyard runs out "
        "before, your marker goes up.",
    ),
    SheetSentence(
        "opening-double owed",
        "cover anywhere optional none",
        "An opening train may end with a double; nobody has to cover it.",
    ),
    SheetSentence(
        "opening-double owed",
        "opening delayed",
        "A whole train may end with a double: it must be covered, but not before everybody has had "
        "their first turn.",
    ),
    SheetSentence(
        "opening-elsewhere no",
        "double-anywhere yes | mexican one many | mexican-from first-turn",
        "Your first turn goes to your own train or to a Mexican train; only a double may go on "
        "another one.",
    ),
    SheetSentence(
        "opening-elsewhere no",
        "double-anywhere yes | mexican one many | mexican-from first-player",
        "Your first turn goes to your own train, and if you are the first player, it may go to a "
        "Mexican train; only a double may go on another one.",
    ),
    SheetSentence(
        "opening-elsewhere no",
        "double-anywhere yes",
        "Your first turn goes to your own train; only a double may go on another one.",
    ),
    SheetSentence(
        "opening-elsewhere no",
        "mexican one many | mexican-from first-turn | opening single",
        "Your first turn goes to your own train or to a Mexican train.",
    ),
    SheetSentence(
        "opening-elsewhere no",
        "mexican one many | mexican-from first-turn | opening whole-train delayed",
        "Your first turn goes to your own train or, with one tile, to a Mexican train.",
    ),
    SheetSentence(
        "opening-elsewhere no",
        "mexican one many | mexican-from first-player | opening single",
        "Your first turn goes to your own train; if you are the first player, it may go to a "
        "Mexican train.",
    ),
    SheetSentence(
        "opening-elsewhere no",
        "mexican one many | mexican-from first-player | opening whole-train delayed",
        "Your first turn goes to your own train; if you are the first player, it may go to a "
        "Mexican train, with one tile.",
    ),
    SheetSentence(
        "opening-miss draw",
        "draw one | mexican one many | mexican-from first-turn | opening single",
        "If you can play nothing in your first turn, you draw one tile and play it if it fits; "
        "otherwise your marker goes up.",
    ),
    SheetSentence(
        "opening-miss draw",
        "draw one | opening whole-train simultaneous",
        "If you cannot start in your first turn, you draw one tile and start with it if it fits, "
        "going on as above; otherwise your marker goes up.",
    ),
    SheetSentence(
        "opening-miss marker",
        "marker-empty pass",
        "If you cannot start in your first turn, your marker goes up, whether or not there is a "
        "boneyard; nobody draws.",
    ),
    SheetSentence(
        "first after-layer",
        _ARMS,
        "Playing the double in the hub was a turn: the next player begins.",
    ),
    # ---- trains
    SheetSentence(
        "mexican-from first-turn first-player",
        "opening simultaneous",
        "Anybody may start a Mexican train once all have had their first turn.",
    ),
    SheetSentence(
        "mexican-from after-opening",
        "own-train-first elsewhere always",
        "Once all have had their first turn, you may start a Mexican train if your own has a tile.",
    ),
    SheetSentence(
        "others-trains may",
        "mexican none",
        "If you can play on your own train, you must play, there or elsewhere; if you can play on "
        "other players' open trains only, you may do so or draw.",
    ),
    SheetSentence(
        "swan-drive yes",
        "mexican none",
        "After a tile on your own train you may play one on the next public train, as turns "
        "go, then on the one after it, none left out, until you stop or cannot play.",
    ),
    # ---- doubles
    SheetSentence("Doubles", "cover anywhere optional none", ""),
    SheetSentence(
        "double-anywhere yes",
        "cover anywhere optional none",
        "A double may be played on any train that has a tile, even one that is closed to you.",
    ),
    SheetSentence(
        "cover on-double",
        "several two-held",
        "The tile after a double must go on it, or on the second of two, and until all are covered "
        "nobody may play elsewhere; a player who cannot passes the duty on.",
    ),
    SheetSentence(
        "cover on-double",
        "several share",
        "The tile after your doubles must go on the first of them, and until all are covered "
        "nobody may play elsewhere; a player who cannot passes the duty on.",
    ),
    SheetSentence(
        "cover on-double",
        "several until-covered",
        "The tile after your doubles must go on the last of them, and until all are covered "
        "nobody may play elsewhere; a player who cannot passes the duty on.",
    ),
    SheetSentence(
        "cover on-double",
        "branching three-required",
        "The tile after a double must go on it; a player who cannot passes the duty on.",
    ),
    SheetSentence(
        "cover next",
        "branching three-required",
        "A double ends your turn: the players after you must put three tiles on it, one a turn, "
        "before they play elsewhere.",
    ),
    SheetSentence(
        "duty-order last-played",
        _CHAINS,
        "Of several doubles played after the opening the last one is covered first.",
    ),
    SheetSentence(
        "drawn-double draw-again",
        "layer-miss draw-only",
        "If you draw a double and play it, and hold no tile to follow it, you draw again and your "
        "turn is over.",
    ),
    SheetSentence(
        "several one",
        f"{_CHAINS} | swan-drive yes",
        "Except in whole trains and swan drives, you play at most one double in a turn.",
    ),
    SheetSentence(
        "several one",
        "bullet yes | swan-drive yes",
        "Except in whole trains and swan drives, you play at most one double in a turn.",
    ),
    SheetSentence(
        "several one",
        "swan-drive yes",
        "Except in a swan drive, you play at most one double in a turn.",
    ),
    SheetSentence(
        "several one", _CHAINS, "Except in a whole train, you play at most one double in a turn."
    ),
    SheetSentence(
        "several one",
        "bullet yes",
        "Except in a whole train, you play at most one double in a turn.",
    ),
    SheetSentence(
        "several two-held",
        "cover anywhere",
        "You may play two doubles in a turn if you then cover one of them with a tile that you "
        "held all along.",
    ),
    SheetSentence(
        "layer-miss draw",
        "cover layer-may | draw until-playable",
        "For a double as your last tile you draw until a tile fits.",
    ),
    SheetSentence(
        "layer-miss draw",
        "cover layer-may",
        "For a double as your last tile you draw one tile and play it if it fits.",
    ),
    SheetSentence(
        "layer-miss draw-only",
        "cover layer-may",
        "For a double as your last tile you draw one tile and play it if it fits; no marker goes "
        "up for that.",
    ),
    SheetSentence(
        "layer-miss draw",
        "draw until-playable",
        "If you have no tile to follow your double, you draw until one fits.",
    ),
    SheetSentence(
        "layer-miss draw-only",
        _ARMS,
        "If you have no tile to follow your double, you draw one and your turn is over.",
    ),
    SheetSentence(
        "layer-miss draw-only",
        "last-double must-cover",
        "If you hold tiles but none to follow your double, you draw one and your turn is over; no "
        "marker goes up for that.",
    ),
    SheetSentence(
        "drawn-double draw-again",
        "several share",
        "If you draw a double and play it as the first of your turn, you draw again if you hold no "
        "tile to cover it.",
    ),
    SheetSentence(
        "drawn-double no-draw",
        _ARMS,
        "If you draw a double you may play it or not. You follow it with a tile you hold, but do "
        "not draw for it: if you hold none, the others try first.",
    ),
    SheetSentence(
        "drawn-double no-draw",
        "cover anywhere",
        "If you draw a double you may play it or not. You follow it with a tile you hold, but do "
        "not draw for it: if you hold none, your marker goes up and your turn is over.",
    ),
    SheetSentence(
        "marker-double owed",
        "cover anywhere",
        "After a double that takes your marker down you play one more tile, as after any other.",
    ),
    SheetSentence(
        "marker-double owed",
        "cover optional",
        "A double that takes your marker down may be covered at once, as any other.",
    ),
    SheetSentence(
        "marker-double free",
        "cover anywhere optional",
        "A double that takes your own marker down ends your turn.",
    ),
    SheetSentence(
        "branching three-required",
        _ARMS,
        "Three tiles must go on a double, one a turn, before anything else is played; each is then "
        "an end to play on.",
    ),
    SheetSentence(
        "branching spur",
        "mexican none",
        "A double on a player's train opens three ends; a tile on any of them covers it, and the "
        "other two stay open.",
    ),
    # ---- markers
    SheetSentence(
        "marker-layer always",
        "layer-miss draw-only | drawn-double no-draw | cover anywhere",
        "If you have no tile for a double that you drew in the same turn, your marker goes up, "
        "wherever the double lies.",
    ),
    SheetSentence(
        "marker-layer own-train",
        "layer-miss draw-only | drawn-double no-draw | cover anywhere",
        "If you have no tile for a double that you drew in the same turn, your marker goes up, but "
        "not for a double on somebody else's train.",
    ),
    SheetSentence(
        "marker-layer always",
        "layer-miss draw-only | cover on-double anywhere-then-duty",
        "If your own double comes back to you and you cannot cover it, your marker goes up, "
        "wherever the double lies.",
    ),
    SheetSentence(
        "marker-layer own-train",
        "layer-miss draw-only | cover on-double anywhere-then-duty",
        "If your own double comes back to you and you cannot cover it, your marker goes up, but "
        "not for a double on somebody else's train.",
    ),
    SheetSentence(
        "marker-layer always",
        "cover layer-may next",
        "If your own double comes back to you and you cannot cover it, your marker goes up, "
        "wherever the double lies.",
    ),
    SheetSentence(
        "marker-layer own-train",
        "cover layer-may next",
        "If your own double comes back to you and you cannot cover it, your marker goes up, but "
        "not for a double on somebody else's train.",
    ),
    SheetSentence(
        "marker-empty pass",
        "cover none",
        "If you have to draw and the boneyard is empty already, you pass and no marker goes up.",
    ),
    SheetSentence(
        "marker-down own-covered",
        "cover none",
        "Your marker comes down when you play on your own train.",
    ),
    # ---- the end of a round
    SheetSentence(
        "round-end blocked",
        f"draw none | opening-miss marker | {_ARMS}",
        "A round in which nobody is out ends when all have passed in a row.",
    ),
    SheetSentence(
        "round-end blocked",
        _ARMS,
        "A round in which nobody is out ends when the boneyard is empty and all have passed in a "
        "row.",
    ),
    SheetSentence(
        "round-end blocked",
        "draw none",
        "A round in which nobody is out ends when all have passed in a row, counted anew whenever "
        "a marker has opened a place to play.",
    ),
    SheetSentence(
        "round-end last-plays",
        "cover none",
        "After the turn that draws the boneyard's last tile everybody has one more turn from "
        "the hand, and the player who drew it goes last; then the round is over.",
    ),
    # ---- scores
    SheetSentence(
        "scoring penalty",
        "partners yes",
        "Pips left in the hands of a pair count against it, but none if either is out; the lowest "
        "total wins.",
    ),
    SheetSentence(
        "scoring winner-takes",
        "partners yes | ties shared",
        "The pair that wins a round scores the pips left in all other hands, the others nothing; "
        "if nobody is out that is the pair that holds the fewest. The highest total wins.",
    ),
    SheetSentence(
        "leaver-score heaviest",
        "scoring winner-takes",
        "If a player leaves for good, or is voted out, the winner of that round scores as "
        "many tiles as that player held: the costliest of those not on the table at that "
        "time.",
    ),
    SheetSentence(
        "leaver-score average",
        "scoring winner-takes",
        "If a player leaves for good, or is voted out, the winner of that round scores as "
        "many tiles as that player held, at the average of all tiles not on the table at "
        "that time, rounded down; nothing if play was over.",
    ),
    # ---- general sentences of chapters
    SheetSentence(
        "The engine, and who begins",
        _ARMS,
        "Every arm starts from the double in the hub, in the middle of the table.",
    ),
    SheetSentence("A turn", _ARMS, "A tile joins an open end with the same number."),
    SheetSentence("Markers", _ARMS, ""),
    SheetSentence(
        "Markers",
        "marker-empty pass | draw one until-playable",
        "If you draw and still cannot play what you have to, your marker, a coin on your train, "
        "goes up: the train is open to all, even before it has a tile.",
    ),
)
"""Sentences that replace the usual one; the first whose conditions hold wins."""

ALSO: Final = (
    SheetSentence(
        "marker-down own-play own-covered any-play",
        "double-public yes",
        "A double does not take it down, nor does the tile that covers it.",
    ),
    SheetSentence(
        "marker-down own-play own-covered",
        "partners yes",
        "Your partner's play there takes it down, too.",
    ),
    SheetSentence(
        "round-end last-plays",
        "cover on-double anywhere-then-duty layer-may next",
        "A double that is open then must be covered first; if nobody can, the round is over.",
    ),
    SheetSentence(
        "Doubles",
        "cover on-double anywhere-then-duty layer-may next | mexican one none many",
        "A player who must cover a double plays on it even if its train is closed to them.",
    ),
    SheetSentence(
        "Markers",
        "partners yes",
        "When your marker would go up, it does so only if your partner's latest turn failed, too.",
    ),
    SheetSentence(
        "The end of a round",
        _CHAINS,
        "In the opening it is over once everybody has had their first turn.",
    ),
)
"""Sentences that follow the usual one."""
