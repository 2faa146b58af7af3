"""Random tables under random rules, played out and checked at every step.

For every accepted combination of switches: tiles are conserved, a due seat has a legal move, the
list of moves matches the judge, a refused move changes nothing, every round ends, and each seat
that repeats the same steps by itself reaches the same table.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from engine.chance import Entropy, below
from engine.play.apply import apply, score_round
from engine.play.calls import apply_calls, calls_due
from engine.play.due import as_left, due_seats, in_step_order
from engine.play.hub_outcome import reshuffled
from engine.play.judge import why_illegal_holding
from engine.play.leavers import waiting_double
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RULE_SETS, SWITCHES, RuleSet, parse_rules, value_text
from engine.rules.deals import DealTable
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import Switch
from engine.table.events import Event
from engine.table.moves import Call, Move
from engine.table.rounds import next_round, start_game
from engine.table.table import ENDED, Hand, RoundPhase, Table
from engine.table.trains import Position, Seat
from engine.tiles import SET_BITS, TILE_BITS, Tile
from lab.rounds.agreement import PLAYING, answers_disagreeing, disagreements
from lab.rounds.breaches import status
from lab.rounds.seeds import pick, seeded, shuffled
from lab.rounds.whole_games import (
    MOVES_MAX,
    REDEALS_MAX,
    deal,
    gone_back,
    hand_of,
    possible_calls,
    reshuffle,
)
from lab.rounds.wrong_moves import is_as_listed, wrong_moves

_SMALL: Final = ((6, 4), (6, 4), (9, 6), (9, 8), (12, 8), (15, 9))
"""Sets and the most seats of a random table; small ones come more often because they are quicker.
"""

_MENDS_MAX: Final = 40
"""Redrawn switches after which `random_rules` starts over."""

RULES_ROUNDS: Final = 20
"""Rounds to play under one rule set when counting rules instead of tables."""

Tiles: TypeAlias = dict[Position, Tile]
Told: TypeAlias = tuple[Table, tuple[Event, ...]]
Step: TypeAlias = Callable[[Table, int], Told]
"""Returns a seat's table and events after one step; calls reach each seat in another order."""


class TableTrouble(NamedTuple):
    """Something that went wrong at a table, and how to reproduce it."""

    table: int
    """The number of the table or rule set, counted from 0."""
    what: str
    rules: str


