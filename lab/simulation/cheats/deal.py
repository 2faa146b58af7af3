"""Cheats before the first tile is laid: the lobby, the coin, keys, decks, proofs and shares."""

from typing import Final

from msgspec.structs import replace

from lab.simulation.cheats.cheat import Cheat, How, flip
from netgame.crypto.group import Q, encode, mul_base, require_point
from netgame.crypto.keys import make_round_secret, open_key
from netgame.crypto.masking import prove_reveal
from netgame.crypto.shuffle import make_shuffle_secret, shuffle
from netgame.crypto.transcript import expand
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.shares import positions_shared
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire

POINT_BYTES: Final = 33
_TILE_BYTES: Final = 2 * POINT_BYTES
_FOUR: Final = wire.Settings("standard", (), 6, 4, 1, 4)
_CHOSEN: Final = wire.Settings("standard", ("first=chosen-rotate",), 6, 3, 1, 4)
_ROUNDS_OF_TWO: Final = wire.Settings("standard", (), 6, 3, 2, 3)


def other_point() -> bytes:
    """A good point that has nothing to do with anything."""
    return require_point(mul_base(9))


def swap_points(points: bytes) -> bytes:
    """The first two the other way round; a single one replaced."""
    one, two = points[:POINT_BYTES], points[POINT_BYTES:_TILE_BYTES]
    return two + one + points[_TILE_BYTES:] if two else other_point()


def earlier(core: Core, kind: type[wire.Payload], *, own: bool = True) -> wire.Payload | None:
    """What somebody has last said of this kind in a done step: the core's seat, or another."""
    seat = core.state.seat_of(core.key)
    for step in reversed(core.ledger.steps):
        for entry in step:
            if isinstance(entry.payload, kind) and (entry.seat == seat) == own:
                return entry.payload
    return None


# ---- the lobby ------------------------------------------------------------------------------


def _bad_option(_: Core, opening: wire.OpenTable) -> wire.OpenTable:
    bad = replace(opening.settings, options=("draws=psychic",))
    return wire.OpenTable(opening.host, opening.nonce, bad)


def _forged_admission(_: Core, admitted: wire.Admit) -> wire.Admit:
    return wire.Admit(admitted.request, flip(admitted.signature))


def _ghost(core: Core, _: wire.Close) -> wire.Payload | None:
    """Who sits already, admitted once more."""
    return earlier_chair(core, wire.Admit)


def earlier_chair(core: Core, kind: type[wire.Payload]) -> wire.Payload | None:
    """What the host has last said of this kind."""
    entries = (step[0] for step in reversed(core.ledger.steps) if step)
    return next((each.payload for each in entries if isinstance(each.payload, kind)), None)


# ---- keys and decks ---------------------------------------------------------------------------


def _late_key(core: Core, said: wire.KeyOpen) -> wire.KeyOpen | None:
    """A key of its own, with a good proof, made up after it had seen those of others."""
    seat = core.state.seat_of(core.key)
    assert seat is not None
    secret = make_round_secret(expand(bytes(32), "late key", core.state.step))
    context = context_at(core.state, said.round, "key-open", seat)
    return wire.KeyOpen(said.round, encode(open_key(context, secret)))


def _their_key(core: Core, said: wire.KeyOpen) -> wire.KeyOpen | None:
    """The key that another has just opened."""
    slots = (entry.payload for entry in core.ledger.slots.values())
    theirs = next((each for each in slots if isinstance(each, wire.KeyOpen)), None)
    return wire.KeyOpen(said.round, theirs.opening) if theirs else None


def _stacked(deck: bytes) -> bytes:
    """Two tiles whose halves belong to each other no more."""
    one, two = deck[:_TILE_BYTES], deck[_TILE_BYTES : 2 * _TILE_BYTES]
    return (
        one[:POINT_BYTES]
        + two[POINT_BYTES:]
        + two[:POINT_BYTES]
        + one[POINT_BYTES:]
        + deck[2 * _TILE_BYTES :]
    )


