"""The cost of proofs for handing a tile over, shuffling again, losing a seat and auditing a round.

The cost is the processor time of one peer, also in multiplications, measured as in `bench.deal`.
"""

import secrets
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bench.deal import MOST, Goal, all_tiles, in_both_units, masked, timed_ms
from bench.figure import Figure
from netgame.crypto import audit, blanks, group, handover, masking, rebuild, shuffle
from netgame.crypto.group import Point, add, mul_base, random_scalar, require_point
from netgame.crypto.masking import Masked, TileLike

_CTX: Final = bytes(64)
_RESHUFFLED: Final = 20

GOALS: Final = {
    "hand-over prove": Goal("proof of a hand-over"),
    "hand-over check": Goal("check of a hand-over"),
    "own hand": Goal("own hand of {hand} tiles shuffled and proved", 147),
    "own check": Goal("check of an own hand of {hand} tiles", 147),
    "again": Goal("{again} tiles shuffled again by {seats} seats: all a peer does", 1_647),
    "rebuild prove": Goal("rebuild without a leaver, {n} tiles: proof", 882),
    "rebuild check": Goal("rebuild without a leaver, {n} tiles: check of one seat", 706),
    "blanks prove": Goal("blanks of {n} places: blinding and shares", 1_176),
    "blanks check": Goal("blanks of {n} places: check of one seat", 1_059),
    "audit open": Goal("audit of a round: {n} places opened"),
}


class _Table(Struct, frozen=True):
    """The measured seat, its hand, and a deck under the joint key of all seats."""

    tiles: tuple[TileLike, ...]
    x: int
    X: Point
    joint: Point
    residuals: tuple[Masked, ...]
    deck: tuple[Masked, ...]
    seats: int

    @property
    def held(self) -> tuple[TileLike, ...]:
        return self.tiles[: len(self.residuals)]


def _table(seats: int, pips: int, hand: int) -> _Table:
    tiles = all_tiles(pips)
    xs = [random_scalar(secrets.token_bytes) for _ in range(seats)]
    keys = [require_point(mul_base(x)) for x in xs]
    joint = require_point(add(*keys))
    return _Table(
        tiles=tiles,
        x=xs[0],
        X=keys[0],
        joint=joint,
        residuals=tuple(masked(keys[0], tile) for tile in tiles[:hand]),
        deck=tuple(masked(joint, tile) for tile in tiles),
        seats=seats,
    )


def _shuffled(key: Point, deck: Sequence[Masked]) -> tuple[bytes, bytes]:
    """Shuffle a deck and prove it; return the octets of the new deck and of the proof."""
    secret = shuffle.make_shuffle_secret(len(deck), secrets.token_bytes)
    after = shuffle.shuffle(deck, key, secret)
    proof = shuffle.prove_shuffle(_CTX, key, deck, after, secret, secrets.token_bytes)
    return group.encode(after), group.encode(proof)


def _holds(key: Point, deck: tuple[Masked, ...], links: Sequence[tuple[bytes, bytes]]) -> bool:
    n = len(deck)
    received = [
        shuffle.ShuffleLink(
            _CTX, deck, masking.decode_deck(after, n), shuffle.decode_shuffle_proof(proof, n)
        )
        for after, proof in links
    ]
    return shuffle.verify_shuffles(key, received, secrets.token_bytes) == ()


def _require(times: dict[str, float], step: str, measured: tuple[bool, float]) -> None:
    """Record the time of a check under `step`; assert that the check succeeded."""
    good, times[step] = measured
    assert good, f"{step}: what is honest"


def _hand_over(table: _Table, fixed: Sequence[Point], times: dict[str, float]) -> None:
    left = table.residuals[0]

    def give() -> bytes:
        made = handover.prove_hand_over(table.x, _CTX, left, table.joint, secrets.token_bytes)
        return group.encode(made)

    def check() -> bool:
        over = handover.decode_hand_over(octets)
        return handover.verify_hand_over(table.X, _CTX, table.joint, left, over)

    octets, times["hand-over prove"] = timed_ms(fixed, give)
    _require(times, "hand-over check", timed_ms(fixed, check))


def _shuffles(table: _Table, fixed: Sequence[Point], times: dict[str, float]) -> None:
    own, again = table.residuals, table.deck[:_RESHUFFLED]
    link, times["own hand"] = timed_ms(fixed, lambda: _shuffled(table.X, own))
    _require(times, "own check", timed_ms(fixed, lambda: _holds(table.X, own, [link])))
    _, proving = timed_ms(fixed, lambda: _shuffled(table.joint, again))
    others = [_shuffled(table.joint, again) for _ in range(table.seats - 1)]
    _require(times, "again", timed_ms(fixed, lambda: _holds(table.joint, again, others)))
    times["again"] += proving


def _rebuild(table: _Table, fixed: Sequence[Point], times: dict[str, float]) -> None:
    statement = rebuild.RebuildStatement(
        _CTX, table.joint, table.X, tuple(range(len(table.held))), table.residuals, table.tiles
    )

    def prove() -> bytes:
        proof = rebuild.prove_rebuild(statement, table.x, table.held, secrets.token_bytes)
        return rebuild.encode_rebuild(proof)

    def check() -> bool:
        proof = rebuild.decode_rebuild(octets, len(table.tiles))
        return rebuild.verify_rebuild(statement, proof)

    octets, times["rebuild prove"] = timed_ms(fixed, prove)
    _require(times, "rebuild check", timed_ms(fixed, check))


def _blanks(table: _Table, fixed: Sequence[Point], times: dict[str, float]) -> None:
    places = range(len(table.deck))

    def blind() -> bytes:
        return group.encode(blanks.prove_blinding(_CTX, table.deck, secrets.token_bytes))

    def share() -> tuple[bytes, bytes]:
        tokens, proof = masking.prove_reveal(table.x, _CTX, places, halves, secrets.token_bytes)
        return group.encode(tokens), group.encode(proof)

    def check() -> bool:
        blinding = blanks.decode_blinding(octets, len(places))
        tokens = group.decode_points(sent[0], len(places))
        proof = masking.decode_reveal_proof(sent[1])
        return blanks.verify_blinding(_CTX, table.deck, blinding) and masking.verify_reveal(
            table.X, _CTX, places, halves, tokens, proof
        )

    octets, blinding_ms = timed_ms(fixed, blind)
    halves = [masked.A for masked in blanks.decode_blinding(octets, len(places)).entries]
    sent, sharing_ms = timed_ms(fixed, share)
    times["blanks prove"] = blinding_ms + sharing_ms
    _require(times, "blanks check", timed_ms(fixed, check))


def _audit(table: _Table, fixed: Sequence[Point], times: dict[str, float]) -> None:
    _, times["audit open"] = timed_ms(fixed, lambda: audit.open_points(table.deck, [table.x]))


def _sample(table: _Table) -> dict[str, float]:
    """Time every step once, in ms."""
    fixed = [masking.tile_point(tile) for tile in table.tiles]
    times: dict[str, float] = {}
    for step in (_hand_over, _shuffles, _rebuild, _blanks, _audit):
        step(table, fixed, times)
    return times


def measure(seats: int = 8, pips: int = 12, hand: int = 10, most: int = MOST) -> list[Figure]:
    """Measure every step with a hand of `hand` tiles of a double-`pips` set.

    Measure until the medians are steady, but at most `most` times.
    """
    table = _table(seats, pips, hand)
    facts = {"seats": seats, "pips": pips, "hand": hand, "n": len(table.tiles)}
    facts["again"] = min(_RESHUFFLED, len(table.tiles))
    return in_both_units(lambda: _sample(table), most, GOALS, facts)
