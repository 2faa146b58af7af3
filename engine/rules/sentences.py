"""What each switch means, in one sentence, and where it comes from: the text of menus and docs."""

from enum import Enum
from typing import Final

from engine.rules.deals import DealTable
from engine.rules.switches import (
    Blanks,
    BlockedWinner,
    Branching,
    Bullet,
    ContinuousDraw,
    Cover,
    DoublePublic,
    Draw,
    DrawnDouble,
    DutyOrder,
    Engine,
    EngineMissing,
    First,
    LastDouble,
    LastTile,
    LayerMiss,
    MarkerDouble,
    MarkerDown,
    MarkerEmpty,
    MarkerLayer,
    MarkerVoluntary,
    Mexican,
    MexicanFrom,
    Opening,
    OpeningDouble,
    OpeningElsewhere,
    OpeningMiss,
    OthersTrains,
    OwnTrainFirst,
    Partners,
    RoundEnd,
    Several,
    StrategicError,
    SwanDrive,
    TapPenalty,
    Ties,
    WildBlanks,
)

TOLD: Final[tuple[tuple[str, type[Enum], str, str], ...]] = (
    (
        "deal",
        DealTable,
        "How many tiles each seat is dealt: a published table, or a number.",
        "the first text's table; roundhouse, walnut, wolf-lake; other publishers",
    ),
    (
        "engine",
        Engine,
        "How the hub's double is found: set aside before the shuffle, laid by its holder, the "
        "highest double held, the first seat's highest or else any of the next seat's, or declared "
        "from the highest down.",
        "Parsons 1994, Bauguess 2012; Galt 1994; roundhouse, walnut; wolf-lake",
    ),
    (
        "engine-missing",
        EngineMissing,
        "With that double in no hand every seat draws one at once, or seats draw one in turn.",
        "roundhouse; Galt 1994, walnut",
    ),
    (
        "first",
        First,
        "Who plays first: by lot or by choice and then one seat on a round, by the highest tile "
        "drawn, who laid the engine, or the seat after.",
        "Parsons 1994; Tactic; RNK 2020; roundhouse, walnut; wolf-lake",
    ),
    (
        "opening",
        Opening,
        "The first turn is one tile, a whole chain in turn, a chain by all at once, or a chain "
        "whenever the train is started.",
        "the first text; Galt 1994, Bauguess 2012, roundhouse, walnut",
    ),
    (
        "opening-miss",
        OpeningMiss,
        "Who cannot start in the first turn draws one tile, or puts the marker up at once.",
        "the first text; roundhouse, walnut",
    ),
    (
        "opening-double",
        OpeningDouble,
        "A chain that ends on a double: owed once all have opened, or not allowed.",
        "roundhouse, walnut; other publishers",
    ),
    (
        "own-train-first",
        OwnTrainFirst,
        "Before its own train has a tile a seat may lay elsewhere, may only cover elsewhere, or "
        "may not even do that.",
        "other publishers; wolf-lake",
    ),
    (
        "opening-elsewhere",
        OpeningElsewhere,
        "Whether a seat that could start its train in its first turn may lay on a public train "
        "instead.",
        "the first text, Strategy",
    ),
    (
        "others-trains",
        OthersTrains,
        "Whether a seat that can lay on others' open trains only must, or may draw instead.",
        "the first text; wolf-lake",
    ),
    (
        "mexican",
        Mexican,
        "How many Mexican trains there are: one, none (private trains), or as many as are begun.",
        "the first text",
    ),
    (
        "mexican-from",
        MexicanFrom,
        "When the Mexican train may be started: at once, after all first turns, or by a seat "
        "whose own train had a tile before this turn.",
        "Parsons 1994; University Games; wolf-lake",
    ),
    (
        "marker-down",
        MarkerDown,
        "What takes a marker down: the owner's lay, the owner's lay but no uncovered double, or "
        "anybody's lay.",
        "Galt and Parsons 1994; other publishers; roundhouse",
    ),
    (
        "marker-empty",
        MarkerEmpty,
        "With nothing to lay and nothing to draw the marker goes up, or the seat just passes.",
        "the first text, walnut; roundhouse",
    ),
    (
        "marker-voluntary",
        MarkerVoluntary,
        "Whether a seat that lays a tile may leave its marker up, or take such a marker down.",
        "wolf-lake",
    ),
    (
        "marker-layer",
        MarkerLayer,
        "Who cannot cover their own double is marked always, or not for a double on somebody "
        "else's train.",
        "Parsons and Galt 1994; the first text's strategy section",
    ),
    (
        "cover",
        Cover,
        "The tile after a double goes on it; or anywhere, and later seats owe it or nobody "
        "does; or its player may cover it, and later seats owe it or nobody does.",
        "Galt 1994, Bauguess 2012; Parsons 1994, roundhouse, walnut; Tactic, pagat.com; other "
        "publishers; Mique 2020",
    ),
    (
        "several",
        Several,
        "Doubles in one turn: one; two with a cover in hand; any number, shared out; any number "
        "and one more tile; any number until the last is covered.",
        "the first text; Parsons 1994; Bauguess 2012; roundhouse, walnut; other publishers",
    ),
    (
        "duty-order",
        DutyOrder,
        "Of several open doubles the first played is owed first, or the last.",
        "Bauguess 2012, walnut; roundhouse",
    ),
    (
        "layer-miss",
        LayerMiss,
        "A double's player without a further tile draws and lays what fits, or only draws.",
        "the first text; roundhouse",
    ),
    (
        "drawn-double",
        DrawnDouble,
        "A drawn double brings another draw for its cover, or ends the turn for the others to "
        "cover.",
        "the first text; wolf-lake",
    ),
    (
        "marker-double",
        MarkerDouble,
        "Whether a double that takes down the own marker must be covered.",
        "the first text; Galt 1994, DillyDally",
    ),
    (
        "last-double",
        LastDouble,
        "Whether a double as last tile ends the round, must be covered to be out, or may not be "
        "laid.",
        "Galt 1994, dominorules.com, roundhouse, walnut; Mexican Train Fun 2015, wolf-lake",
    ),
    (
        "double-public",
        DoublePublic,
        "Whether a train becomes public by having a double laid on it.",
        "the first text, Double public",
    ),
    (
        "continuous-draw",
        ContinuousDraw,
        "Whether a double's layer, when nobody covered it, draws until it can be covered.",
        "Endless 2020",
    ),
    (
        "branching",
        Branching,
        "Doubles do not branch; or take two more tiles once covered; or need three covers; or "
        "open three ends on a seat's train.",
        "pagat.com; Mexican Train Fun 2015; wolf-lake",
    ),
    (
        "draw",
        Draw,
        "Whether a seat that can lay nothing draws one tile, or draws until it can.",
        "other publishers",
    ),
    (
        "last-tile",
        LastTile,
        "Whether a seat tells that it has one tile left: not at all, as a courtesy, once it is "
        "so, or before that play.",
        "Parsons 1994; Mexican Train Fun 2015, roundhouse; wolf-lake",
    ),
    (
        "tap-penalty",
        TapPenalty,
        "How many tiles a seat draws that kept silent about its last tile and was caught.",
        "wolf-lake; Mexican Train Fun 2015, roundhouse",
    ),
    (
        "round-end",
        RoundEnd,
        "A round that nobody wins ends when all are blocked, or with one last play each after "
        "the boneyard's last tile.",
        "Parsons 1994; wolf-lake",
    ),
    (
        "blanks",
        Blanks,
        "What blanks in the hand cost: nothing, 25 a half and 50 the double, or 50 the double.",
        "Mexican Train Fun 2015; other publishers",
    ),
    (
        "blocked-winner",
        BlockedWinner,
        "Whether the lowest hand of a blocked round counts its pips or scores 0.",
        "the first text; other publishers",
    ),
    (
        "ties",
        Ties,
        "Whether equal totals are decided by rounds at 0, then by the lowest other round.",
        "Mexican Train Fun 2015",
    ),
    (
        "strategic-error",
        StrategicError,
        "Whether a proven draw or pass with a playable tile costs the round's highest score.",
        "the first text",
    ),
    (
        "partners",
        Partners,
        "Whether opposite seats are partners with one train of two ends and one score.",
        "the first text, Partnerships",
    ),
    (
        "swan-drive",
        SwanDrive,
        "Whether a lay on the own train may be followed by one tile on each further public train.",
        "the first text, Swan drive",
    ),
    (
        "bullet",
        Bullet,
        "Whether a seat that can lay its whole hand on its own train may end the round so.",
        "the first text, Bullet Train",
    ),
    (
        "wild-blanks",
        WildBlanks,
        "Whether a blank half fits any end, and an open blank takes any half.",
        "the first text, Blanks",
    ),
)
"""Name, enumeration, sentence and source of every switch, in the order of docs/rules.md §8."""
