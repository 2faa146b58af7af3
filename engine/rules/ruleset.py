"""The rules of one table as one value; every difference between the published systems is a field.

Code reads the fields of a `RuleSet`, never the name of a preset.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from types import MappingProxyType
from typing import Final, assert_never

from engine.rules import switches
from engine.rules.deals import DealTable


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one table; the defaults are the preset `standard`. [docs/rules.md §8]

    Each field is the switch of the same name; the switch's class documents its values.
    """

    deal: DealTable | int = DealTable.STANDARD
    """A deal table, or a chosen number of tiles. [docs/rules.md §1.3]"""
    engine: switches.Engine = switches.Engine.SET_ASIDE
    start_double: switches.StartDouble | int = switches.StartDouble.HIGHEST
    """The highest double, or the pips of a lower one. [docs/rules.md §1.4]"""
    engine_missing: switches.EngineMissing = switches.EngineMissing.ALL_DRAW
    first: switches.First = switches.First.RANDOM_ROTATE
    opening: switches.Opening = switches.Opening.SINGLE
    opening_miss: switches.OpeningMiss = switches.OpeningMiss.DRAW
    opening_double: switches.OpeningDouble = switches.OpeningDouble.OWED
    own_train_first: switches.OwnTrainFirst = switches.OwnTrainFirst.NO
    opening_elsewhere: switches.OpeningElsewhere = switches.OpeningElsewhere.NO
    direction: switches.Direction = switches.Direction.LEFT
    others_trains: switches.OthersTrains = switches.OthersTrains.MUST
    mexican: switches.Mexican = switches.Mexican.ONE
    arms_then: switches.ArmsThen = switches.ArmsThen.ANYTHING
    mexican_from: switches.MexicanFrom = switches.MexicanFrom.AFTER_OPENING
    marker_down: switches.MarkerDownBy = switches.MarkerDownBy.OWN_PLAY
    marker_empty: switches.MarkerEmpty = switches.MarkerEmpty.UP
    marker_voluntary: switches.MarkerVoluntary = switches.MarkerVoluntary.NO
    marker_layer: switches.MarkerLayer = switches.MarkerLayer.ALWAYS
    cover: switches.Cover = switches.Cover.ON_DOUBLE
    several: switches.Several = switches.Several.ONE
    double_anywhere: switches.DoubleAnywhere = switches.DoubleAnywhere.NO
    duty_order: switches.DutyOrder = switches.DutyOrder.FIRST_PLAYED
    layer_miss: switches.LayerMiss = switches.LayerMiss.DRAW
    drawn_double: switches.DrawnDouble = switches.DrawnDouble.DRAW_AGAIN
    marker_double: switches.MarkerDouble = switches.MarkerDouble.OWED
    last_double: switches.LastDouble = switches.LastDouble.ENDS
    double_public: switches.DoublePublic = switches.DoublePublic.NO
    continuous_draw: switches.ContinuousDraw = switches.ContinuousDraw.NO
    branching: switches.Branching = switches.Branching.NONE
    draw: switches.DrawRule = switches.DrawRule.ONE
    last_tile: switches.LastTile = switches.LastTile.NONE
    tap_penalty: switches.TapPenalty = switches.TapPenalty.ZERO
    round_end: switches.RoundEnd = switches.RoundEnd.BLOCKED
    scoring: switches.HandPoints = switches.HandPoints.PENALTY
    target: switches.Target | int = switches.Target.NONE
    """The total that ends the game, or none. [docs/rules.md §7.4]"""
    blanks: switches.Blanks = switches.Blanks.ZERO
    blocked_winner: switches.BlockedWinner = switches.BlockedWinner.PIPS
    ties: switches.Ties = switches.Ties.ZERO_ROUNDS
    leaver_score: switches.LeaverScore = switches.LeaverScore.HEAVIEST
    strategic_error: switches.StrategicError = switches.StrategicError.NO
    partners: switches.Partners = switches.Partners.NO
    swan_drive: switches.SwanDrive = switches.SwanDrive.NO
    bullet: switches.Bullet = switches.Bullet.NO
    wild_blanks: switches.WildBlanks = switches.WildBlanks.NO

    def standing(self, points: int) -> int:
        """Return the rank of points in a round or a game: lower is better. [docs/rules.md §7.4]

        The rank is the points, or minus the points where the winner takes them.
        """
        match self.scoring:
            case switches.HandPoints.PENALTY:
                return points
            case switches.HandPoints.WINNER_TAKES:
                return -points
            case _:
                assert_never(self.scoring)


SWITCHES: Final[Mapping[str, type[switches.Switch]]] = MappingProxyType(
    {type(usual).key: type(usual) for usual in astuple(RuleSet())}
)
"""Every switch by key, in the order of docs/rules.md §8."""
