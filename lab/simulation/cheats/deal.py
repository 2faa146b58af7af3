"""Cheats before the first tile is laid: the lobby, the coin, keys, decks, proofs and shares."""

from collections.abc import Sequence
from functools import partial
from typing import Final, TypeVar

from msgspec.structs import replace

from lab.simulation.cheats.cheat import (
    Bend,
    How,
    as_at_demo,
    cheat,
    fails_proof,
    fails_rules,
    fails_shape,
    flip,
    of_another_table,
    says,
    signed_truly,
    with_fields,
)
from lab.simulation.cheats.words import seat_of
from lab.simulation.computers.small_tables import small
from netgame.crypto.group import Q, encode, mul_base, require_point
from netgame.crypto.keys import make_round_secret, open_key
from netgame.crypto.masking import Masked, RevealProof, prove_reveal
from netgame.crypto.transcript import expand
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.protocol.state.deal import context_at
from netgame.protocol.state.phases import Phase, Round
from netgame.protocol.state.state import State
from netgame.wire.messages import (
    Admit,
    Body,
    Checked,
    Close,
    CoinCommit,
    CoinReveal,
    Deck,
    Dismiss,
    Draw,
    KeyCommit,
    KeyOpen,
    Lay,
    OpenTable,
    Pass,
    Payload,
    Proof,
    Roster,
    Shares,
    SignedEntry,
)

P = TypeVar("P", bound=Payload)

FALSE_PROOF: Final = with_fields(proof=flip)
OTHER_COMMITMENT: Final = with_fields(commitment=flip)
POINT_BYTES: Final = 33
_TILE_BYTES: Final = 2 * POINT_BYTES
_FOUR: Final = small(4, 4)
_CHOSEN: Final = small(3, 4, "first=chosen-rotate")
_ROUNDS_OF_TWO: Final = small(3, 3, rounds=2)


def other_point(_: object = None) -> bytes:
    """Return an encoded point that is valid, but has nothing to do with the game."""
    return require_point(mul_base(9))


def swap_points(points: bytes) -> bytes:
    """Return the points with the first two swapped; a single point is replaced by another one."""
    one, two = points[:POINT_BYTES], points[POINT_BYTES:_TILE_BYTES]
    return two + one + points[_TILE_BYTES:] if two else other_point()


def me(core: Core) -> tuple[State, Round, int]:
    """Return the state, the round and the seat of a core that is in a round."""
    state = core.state
    assert state.round is not None
    return state, state.round, seat_of(core)


def earlier(core: Core, kind: type[P], *, own: bool = True) -> P | None:
    """Return the last payload of this kind in a closed step, or None.

    If `own`, it is one that this seat has written; otherwise another seat has written it.
    """
    seat = core.state.seat_of(core.key)
    said = (entry for step in reversed(core.ledger.steps) for entry in step)
    own_said = (each.payload for each in said if (each.seat == seat) == own)
    return next((each for each in own_said if isinstance(each, kind)), None)


def again(kind: type[Payload], length_of: str, *, own: bool = True) -> Bend:
    """Return a bend that repeats the last payload of this kind.

    If `own`, it is one that this seat has written; otherwise another seat has written it. The bend
    waits while there is none, or while the field `length_of` of that payload and of the due one
    differ in length.
    """

    def bend(core: Core, said: Payload) -> Payload | None:
        old = earlier(core, kind, own=own)
        fits = old is not None and len(getattr(old, length_of)) == len(getattr(said, length_of))
        return old if fits else None

    return bend


def _of_this_round(field: str) -> Bend:
    """Return a bend that takes this field from another seat's entry for the due step.

    It waits while nobody else has written such an entry.
    """

    def bend(core: Core, said: Payload) -> Payload | None:
        slots = (entry.payload for entry in core.ledger.slots.values())
        theirs = next((each for each in slots if isinstance(each, type(said))), None)
        return replace(said, **{field: getattr(theirs, field)}) if theirs else None

    return bend


def shares_under(
    core: Core,
    phase: str,
    positions: Sequence[int],
    masked: Sequence[Masked],
    *,
    another_key: bool = False,
) -> tuple[tuple[bytes, ...], RevealProof]:
    """Return tokens and a proof of them, with this seat's key or, if `another_key`, a wrong one."""
    state, round_, seat = me(core)
    x = (core.author.round_secret(state, round_.deck).x + another_key) % Q
    context = context_at(state, phase, seat)
    a = [each.A for each in masked]
    return prove_reveal(x, context, positions, a, core.author.fresh())


# ---- the lobby ------------------------------------------------------------------------------


def _bad_option(_: Core, opening: OpenTable) -> OpenTable:
    return replace(opening, settings=replace(opening.settings, options=("draws=psychic",)))


# ---- keys and decks ---------------------------------------------------------------------------


def _late_key(core: Core, said: KeyOpen) -> KeyOpen | None:
    secret = make_round_secret(expand(bytes(32), "late key", core.state.step))
    context = context_at(core.state, "key-open", seat_of(core))
    return KeyOpen(said.round, encode(open_key(context, secret)))


def _stacked(deck: bytes) -> bytes:
    size = POINT_BYTES
    one, two, three, four = (deck[at * size : (at + 1) * size] for at in range(4))
    return one + four + three + two + deck[4 * size :]


def _old_proof(core: Core, said: Proof) -> Proof | None:
    old = earlier(core, Proof)
    return replace(said, proof=old.proof) if old else None


# ---- signatures -------------------------------------------------------------------------------


def _signed_wrongly(core: Core, body: Body) -> SignedEntry:
    signed = signed_truly(core, body)
    return SignedEntry(signed.body, flip(signed.signature))


