"""The audit with keys: a finished round laid open and computed again [protocol.md §5.8].

Second layer: with every key each position of every chain opens, and the round is judged once more
with all tiles known. Third layer: with the seeds every shuffle of every chain is done again.
"""

from collections.abc import Mapping

from engine.audit import audit
from engine.table.rounds import round_deck
from engine.table.table import Table
from engine.table.trains import Position
from engine.tiles import Tile
from netgame.crypto.audit import (
    SeededLink,
    open_points,
    opened_deck,
    reveals_key,
    reveals_seed,
    unrepeatable_links,
)
from netgame.crypto.group import Entropy, decode_scalar
from netgame.protocol.fold.deal import tiles_by_point
from netgame.protocol.fold.deck import Chain, RoundDeck
from netgame.protocol.fold.options import Audit
from netgame.protocol.fold.phases import Auditing, History, Late, Round
from netgame.protocol.fold.state import State
from netgame.protocol.log.entry import Entry, said
from netgame.protocol.log.fault import CheckCode, Claim, Finding, Judging
from netgame.wire.messages import Keys


def check_keys(state: State, now: Auditing, entry: Entry, payload: Keys) -> Finding | Judging:
    """The secret is that behind the round key; the seed, where there is one, that committed to."""
    deck, seat = now.round.deck, entry.seat
    with_seeds = state.options.audit is Audit.SEEDS
    if bool(payload.seed) != with_seeds:
        return Finding(CheckCode.SHAPE, "laid open more or less than this table asks for")
    x, key = decode_scalar(payload.x), deck.keys[seat]
    own_key = Claim(lambda _: reveals_key(x, key), "laid open a key that is not its own")
    if not with_seeds:
        return Judging(own_key)
    context, seeded = deck.commit_contexts[seat], deck.seeds[seat]

    def is_seed(_: Entropy) -> bool:
        return reveals_seed(seeded, context, payload.seed)

    return Judging(own_key, Claim(is_seed, "laid open a seed that it had not committed to"))


def audit_with_keys(
    state: State, round_: Round, entries: tuple[Entry, ...]
) -> tuple[Mapping[Position, Tile], Late | None]:
    """What the keys have shown: all tiles, and the first fault found, if any."""
    deck = round_.deck
    xs = {entry.seat: decode_scalar(said(entry, Keys).x) for entry in entries}
    if state.options.audit is Audit.SEEDS:
        bad = _unrepeatable(deck, {entry.seat: said(entry, Keys).seed for entry in entries})
        if bad is not None:
            finding = Finding(CheckCode.AUDIT, "mixed a deck in another way than its seed gives")
            return deck.tiles, Late(bad, finding)
    tiles = {**deck.tiles, **_opened(round_, xs)}
    return tiles, judged_again(round_.history, tiles)


def judged_again(history: History, tiles: Mapping[Position, Tile]) -> Late | None:
    """The first fault, if any, that the round shows with the tiles now known."""
    found = audit(history, tiles)
    if found is None:
        return None
    finding = Finding(CheckCode.AUDIT, f"broke a rule in the round: {found.rule}")
    return Late(int(found.seat), finding)


def _unrepeatable(deck: RoundDeck, seeds: Mapping[int, bytes]) -> int | None:
    """The first seat whose link of a chain does not come out of its seed."""
    for chain in deck.chains:
        links = [
            SeededLink(context, seeds[seat], made)
            for seat, context, made in zip(
                chain.authors, chain.contexts, chain.decks[1:], strict=True
            )
        ]
        bad = unrepeatable_links(deck.joint, chain.decks[0], links)
        if bad:
            return chain.authors[bad[0]]
    return None


def _opened(round_: Round, xs: Mapping[int, int]) -> dict[Position, Tile]:
    """The tile of every position that ever came out of a chain, or of a hand mixed by its owner."""
    named, deck = tiles_by_point(round_.table), round_.deck
    found: dict[Position, Tile] = {}
    for chain in deck.chains:
        _expect_whole(round_.table, chain, xs)
        points = open_points(chain.decks[-1], xs.values())
        found.update(
            (Position(chain.first + at), named[point])
            for at, point in enumerate(points)
            if point is not None
        )
    for seat, positions in deck.mixed:
        residuals = [deck.residuals[position] for position in positions]
        points = open_points(residuals, (xs[seat],))
        found.update(
            (position, named[point])
            for position, point in zip(positions, points, strict=True)
            if point is not None
        )
    return found


def _expect_whole(table: Table, chain: Chain, xs: Mapping[int, int]) -> None:
    """The first chain of a round holds every tile once: its proofs have shown that."""
    if chain.first == 0:
        tiles = round_deck(table.spec, table.round_number)
        whole = opened_deck(chain.decks[-1], xs.values(), tiles)
        assert whole is not None, "a proved shuffle holds every tile once"
