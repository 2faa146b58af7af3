"""The quick policy that plays for all seats when a bot plays out rounds.

It plays on the engine's own tables, so it can play by any rules. Each seat plans its longest train,
and plans again when the plan no longer works. On others' open trains it lays doubles that the plan
does not need. Then it takes down its own marker, lays the heaviest other tile that the plan can
spare, or lays on its own train. When a lay's legality depends on the whole hand, the house bot
chooses.
"""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Final

from engine.bots.house import choose
from engine.bots.numbered import Numbered, numbered
from engine.chance import Entropy
from engine.play.apply import carry_out
from engine.play.calls import apply_calls, may_tap, offenders
from engine.play.due import due_seats, turn_of
from engine.play.places import OpenEnds, places
from engine.play.playable import draw_due, shuts_doubles
from engine.play.reach import own_trains
from engine.table.moves import Done, DrawTile, LayTile, Move, Pass, Tap, shows
from engine.table.table import Hand, Outcome, PlayOver, Table
from engine.table.trains import End, Position, Seat
from engine.table.turn import InChain, InPlay, OpeningAll, TurnStage
from engine.tiles import Tile
from engine.view import SeatView

NO_PLAN: Final = -1
"""The value of `plan_from` for a seat whose plan must be made again."""

_BITS: Final = 8
_NUMBERS: Final = (1 << _BITS) - 1
_GOES_ON: Final = 2 << _BITS
"""An option is the number of a tile and, in the bits above, the number of tiles that join its far
end. The tile itself is one of them, so another tile can follow if that number is at least 2."""

NODES: Final = 60
"""The most tries for a plan, one for each choice among several tiles that fit. With fifteen tiles a
plan is then 0.02 tiles short on average."""

PLANS_MAX: Final = 10_000
"""The plans remembered from deal to deal: some 3 MiB."""

FIRST_OF_EQUALS: Final[Entropy] = bytes
"""Zeros as octets: they choose the first of equal moves, the same in every deal."""


def planned(numbers: Numbered, hand: int, end: int) -> list[int]:
    """Return the longest train of this hand from this end, as numbers, next tile last.

    `hand` is a bit set of numbers, `end` a pip value. Each double is laid where it first fits. Of
    the other tiles, try first those whose far end fits the most tiles. After `NODES` tries take the
    longest train found so far, which is nearly always the longest. Return [] if nothing fits.
    """
    fits = numbers.fits
    fars = numbers.far
    doubles = numbers.double
    best: list[int] = []
    if not hand & fits[end]:
        return best
    chain: list[int] = []
    left = NODES

    def extend(hand: int, end: int) -> None:
        nonlocal best, left
        mark = len(chain)
        while rest := hand & fits[end]:
            double = rest & doubles[end]
            if double:  # it costs nothing: the end stays as it is
                chain.append(double.bit_length() - 1)
                hand ^= double
                continue
            far = fars[end]
            number = rest.bit_length() - 1
            if not rest & (rest - 1):  # only one tile fits, so there is nothing to choose
                chain.append(number)
                hand ^= rest
                end = far[number]
                continue
            options = []
            while rest:
                number = rest.bit_length() - 1
                rest ^= 1 << number
                options.append((hand & fits[far[number]]).bit_count() << _BITS | number)
            options.sort(reverse=True)
            size = len(chain) + 1
            most = len(chain) + hand.bit_count()
            for option in options:
                if left <= 0 or most <= len(best):
                    break
                left -= 1
                number = option & _NUMBERS
                chain.append(number)
                if option >= _GOES_ON:
                    extend(hand ^ 1 << number, far[number])
                elif size > len(best) or (size == len(best) and sum(chain) > sum(best)):
                    best = chain[:]  # of equally long trains the heavier: numbers go by weight
                chain.pop()
            break
        if len(chain) >= len(best) and (len(chain) > len(best) or sum(chain) > sum(best)):
            best = chain[:]
        del chain[mark:]

    extend(hand, end)
    best.reverse()
    return best


