"""Random tables under random rules: what each seat may know and do, at every step.

Every simulation checks the invariants of the table itself, such as that no tile is lost.
"""

import pytest

from engine.audit import audit
from engine.play.apply import apply
from engine.play.calls import calls_due
from engine.play.due import due_seats, turn_of
from engine.play.judge import playable_tiles, unseen_tiles, why_illegal
from engine.play.legal_moves import legal_moves
from engine.play.places import open_ends
from engine.play.playable import is_led
from engine.table.moves import Catch, LayTile, Pass, Quiet, Tap
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from engine.table.turn import TurnStage
from engine.tiles import full_set
from engine.view import SeatView
from lab.rounds import random_tables
from lab.rounds.agreement import PLAYING, every_end
from lab.rounds.random_tables import Simulated, simulate_table
from lab.rounds.seeds import seeded, shuffled
from lab.rounds.whole_games import hand_of


def all_lays(table, seat):
    """Yield a lay of every tile of the set at every end, either way round.

    Each lay names the position of the first tile in the seat's hand.
    """
    held = table.hands[seat]
    for tile in full_set(table.spec.pip_max):
        for end in every_end(table):
            for joined in {tile.low, tile.high}:
                yield LayTile(seat, held[0] if held else 0, tile, end.train, end.on, joined)


class WatchedGame(random_tables._Game):
    """A random game with checks at each step, and an audit after each round."""

    playing = None
    """The game that is making a step and whose moves are noted, or None."""

    def _play_round(self):
        self.ever, self.history = dict(self.tiles), []
        super()._play_round()
        if not self.table.is_called_off:
            assert audit(self.history, self.ever) is None, "an honest seat is accused"

    def _take(self, step):
        self.ever |= self.tiles
        WatchedGame.playing = self
        super()._take(step)
        WatchedGame.playing = None

    def _check(self):
        super()._check()
        self._others_may_only_call()
        if self.table.phase in PLAYING:
            self._judge_and_lists_agree(due_seats(self.table)[-1])
            self._view_tells_nothing_of_unseen_tiles(Seat(0))

    def _judge_and_lists_agree(self, seat):
        """Assert that `playable_tiles` agrees with the judge, and that in play some end is open."""
        table = self.table
        if table.hands[seat] and table.turn.stage is not TurnStage.HELD:
            seen = turn_of(table, seat) if table.phase is RoundPhase.OPENING_ALL else table
            legal = (lay for lay in all_lays(table, seat) if not why_illegal(table, lay))
            playable = {lay.tile for lay in legal if not is_led(seen, lay)}
            assert sorted(playable) == list(playable_tiles(table, seat)), "other tiles are playable"
            assert set(playable) <= set(unseen_tiles(table)), "a tile is playable that lies there"
        if table.phase is RoundPhase.PLAY and table.turn.stage is not TurnStage.LOST:
            assert open_ends(table), "no end is open"

    def _others_may_only_call(self):
        """Assert that seats that are not due may only make calls, and only when calls are due."""
        table = self.table
        for seat in map(Seat, {*range(table.spec.seats)} - {*due_seats(table)}):
            moves = legal_moves(table, hand_of(table, self.tiles, seat))
            assert bool(moves) == (seat in calls_due(table)), "calls are not as due"
            assert all(isinstance(move, Tap | Catch | Quiet) for move in moves), "it may move"
            assert why_illegal(table, Pass(seat)) is not None, "it may pass"
            assert playable_tiles(table, seat) == (), "it may lay"

    def _view_tells_nothing_of_unseen_tiles(self, seat):
        """Assert that swapping tiles that a seat cannot see does not change its view."""
        table = self.table
        laid = {lay.position for train in table.trains for lay in train.lays}
        hidden = self.tiles.keys() - table.hands[seat] - laid
        mixed = shuffled(seeded(b"swap"), [self.tiles[at] for at in hidden])
        swapped = self.tiles | dict(zip(hidden, mixed, strict=True))
        before = SeatView(table, seat, hand_of(table, self.tiles, seat))
        after = SeatView(table, seat, hand_of(table, swapped, seat))
        assert (before, before.legal) == (after, after.legal), "a view tells of hidden tiles"


def noted(table, move):
    """Apply a move and return the result; note the move for the audit if a watched game made it."""
    if WatchedGame.playing is not None:
        WatchedGame.playing.history.append((table, move))
    return apply(table, move)


@pytest.mark.parametrize("tables", [5, pytest.param(40, marks=pytest.mark.campaign)])
def test_what_must_be_true_of_any_table_is_true_at_every_step(tables, monkeypatch):
    """All checks of `WatchedGame` pass at every step of random tables."""
    monkeypatch.setattr(random_tables, "_Game", WatchedGame)
    monkeypatch.setattr(random_tables, "apply", noted)
    result = Simulated()
    for number in range(tables):
        simulate_table(number, b"any table", result)
    assert result.troubles == []
