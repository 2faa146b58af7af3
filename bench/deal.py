"""The cost of a fair deal: processor time of one peer, and the same in multiplications.

A multiplication is one of a variable point by the same library in the same run, so the ratios hold
on any machine. Points are forgotten before every timed step, all but the fixed ones that a process
derives once: what a peer sends is opened and checked within the time it is charged for.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final, TypeVar

from btclib_secp256k1 import keys as library

from bench.figure import Figure, format_figures, middle, until_steady
from netgame.crypto import group, hand, keys, masking, shuffle
from netgame.crypto.batch import Batch
from netgame.crypto.group import (
    Point,
    add,
    forget_points,
    mul,
    mul_base,
    random_scalar,
    require_point,
)
from netgame.crypto.masking import Masked, TileLike

_T = TypeVar("_T")

_CTX: Final = bytes(64)
_REFERENCE_ROUNDS: Final = 400
REFERENCE: Final = "multiplication"

GOALS: Final = {
    "shuffle": (235, 8.0),
    "prove": (880, 30.0),
    "verify": (560, 19.0),
    "deal": (8_800, 300.0),
    "pass prove": (118, 4.0),
    "pass verify": (88, 3.0),
}
"""Multiplications, and milliseconds on the machine of docs/decisions.md (34 us each)."""
DEAL_GOAL_MS: Final = 115.0
"""A whole deal of eight seats and 91 tiles: processor time of one peer."""
MOST: Final = 12
"""How often everything is measured at the most, until the medians stand still."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """The octets that one seat sent during a deal."""

    commitment: bytes
    opening: bytes
    deck: bytes
    proof: bytes
    positions: tuple[int, ...]
    tokens: bytes
    token_proof: bytes


@dataclass(frozen=True, slots=True)
class _Game:
    """A whole deal, and the secrets of the seat that is measured."""

    tiles: tuple[TileLike, ...]
    sent: tuple[_Sent, ...]
    hand: int
    seat: int
    secret: keys.RoundSecret
    shuffle_secret: shuffle.ShuffleSecret
    X: Point


def multiplication_us() -> float:
    """Time one multiplication of a variable point, 33 octets in and 33 out."""
    point = library.pubkey_from_prvkey(random_scalar(secrets.token_bytes))
    factors = [random_scalar(secrets.token_bytes) for _ in range(_REFERENCE_ROUNDS)]
    started = process_time()
    for factor in factors:
        library.pubkey_tweak_mul(point, factor)
    return (process_time() - started) / _REFERENCE_ROUNDS * 1e6


def with_reference(sample: dict[str, float]) -> dict[str, float]:
    """Add to the times of one run, in ms, what a multiplication took then, in us."""
    return {REFERENCE: multiplication_us(), **sample}


def in_multiplications(times: dict[str, list[float]], step: str) -> list[float]:
    """Give what a step took in multiplications of the same run, for each run."""
    return [ms * 1e3 / us for ms, us in zip(times[step], times[REFERENCE], strict=True)]


def timed(fixed: Sequence[Point], work: Callable[[], _T]) -> tuple[_T, float]:
    """Run `work` with only fixed points remembered; give its result and its CPU time in ms."""
    forget_points()
    add(*fixed, *shuffle.generators(len(fixed))[1])
    started = process_time()
    result = work()
    return result, (process_time() - started) * 1e3


def _dealt_to(seat: int, hand_size: int) -> range:
    return range(seat * hand_size, (seat + 1) * hand_size)


def _others(seats: int, seat: int, hand_size: int) -> tuple[int, ...]:
    return tuple(p for k in range(seats) if k != seat for p in _dealt_to(k, hand_size))


def _play(seats: int, pips: int, hand_size: int) -> _Game:
    """Play a deal for all seats, keeping what they send."""
    draw = secrets.token_bytes
    tiles = tuple((low, high) for low in range(pips + 1) for high in range(low, pips + 1))
    own = [keys.make_round_secret(draw) for _ in range(seats)]
    joint = require_point(keys.joint_key([keys.public_key(secret) for secret in own]))
    deck, decks, chain = masking.initial_deck(tiles), [], []
    for _ in own:
        mixed = shuffle.make_shuffle_secret(len(tiles), draw)
        after = shuffle.shuffle(deck, joint, mixed)
        chain.append((mixed, shuffle.prove_shuffle(_CTX, joint, deck, after, mixed, draw)))
        decks.append(after)
        deck = after
    sent = []
    for k, secret in enumerate(own):
        positions = _others(seats, k, hand_size)
        tokens, proof = masking.prove_reveal(
            secret.x, _CTX, positions, [deck[p].A for p in positions], draw
        )
        sent.append(
            _Sent(
                keys.key_commitment(_CTX, secret),
                group.encode(keys.open_key(_CTX, secret)),
                group.encode(decks[k]),
                group.encode(chain[k][1]),
                positions,
                group.encode(tokens),
                group.encode(proof),
            )
        )
    seat = seats // 2
    return _Game(tiles, tuple(sent), hand_size, seat, own[seat], chain[seat][0], joint)


def _set_up_keys(game: _Game) -> None:
    """Make, commit and open the own key, check everybody else's, add them up."""
    secret = keys.make_round_secret(secrets.token_bytes)
    keys.key_commitment(_CTX, secret)
    group.encode(keys.open_key(_CTX, secret))
    openings = [keys.decode_key_opening(sent.opening) for sent in game.sent]
    for k, (sent, opening) in enumerate(zip(game.sent, openings, strict=True)):
        if k != game.seat and not keys.verify_key_opening(sent.commitment, _CTX, opening, _CTX):
            raise AssertionError("an honest key was refused")
    if keys.joint_key([opening.X for opening in openings]) != game.X:
        raise AssertionError("the keys do not add up")


