"""The rules of one table as one value; every difference between the published systems is a field.

Code asks for a field of `RuleSet` and never for the name of a preset.
"""

from dataclasses import dataclass
from typing import assert_never

from engine.rules.deals import DealTable
from engine.rules.switches import (
    Blanks,
    BlockedWinner,
    Branching,
    Bullet,
    ContinuousDraw,
    Cover,
    DoublePublic,
    DrawnDouble,
    DrawRule,
    DutyOrder,
    Engine,
    EngineMissing,
    First,
    HandPoints,
    LastDouble,
    LastTile,
    LayerMiss,
    MarkerDouble,
    MarkerDownBy,
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
    StartDouble,
    StrategicError,
    SwanDrive,
    TapPenalty,
    Target,
    Ties,
    WildBlanks,
)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one table. Defaults are the preset `standard`. [docs/rules.md §8]

    Each field is a switch, called like it; the class of the switch says what it means.
    """

    deal: DealTable | int = DealTable.STANDARD
    """A deal table, or a number of tiles given by hand. [docs/rules.md §1.3]"""
    engine: Engine = Engine.SET_ASIDE
    start_double: StartDouble | int = StartDouble.HIGHEST
    """The highest double, or the pips of a lower one. [docs/rules.md §1.4]"""
    engine_missing: EngineMissing = EngineMissing.ALL_DRAW
    first: First = First.RANDOM_ROTATE
    opening: Opening = Opening.SINGLE
    opening_miss: OpeningMiss = OpeningMiss.DRAW
    opening_double: OpeningDouble = OpeningDouble.OWED
    own_train_first: OwnTrainFirst = OwnTrainFirst.NO
    opening_elsewhere: OpeningElsewhere = OpeningElsewhere.NO
    others_trains: OthersTrains = OthersTrains.MUST
    mexican: Mexican = Mexican.ONE
    mexican_from: MexicanFrom = MexicanFrom.AFTER_OPENING
    marker_down: MarkerDownBy = MarkerDownBy.OWN_PLAY
    marker_empty: MarkerEmpty = MarkerEmpty.UP
    marker_voluntary: MarkerVoluntary = MarkerVoluntary.NO
    marker_layer: MarkerLayer = MarkerLayer.ALWAYS
    cover: Cover = Cover.ON_DOUBLE
    several: Several = Several.ONE
    duty_order: DutyOrder = DutyOrder.FIRST_PLAYED
    layer_miss: LayerMiss = LayerMiss.DRAW
    drawn_double: DrawnDouble = DrawnDouble.DRAW_AGAIN
    marker_double: MarkerDouble = MarkerDouble.OWED
    last_double: LastDouble = LastDouble.ENDS
    double_public: DoublePublic = DoublePublic.NO
    continuous_draw: ContinuousDraw = ContinuousDraw.NO
    branching: Branching = Branching.NONE
    draw: DrawRule = DrawRule.ONE
    last_tile: LastTile = LastTile.NONE
    tap_penalty: TapPenalty = TapPenalty.ZERO
    round_end: RoundEnd = RoundEnd.BLOCKED
    scoring: HandPoints = HandPoints.PENALTY
    target: Target | int = Target.NONE
    """No total, or one that ends the game. [docs/rules.md §7.4]"""
    blanks: Blanks = Blanks.ZERO
    blocked_winner: BlockedWinner = BlockedWinner.PIPS
    ties: Ties = Ties.ZERO_ROUNDS
    strategic_error: StrategicError = StrategicError.NO
    partners: Partners = Partners.NO
    swan_drive: SwanDrive = SwanDrive.NO
    bullet: Bullet = Bullet.NO
    wild_blanks: WildBlanks = WildBlanks.NO

    def standing(self, points: int) -> int:
        """Points as a rank: lower is better, in a round and in all. [docs/rules.md §7.4]"""
        match self.scoring:
            case HandPoints.PENALTY:
                return points
            case HandPoints.WINNER_TAKES:
                return -points
            case _:
                assert_never(self.scoring)

    @property
    def aim(self) -> str:
        """Who wins the game, as the end of a sentence. [docs/rules.md §7.4]"""
        return f"the {'lowest' if self.standing(1) > 0 else 'highest'} total wins"
