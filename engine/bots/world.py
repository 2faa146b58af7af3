"""A round with all hands known that changes in place: what bots try things out on.

The same game as `legal_moves` and `apply` play, without a `Table` for every move: hands are bit
sets, trains are their end values, and doubles are known by the train they lie on. It must agree
with those two, field by field, and `test_world_agrees_with_the_table` holds it to that.
"""

from collections.abc import Sequence
from typing import Final

from engine.bots.known_rules import plays_fast
from engine.bots.world_rules import WorldRules
from engine.table.table import Ending, Outcome, RoundPhase, Table
from engine.table.trains import Seat, train_index
from engine.table.turn import TurnStage
from engine.tiles import Tile

START: Final = 0
"""Stages of a turn, as numbers: `TurnStage` says what they mean."""
COVER: Final = 1
EXTRA: Final = 2
MAY: Final = 3
HELD: Final = 4
CHAIN: Final = 5
LOST: Final = 6

STAGES: Final = {
    TurnStage.START: START,
    TurnStage.COVER: COVER,
    TurnStage.EXTRA: EXTRA,
    TurnStage.MAY: MAY,
    TurnStage.HELD: HELD,
    TurnStage.CHAIN: CHAIN,
    TurnStage.LOST: LOST,
}


class FastWorld:
    """One moment of a round. Trains are indices: the seats, then the Mexican trains."""

    __slots__ = (
        "began", "doubles", "drawn", "drawn_bits", "ends", "hands", "opened", "out", "outcome",
        "owed", "passed", "plan_bits", "plan_from", "plans", "public", "rules", "seat", "seats",
        "stage", "started", "turns", "unseen", "wide", "yard",
    )  # fmt: skip

    rules: WorldRules
    seats: int
    seat: int
    hands: list[int]
    yard: list[int]
    """Undrawn tiles as numbers, next one last."""
    unseen: int
    ends: list[int]
    public: list[bool]
    started: list[bool]
    wide: list[bool]
    """Whether a double lies uncovered at the end of a train."""
    turns: int
    drawn: bool
    drawn_bits: int
    """The tiles drawn in this turn."""
    stage: int
    doubles: list[int]
    """The trains of this turn's doubles, in order."""
    began: bool
    """Whether the own train was begun in this turn."""
    owed: list[int]
    """The trains of the doubles that are owed, next one first."""
    opened: list[int]
    """The trains whose opening chains end on a double."""
    out: int
    """Who ran out first in an opening that others still have to finish, or -1."""
    passed: int
    outcome: Outcome | None
    plans: list[list[int]]
    """By seat: the numbers of its planned train, next tile last."""
    plan_bits: list[int]
    """By seat: the same as a bit set."""
    plan_from: list[int]
    """By seat: the pip value at which its plan begins, or -1 where it has to be made anew."""

    def copy(self) -> "FastWorld":
        """Another world that stands as this one does."""
        new = FastWorld.__new__(FastWorld)
        new.rules, new.seats, new.seat = self.rules, self.seats, self.seat
        new.hands, new.yard, new.unseen = self.hands[:], self.yard[:], self.unseen
        new.ends, new.public = self.ends[:], self.public[:]
        new.started, new.wide = self.started[:], self.wide[:]
        new.turns, new.drawn, new.drawn_bits = self.turns, self.drawn, self.drawn_bits
        new.stage, new.doubles, new.began = self.stage, self.doubles[:], self.began
        new.owed, new.opened, new.out = self.owed[:], self.opened[:], self.out
        new.passed, new.outcome = self.passed, self.outcome
        new.plans = [plan[:] for plan in self.plans]
        new.plan_bits, new.plan_from = self.plan_bits[:], self.plan_from[:]
        return new

    def places(self) -> tuple[list[int], list[int]]:
        """The trains on which tiles that are no doubles may go, and those for doubles."""
        stage = self.stage
        if stage == START:
            plain = self.owed[:1] or self._usual()
            return plain, plain
        if stage in (CHAIN, LOST):
            plain = [self.seat] if stage == CHAIN else []
            return plain, plain
        bare = [at for at in self.doubles if self.wide[at]]
        if stage == HELD:
            return bare, []
        if stage == COVER:
            plain = bare[:1] if self.rules.shared else bare[-1:]
        elif stage == MAY:
            plain = bare[-1:]
        else:
            plain = sorted({*self._free(), *bare})
        rules = self.rules
        if rules.one_double or (rules.held_pair and len(self.doubles) != 1):
            return plain, []
        return plain, sorted({*self._free(), *plain})

    def _free(self) -> list[int]:
        """The trains open to the seat in turn, its own doubles of this turn left aside."""
        before = [at for at in self.owed if at not in self.doubles]
        return before[:1] or self._usual()

    def _usual(self) -> list[int]:
        """The trains open to the seat in turn while no double matters."""
        rules, seat, seats = self.rules, self.seat, self.seats
        if self.turns < seats:
            if rules.mexican_first or (rules.mexican_first_player and not self.turns):
                return [seat, *range(seats, len(self.ends))]
            return [seat]
        if rules.own_first and not self.started[seat]:
            return [seat]
        if rules.mexican_own_started and not (self.started[seat] and not self.began):
            return [
                at
                for at, public in enumerate(self.public)
                if at == seat or (public and (at < seats or self.started[at]))
            ]
        return [at for at, public in enumerate(self.public) if public or at == seat]

    def fitting(self) -> int:
        """Bit set of the tiles that the seat in turn may lay; with a pair, its double."""
        return self._playable(self.hands[self.seat], pairs=True)

    def _playable(self, held: int, *, pairs: bool) -> int:
        """Which of these tiles may be laid now, pairs of a double and its cover left out or not."""
        plain, doubles = self.places()
        fits, ends, bits = self.rules.set.fits, self.ends, 0
        for at in plain:
            bits |= fits[ends[at]]
        if plain is not doubles:
            bits &= ~self.rules.set.doubles
            of_doubles = 0
            for at in doubles:
                of_doubles |= fits[ends[at]]
            of_doubles &= self.rules.set.doubles & held
            if self.rules.held_pair and of_doubles:
                of_doubles = self._paired(held, of_doubles) if pairs else 0
            bits |= of_doubles
        if self.stage == HELD:
            bits &= ~self.drawn_bits
        return bits & held

    def _paired(self, held: int, doubles: int) -> int:
        """Of these doubles, those for which the hand has a cover that was not drawn just now."""
        rules, covers = self.rules, held & ~self.drawn_bits & ~self.rules.set.doubles
        for at in self.doubles:
            if self.wide[at] and covers & rules.set.fits[self.ends[at]]:
                return doubles
        return sum(
            bit
            for pip, bit in enumerate(rules.set.double)
            if bit & doubles and covers & rules.set.fits[pip]
        )

    @property
    def draw_due(self) -> bool:
        """Whether a seat that can lay nothing has to draw, else it passes."""
        rules, stage = self.rules, self.stage
        if not self.yard or stage > EXTRA:
            return False
        starting = self.turns < self.seats and stage == START and not self.owed
        if starting and not rules.opening_draws:
            return False
        if not self.drawn:
            return True
        if self.doubles and rules.draw_only:
            return False
        return rules.until or (starting and rules.opening_draws > 1)

    def lay(self, number: int, at: int, end: int) -> None:  # noqa: C901 - in the order of the rules
        """Lay a tile of the seat in turn on a train, which has this end then."""
        rules, seat, bit = self.rules, self.seat, 1 << number
        fits, double = rules.set.fits, rules.set.doubles & bit
        hand = self.hands[seat] = self.hands[seat] ^ bit
        unseen = self.unseen = self.unseen ^ bit
        chained = self.stage == CHAIN or (
            rules.chained and at == seat and self.turns < self.seats and self.stage == START
        )
        asks = False
        if double and fits[end] & unseen:
            asks = not (rules.double_free and at == seat and self.public[at])
            if asks and not hand and not chained:
                asks = rules.last_asks
        if self.owed:
            if at in self.owed:
                self.owed.remove(at)
            self.owed = [each for each in self.owed if fits[self.ends[each]] & unseen]
        if at == seat:
            if self.public[at]:
                self.public[at] = rules.covered_down and asks
        elif rules.any_down and at < self.seats:
            self.public[at] = False
        if not self.started[at]:
            self._start(at)
        self.ends[at] = end
        self.wide[at] = bool(double)
        self.drawn = False
        self.passed = 0
        if chained:
            self.stage = CHAIN
            if not hand or not fits[end] & unseen:
                self.done()
        elif asks:
            self._owe(at, hand)
        elif not (double and hand and self._goes_on(at, dead=not fits[end] & unseen)):
            if hand:
                self._finish()
            else:
                self._go_out()

    def _start(self, at: int) -> None:
        self.started[at] = True
        if at == self.seat:
            self.began = True
        elif at >= self.seats and self.rules.mexican_many:
            self.ends.append(self.ends[at])
            for flags, new in ((self.public, True), (self.started, False), (self.wide, False)):
                flags.append(new)

    def _owe(self, at: int, hand: int) -> None:
        """A double lies there that asks for a tile."""
        rules = self.rules
        if rules.duty:
            self.owed.insert(0 if rules.last_first else len(self.owed), at)
        if len(self.doubles) == 1 and rules.held_pair:
            self.stage = HELD
        elif rules.extra:
            self.stage = EXTRA
        else:
            self.stage = MAY if rules.may and hand else COVER
        self.doubles.append(at)

    def _goes_on(self, at: int, *, dead: bool) -> bool:
        """Whether a double that asks for nothing leaves something due in its turn."""
        rules = self.rules
        if dead and rules.extra:
            before = [each for each in self.owed if each != at and each not in self.doubles]
            self.doubles.append(at)
            second = len(self.doubles) == 2 and rules.held_pair
            if rules.last_first:
                self.doubles += before[:1]
            self.stage = HELD if second else EXTRA
            return True
        if self.stage in (COVER, EXTRA):
            self.stage = HELD if rules.held_pair else self.stage
            return True
        return False

    def _go_out(self) -> None:
        if self.rules.chained and self.turns < self.seats:
            if self.out < 0:
                self.out = self.seat
            self._finish()
        else:
            self.outcome = Outcome(Ending.OUT, Seat(self.seat))

    def draw(self) -> None:
        """Draw the next tile."""
        bit = 1 << self.yard.pop()
        self.hands[self.seat] |= bit
        self.drawn_bits |= bit
        self.drawn = True
        if self.doubles and self.rules.draw_only:
            to_be_out = self.hands[self.seat] == bit and self.rules.last_asks
            self.stage = self.stage if to_be_out else LOST

    def skip(self) -> None:
        """Pass: what is due cannot be laid, and nothing is drawn for it."""
        seat, rules = self.seat, self.rules
        counts = self.stage != LOST and self._denies_all()
        lost = self.stage == LOST or (bool(self.doubles) and rules.draw_only)
        marks = not lost and (rules.empty_up or bool(self.yard) or self.drawn)
        if marks and not self.public[seat]:
            self.public[seat] = True
            if not self.owed:
                self.passed = 0
        if counts:
            self.passed |= 1 << seat
        self._finish(failed=self.stage != LOST)

    def _denies_all(self) -> bool:
        """Whether a pass now denies all that its seat would have to lay if it were asked again."""
        if self.stage == START and self.turns >= self.seats:
            return True
        denied = self._playable(self.unseen, pairs=False)
        if self.rules.shared and self.doubles:
            denied &= ~self.rules.set.doubles
        kept = self.stage, self.turns, self.doubles, self.began
        self.stage, self.turns, self.doubles, self.began = START, self.seats, [], False
        again = self._playable(self.unseen, pairs=False)
        self.stage, self.turns, self.doubles, self.began = kept
        return not again & ~denied

    def done(self) -> None:
        """The seat in turn lays no more, though it might."""
        seat = self.seat
        if self.stage == CHAIN:
            if self.wide[seat] and self.rules.duty:
                self.opened.append(seat)
            if not self.hands[seat]:
                self._go_out()
                return
        self._finish()

    def _finish(self, *, failed: bool = False) -> None:
        """On to the next seat, unless the round is over."""
        self.turns += 1
        if self.turns == self.seats and self.rules.chained:
            if self.out >= 0:
                self.outcome = Outcome(Ending.OUT, Seat(self.out))
                return
            self._owe_opened()
        if failed and not self.yard and self.passed == (1 << self.seats) - 1:
            self.outcome = Outcome(Ending.BLOCKED, None)
            return
        self.seat = (self.seat + 1) % self.seats
        self.drawn = self.began = False
        self.drawn_bits = 0
        self.stage = START
        if self.doubles:
            self.doubles = []

    def _owe_opened(self) -> None:
        """The doubles at the ends of opening chains become owed, in the order laid."""
        fits = self.rules.set.fits
        owed = [at for at in self.opened if self.wide[at] and fits[self.ends[at]] & self.unseen]
        self.opened = []
        if owed:
            self.owed = owed + self.owed
            self.passed = 0