def _tile_twice(core: Core, said: wire.Deck) -> wire.Deck:
    """One tile twice and another away, mixed and masked as if it had come so."""
    deal = core.state.deal
    assert deal is not None
    first, _, *rest = deal.decks[-1]
    given = (first, first, *rest)
    secret = make_shuffle_secret(len(given), core.author.fresh())
    return wire.Deck(said.round, encode(shuffle(given, deal.joint, secret)))


def _old_proof(core: Core, said: wire.Proof) -> wire.Proof | None:
    old = earlier(core, wire.Proof)
    return wire.Proof(said.round, old.proof) if isinstance(old, wire.Proof) else None


def _their_proof(core: Core, said: wire.Proof) -> wire.Proof | None:
    slots = (entry.payload for entry in core.ledger.slots.values())
    theirs = next((each for each in slots if isinstance(each, wire.Proof)), None)
    return wire.Proof(said.round, theirs.proof) if theirs else None


# ---- shares -----------------------------------------------------------------------------------


def _share_of_another_key(core: Core, _: wire.Shares) -> wire.Shares:
    """Tokens under another key, with a proof that is good for that one."""
    state, seat = core.state, core.state.seat_of(core.key)
    assert seat is not None
    assert state.round is not None
    table, deck = state.round.table, state.round.deck
    positions = positions_shared(state, state.round, seat)
    masked = [deck.masked[position].A for position in positions]
    context = context_at(state, table.round_number, "shares", seat)
    x = (core.author.round_secret(state, deck).x + 1) % Q
    tokens, proof = prove_reveal(x, context, positions, masked, core.author.fresh())
    return wire.Shares(encode(tokens), encode(proof))


def _old_share(core: Core, said: wire.Shares) -> wire.Shares | None:
    """What it said of another tile, proof and all."""
    old = earlier(core, wire.Shares)
    fits = isinstance(old, wire.Shares) and len(old.tokens) == len(said.tokens)
    return old if isinstance(old, wire.Shares) and fits else None


ANY_TIME: Final = (
    wire.CoinCommit,
    wire.KeyCommit,
    wire.Checked,
    wire.Shares,
    wire.Lay,
    wire.Draw,
    wire.Pass,
)