@dataclass(slots=True)
class Simulated:
    """The outcome of many random tables."""

    tables: int = 0
    rounds: int = 0
    moves: int = 0
    refused: int = 0
    """Wrong moves tried and refused."""
    stuck: int = 0
    """Rounds that did not end, or due seats without a move."""
    divergent: int = 0
    """Tables that differed between seats, or broke an invariant."""
    illegal: int = 0
    """Listed moves that were refused, wrong ones that were accepted, and judging that changed a
    table.
    """
    crashed: int = 0
    """Tables that ended in an exception."""
    played: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many tables were played under each value of each switch."""
    troubles: list[TableTrouble] = field(default_factory=list)


def random_rules(entropy: Entropy) -> RuleSet:
    """Return the rules of any preset, with any compatible switches on top.

    If two switches clash, one of them is drawn again, as in a min-conflicts search (Minton et al.
    1992). If only one of them has its preset's value, that one is drawn, so that values compatible
    with few others are played too.
    """
    presets = tuple(RULE_SETS)
    while True:
        preset = pick(entropy, presets)
        names = [name for name in SWITCHES if name != "deal" and below(entropy, 4) == 0]
        switches = {name: _any_value(SWITCHES[name], entropy) for name in names}
        for _ in range(_MENDS_MAX):
            rules = parse_rules(preset, switches)
            if isinstance(rules, RuleSet):
                return rules
            facts = dict(rules.facts)
            sides = [str(facts[side]).partition("=")[0] for side in ("one", "other")]
            name = pick(entropy, [side for side in sides if side not in switches] or sides)
            switches[name] = _any_value(SWITCHES[name], entropy)


def _any_value(switch: type[Switch], entropy: Entropy) -> str:
    """Return a random word of a switch, or one of its numbers, if it has any.

    All its numbers together are as likely as one word.
    """
    words = switch.words()
    at = below(entropy, len(words) + bool(switch.numbers))
    return words[at] if at < len(words) else str(pick(entropy, switch.numbers))


def settings_of(rules: RuleSet) -> tuple[tuple[str, str], ...]:
    """Return every switch with its value in these rules."""
    return tuple((name, value_text(rules, name)) for name in SWITCHES)


def random_spec(entropy: Entropy) -> TableSpec:
    """Return a playable table of one to three rounds under random rules.

    The size of its hands comes from a random deal table, or is small.
    """
    while True:
        spec = _random_size(random_rules(entropy), entropy)
        if spec is not None:
            return spec


def _random_size(rules: RuleSet, entropy: Entropy) -> TableSpec | None:
    """Return a table of random size under these rules, or None if it cannot be played."""
    pip_max, most = pick(entropy, _SMALL)
    seats = 2 + below(entropy, most - 1)
    if below(entropy, 3):
        rules = replace(rules, deal=1 + below(entropy, 7))
    else:
        rules = replace(rules, deal=DealTable(pick(entropy, SWITCHES["deal"].words())))
    spec = make_spec(rules, pip_max, seats, 1 + below(entropy, 3))
    return spec if isinstance(spec, TableSpec) else None


def simulate_table(number: int, seed: bytes, result: Simulated) -> None:
    """Play the table of this seed and number, and add it to `result`.

    An exception ends the table, not the run: it counts as one more trouble.
    """
    entropy = seeded(seed + number.to_bytes(8, "big"))
    _simulate(number, random_spec(entropy), entropy, result)


def simulate_rules(number: int, seed: bytes, result: Simulated) -> None:
    """Play at least `RULES_ROUNDS` rounds under the rules of this number, at tables of any size.

    The first numbers are the presets themselves, all others random rules. Trouble ends the play.
    """
    entropy = seeded(seed + number.to_bytes(8, "big"))
    presets = tuple(RULE_SETS)
    is_preset = number < len(presets)
    rules = RULE_SETS[presets[number]] if is_preset else random_rules(entropy)
    end = result.rounds + RULES_ROUNDS
    troubles = len(result.troubles)
    while result.rounds < end and len(result.troubles) == troubles:
        spec = _random_size(rules, entropy)
        if spec is not None:
            _simulate(number, spec, entropy, result)


def _simulate(number: int, spec: TableSpec, entropy: Entropy, result: Simulated) -> None:
    result.tables += 1
    result.played.update(settings_of(spec.rules))
    try:
        _Game(spec, entropy, result).play()
    except Exception as bug:
        found = bug if isinstance(bug, _Trouble) else _Trouble("crashed", f"crashed: {bug!r}")
        count, what = found.args
        setattr(result, count, getattr(result, count) + 1)
        result.troubles.append(TableTrouble(number, what, repr(spec)))


class _Trouble(Exception):
    """Trouble at a table: which count it adds to, and what happened. Caught in this module."""


class _Game:
    """One table in play, with all tiles known.

    It keeps its steps, so that each seat can repeat them in the end.
    """

    __slots__ = ("entropy", "events", "result", "start", "steps", "table", "tiles")

    def __init__(self, spec: TableSpec, entropy: Entropy, result: Simulated) -> None:
        """Start a table that is about to be dealt."""
        self.entropy = entropy
        self.result = result
        self.start = self.table = start_game(spec, Seat(below(entropy, spec.seats)))
        self.tiles: Tiles = {}
        self.steps: list[Step] = []
        self.events: list[Event] = []

    def play(self) -> None:
        """Play every round to its end, then have each seat repeat all steps by itself.

        Raise `_Trouble` if anything is wrong, or if a seat reaches a different table.
        """
        redeals = 0
        while self.table.phase is not RoundPhase.FINISHED and redeals <= REDEALS_MAX:
            self.tiles = deal(self.table, self.entropy)
            self._play_round()
            if self.table.is_called_off:
                redeals += 1
            else:
                left = [[self.tiles[at] for at in held] for held in self.table.hands]
                self._take(_scoring(left))
            self.result.rounds += 1
            if self.table.phase is RoundPhase.SCORED:
                self._take(_next_round)
        for seat in range(self.start.spec.seats):
            if self._folded_by(seat) != (self.table, self.events):
                raise _Trouble("divergent", f"seat {seat} comes to another table")

    def _folded_by(self, seat: int) -> tuple[Table, list[Event]]:
        table, events = self.start, list[Event]()
        for step in self.steps:
            table, more = step(table, seat)
            events += more
        return table, events

    def _take(self, step: Step) -> None:
        self.steps.append(step)
        self.table, events = step(self.table, 0)
        self.events += events

    def _play_round(self) -> None:
        for _ in range(MOVES_MAX):
            if self.table.phase in ENDED:
                return
            self._check()
            if self.table.phase is RoundPhase.RESHUFFLE:
                known = self.tiles
                _, self.tiles = reshuffle(self.table, known, self.entropy)
                fresh = sorted(self.tiles.keys() - known.keys())
                self._take(_reshuffling(fresh))
            else:
                self._play_step()
        raise _Trouble("stuck", "the round goes on for ever")

    def _play_step(self) -> None:
        """Play a move of one seat, or of all that act at once; then any calls."""
        before, seats = self.table, due_seats(self.table)
        self._check_list(seats[-1])
        for seat in (*seats[-1:], Seat(below(self.entropy, before.spec.seats + 1))):
            self._try_wrong(seat)
        moves = in_step_order([self._choose(seat) for seat in seats])
        self._take(_moving(moves))
        self.result.moves += len(moves)
        if self.table.turns != before.turns:
            self._call_together()
        elif self.table.memory.silent and not below(self.entropy, 4):
            calls = self._calls_of(Seat(below(self.entropy, before.spec.seats)))
            self._take(_moving(calls[:1]))

    def _choose(self, seat: Seat) -> Move:
        """Return a random legal move.

        Raise `_Trouble` if there is none, or if the judge refuses it.
        """
        hand = hand_of(self.table, self.tiles, seat)
        moves = legal_moves(self.table, hand)
        if not moves:
            raise _Trouble(
                "stuck", f"seat {seat} is due in {self.table.phase.value} and has no move"
            )
        move = pick(self.entropy, moves)
        if why_illegal_holding(self.table, hand, move) is not None:
            raise _Trouble("illegal", f"{move} is listed and refused")
        return move

    def _check_list(self, seat: Seat) -> None:
        """Raise `_Trouble` if the list of moves of this seat differs from what the judge allows."""
        hand = hand_of(self.table, self.tiles, seat)
        differing = disagreements if self.table.phase in PLAYING else answers_disagreeing
        found = next(differing(self.table, hand), None)
        if found is not None:
            raise _Trouble("illegal", f"{found}, by {hand}")

    def _calls_of(self, seat: Seat) -> tuple[Call, ...]:
        """Return the calls open to a seat, in random order."""
        return shuffled(self.entropy, possible_calls(self.table, seat))

    def _call_together(self) -> None:
        """Let every seat whose call is due after a turn call once, all at the same time."""
        calls = [self._calls_of(seat)[0] for seat in calls_due(self.table)]
        if calls:
            self._take(_calling(calls))

    def _try_wrong(self, seat: Seat) -> None:
        """Have the judge look at wrong moves of a seat; the table need not have that seat.

        Raise `_Trouble` if it allows one that is neither listed nor equivalent to a listed one.
        """
        table = self.table
        known = hand_of(table, self.tiles, seat) if seat < table.spec.seats else Hand(seat, ())
        before = hash(table)
        for move in wrong_moves(table, self.tiles, seat, self.entropy):
            if why_illegal_holding(table, known, move) is not None:
                self.result.refused += 1
            elif not is_as_listed(table, known, move):
                raise _Trouble("illegal", f"{move} is legal and not listed")
        if hash(table) != before:
            raise _Trouble("illegal", "a move that was only judged changed the table")

    def _check(self) -> None:
        """Raise `_Trouble` unless every tile is in exactly one place and every invariant holds."""
        table = self.table
        found = list(status(table))
        bits, count = table.seen, 0
        positions = [at for held in table.hands for at in held] + list(table.boneyard)
        positions += gone_back(table)
        for at in positions:
            bits |= TILE_BITS[self.tiles[at]]
            count += 1
        missing = SET_BITS[table.spec.pip_max] & ~bits
        hub = waiting_double(table)
        if missing and missing != (TILE_BITS[hub] if hub is not None else 0):
            found.append("tiles are lost")
        if bits.bit_count() != count + table.seen.bit_count():
            found.append("a tile lies in two places")
        if found:
            raise _Trouble("divergent", "; ".join(found))


def _moving(moves: Sequence[Move]) -> Step:
    def step(table: Table, _: int) -> Told:
        events: tuple[Event, ...] = ()
        for move in moves:
            table, more = apply(table, as_left(table, move))
            events += more
        return table, events

    return step


def _calling(calls: Sequence[Call]) -> Step:
    """Return a step with calls that reach each seat in a different order."""

    def step(table: Table, seat: int) -> Told:
        at = seat % len(calls)
        return apply_calls(table, (*calls[at:], *calls[:at]))

    return step


def _reshuffling(fresh: Sequence[Position]) -> Step:
    return lambda table, _: (reshuffled(table, fresh), ())


def _scoring(hands: Sequence[Sequence[Tile]]) -> Step:
    return lambda table, _: score_round(table, hands)


def _next_round(table: Table, _: int) -> Told:
    return next_round(table), ()
