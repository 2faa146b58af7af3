"""The cost of a fair deal: processor time of one peer, and the same in multiplications.

The unit is one multiplication of a variable point by the same library in the same run, so the
ratios are valid on any machine. Before every timed step all points are forgotten, except the fixed
ones that a process derives once. So the time includes decoding and checking what a peer sends.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct

from bench.figure import Figure, middle, timed, until_steady
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
_REFERENCE: Final = "multiplication"
_USUAL_US: Final = 34
"""Microseconds of a multiplication on the machine of docs/performance.md."""


class Goal(NamedTuple):
    """A measured step and its goals: in multiplications, in ms, or in both units."""

    name: str
    multiplications: float | None = None
    ms: float | None = None


GOALS: Final = {
    "shuffle": Goal("shuffle of {n} tiles", 235),
    "prove": Goal("proof of a shuffle of {n} tiles", 880),
    "verify": Goal("check of a shuffle of {n} tiles, in a batch of {others}", 560),
    "deal": Goal("whole verified deal, {seats} seats, {n} tiles, {hand} each", 8_800, 115.0),
    "pass prove": Goal('proof of "I cannot play", {shut} tiles unplayable', 118),
    "pass verify": Goal('check of "I cannot play", {shut} tiles unplayable', 88),
}
MOST: Final = 12
"""The most samples to take if the medians do not become steady earlier."""


class _Sent(Struct, frozen=True):
    """The octets that one seat sent during a deal."""

    commitment: bytes
    opening: bytes
    deck: bytes
    proof: bytes
    positions: tuple[int, ...]
    tokens: bytes
    token_proof: bytes


class _Game(Struct, frozen=True):
    """A whole deal, and the secrets of the measured seat."""

    tiles: tuple[TileLike, ...]
    sent: tuple[_Sent, ...]
    hand: int
    seat: int
    secret: keys.RoundSecret
    shuffle_secret: shuffle.ShuffleSecret
    X: Point


def multiplication_us() -> float:
    """Return how many microseconds one multiplication of a variable point takes.

    The library reads the point from 33 octets and returns 33 octets.
    """
    from btclib_secp256k1 import keys as library  # imported late: a browser tab has another

    point = library.pubkey_from_prvkey(random_scalar(secrets.token_bytes))
    factors = [random_scalar(secrets.token_bytes) for _ in range(_REFERENCE_ROUNDS)]
    _, seconds = timed(lambda: [library.pubkey_tweak_mul(point, factor) for factor in factors])
    return seconds / _REFERENCE_ROUNDS * 1e6


def in_both_units(
    sample: Callable[[], dict[str, float]],
    most: int,
    goals: Mapping[str, Goal],
    facts: Mapping[str, int],
) -> list[Figure]:
    """Measure each step in ms and in multiplications, until steady, at most `most` times.

    The goals apply only to eight seats, a double-twelve set and ten tiles each.
    """
    times = until_steady(lambda: {_REFERENCE: multiplication_us(), **sample()}, most)
    is_held = [facts[fact] for fact in ("seats", "pips", "hand")] == [8, 12, 10]
    figures = [middle("multiplication of a variable point", times[_REFERENCE], "us")]
    for step, goal in goals.items():
        name = goal.name.format(**facts)
        ms = goal.ms if is_held else None
        usual_ms = (goal.multiplications or 0) * _USUAL_US / 1e3
        text = "" if ms or not usual_ms else f"{usual_ms:.0f} ms at {_USUAL_US} us"
        figures.append(middle(name, times[step], "ms", ms, text))
        ratios = [ms * 1e3 / us for ms, us in zip(times[step], times[_REFERENCE], strict=True)]
        held = goal.multiplications if is_held else None
        figures.append(middle(name, ratios, "multiplications", held))
    return figures


def all_tiles(pips: int) -> tuple[TileLike, ...]:
    """Return the tiles of a double-`pips` set."""
    return tuple((low, high) for low in range(pips + 1) for high in range(low, pips + 1))


def masked(key: Point, tile: TileLike) -> Masked:
    """Return a tile masked under a key."""
    r = random_scalar(secrets.token_bytes)
    return Masked(mul_base(r), add(masking.tile_point(tile), mul(r, key)))


def timed_ms(fixed: Sequence[Point], work: Callable[[], _T]) -> tuple[_T, float]:
    """Run `work` with only fixed points remembered; return its result and its CPU time in ms."""
    forget_points()
    add(*fixed, *shuffle.generators(len(fixed))[1])
    result, seconds = timed(work)
    return result, seconds * 1e3


def _dealt_to(seat: int, hand_size: int) -> range:
    return range(seat * hand_size, (seat + 1) * hand_size)


def _others(seats: int, seat: int, hand_size: int) -> tuple[int, ...]:
    return tuple(p for k in range(seats) if k != seat for p in _dealt_to(k, hand_size))


def _play(seats: int, pips: int, hand_size: int) -> _Game:
    """Play a deal for all seats, and keep everything they send."""
    draw = secrets.token_bytes
    tiles = all_tiles(pips)
    own = [keys.make_round_secret(draw) for _ in range(seats)]
    joint = require_point(keys.joint_key([keys.public_key(secret) for secret in own]))
    deck = masking.initial_deck(tiles)
    decks = []
    chain = []
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
                commitment=keys.key_commitment(_CTX, secret),
                opening=group.encode(keys.open_key(_CTX, secret)),
                deck=group.encode(decks[k]),
                proof=group.encode(chain[k][1]),
                positions=positions,
                tokens=group.encode(tokens),
                token_proof=group.encode(proof),
            )
        )
    seat = seats // 2
    return _Game(
        tiles=tiles,
        sent=tuple(sent),
        hand=hand_size,
        seat=seat,
        secret=own[seat],
        shuffle_secret=chain[seat][0],
        X=joint,
    )


def _set_up_keys(game: _Game) -> None:
    """Make, commit to and open a key, check the other seats' keys, and add all keys up."""
    secret = keys.make_round_secret(secrets.token_bytes)
    keys.key_commitment(_CTX, secret)
    group.encode(keys.open_key(_CTX, secret))
    openings = [keys.decode_key_opening(sent.opening) for sent in game.sent]
    for k, (sent, opening) in enumerate(zip(game.sent, openings, strict=True)):
        if k != game.seat:
            assert keys.verify_key_opening(sent.commitment, _CTX, opening, _CTX), "an honest key"
    assert keys.joint_key([opening.X for opening in openings]) == game.X, "all the keys"


