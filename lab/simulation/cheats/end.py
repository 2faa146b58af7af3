"""Cheats after a round is over or somebody has left, and silence, which nobody can prove."""

from functools import partial
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from engine.rules.choose import STANDARD
from lab.simulation.cheats.cheat import (
    Cheat,
    How,
    cheat,
    fails_proof,
    fails_shape,
    flip,
    with_fields,
)
from lab.simulation.cheats.deal import earlier, me, shares_under, swap_points
from lab.simulation.cheats.words import seat_of
from lab.simulation.computers.small_tables import small
from netgame.crypto.blanks import prove_blinding
from netgame.crypto.group import encode
from netgame.crypto.rebuild import encode_rebuild, prove_rebuild
from netgame.protocol.peer.core import Core
from netgame.protocol.state.deal import context_at
from netgame.protocol.state.leavers import rebuild_statement
from netgame.protocol.state.phases import FindingBlanks, Phase
from netgame.wire.messages import (
    Admit,
    Blind,
    Checked,
    CoinCommit,
    CoinReveal,
    Deck,
    HandOver,
    KeyCommit,
    KeyOpen,
    Keys,
    MixHand,
    Open,
    OpeningCommit,
    OpeningReveal,
    Proof,
    Rebuild,
    Roster,
    RoundOver,
    Settings,
    Shares,
    Turn,
    Unblind,
)
from netgame.wire.statements import bit

_KEYS: Final = small(3, 3, "audit=keys")
LEAVING: Final = small(4, 4, "leaver=rebuild", "patience=minute")


# ---- hands and scores -------------------------------------------------------------------------


def _other_tiles(_: Core, opened: Open) -> Open | None:
    if not opened.tiles:
        return None
    (low, high), *rest = opened.tiles
    lie = (low, high - 1) if high > low else (0, high or 1)
    return replace(opened, tiles=(lie, *rest))


def _no_tiles(_: Core, opened: Open) -> Open | None:
    return Open((), b"", b"") if opened.tiles else None


def _one_more(scores: tuple[int, ...]) -> tuple[int, ...]:
    first, *rest = scores
    return (first + 1, *rest)


def _seats_somebody(core: Core, scored: RoundOver) -> RoundOver | None:
    """Return the scores with an admitted player seated once more; None if nobody was admitted."""
    admitted = earlier(core, Admit, own=False)
    return None if admitted is None else replace(scored, latecomers=(admitted,))


def _seats_a_forgery(core: Core, scored: RoundOver) -> RoundOver | None:
    admitted = earlier(core, Admit, own=False)
    if admitted is None:
        return None
    return replace(scored, latecomers=(replace(admitted, signature=flip(admitted.signature)),))


def _names_itself(core: Core, scored: RoundOver) -> RoundOver:
    return replace(scored, named=scored.named | bit(seat_of(core)))


# ---- a deck rebuilt ---------------------------------------------------------------------------


def _keeps_another(core: Core, _: Rebuild) -> Rebuild | None:
    state, round_, seat = me(core)
    hand = core.author.hand(state)
    statement = rebuild_statement(state, round_, seat)
    held = [tile for _, tile in hand.tiles] if hand is not None else []
    other = next((tile for tile in statement.tiles if tile not in held), None)
    if not held or other is None:
        return None
    x, entropy = core.author.round_secret(state, round_.deck).x, core.author.fresh()
    return Rebuild(encode_rebuild(prove_rebuild(statement, x, [other, *held[1:]], entropy)))


def _two_factors(core: Core, _: Blind) -> Blind | None:
    state, deal = core.state, core.state.deal
    assert deal is not None
    first, second, *rest = deal.decks[-1]
    context = context_at(state, "blind", seat_of(core))
    return Blind(encode(prove_blinding(context, (second, first, *rest), core.author.fresh())))


def _unblinds_with_another(core: Core, _: Unblind) -> Unblind | None:
    now = core.state.now
    assert isinstance(now, FindingBlanks)
    positions = range(len(now.blinded))
    tokens, proof = shares_under(core, "unblind", positions, now.blinded, another_key=True)
    return Unblind(encode(tokens), encode(proof))


_fails_then = partial(fails_proof, place=LEAVING, leaver=True)

