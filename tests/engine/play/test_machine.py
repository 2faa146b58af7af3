"""Random tables under random rules: what must be true of every one of them at every step."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from engine.audit import audit
from engine.play.apply import apply, score_round
from engine.play.calls import calls_due
from engine.play.due import due_seats, turn_of
from engine.play.judge import playable_tiles, unseen_tiles, why_illegal, why_illegal_holding
from engine.play.legal_moves import legal_moves
from engine.play.places import open_ends
from engine.play.playable import is_led
from engine.rules.choose import SWITCHES, RuleSet, parse_rules
from engine.rules.spec import make_spec
from engine.rules.switches import HandPoints
from engine.table.moves import Catch, DrawTile, LayTile, Pass, Quiet, Tap, shows
from engine.table.rounds import next_round, start_game
from engine.table.table import ENDED, Ending, RoundPhase
from engine.table.trains import Seat
from engine.table.turn import TurnStage
from engine.tiles import full_set
from engine.view import SeatView
from lab.rounds.agreement import PLAYING, disagreements, every_end
from lab.rounds.any_move import choose_any
from lab.rounds.breaches import status
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded, shuffled
from lab.rounds.whole_games import deal, hand_of, play_open, reshuffle
from tests.engine.deals import COMPANIONS

VALUES = {name: switch.words() for name, switch in SWITCHES.items() if name != "deal"}


def all_lays(table, seat):
    """Every lay one could think of: each tile on each place of each train, either way round."""
    held = table.hands[seat]
    for tile in full_set(table.spec.pip_max):
        for end in every_end(table):
            for joined in {tile.low, tile.high}:
                yield LayTile(seat, held[0] if held else 0, tile, end.train, end.on, joined)


class Rounds(RuleBasedStateMachine):
    """Plays legal moves of the seats that are due, round after round."""

    @initialize(seed=st.binary(min_size=4, max_size=4), first=st.integers(0, 1))
    def begin(self, seed, first):
        """Deal the first round of a table under random rules."""
        self.entropy = seeded(seed)
        self.table = start_game(random_spec(self.entropy), Seat(first))
        self.deal()

    def deal(self):
        """Shuffle, and forget the last round."""
        self.tiles = deal(self.table, self.entropy)
        self.ever = dict(self.tiles)
        self.history = []

    @rule(choice=st.integers(0, 999))
    def play(self, choice):
        """One legal move; at the round's end, the score and the next deal."""
        if self.table.phase is RoundPhase.RESHUFFLE:
            self.table, self.tiles = reshuffle(self.table, self.tiles, self.entropy)
            self.ever |= self.tiles
        elif self.table.phase not in ENDED:
            self.move(choice)
        elif self.table.phase is RoundPhase.OVER:
            self.end_round()
        elif self.table.phase is RoundPhase.SCORED:
            self.table = next_round(self.table)
            self.deal()

    def move(self, choice):
        """A legal move changes what it says and nothing else."""
        table = self.table
        due = due_seats(table)
        seat = due[choice % len(due)]
        hand = hand_of(table, self.tiles, seat)
        moves = legal_moves(table, hand)
        assert moves, "a seat that is due always has a legal move"
        move = moves[choice % len(moves)]
        assert why_illegal_holding(table, hand, move) is None
        self.history.append((table, move))
        self.table, events = apply(table, move)
        assert apply(table, move) == (self.table, events), "equal moves make equal tables"
        if table.phase not in PLAYING or isinstance(move, Catch):
            return
        held = sum(map(len, table.hands)), sum(map(len, self.table.hands))
        drawn, laid = isinstance(move, DrawTile), len(shows(move))
        assert held[1] - held[0] == drawn - laid
        assert len(table.boneyard) - len(self.table.boneyard) == drawn
        assert (self.table.seen & ~table.seen).bit_count() == laid

    def end_round(self):
        """The audit of an honest round finds nothing, and who is out scores nothing."""
        table = self.table
        assert audit(self.history, self.ever) is None
        hands = [[self.tiles[at] for at in held] for held in table.hands]
        self.table, _ = score_round(table, hands)
        if table.outcome.ending is Ending.OUT and table.rules.scoring is HandPoints.PENALTY:
            assert self.table.past[-1][table.outcome.seat] == 0

    @invariant()
    def holds(self):
        """Nothing that must be true of a table is breached."""
        if hasattr(self, "table"):
            assert status(self.table) == ()

    @invariant()
    def judge_and_generator_agree(self):
        """`legal_moves`, `playable_tiles` and `open_ends` say what the judge says."""
        if not hasattr(self, "table") or self.table.phase not in PLAYING:
            return
        table = self.table
        seat = due_seats(table)[-1]
        assert list(disagreements(table, hand_of(table, self.tiles, seat))) == []
        if table.hands[seat] and table.turn.stage is not TurnStage.HELD:
            seen = turn_of(table, seat) if table.phase is RoundPhase.OPENING_ALL else table
            legal = (lay for lay in all_lays(table, seat) if not why_illegal(table, lay))
            playable = {lay.tile for lay in legal if not is_led(seen, lay)}
            assert sorted(playable) == list(playable_tiles(table, seat))
            assert set(playable) <= set(unseen_tiles(table))
        if table.phase is RoundPhase.PLAY and table.turn.stage is not TurnStage.LOST:
            assert bool(open_ends(table))

    @invariant()
    def others_may_only_call(self):
        """Seats that are not due have no moves but calls, and those only when they are due."""
        if not hasattr(self, "table"):
            return
        due = due_seats(self.table)
        for seat in range(self.table.spec.seats):
            if seat in due:
                continue
            moves = legal_moves(self.table, hand_of(self.table, self.tiles, Seat(seat)))
            assert bool(moves) == (seat in calls_due(self.table))
            assert all(isinstance(move, Tap | Catch | Quiet) for move in moves)
            assert why_illegal(self.table, Pass(Seat(seat))) is not None
            assert playable_tiles(self.table, Seat(seat)) == ()

    @invariant()
    def a_view_tells_nothing_of_unseen_tiles(self):
        """Swapping the tiles that a seat cannot see leaves its view equal."""
        if not hasattr(self, "table") or self.table.phase not in PLAYING:
            return
        table, seat = self.table, Seat(0)
        own = {at: self.tiles[at] for at in table.hands[seat]}
        laid = {lay.position for train in table.trains for lay in train.lays}
        hidden = [at for at in self.tiles if at not in own and at not in laid]
        swapped = dict(self.tiles)
        mixed = shuffled(seeded(b"swap"), [self.tiles[at] for at in hidden])
        swapped.update(zip(hidden, mixed, strict=True))
        before = SeatView(table, seat, hand_of(table, self.tiles, seat))
        after = SeatView(table, seat, hand_of(table, swapped, seat))
        assert before == after
        assert before.legal == after.legal


def tried(examples):
    """Return how often rounds are played, and how long."""
    suppressed = [HealthCheck.too_slow]
    more = {"deadline": None, "suppress_health_check": suppressed}
    return settings(max_examples=examples, stateful_step_count=60, **more)


@pytest.mark.parametrize("examples", [12, pytest.param(100, marks=pytest.mark.campaign)])
def test_what_must_be_true_of_any_table_is_true_at_every_step(examples):
    """Of random tables, whoever moves and however."""
    run_state_machine_as_test(Rounds, settings=tried(examples))


@pytest.mark.parametrize("name", sorted(VALUES))
def test_every_value_plays_whole_games_to_their_end(name):
    """Whatever a switch is set to, rounds end, in three rounds on a small set."""
    for value in VALUES[name]:
        rules = parse_rules("standard", {name: value} | COMPANIONS.get((name, value), {}))
        assert isinstance(rules, RuleSet)
        spec = make_spec(rules, 6, 4, 3)
        table = play_open(spec, f"{name}={value}".encode(), [choose_any] * 4)
        assert len(table.past) == 3