def _in_another_name(core: Core, body: Body) -> SignedEntry:
    return signed_truly(core, replace(body, seat=(body.seat + 1) % len(core.state.members)))


def _cut_short(core: Core, body: Body) -> SignedEntry:
    signed = signed_truly(core, body)
    return SignedEntry(signed.body[1:], signed.signature)


ANY_TIME: Final = (CoinCommit, KeyCommit, Checked, Shares, Lay, Draw, Pass)

_unshuffled = partial(cheat, check=CheckCode.SHUFFLE)
_unsigned = partial(cheat, kinds=ANY_TIME, how=How.UNSIGNED)
_twice = partial(cheat, check=CheckCode.FORK, how=How.BESIDE)


def _next_round(number: int) -> int:
    return number + 1


DEAL_CHEATS: Final = (
    fails_rules(
        "a bad option",
        OpenTable,
        _bad_option,
        how=How.FORCED,
        about="the host opens a table with an option that does not exist",
    ),
    fails_shape(
        "a forged admission",
        Admit,
        with_fields(signature=flip),
        about="the host admits somebody by a request that they have not signed",
    ),
    fails_shape(
        "a seat for who sits",
        Close,
        lambda core, _: earlier(core, Admit, own=False),
        about="the host admits somebody twice",
    ),
    fails_rules(
        "a first player nobody drew",
        Close,
        lambda core, _: Close(core.key),
        about="the host names who plays first where the coin decides that",
    ),
    fails_rules(
        "a first player who does not sit", Close, says(Close(bytes(range(32)))), place=_CHOSEN
    ),
    fails_shape("a stranger dismissed", Close, says(Dismiss(bytes(32)))),
    fails_shape("another roster", Roster, says(Roster(bytes(64)))),
    fails_proof("another coin", CoinReveal, with_fields(secret=flip)),
    cheat("a key for another round", KeyCommit, with_fields(round=_next_round), CheckCode.KIND),
    fails_proof("another key", KeyOpen, with_fields(opening=flip)),
    fails_proof(
        "a key made up late",
        KeyOpen,
        _late_key,
        about="a good key with a good proof, made up once those of others were seen",
    ),
    fails_proof(
        "the key of another seat",
        KeyOpen,
        _of_this_round("opening"),
        how=How.LATE,
        about="what another seat has just opened, proof and all",
    ),
    fails_shape(
        "a key of no point",
        KeyOpen,
        with_fields(opening=lambda _: bytes(130)),
        about="octets that are no point of the curve",
    ),
    fails_shape("a short deck", Deck, with_fields(deck=lambda deck: deck[_TILE_BYTES:])),
    _unshuffled(
        "a stacked deck",
        Deck,
        with_fields(deck=_stacked),
        shown=Proof,
        about="two tiles with exchanged halves",
    ),
    _unshuffled(
        "a tile twice",
        Deck,
        as_at_demo("shuffle"),
        shown=Proof,
        about="one tile twice and another left out, mixed and masked as it should be",
    ),
    _unshuffled("a false shuffle proof", Proof, FALSE_PROOF),
    _unshuffled(
        "a false shuffle proof that the host backs",
        Proof,
        FALSE_PROOF,
        place=_FOUR,
        backed=True,
        about="the host signs that all proofs hold",
    ),
    _unshuffled(
        "the shuffle proof of another round",
        Proof,
        _old_proof,
        place=_ROUNDS_OF_TWO,
        about="a proof that was good a round ago",
    ),
    _unshuffled("the shuffle proof of another seat", Proof, _of_this_round("proof"), how=How.LATE),
    cheat("another round", Checked, with_fields(round=_next_round), CheckCode.KIND),
    fails_proof(
        "a wrong share", Shares, with_fields(tokens=swap_points), about="two shares exchanged"
    ),
    fails_shape("a missing share", Shares, with_fields(tokens=lambda points: points[POINT_BYTES:])),
    fails_shape(
        "a share too many",
        Shares,
        with_fields(tokens=lambda points: points + other_point()),
        about="a share for nothing",
    ),
    fails_proof("a false share proof", Shares, FALSE_PROOF),
    fails_proof(
        "a share of another key",
        Shares,
        as_at_demo("share"),
        about="with a proof that is good for that key",
    ),
    fails_proof(
        "a wrong share that the host backs",
        Shares,
        as_at_demo("share"),
        place=_FOUR,
        backed=True,
        about="the host takes it",
    ),
    fails_proof(
        "the share of an earlier draw",
        Shares,
        again(Shares, "tokens"),
        phase=Phase.DRAWN,
        about="what opened another tile, proof and all",
    ),
    cheat(
        "another kind of entry",
        ANY_TIME,
        says(Close()),
        CheckCode.KIND,
        about="what is due at another time",
    ),
    _twice("two coins", CoinCommit, OTHER_COMMITMENT),
    _twice("two keys", KeyCommit, OTHER_COMMITMENT),
    _twice("two decks", Deck, with_fields(deck=swap_points)),
    _twice("two stories", ANY_TIME, says(Close())),
    _unsigned(
        "a wrong signature",
        check=CheckCode.SIGNATURE,
        sign=_signed_wrongly,
        about="the receiver drops the link; the game goes on",
    ),
    _unsigned(
        "another's name",
        check=CheckCode.SIGNATURE,
        sign=_in_another_name,
        about=(
            "an entry in the name of another seat, signed by itself; nobody believes that "
            "the other signed it"
        ),
    ),
    _unsigned(
        "octets that are no entry",
        sign=_cut_short,
        about="the receiver drops the link; the game goes on",
    ),
    cheat(
        "an entry of another table",
        ANY_TIME,
        how=How.IDLE,
        sign=of_another_table,
        about="a good entry with the id of another table is ignored",
    ),
)
"""In the order of the game."""