class Rollout:
    """A round that the quick policy plays, on the engine's tables; mutable.

    Either all hands are known, or only one. If only one is known, a draw, or a lay by another
    seat, raises KeyError.
    """

    __slots__ = (
        "at",
        "hands",
        "numbers",
        "plan_bits",
        "plan_from",
        "planned",
        "plans",
        "positions",
        "table",
    )

    table: Table
    numbers: Numbered
    at: Mapping[Position, int]
    """The number of the tile at each position."""
    positions: Mapping[int, Position]
    hands: list[int]
    """For each seat, the known tiles of its hand as a bit set of numbers."""
    planned: dict[tuple[int, int], list[int]]
    """The plans made so far, in this deal or others, by hand and end."""
    plans: list[list[int]]
    """For each seat, the numbers of its planned train, next tile last."""
    plan_bits: list[int]
    """For each seat, the same numbers as a bit set."""
    plan_from: list[int]
    """For each seat, the pip value at which its plan begins, or `NO_PLAN`."""

    def __init__(self, table: Table, tiles: Mapping[Position, Tile]) -> None:
        """Start from a table in play, with the known tiles."""
        self.table = table
        self.numbers = numbered(table.spec.pip_max, table.rules.wild_blanks)
        seats = table.spec.seats
        self.plans = [[] for _ in range(seats)]
        self.plan_bits = [0] * seats
        self.plan_from = [NO_PLAN] * seats
        self.planned = {}
        self.know({at: self.numbers.number[tile] for at, tile in tiles.items()})

    def know(self, at: Mapping[Position, int]) -> None:
        """Replace the known tiles with these numbers by position, and update the hands.

        A position without a number is unknown. The seats keep their plans. Forget the remembered
        plans if there are more than `PLANS_MAX`.
        """
        if len(self.planned) > PLANS_MAX:
            self.planned.clear()
        self.at = at
        self.positions = {number: position for position, number in at.items()}
        self.hands = [
            sum(1 << at[position] for position in held if position in at)
            for held in self.table.hands
        ]

    def copy(self) -> "Rollout":
        """Return a copy that plays on separately, but shares the remembered plans."""
        new = Rollout.__new__(Rollout)  # without `__init__`, which would number every tile again
        new.table = self.table
        new.numbers = self.numbers
        new.at = self.at
        new.positions = self.positions
        new.hands = self.hands[:]
        new.planned = self.planned
        new.plans = [plan[:] for plan in self.plans]
        new.plan_bits = self.plan_bits[:]
        new.plan_from = self.plan_from[:]
        return new

    def play(self, turns: float = inf) -> Outcome | None:
        """Play on, and return how the round ended, or None once `turns` turns have been played.

        `turns` counts all turns of the round, as `Table.turns` does. A simultaneous opening is
        always played to its end.
        """
        self._play_opening()
        while isinstance(self.table.now, InPlay) and self.table.turns < turns:
            self.make(self._chosen(self.table))
        now = self.table.now
        return now.outcome if isinstance(now, PlayOver) else None

    def play_until(self, seat: Seat) -> None:
        """Play on to a turn of this seat, or to the end of play.

        A simultaneous opening is first played to its end, for this seat, too.
        """
        self._play_opening()
        while isinstance(self.table.now, InPlay) and self.table.to_move != seat:
            self.make(self._chosen(self.table))

    def _play_opening(self) -> None:
        while isinstance(self.table.now, OpeningAll):
            self.make(self.chosen(due_seats(self.table)[0]))

    def make(self, move: Move) -> None:
        """Carry out a legal move, and update hands and plans.

        Then every seat that may be caught for its last tile announces it if it still can.
        """
        table, seat = self.table, move.seat
        if isinstance(move, LayTile):
            self._lay(table, move)
        elif isinstance(move, DrawTile):
            self.hands[seat] |= 1 << self.at[table.boneyard[0]]
            self.plan_from[seat] = NO_PLAN
        elif laid := shows(move):
            self.hands[seat] ^= sum(1 << self.at[position] for position, _ in laid)
            self.plan_from[seat] = NO_PLAN
        self.table, _ = carry_out(table, move)
        if self.table.memory.silent and isinstance(self.table.now, InPlay):
            late = [who for who in offenders(self.table) if may_tap(self.table, who)]
            self.table, _ = apply_calls(self.table, [Tap(who) for who in late])

    def _lay(self, table: Table, move: LayTile) -> None:
        seat = move.seat
        number = self.at[move.position]
        bit = 1 << number
        self.hands[seat] ^= bit
        if int(move.train) == seat:
            end = table.trains[seat].ends[0]
            plan = self.plans[seat]
            follows = plan and plan[-1] == number and self.plan_from[seat] == end.pip
            if follows and move.on == end.on:
                plan.pop()
                self.plan_bits[seat] ^= bit
                # plan again after the last tile: planning stops early and may have missed one
                self.plan_from[seat] = self.numbers.far[end.pip][number] if plan else NO_PLAN
            else:
                self.plan_from[seat] = NO_PLAN
        elif self.plan_bits[seat] & bit:
            self.plan_from[seat] = NO_PLAN

    def plan_anew(self, seat: int) -> list[int]:
        """Plan the train of a seat from its present end, and return the plan, next tile last.

        The plan is empty if nothing fits, or if all seats play on arms.
        """
        # with arms nobody begins this train: its end never changes, and the plan stays empty
        end = self.table.trains[seat].ends[0].pip
        own = own_trains(self.table, seat)
        # a copy, because laying tiles empties the plan, and the remembered one must stay whole
        plan = self.plans[seat] = self._plan(self.hands[seat], end)[:] if own else []
        self.plan_bits[seat] = sum(1 << number for number in plan)
        self.plan_from[seat] = end
        return plan

    def _plan(self, hand: int, end: int) -> list[int]:
        plan = self.planned.get((hand, end))
        if plan is None:
            plan = self.planned[hand, end] = planned(self.numbers, hand, end)
        return plan

    def chosen(self, seat: Seat) -> Move:
        """Return the policy's move for a seat that is due; this may plan its train again."""
        return self._chosen(turn_of(self.table, seat))

    def _chosen(self, table: Table) -> Move:
        now = places(table)
        turn = table.turn
        seat = table.to_move
        numbers = self.numbers
        end = table.trains[seat].ends[0]
        if self.plan_from[seat] != end.pip:
            self.plan_anew(seat)
        parted = now.plain is not now.doubles
        special = now.duty is not None or now.paired or now.led or parted
        amid_turn = turn.stage is not TurnStage.START
        if special or amid_turn or table.turns < table.spec.seats:
            lay = self._where_it_matters(table, now, end)
        else:
            lay = self._beside_plan(table, now, end)
        if lay is None:
            return _without_lay(table)
        number, end = lay
        # the legality of these lays depends on the rest of the hand, which the policy ignores
        if now.needs_start or turn.doubles[1:]:
            return self._by_hand(table)
        is_double = numbers.doubles >> number & 1
        if is_double and (now.paired or now.led or shuts_doubles(table)):
            return self._by_hand(table)
        tile = numbers.tiles[number]
        # the half that joins is the one opposite the far end
        joined = tile[0] + tile[1] - numbers.far[end.pip][number]
        return LayTile(seat, self.positions[number], tile, end.train, end.on, joined)

    def _by_hand(self, table: Table) -> Move:
        """Return the move of the house bot, which considers the whole hand."""
        seat, tiles = table.to_move, self.numbers.tiles
        held = [(position, tiles[self.at[position]]) for position in table.hands[seat]]
        return choose(SeatView(self.table, seat, Hand(seat, tuple(held))), FIRST_OF_EQUALS)

    def _beside_plan(self, table: Table, now: OpenEnds, own: End) -> tuple[int, End] | None:
        """Choose a lay in an ordinary turn, preferably a tile that the plan can spare.

        Return a tile's number and an end, or None if nothing fits.
        """
        seat = table.to_move
        fits = self.numbers.fits
        hand = self.hands[seat]
        plan = self.plans[seat]
        others = []
        wanted = 0
        for end in now.plain:
            if end != own:
                others.append(end)
                wanted |= fits[end.pip]
        wanted &= hand
        spare = wanted & ~self.plan_bits[seat]
        best = spare & self.numbers.doubles
        if not best:
            if plan and table.trains[seat].marker:
                return plan[-1], own
            if spare:
                best = spare
            elif plan and wanted:
                best = self._spared(plan, wanted, hand, own)
            else:
                best = wanted
            if not best:
                return (plan[-1], own) if plan else None
        number = best.bit_length() - 1
        return number, _last_fitting(others, fits, number)

    def _spared(self, plan: list[int], wanted: int, hand: int, own: End) -> int:
        """Return the bit of the heaviest wanted tile if the plan without it is as long, else 0."""
        if hand.bit_count() == len(plan):
            return 0
        bit = 1 << wanted.bit_length() - 1
        return bit if len(self._plan(hand ^ bit, own.pip)) >= len(plan) else 0

    def _where_it_matters(self, table: Table, now: OpenEnds, own: End) -> tuple[int, End] | None:
        """Choose a lay in a first turn, later in a turn, or where doubles restrict the lays.

        It is the plan's next tile, else the heaviest double outside the plan, else the heaviest
        tile outside it, else the heaviest that fits. Return a tile's number and an end, or None
        if nothing fits, or in a chain that the plan does not continue.
        """
        seat = table.to_move
        fits = self.numbers.fits
        doubles = self.numbers.doubles
        plain = of_doubles = 0
        for end in now.plain:
            plain |= fits[end.pip]
        for end in now.doubles:
            of_doubles |= fits[end.pip]
        fitting = self.hands[seat] & (plain & ~doubles | of_doubles & doubles)
        if not fitting:
            return None
        plan = self.plans[seat]
        if plan and fitting >> plan[-1] & 1:
            ends = now.doubles if doubles >> plan[-1] & 1 else now.plain
            if own in ends:
                return plan[-1], own
        if isinstance(table.turn.stage, InChain):
            return None  # the chain ends where the plan does
        spare = fitting & ~self.plan_bits[seat]
        best = spare & doubles or spare or fitting
        number = best.bit_length() - 1
        ends = now.doubles if doubles >> number & 1 else now.plain
        return number, _last_fitting(ends, fits, number)


def _last_fitting(ends: Sequence[End], fits: Sequence[int], number: int) -> End:
    return next(end for end in reversed(ends) if fits[end.pip] >> number & 1)


def _without_lay(table: Table) -> Move:
    """Return the move of a seat that lays nothing in its turn: done, draw or pass."""
    seat = table.to_move
    turn = table.turn
    if not (turn.is_due or turn.stage is TurnStage.LOST) or table.memory.bullet is not None:
        return Done(seat)
    return DrawTile(seat) if draw_due(table) else Pass(seat)
