"""Compare the list of legal moves with the judge: single tiles, chains, and moves without a tile.

`legal_moves` looks only at what is open. This check asks the judge about every tile on every end
that it joins, about every double with every tile after it, and about up to `CHAINS_MAX` chains
from each end. A chain in one move must be allowed exactly where its tiles are listed one after the
other, and must lead to the same table.

Before play, the check asks the judge about every answer: each move without a tile, and each tile
laid in the hub, declared, shown or discarded.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.due import due_seats, turn_of
from engine.play.judge import why_illegal_holding
from engine.play.legal_moves import legal_moves
from engine.play.places import chains_now, double_ends
from engine.play.reach import own_trains
from engine.table.moves import (
    Catch,
    ChainLink,
    Declare,
    Discard,
    Done,
    LayChain,
    LayHub,
    LayTile,
    Move,
    Quiet,
    Show,
    Tap,
)
from engine.table.table import Hand, RoundPhase, Table, joining_halves
from engine.table.trains import HUB, End
from engine.table.turn import InChain, TurnStage
from lab.rounds.wrong_moves import WORDS

PLAYING: Final = (RoundPhase.PLAY, RoundPhase.OPENING_ALL)
"""The phases in which seats lay tiles."""

CHAINS_MAX: Final = 60
"""The most chains to try from one end, shorter ones first: all of a hand of four or five tiles."""


def disagreements(table: Table, hand: Hand) -> Iterator[str]:
    """Yield, in words, each difference between the list and the judge for a seat due in play.

    Calls are left out, because a seat may call where `legal_moves` lists nothing.
    """
    listed = legal_moves(table, hand)
    words = (word(hand.seat) for word in WORDS)
    for move in dict.fromkeys((*_lays(table, hand), *words, *listed)):
        if isinstance(move, Tap | Catch | Quiet):
            continue
        if (why_illegal_holding(table, hand, move) is None) != (move in listed):
            yield f"{move} is {'listed and refused' if move in listed else 'legal and not listed'}"
    yield from _Chains(table, hand, listed).told()


def answers_disagreeing(table: Table, hand: Hand) -> Iterator[str]:
    """Yield, in words, each difference between the list and the judge for a seat due before play.

    `hand` is fully known and includes the tile that the seat looks at or turns up. Calls are left
    out.
    """
    seat, listed = hand.seat, legal_moves(table, hand)
    words = (word(seat) for word in WORDS)
    tiles = [kind(seat, *held) for kind in (LayHub, Declare, Show) for held in hand.tiles]
    back = [Discard(seat, position) for position, _ in hand.tiles]
    for move in dict.fromkeys((*tiles, *back, *words, *listed)):
        if isinstance(move, Tap | Catch | Quiet):
            continue
        if (why_illegal_holding(table, hand, move) is None) != (move in listed):
            yield f"{move} is {'listed and refused' if move in listed else 'legal and not listed'}"


def every_end(table: Table) -> tuple[End, ...]:
    """Return the open ends of every train, and also its hub and its last tile, without duplicates.

    Raise AssertionError if there is no double in the hub yet.
    """
    assert table.hub is not None
    found = [end for train in table.trains for end in train.ends]
    for train in table.trains:
        found.append(End(train.id, HUB, table.hub.high))
        if train.lays:
            found.append(End(train.id, len(train.lays) - 1, train.lays[-1].end))
    return tuple(dict.fromkeys(found))


def _lays(table: Table, hand: Hand) -> Iterator[LayTile]:
    """Yield each tile of the hand on each end that it joins."""
    ends = every_end(table)
    for position, tile in hand.tiles:
        for end in ends:
            for joined in joining_halves(table.rules, tile, end.pip):
                yield LayTile(hand.seat, position, tile, end.train, end.on, joined)


class _Laid(NamedTuple):
    """A chain, and the result of laying its tiles one by one."""

    links: tuple[ChainLink, ...]
    pip: int
    """The pip at its end."""
    rest: Hand
    table: Table | None
    """The table after its tiles. None if no chain may be laid here, if one of the tiles was not a
    listed move, or if the turn was over before the last tile.
    """


class _Chains:
    """The chains that one seat might lay now, each in one move and tile by tile."""

    def __init__(self, table: Table, hand: Hand, listed: tuple[Move, ...]) -> None:
        self._table = table
        self._hand = hand
        self._seat = hand.seat
        seen = turn_of(table, hand.seat)
        following = table.memory.bullet is not None and table.turn.stage is TurnStage.START
        chaining = chains_now(seen) or isinstance(seen.turn.stage, InChain) or following
        self._chained = own_trains(seen, hand.seat) if chaining else ()
        chains = [move for move in listed if isinstance(move, LayChain)]
        self._known = [apply(table, move)[0] for move in chains]
        self._bullets = any(move.bullet for move in chains)

    def told(self) -> Iterator[str]:
        """Yield, in words, every chain on which the list and the judge differ."""
        for end in every_end(self._table):
            yield from self._from(end)

    def _from(self, end: End) -> Iterator[str]:
        queue, left = deque([_Laid((), end.pip, self._hand, self._table)]), CHAINS_MAX
        while queue and left:
            laid = queue.popleft()
            for after in self._longer(laid, end):
                left -= 1
                yield from self._judged(after, end)
                pair = len(after.links) == 1 and after.links[0].tile.is_double
                if left and (end.train in self._chained or pair):
                    queue.append(after)
                elif not left:
                    break

    def _longer(self, laid: _Laid, end: End) -> Iterator[_Laid]:
        """Yield the chain made longer by one tile, for each remaining tile that joins its end."""
        for position, tile in laid.rest.tiles:
            rest = Hand(self._seat, tuple(held for held in laid.rest.tiles if held[1] != tile))
            for joined in joining_halves(self._table.rules, tile, laid.pip):
                link = ChainLink(position, tile, joined)
                lay = LayTile(self._seat, position, tile, end.train, self._on(laid, end), joined)
                after = self._step(laid, lay)
                yield _Laid((*laid.links, link), tile.other_end(joined), rest, after)

    def _on(self, laid: _Laid, end: End) -> int:
        lays = len(self._table.train(end.train).lays)
        return lays + len(laid.links) - 1 if laid.links else end.on

    def _step(self, laid: _Laid, lay: LayTile) -> Table | None:
        if lay.train not in self._chained or laid.table is None or self._is_over(laid.table):
            return None
        listed = legal_moves(laid.table, laid.rest)
        return apply(laid.table, lay)[0] if lay in listed else None

    def _is_over(self, table: Table) -> bool:
        return table.turns != self._table.turns or self._seat not in due_seats(table)

    def _judged(self, laid: _Laid, end: End) -> Iterator[str]:
        """Yield the faults of a chain.

        A chain of the whole hand is also tried as a bullet train, and a single double also with
        each cover after it.
        """
        links = laid.links
        move = LayChain(self._seat, end.train, links, end.on)
        if end.train in self._chained:
            yield from self._as_tiles(move, laid)
        else:
            yield from self._unlisted(move)
        if len(links) == len(self._hand.tiles) and not self._bullets:
            yield from self._unlisted(replace(move, bullet=True))
        if len(links) == 1 and links[0].tile.is_double and double_ends(self._table):
            for position, tile in laid.rest.tiles:
                for joined in {tile.low, tile.high}:
                    covered = (*links, ChainLink(position, tile, joined))
                    yield from self._unlisted(replace(move, lays=covered, back=True))

    def _unlisted(self, move: LayChain) -> Iterator[str]:
        """Yield a fault if a move is legal, but no listed chain leads to the same table."""
        if why_illegal_holding(self._table, self._hand, move) is not None:
            return
        if apply(self._table, move)[0] not in self._known:
            yield f"{move} is legal and not listed"

    def _as_tiles(self, move: LayChain, laid: _Laid) -> Iterator[str]:
        """Yield a fault if a chain differs from its tiles laid one by one."""
        after = laid.table
        if after is not None and not self._is_over(after):
            done = Done(self._seat)
            after = apply(after, done)[0] if done in legal_moves(after, laid.rest) else None
        if why_illegal_holding(self._table, self._hand, move) is not None:
            if after is not None:
                yield f"{move} is refused and its tiles are listed"
        elif after is None:
            yield f"{move} is legal and its tiles are not listed"
        elif apply(self._table, move)[0] != after:
            yield f"{move} comes to another table than its tiles"