def _decks(game: _Game) -> list[tuple[Masked, ...]]:
    """Return the unmasked deck, then each seat's deck, decoded, in the order of the shuffles."""
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
    """Decode everything, check the other seats' shuffles in one batch, and return the last deck."""
    decks, n = _decks(game), len(game.tiles)
    links = [
        shuffle.ShuffleLink(
            _CTX, decks[k], decks[k + 1], shuffle.decode_shuffle_proof(sent.proof, n)
        )
        for k, sent in enumerate(game.sent)
        if k != game.seat
    ]
    assert not shuffle.verify_shuffles(game.X, links, secrets.token_bytes), "honest shuffles"
    return decks[-1]


def _open_hands(game: _Game, deck: tuple[Masked, ...]) -> None:
    """Make shares, check those of the others, apply all of them, and open the measured hand."""
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
        assert masking.unmask(left[p], token) in named, "a position opens to a tile"


def _others_shares(game: _Game, deck: tuple[Masked, ...]) -> list[tuple[int, Point]]:
    """Check the other seats' shares in one batch; return each with its position in the deck."""
    batch = Batch(secrets.token_bytes)
    shares = list[tuple[int, Point]]()
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
        assert given, "an honest share"
        shares += zip(sent.positions, tokens, strict=True)
    assert batch.holds(), "honest shares"
    return shares


def _whole_deal(game: _Game) -> None:
    """Do everything that one peer does until it sees its hand."""
    _set_up_keys(game)
    before = _decks(game)[game.seat]
    _prove_own(game, before, _shuffle_own(game, before))
    _open_hands(game, _verify_others(game))


def _pass_times(hand_size: int, pips: int) -> tuple[float, float]:
    """Return the ms to prove and to check "I cannot play".

    The hand has `hand_size` tiles, none of which fits the one open end. No other tile has been
    seen, so the proof is about all tiles that do not fit.
    """
    x, draw = random_scalar(secrets.token_bytes), secrets.token_bytes
    key = require_point(mul_base(x))
    unplayable = [(low, high) for high in range(pips) for low in range(high + 1)]
    fixed = [masking.tile_point(tile) for tile in unplayable]
    held = unplayable[:hand_size]
    left = tuple(masked(key, tile) for tile in held)
    listed = tuple(sorted(unplayable))
    statement = hand.HandStatement(_CTX, key, tuple(range(hand_size)), left, listed)
    octets, proving = timed_ms(
        fixed, lambda: group.encode(hand.prove_hand(statement, x, held, draw))
    )
    good, checking = timed_ms(
        fixed, lambda: hand.verify_hand(statement, hand.decode_hand_proof(octets, len(unplayable)))
    )
    assert good, "an honest pass"
    return proving, checking


def _sample(game: _Game, pips: int) -> dict[str, float]:
    """Time every step once, in ms."""
    fixed = [masking.tile_point(tile) for tile in game.tiles]
    before = _decks(game)[game.seat]
    after, shuffling = timed_ms(fixed, lambda: _shuffle_own(game, before))
    _, proving = timed_ms(fixed, lambda: _prove_own(game, before, after))
    _, checking = timed_ms(fixed, lambda: _verify_others(game))
    _, whole = timed_ms(fixed, lambda: _whole_deal(game))
    pass_proving, pass_checking = _pass_times(game.hand, pips)
    return {
        "shuffle": shuffling,
        "prove": proving,
        "verify": checking / max(1, len(game.sent) - 1),
        "deal": whole,
        "pass prove": pass_proving,
        "pass verify": pass_checking,
    }


def share_of_deal_ms(seats: int, pips: int, hand: int, times: int) -> float:
    """Return the processor time, in ms, that a whole deal takes one peer.

    It is the median of `times` deals.
    """
    game = _play(seats, pips, hand)
    fixed = [masking.tile_point(tile) for tile in game.tiles]
    return median(timed_ms(fixed, lambda: _whole_deal(game))[1] for _ in range(times))


def measure(seats: int = 8, pips: int = 12, hand: int = 10, most: int = MOST) -> list[Figure]:
    """Measure every step of a deal of `hand` tiles each from a double-`pips` set.

    Measure until the medians are steady, but at most `most` times.
    """
    game = _play(seats, pips, hand)
    facts = {"seats": seats, "pips": pips, "hand": hand, "n": len(game.tiles), "others": seats - 1}
    facts["shut"] = len(game.tiles) - pips - 1
    return in_both_units(lambda: _sample(game, pips), most, GOALS, facts)