DEAL_CHEATS: Final = (
    Cheat("a bad option", (wire.OpenTable,), _bad_option, CheckCode.RULES, How.FORCED),
    Cheat("a forged admission", (wire.Admit,), _forged_admission, CheckCode.SHAPE),
    Cheat("a seat for who sits", (wire.Close,), _ghost, CheckCode.SHAPE),
    Cheat(
        "a first player nobody drew",
        (wire.Close,),
        lambda core, _: wire.Close(core.key),
        CheckCode.RULES,
    ),
    Cheat(
        "a first player who does not sit",
        (wire.Close,),
        lambda _c, _p: wire.Close(bytes(range(32))),
        CheckCode.RULES,
        place=_CHOSEN,
    ),
    Cheat(
        "a stranger dismissed",
        (wire.Close,),
        lambda _c, _p: wire.Dismiss(bytes(32)),
        CheckCode.SHAPE,
    ),
    Cheat("another roster", (wire.Roster,), lambda _c, _p: wire.Roster(bytes(64)), CheckCode.SHAPE),
    Cheat(
        "another coin",
        (wire.CoinReveal,),
        lambda _, p: wire.CoinReveal(flip(p.secret)),
        CheckCode.PROOF,
    ),
    Cheat(
        "a key for another round",
        (wire.KeyCommit,),
        lambda _, p: wire.KeyCommit(p.round + 1, p.commitment, p.seed),
        CheckCode.KIND,
    ),
    Cheat(
        "another key",
        (wire.KeyOpen,),
        lambda _, p: wire.KeyOpen(p.round, flip(p.opening)),
        CheckCode.PROOF,
    ),
    Cheat("a key made up late", (wire.KeyOpen,), _late_key, CheckCode.PROOF),
    Cheat("the key of another seat", (wire.KeyOpen,), _their_key, CheckCode.PROOF, How.LATE),
    Cheat(
        "a key of no point",
        (wire.KeyOpen,),
        lambda _, p: wire.KeyOpen(p.round, bytes(130)),
        CheckCode.SHAPE,
    ),
    Cheat(
        "a short deck",
        (wire.Deck,),
        lambda _, p: wire.Deck(p.round, p.deck[_TILE_BYTES:]),
        CheckCode.SHAPE,
    ),
    Cheat(
        "a stacked deck",
        (wire.Deck,),
        lambda _, p: wire.Deck(p.round, _stacked(p.deck)),
        CheckCode.SHUFFLE,
        shown=wire.Proof,
    ),
    Cheat("a tile twice", (wire.Deck,), _tile_twice, CheckCode.SHUFFLE, shown=wire.Proof),
    Cheat(
        "a false shuffle proof",
        (wire.Proof,),
        lambda _, p: wire.Proof(p.round, flip(p.proof)),
        CheckCode.SHUFFLE,
    ),
    Cheat(
        "a false shuffle proof that the host backs",
        (wire.Proof,),
        lambda _, p: wire.Proof(p.round, flip(p.proof)),
        CheckCode.SHUFFLE,
        place=_FOUR,
        backed=True,
    ),
    Cheat(
        "the shuffle proof of another round",
        (wire.Proof,),
        _old_proof,
        CheckCode.SHUFFLE,
        place=_ROUNDS_OF_TWO,
    ),
    Cheat(
        "the shuffle proof of another seat",
        (wire.Proof,),
        _their_proof,
        CheckCode.SHUFFLE,
        How.LATE,
    ),
    Cheat("another round", (wire.Checked,), lambda _, p: wire.Checked(p.round + 1), CheckCode.KIND),
    Cheat(
        "a wrong share",
        (wire.Shares,),
        lambda _, p: wire.Shares(swap_points(p.tokens), p.proof),
        CheckCode.PROOF,
    ),
    Cheat(
        "a missing share",
        (wire.Shares,),
        lambda _, p: wire.Shares(p.tokens[POINT_BYTES:], p.proof),
        CheckCode.SHAPE,
    ),
    Cheat(
        "a share too many",
        (wire.Shares,),
        lambda _, p: wire.Shares(p.tokens + other_point(), p.proof),
        CheckCode.SHAPE,
    ),
    Cheat(
        "a false share proof",
        (wire.Shares,),
        lambda _, p: wire.Shares(p.tokens, flip(p.proof)),
        CheckCode.PROOF,
    ),
    Cheat("a share of another key", (wire.Shares,), _share_of_another_key, CheckCode.PROOF),
    Cheat(
        "a wrong share that the host backs",
        (wire.Shares,),
        _share_of_another_key,
        CheckCode.PROOF,
        place=_FOUR,
        backed=True,
    ),
    Cheat(
        "the share of an earlier draw",
        (wire.Shares,),
        _old_share,
        CheckCode.PROOF,
        phase=Phase.DRAWN,
    ),
    Cheat("another kind of entry", ANY_TIME, lambda _c, _p: wire.Close(), CheckCode.KIND),
    Cheat(
        "two coins",
        (wire.CoinCommit,),
        lambda _, p: wire.CoinCommit(flip(p.commitment)),
        CheckCode.FORK,
        How.BESIDE,
    ),
    Cheat(
        "two keys",
        (wire.KeyCommit,),
        lambda _, p: wire.KeyCommit(p.round, flip(p.commitment), p.seed),
        CheckCode.FORK,
        How.BESIDE,
    ),
    Cheat(
        "two decks",
        (wire.Deck,),
        lambda _, p: wire.Deck(p.round, swap_points(p.deck)),
        CheckCode.FORK,
        How.BESIDE,
    ),
    Cheat("two stories", ANY_TIME, lambda _c, _p: wire.Close(), CheckCode.FORK, How.BESIDE),
    Cheat("a wrong signature", ANY_TIME, lambda _, p: p, CheckCode.SIGNATURE, How.UNSIGNED),
    Cheat("another's name", ANY_TIME, lambda _, p: p, CheckCode.SIGNATURE, How.UNSIGNED),
    Cheat("octets that are no entry", ANY_TIME, lambda _, p: p, None, How.UNSIGNED),
    Cheat("an entry of another table", ANY_TIME, lambda _, p: p, None, How.IDLE),
)
"""In the order of the game."""