def world_of(
    table: Table, hands: Sequence[int], boneyard: Sequence[Tile], rules: WorldRules
) -> FastWorld:
    """The world of a table in play, whose hands are bit sets of `rules.set`, and its boneyard."""
    world, seats, turn = FastWorld.__new__(FastWorld), table.spec.seats, table.turn
    world.rules, world.seats, world.seat = rules, seats, table.to_move
    bits = rules.set.bits
    world.hands = list(hands)
    world.yard = [bits[tile].bit_length() - 1 for tile in reversed(boneyard)]
    world.unseen = sum(hands) + sum(bits[tile] for tile in boneyard)
    world.ends = [train.ends[0].pip for train in table.trains]
    world.public = [train.marker or train.is_mexican for train in table.trains]
    world.started = [train.started for train in table.trains]
    world.wide = [bool(train.lays) and train.lays[-1].tile.is_double for train in table.trains]
    world.turns, world.drawn = table.turns, table.drawn
    world.drawn_bits = 0
    world.stage = STAGES[turn.stage]
    world.doubles = [train_index(seats, train) for train, _ in turn.doubles]
    world.began = turn.started
    world.owed = [train_index(seats, owed.train) for owed in table.owed]
    world.opened = [train_index(seats, train) for train, _ in table.aside.opened]
    world.out = -1 if table.aside.out is None else table.aside.out
    world.passed, world.outcome = table.passed, table.outcome
    world.plans = [[] for _ in range(seats)]
    world.plan_bits, world.plan_from = [0] * seats, [-1] * seats
    return world


def is_played_fast(table: Table) -> bool:
    """Whether the world plays on from this table as `apply` would."""
    aside = table.aside
    return (
        table.phase is RoundPhase.PLAY
        and not (aside.gone or aside.silent or aside.bullet is not None or aside.last is not None)
        and plays_fast(table.spec.rules)
    )
