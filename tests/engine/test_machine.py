"""Random tables under random rules: what must be true of every one of them at every step."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.audit import audit
from engine.chance import seeded, shuffled
from engine.legality import (
    legal_moves,
    open_ends,
    playable_tiles,
    unseen_tiles,
    why_illegal,
    why_illegal_holding,
)
from engine.moves import DrawTile, LayTile, Pass
from engine.rules import SWITCHES, RuleSet, parse_rules
from engine.simulate import deal, hand_of
from engine.spec import TableSpec, make_spec
from engine.table import Ending, Phase, next_round, start_game, status
from engine.tiles import full_set
from engine.trains import Seat
from engine.transition import apply, score_round
from engine.view import view_of

VALUES = {name: switch.values for name, switch in SWITCHES.items() if name != "deal"}


@st.composite
def specs(draw):
    """A playable table under any rules that go together."""
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), unique=True, max_size=6))
    switches = {name: draw(st.sampled_from(VALUES[name])) for name in names}
    rules = parse_rules("standard", switches)
    if not isinstance(rules, RuleSet):
        rules = RuleSet()
    pip_max = draw(st.sampled_from((6, 6, 9, 12)))
    seats = draw(st.integers(2, {6: 4, 9: 6, 12: 8}[pip_max]))
    small = draw(st.none() | st.integers(1, 4))
    spec = make_spec(rules, pip_max, seats, draw(st.integers(1, 3)), small)
    assert isinstance(spec, TableSpec), spec
    return spec


def all_lays(table, seat):
    """Every lay one could think of: each tile on each place of each train, either way round."""
    places = {(train.id, end.on) for train in table.trains for end in train.ends}
    places |= {(train.id, len(train.lays) - 1) for train in table.trains}
    held = table.hands[seat]
    for tile in full_set(table.spec.pip_max):
        for train, on in sorted(places):
            for joined in {tile.low, tile.high}:
                yield LayTile(seat, held[0] if held else 0, tile, train, on, joined)


class Rounds(RuleBasedStateMachine):
    """Plays legal moves of the seat in turn, round after round."""

    @initialize(spec=specs(), seed=st.binary(min_size=4, max_size=4), first=st.integers(0, 1))
    def begin(self, spec, seed, first):
        """Deal the first round."""
        self.entropy = seeded(seed)
        self.table = start_game(spec, Seat(first))
        self.deal()

    def deal(self):
        """Shuffle, and forget the last round."""
        self.tiles = deal(self.table, self.entropy)
        self.history = []
        self.draws_in_turn = 0

    def hand(self, seat=None):
        """The hand of a seat; by default of the one in turn."""
        return hand_of(self.table, self.tiles, self.table.to_move if seat is None else seat)

    @rule(choice=st.integers(0, 999))
    def play(self, choice):
        """One legal move; at the round's end, the score and the next deal."""
        if self.table.phase is Phase.PLAY:
            self.move(choice)
        elif self.table.phase is Phase.OVER:
            self.end_round()
        elif self.table.phase is Phase.SCORED:
            self.table = next_round(self.table)
            self.deal()

    def move(self, choice):
        """A legal move changes what it says and nothing else."""
        table = self.table
        moves = legal_moves(table, self.hand())
        assert moves, "a seat in turn always has a legal move"
        move = moves[choice % len(moves)]
        assert why_illegal_holding(table, self.hand(), move) is None
        self.history.append((table, move))
        self.table, events = apply(table, move)
        assert events
        assert apply(table, move) == (self.table, events), "equal moves make equal tables"
        held = sum(map(len, table.hands)), sum(map(len, self.table.hands))
        drawn = isinstance(move, DrawTile)
        laid = isinstance(move, LayTile)
        assert held[1] - held[0] == drawn - laid
        assert len(table.boneyard) - len(self.table.boneyard) == drawn
        assert (self.table.seen & ~table.seen).bit_count() == laid
        if isinstance(move, Pass) and self.table.phase is Phase.PLAY:
            assert self.table.to_move == (table.to_move + 1) % table.spec.seats

    def end_round(self):
        """The audit of an honest round finds nothing, and the scores add up."""
        table = self.table
        assert audit(self.history, self.tiles) is None
        hands = [[self.tiles[at] for at in held] for held in table.hands]
        self.table, _ = score_round(table, hands)
        if table.outcome.ending is Ending.OUT:
            assert self.table.past[-1][table.outcome.seat] == 0

    @invariant()
    def holds(self):
        """Nothing that must be true of a table is breached."""
        if hasattr(self, "table"):
            assert status(self.table) == ()

    @invariant()
    def judge_and_generator_agree(self):
        """`legal_moves`, `playable_tiles` and `open_ends` say what `why_illegal` says."""
        if not hasattr(self, "table") or self.table.phase is not Phase.PLAY:
            return
        table, seat = self.table, self.table.to_move
        hand = self.hand()
        places = {tile: at for at, tile in hand.tiles}
        judged = {
            lay._replace(position=places[lay.tile])
            for lay in all_lays(table, seat)
            if lay.tile in places
            and why_illegal(table, lay._replace(position=places[lay.tile])) is None
        }
        words = {
            move
            for move in (DrawTile(seat), Pass(seat))
            if why_illegal_holding(table, hand, move) is None
        }
        assert judged | words == set(legal_moves(table, hand))
        assert bool(judged) != bool(words)
        if table.hands[seat]:
            playable = {lay.tile for lay in all_lays(table, seat) if not why_illegal(table, lay)}
            assert sorted(playable) == list(playable_tiles(table, seat))
            assert set(playable) <= set(unseen_tiles(table))
        assert bool(open_ends(table))

    @invariant()
    def others_may_do_nothing(self):
        """Only the seat in turn has moves."""
        if not hasattr(self, "table"):
            return
        for seat in range(self.table.spec.seats):
            if seat != self.table.to_move or self.table.phase is not Phase.PLAY:
                assert legal_moves(self.table, self.hand(Seat(seat))) == ()
                assert why_illegal(self.table, Pass(Seat(seat))) is not None
                assert playable_tiles(self.table, Seat(seat)) == () or seat == self.table.to_move

    @invariant()
    def a_view_tells_nothing_of_unseen_tiles(self):
        """Swapping the tiles that a seat cannot see leaves its view equal."""
        if not hasattr(self, "table"):
            return
        table, seat = self.table, Seat(0)
        own = {at: self.tiles[at] for at in table.hands[seat]}
        laid = {lay.position for train in table.trains for lay in train.lays}
        hidden = [at for at in self.tiles if at not in own and at not in laid]
        swapped = dict(self.tiles)
        mixed = shuffled(seeded(b"swap"), [self.tiles[at] for at in hidden])
        swapped.update(zip(hidden, mixed, strict=True))
        before = view_of(table, hand_of(table, self.tiles, seat))
        after = view_of(table, hand_of(table, swapped, seat))
        assert before == after
        assert before.legal == after.legal


Rounds.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestRounds = Rounds.TestCase


@pytest.mark.parametrize("name", sorted(VALUES))
def test_every_value_plays_whole_games_to_their_end(name):
    """Whatever a switch is set to, rounds end, in three rounds on a small set."""
    for value in VALUES[name]:
        rules = parse_rules("standard", {name: value})
        assert isinstance(rules, RuleSet)
        spec = make_spec(rules, 6, 3, 3)
        entropy = seeded(f"{name}={value}".encode())
        table = start_game(spec, Seat(0))
        while table.phase is not Phase.FINISHED:
            tiles = deal(table, entropy)
            moves_left = 400
            while table.phase is Phase.PLAY:
                moves = legal_moves(table, hand_of(table, tiles, table.to_move))
                table, _ = apply(table, moves[entropy(1)[0] % len(moves)])
                moves_left -= 1
                assert moves_left, "the round goes on for ever"
            table, _ = score_round(table, [[tiles[at] for at in held] for held in table.hands])
            table = next_round(table) if table.phase is Phase.SCORED else table
        assert len(table.past) == 3