END_CHEATS: Final = (
    fails_proof("a false hand", Open, _other_tiles),
    fails_shape(
        "a hand that stays hidden", Open, _no_tiles, about="nothing, where a hand has to be opened"
    ),
    fails_shape(
        "a false score",
        RoundOver,
        with_fields(scores=_one_more),
        about="scores that the open hands do not give",
    ),
    fails_shape(
        "a latecomer without the chair",
        RoundOver,
        _seats_somebody,
        about="seated by a seat that does not chair the table",
    ),
    fails_shape("a latecomer who sits already", RoundOver, _seats_somebody, host=True),
    fails_shape(
        "a latecomer who never asked",
        RoundOver,
        _seats_a_forgery,
        host=True,
        about="seated by a request that they have not signed",
    ),
    fails_shape(
        "a vote for who has one",
        RoundOver,
        _names_itself,
        about="a seat that is no guest's, named for a vote",
    ),
    fails_proof(
        "the key of nothing",
        Keys,
        with_fields(x=flip),
        place=_KEYS,
        about="a secret that is not behind the key of the round",
    ),
    _fails_then(
        "a part that keeps another tile",
        Rebuild,
        _keeps_another,
        about=(
            "in a rebuilt deck it withholds a tile that it does not hold and gives its own back"
        ),
    ),
    _fails_then("a part with a wrong proof", Rebuild, with_fields(contribution=flip)),
    _fails_then(
        "a deck blinded with two factors",
        Blind,
        _two_factors,
        about="two tiles of the new deck exchanged under the blinding",
    ),
    _fails_then(
        "a blinded deck opened wrongly",
        Unblind,
        with_fields(tokens=swap_points),
        about="two shares of it exchanged",
    ),
    _fails_then(
        "a blinded deck opened with another key",
        Unblind,
        _unblinds_with_another,
        about="with a proof that is good for that key",
    ),
)
"""In the order of the game."""


# ---- silence ----------------------------------------------------------------------------------


def _four(hand: int, *words: str, preset: str = STANDARD) -> Settings:
    return small(4, hand, *words, "patience=minute", preset=preset)


_REDEAL: Final = _four(4, "leaver=redeal")
_AT_ONCE: Final = _four(4, "opening=simultaneous")
_TURN: Final = Turn.__args__


_Kinds: TypeAlias = type[Any] | tuple[type[Any], ...]


def _silent(
    where: str,
    kinds: _Kinds,
    place: Settings = _REDEAL,
    **more: Any,  # noqa: ANN401 - any other field of a cheat
) -> Cheat:
    return cheat(f"is silent {where}", kinds, how=How.SILENT, place=place, **more)


def _leaves(where: str, kinds: _Kinds, phase: Phase | None = None) -> Cheat:
    return cheat(f"leaves {where}", kinds, how=How.AWAY, place=_REDEAL, phase=phase)


_rebuilding = partial(_silent, place=small(5, 3, "leaver=rebuild", "patience=minute"), leaver=True)

SILENCES: Final = (
    _silent("at the roster", Roster),
    _silent("at the commitment to the coin", CoinCommit),
    _silent("when the coin is shown", CoinReveal),
    _silent("at the commitment to its key", KeyCommit),
    _silent("when its key is opened", KeyOpen),
    _silent("with the deck in hand", Deck),
    _silent("instead of a shuffle proof", Proof),
    _silent("instead of having checked", Checked),
    _silent("when tiles are dealt", Shares, phase=Phase.SHARES),
    _silent("in its turn", _TURN, phase=Phase.PLAY),
    _silent("when another draws", Shares, phase=Phase.DRAWN),
    _silent("at the commitment to its opening", OpeningCommit, _AT_ONCE),
    _silent("when its opening is shown", OpeningReveal, _AT_ONCE),
    _silent("with a tile to hand over", HandOver, _four(1, preset="wolf-lake"), first_seed=22),
    _silent("with a hand to mix", MixHand, _four(4, "draws=hidden")),
    _rebuilding("when a deck is rebuilt", Rebuild),
    _rebuilding("when a deck is blinded", Blind),
    _rebuilding("when a deck is unblinded", Unblind),
    _silent("instead of opening its hand", Open),
    _silent("instead of signing the scores", RoundOver),
    _silent("instead of laying its key open", Keys, _four(4, "audit=keys")),
    _leaves("when it has seen the coin", CoinReveal),
    _leaves("with the deck in hand", Deck),
    _leaves("before its shares", Shares, Phase.SHARES),
    _leaves("in its turn", _TURN, Phase.PLAY),
    _leaves("before its hand is opened", Open),
)
"""Nobody can prove silence: all others give the silent seat up, and nobody is accused."""