def _decks(game: _Game) -> list[tuple[Masked, ...]]:
    """Decode every deck, the open one first."""
    n = len(game.tiles)
    return [
        masking.initial_deck(game.tiles),
        *(masking.decode_deck(sent.deck, n) for sent in game.sent),
    ]


def _shuffle_own(game: _Game, before: tuple[Masked, ...]) -> tuple[Masked, ...]:
    after = shuffle.shuffle(before, game.X, game.shuffle_secret)
    group.encode(after)
    return after


def _prove_own(game: _Game, before: tuple[Masked, ...], after: tuple[Masked, ...]) -> None:
    proof = shuffle.prove_shuffle(
        _CTX, game.X, before, after, game.shuffle_secret, secrets.token_bytes
    )
    group.encode(proof)


def _verify_others(game: _Game) -> tuple[Masked, ...]:
    """Decode decks and proofs and check all links but the own one in one batch."""
    decks, n = _decks(game), len(game.tiles)
    links = [
        shuffle.ShuffleLink(
            _CTX, decks[k], decks[k + 1], shuffle.decode_shuffle_proof(sent.proof, n)
        )
        for k, sent in enumerate(game.sent)
        if k != game.seat
    ]
    if shuffle.verify_shuffles(game.X, links, secrets.token_bytes):
        raise AssertionError("an honest shuffle was refused")
    return decks[-1]


def _open_hands(game: _Game, deck: tuple[Masked, ...]) -> None:
    """Give shares, check the others', take them off every dealt position, look at the own hand."""
    own = game.sent[game.seat].positions
    given, proof = masking.prove_reveal(
        game.secret.x, _CTX, own, [deck[p].A for p in own], secrets.token_bytes
    )
    group.encode(given)
    group.encode(proof)
    shares: dict[int, list[Point]] = {p: [] for p in range(game.hand * len(game.sent))}
    for position, token in zip(own, given, strict=True):
        shares[position].append(token)
    for position, share in _others_shares(game, deck):
        shares[position].append(share)
    left = {p: masking.residual(deck[p], tokens) for p, tokens in shares.items()}
    named = masking.tile_points(game.tiles)
    for p in _dealt_to(game.seat, game.hand):
        token = masking.reveal_token(game.secret.x, left[p].A)
        if masking.unmask(left[p], token) not in named:
            raise AssertionError("a position opened to no tile")


