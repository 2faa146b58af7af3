"""The rules of one table as one value; every difference between the published systems is a field.

Code asks for a field of `RuleSet` and never for the name of a preset.
"""

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one table. Defaults are the preset `standard`. [docs/rules.md §8]

    Each field is the switch of the same name, whose meaning and source stand in `told.TOLD`.
    """

    deal: DealTable | int = DealTable.STANDARD
    """A deal table, or a number of tiles given by hand. [docs/rules.md §1.3]"""
    engine: Engine = Engine.SET_ASIDE
    """[docs/rules.md §1.4]"""
    engine_missing: EngineMissing = EngineMissing.ALL_DRAW
    """[docs/rules.md §1.6; roundhouse; Galt 1994, walnut]"""
    first: First = First.RANDOM_ROTATE
    """[docs/rules.md §1.5; Parsons 1994; Tactic; RNK 2020; roundhouse, walnut; wolf-lake]"""
    opening: Opening = Opening.SINGLE
    """[docs/rules.md §3.1; the first text; Galt 1994, Bauguess 2012, roundhouse, walnut]"""
    opening_miss: OpeningMiss = OpeningMiss.DRAW
    """[docs/rules.md §3.2; the first text; roundhouse, walnut]"""
    opening_double: OpeningDouble = OpeningDouble.OWED
    """[docs/rules.md §3.5; roundhouse, walnut; other publishers]"""
    own_train_first: OwnTrainFirst = OwnTrainFirst.NO
    """[docs/rules.md §3.4; other publishers; wolf-lake]"""
    opening_elsewhere: OpeningElsewhere = OpeningElsewhere.NO
    """[docs/rules.md §3.6; the first text's strategy section]"""
    others_trains: OthersTrains = OthersTrains.MUST
    """[docs/rules.md §2.8; the first text; wolf-lake]"""
    mexican: Mexican = Mexican.ONE
    """[docs/rules.md §4.1; the first text]"""
    mexican_from: MexicanFrom = MexicanFrom.AFTER_OPENING
    """[docs/rules.md §4.2; Parsons 1994; University Games; wolf-lake]"""
    marker_down: MarkerDown = MarkerDown.OWN_PLAY
    """[docs/rules.md §6.2; Galt and Parsons 1994; other publishers; roundhouse]"""
    marker_empty: MarkerEmpty = MarkerEmpty.UP
    """[docs/rules.md §6.1; the first text, walnut; roundhouse]"""
    marker_voluntary: MarkerVoluntary = MarkerVoluntary.NO
    """[docs/rules.md §6.4; wolf-lake]"""
    marker_layer: MarkerLayer = MarkerLayer.ALWAYS
    """[docs/rules.md §6.1; Parsons and Galt 1994; the first text's strategy section]"""
    cover: Cover = Cover.ON_DOUBLE
    """[docs/rules.md §5.2]"""
    several: Several = Several.ONE
    """[docs/rules.md §5.8]"""
    duty_order: DutyOrder = DutyOrder.FIRST_PLAYED
    """[docs/rules.md §5.9; Bauguess 2012, walnut; roundhouse]"""
    layer_miss: LayerMiss = LayerMiss.DRAW
    """[docs/rules.md §5.10; the first text; roundhouse]"""
    drawn_double: DrawnDouble = DrawnDouble.DRAW_AGAIN
    """[docs/rules.md §5.11; the first text; wolf-lake]"""
    marker_double: MarkerDouble = MarkerDouble.OWED
    """[docs/rules.md §5.6; the first text; Galt 1994, DillyDally]"""
    last_double: LastDouble = LastDouble.ENDS
    """[docs/rules.md §7.1]"""
    double_public: DoublePublic = DoublePublic.NO
    """[docs/rules.md §6.3; the first text, Double public]"""
    continuous_draw: ContinuousDraw = ContinuousDraw.NO
    """[docs/rules.md §5.4; Endless 2020]"""
    branching: Branching = Branching.NONE
    """[docs/rules.md §5.7; pagat.com; Mexican Train Fun 2015; wolf-lake]"""
    draw: Draw = Draw.ONE
    """[docs/rules.md §2.4; other publishers]"""
    last_tile: LastTile = LastTile.NONE
    """[docs/rules.md §7.7; Parsons 1994; Mexican Train Fun 2015, roundhouse; wolf-lake]"""
    tap_penalty: TapPenalty = TapPenalty.ZERO
    """[docs/rules.md §7.7; wolf-lake; Mexican Train Fun 2015, roundhouse]"""
    round_end: RoundEnd = RoundEnd.BLOCKED
    """[docs/rules.md §7.8; Parsons 1994; wolf-lake]"""
    blanks: Blanks = Blanks.ZERO
    """[docs/rules.md §7.3; Mexican Train Fun 2015; other publishers]"""
    blocked_winner: BlockedWinner = BlockedWinner.PIPS
    """[docs/rules.md §7.3; the first text; other publishers]"""
    ties: Ties = Ties.ZERO_ROUNDS
    """[docs/rules.md §7.5; Mexican Train Fun 2015]"""
    strategic_error: StrategicError = StrategicError.NO
    """[docs/rules.md §7.9; the first text]"""
    partners: Partners = Partners.NO
    """[docs/rules.md §2.5; the first text, Partnerships]"""
    swan_drive: SwanDrive = SwanDrive.NO
    """[docs/rules.md §2.6; the first text, Swan drive]"""
    bullet: Bullet = Bullet.NO
    """[docs/rules.md §7.10; the first text, Bullet Train]"""
    wild_blanks: WildBlanks = WildBlanks.NO
    """[docs/rules.md §2.7; the first text, Blanks]"""
