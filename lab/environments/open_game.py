"""A game as one decision after the other, with chance apart from the seats.

A tile is drawn by chance when somebody first sees it, so a deck is never shuffled: each hand is
dealt tile by tile, and the boneyard stays unknown until it is drawn from. Seats that act at one
moment are asked one after the other, and none sees what the others chose. [docs/rules.md §1]
"""

from typing import NamedTuple

from engine.play.apply import apply, score_round
from engine.play.calls import apply_calls, calls_due
from engine.play.due import as_left, due_seats, due_together, in_step_order
from engine.play.hub_outcome import reshuffled
from engine.play.legal_moves import legal_moves
from engine.rules.spec import TableSpec
from engine.scoring import totals
from engine.table.moves import Call, Move
from engine.table.rounds import next_round, round_deck, start_game
from engine.table.table import Hand, RoundPhase, Table
from engine.table.trains import Position, Seat
from engine.tiles import TILE_BITS, Tile, tile_bits, tiles_in
from engine.view import SeatView
from lab.rounds.whole_games import REDEALS_MAX, beside_hands, gone_back, possible_calls


def deals_max(spec: TableSpec) -> int:
    """Deals after which a game ends as it stands: some rules deal anew until a double is found."""
    return spec.rounds + REDEALS_MAX


class Glimpse(NamedTuple):
    """A tile that chance has shown to a seat."""

    seat: Seat
    position: Position
    tile: Tile


class OpenGame:
    """A game in progress. Either chance draws a tile, or a seat decides, or it is over."""

    def __init__(self, spec: TableSpec, first: Seat) -> None:
        """A game about to be dealt."""
        self.table: Table = start_game(spec, first)
        self.deals = 1
        self.moves: tuple[Move, ...] = ()
        """The moves that everybody has seen, in order."""
        self.glimpses: tuple[Glimpse, ...] = ()
        """The tiles that chance has shown to seats, in order."""
        self._tiles: dict[Position, Tile] = {}
        self._unknown = self._whole_deck()
        self._chosen: dict[Seat, Move] = {}
        self._calling: tuple[Seat, ...] = ()
        self._shown: tuple[Seat, Position] | None = None
        self._go_on()

    def copy(self) -> "OpenGame":
        """The same game, which goes its own way from here."""
        twin = object.__new__(OpenGame)
        twin.__dict__.update(self.__dict__)
        twin._tiles, twin._chosen = self._tiles.copy(), self._chosen.copy()
        return twin

    @property
    def is_over(self) -> bool:
        """Whether nothing more is decided."""
        return self.table.phase is RoundPhase.FINISHED or self.deals > deals_max(self.table.spec)

    @property
    def is_chance(self) -> bool:
        """Whether a tile has to be drawn before anybody can decide."""
        return self._shown is not None

    @property
    def seat(self) -> Seat | None:
        """The seat that decides now; None at chance and at the end."""
        if self.is_over or self.is_chance:
            return None
        asked = self._calling or due_seats(self.table)
        return next(seat for seat in asked if seat not in self._chosen)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the rounds scored so far, by seat."""
        return totals(self.table)

    def outcomes(self) -> tuple[Tile, ...]:
        """The tiles that chance may draw now, all equally likely."""
        return tiles_in(self._unknown)

    def draw(self, tile: Tile) -> None:
        """Chance draws this tile."""
        assert self._shown is not None
        seat, position = self._shown
        self._unknown &= ~TILE_BITS[tile]
        self._tiles[position] = tile
        self.glimpses += (Glimpse(seat, position, tile),)
        self._go_on()

    def view(self, seat: Seat) -> SeatView:
        """A seat's knowledge of this moment."""
        held = [(at, self._tiles[at]) for at in self.table.hands[seat] if at in self._tiles]
        beside = [(at, self._tiles[at]) for each, at in beside_hands(self.table) if each == seat]
        return SeatView(self.table, seat, Hand(seat, (*held, *beside)))

    def legal(self) -> tuple[Move, ...]:
        """The moves of the seat that decides now."""
        seat = self.seat
        assert seat is not None
        if not self._calling:
            hand = self.view(seat).hand
            return () if hand is None else legal_moves(self.table, hand)
        return possible_calls(self.table, seat)

    def decide(self, move: Move) -> None:
        """The seat that decides makes one of its legal moves."""
        self._chosen[move.seat] = move
        asked = self._calling or due_seats(self.table)
        together = self._calling or due_together(self.table)
        if together and any(seat not in self._chosen for seat in asked):
            return
        chosen, self._chosen = list(self._chosen.values()), {}
        if self._calling:
            self._calling = ()
            calls = [each for each in chosen if isinstance(each, Call)]
            self.moves += tuple(calls)
            self.table, _ = apply_calls(self.table, calls)
        else:
            turns = self.table.turns
            for each in in_step_order(chosen):
                made = as_left(self.table, each)
                self.moves += (made,)
                self.table, _ = apply(self.table, made)
            if self.table.turns != turns:
                self._calling = calls_due(self.table)
        self._go_on()

    def _go_on(self) -> None:
        """Do what nobody decides, up to the next decision, draw of chance, or the end."""
        self._shown = self._unseen()
        while self._shown is None and not self.is_over:
            match self.table.phase:
                case RoundPhase.RESHUFFLE:
                    self._reshuffle()
                case RoundPhase.OVER:
                    hands = [[self._tiles[at] for at in held] for held in self.table.hands]
                    self.table, _ = score_round(self.table, hands)
                case RoundPhase.SCORED:
                    self._deal_again()
                case _:
                    return
            self._shown = self._unseen()

    def _reshuffle(self) -> None:
        old = gone_back(self.table)
        gone = tuple([self._tiles.pop(at) for at in old if at in self._tiles])
        self._unknown |= tile_bits(gone)
        start = max([*old, *self._tiles]) + 1
        self.table = reshuffled(self.table, [Position(start + at) for at in range(len(old))])

    def _deal_again(self) -> None:
        """The next round, or the same once more where its double could not be found."""
        self.deals += 1
        self.table = next_round(self.table)
        self._tiles, self._unknown = {}, self._whole_deck()

    def _whole_deck(self) -> int:
        return tile_bits(round_deck(self.table.spec, self.table.round_number))

    def _unseen(self) -> tuple[Seat, Position] | None:
        """The next position that a seat sees and chance has not filled yet."""
        for seat, held in enumerate(self.table.hands):
            for at in held:
                if at not in self._tiles:
                    return Seat(seat), at
        return next(
            ((seat, at) for seat, at in beside_hands(self.table) if at not in self._tiles), None
        )