def _others_shares(game: _Game, deck: tuple[Masked, ...]) -> list[tuple[int, Point]]:
    """Check all by one sum, as a peer does with those that have come while it was busy."""
    batch, shares = Batch(secrets.token_bytes), list[tuple[int, Point]]()
    for k, sent in enumerate(game.sent):
        if k == game.seat:
            continue
        tokens = group.decode_points(sent.tokens, len(sent.positions))
        given = masking.verify_reveal(
            keys.decode_key_opening(sent.opening).X,
            _CTX,
            sent.positions,
            [deck[p].A for p in sent.positions],
            tokens,
            masking.decode_reveal_proof(sent.token_proof),
            batch,
        )
        if not given:
            raise AssertionError("an honest share was refused")
        shares += zip(sent.positions, tokens, strict=True)
    if not batch.holds():
        raise AssertionError("honest shares were refused")
    return shares


def _whole_deal(game: _Game) -> None:
    """Do everything one peer does until it sees its hand."""
    _set_up_keys(game)
    before = _decks(game)[game.seat]
    _prove_own(game, before, _shuffle_own(game, before))
    _open_hands(game, _verify_others(game))


def _pass_times(hand_size: int, pips: int) -> tuple[float, float]:
    """Prove and check "I cannot play" in ms: one open end, the rest of the set unseen."""
    x, draw = random_scalar(secrets.token_bytes), secrets.token_bytes
    key = require_point(mul_base(x))
    unplayable = [(low, high) for high in range(pips) for low in range(high + 1)]
    fixed = [masking.tile_point(tile) for tile in unplayable]
    held = unplayable[:hand_size]
    left = []
    for tile in held:
        r = random_scalar(draw)
        left.append(masking.Masked(mul_base(r), add(masking.tile_point(tile), mul(r, key))))
    listed = tuple(sorted(unplayable))
    statement = hand.HandStatement(_CTX, key, tuple(range(hand_size)), tuple(left), listed)
    octets, proving = timed(fixed, lambda: group.encode(hand.prove_hand(statement, x, held, draw)))
    good, checking = timed(
        fixed, lambda: hand.verify_hand(statement, hand.decode_hand_proof(octets, len(unplayable)))
    )
    if not good:
        raise AssertionError("an honest pass was refused")
    return proving, checking


def _sample(game: _Game, pips: int) -> dict[str, float]:
    """Time every step once, in ms."""
    fixed = [masking.tile_point(tile) for tile in game.tiles]
    before = _decks(game)[game.seat]
    after, shuffling = timed(fixed, lambda: _shuffle_own(game, before))
    _, proving = timed(fixed, lambda: _prove_own(game, before, after))
    _, checking = timed(fixed, lambda: _verify_others(game))
    _, whole = timed(fixed, lambda: _whole_deal(game))
    pass_proving, pass_checking = _pass_times(game.hand, pips)
    return {
        "shuffle": shuffling,
        "prove": proving,
        "verify": checking / max(1, len(game.sent) - 1),
        "deal": whole,
        "pass prove": pass_proving,
        "pass verify": pass_checking,
    }


def measure(seats: int = 8, pips: int = 12, hand: int = 10, most: int = MOST) -> list[Figure]:
    """Measure a deal of `hand` tiles each from a double-`pips` set, `most` times at the most.

    Every time is given twice: in ms, and in multiplications, held to the goal if the deal is the
    one the goals are for.
    """
    game = _play(seats, pips, hand)
    times = until_steady(lambda: with_reference(_sample(game, pips)), most)
    n, held_to_goals = len(game.tiles), (seats, pips, hand) == (8, 12, 10)
    names = {
        "shuffle": f"shuffle of {n} tiles",
        "prove": f"proof of a shuffle of {n} tiles",
        "verify": f"check of a shuffle of {n} tiles, in a batch of {seats - 1}",
        "deal": f"whole verified deal, {seats} seats, {n} tiles, {hand} each",
        "pass prove": f'proof of "I cannot play", {n - pips - 1} tiles unplayable',
        "pass verify": f'check of "I cannot play", {n - pips - 1} tiles unplayable',
    }
    figures = [middle("multiplication of a variable point", times[REFERENCE], "us")]
    for key, name in names.items():
        goal, at_34_us = GOALS[key]
        goal_ms = DEAL_GOAL_MS if held_to_goals and key == "deal" else None
        text = "" if goal_ms else f"{at_34_us:g} ms at 34 us"
        figures.append(middle(name, times[key], "ms", goal_ms, text))
        ratios = in_multiplications(times, key)
        figures.append(middle(name, ratios, "multiplications", goal if held_to_goals else None))
    return figures


if __name__ == "__main__":
    print(format_figures(measure()))
