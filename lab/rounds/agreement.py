"""Whether the list of moves is what the judge allows: tile by tile, in words, and as chains.

Before play the judge is asked about every answer: each tile laid in the hub, declared or shown.

`legal_moves` looks only where something is open. Here the judge is asked about every tile on every
end that it joins, about every double with every tile behind it, and about chains as far as
`CHAINS_MAX`. A chain in one move has to be allowed exactly where its tiles are listed one after the
other, and has to come to the same table.
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
"""The phases in which tiles are laid."""

CHAINS_MAX: Final = 60
"""Chains that are tried from one end, shorter ones first: all of a hand of four or five tiles."""


def disagreements(table: Table, hand: Hand) -> Iterator[str]:
    """Every difference between list and judge for a seat that is due in play, in words.

    Calls are left out: a seat may make them where nobody asks it.
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
    """Every difference between list and judge for a seat that is due before play, in words.

    `hand` is wholly known, and has the tile that the seat looks at or turns up.
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
    """Every end of every train once, and where trains had ends before: the hub, the last tile."""
    assert table.hub is not None
    found = [end for train in table.trains for end in train.ends]
    for train in table.trains:
        found.append(End(train.id, HUB, table.hub.high))
        if train.lays:
            found.append(End(train.id, len(train.lays) - 1, train.lays[-1].end))
    return tuple(dict.fromkeys(found))


def _lays(table: Table, hand: Hand) -> Iterator[LayTile]:
    """Each tile of the hand on each end that it joins."""
    ends = every_end(table)
    for position, tile in hand.tiles:
        for end in ends:
            for joined in joining_halves(table.rules, tile, end.pip):
                yield LayTile(hand.seat, position, tile, end.train, end.on, joined)


class _Laid(NamedTuple):
    """A chain, and what its tiles come to one by one."""

    links: tuple[ChainLink, ...]
    pip: int
    """The end after the last of them."""
    rest: Hand
    table: Table | None
    """The table after them, if a chain goes on here and the list has each of them in its turn."""


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
        """Every chain that is allowed and not listed, or the other way round, in words."""
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
        """The chain with one more tile: any that joins it, on the double before it also others."""
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
        """The faults of a chain, of the same as a bullet train, and with a cover behind."""
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
        """Find fault with a move that is allowed and comes to nothing that is listed."""
        if why_illegal_holding(self._table, self._hand, move) is not None:
            return
        if apply(self._table, move)[0] not in self._known:
            yield f"{move} is legal and not listed"

    def _as_tiles(self, move: LayChain, laid: _Laid) -> Iterator[str]:
        """Find fault with a chain that is not what its tiles are, one by one."""
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
