"""Cheats when a round is over or somebody has left, and silence, which is not a cheat to prove."""

from typing import Any, Final

from lab.simulation.cheats.cheat import Cheat, How, flip
from lab.simulation.cheats.deal import earlier_chair, swap_points
from netgame.crypto.blanks import prove_blinding
from netgame.crypto.group import Q, encode
from netgame.crypto.masking import prove_reveal
from netgame.crypto.rebuild import encode_rebuild, prove_rebuild
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.leavers import rebuild_statement
from netgame.protocol.fold.phases import FindingBlanks, Phase
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire

_KEYS: Final = wire.Settings("standard", (), 6, 3, 1, 3, ("audit=keys",))
_SEEDS: Final = wire.Settings("standard", (), 6, 3, 1, 3, ("audit=seeds",))
LEAVING: Final = wire.Settings("standard", (), 6, 4, 1, 4, ("leaver=rebuild", "patience=minute"))


# ---- hands and scores -------------------------------------------------------------------------


def _other_tiles(_: Core, opened: wire.Open) -> wire.Open | None:
    if not opened.tiles:
        return None
    low, high = opened.tiles[0]
    lie = (low, high - 1) if high > low else (0, high) if high else (0, 1)
    return wire.Open((lie, *opened.tiles[1:]), opened.tokens, opened.proof)


def _no_tiles(_: Core, opened: wire.Open) -> wire.Open | None:
    return wire.Open((), b"", b"") if opened.tiles else None


def _less(_: Core, scored: wire.RoundOver) -> wire.RoundOver:
    first, *rest = scored.scores
    return wire.RoundOver((first + 1, *rest), scored.latecomers)


def _seats_somebody(core: Core, scored: wire.RoundOver) -> wire.RoundOver | None:
    """Who was admitted last sits down once more, by the request that it has signed."""
    admitted = earlier_chair(core, wire.Admit)
    if not isinstance(admitted, wire.Admit):
        return None
    return wire.RoundOver(scored.scores, (admitted,))


def _seats_a_forgery(core: Core, scored: wire.RoundOver) -> wire.RoundOver | None:
    admitted = earlier_chair(core, wire.Admit)
    if not isinstance(admitted, wire.Admit):
        return None
    forged = wire.Admit(admitted.request, flip(admitted.signature))
    return wire.RoundOver(scored.scores, (forged,))


# ---- a deck rebuilt ---------------------------------------------------------------------------


def _keeps_another(core: Core, _: wire.Rebuild) -> wire.Rebuild | None:
    """A part that withholds a tile which it does not hold, and gives one back that it does."""
    state, seat = core.state, core.state.seat_of(core.key)
    hand = core.author.hand(state)
    assert state.round is not None
    assert seat is not None
    statement = rebuild_statement(state, state.round, seat)
    held = [tile for _, tile in hand.tiles] if hand is not None else []
    other = next((tile for tile in statement.tiles if tile not in held), None)
    if not held or other is None:
        return None
    x, entropy = core.author.round_secret(state, state.round.deck).x, core.author.fresh()
    made = prove_rebuild(statement, x, [other, *held[1:]], entropy)
    return wire.Rebuild(encode_rebuild(made))


def _two_factors(core: Core, _: wire.Blind) -> wire.Blind | None:
    """Two tiles of the new deck changed for one another, and blinded as if they lay so."""
    state, seat = core.state, core.state.seat_of(core.key)
    assert state.deal is not None
    assert seat is not None
    first, second, *rest = state.deal.decks[-1]
    context = context_at(state, state.deal.round_number, "blind", seat)
    made = prove_blinding(context, (second, first, *rest), core.author.fresh())
    return wire.Blind(encode(made))


def _unblinds_with_another(core: Core, _: wire.Unblind) -> wire.Unblind | None:
    """Shares of the blinded deck under another key, with a proof that is good for that one."""
    state, seat = core.state, core.state.seat_of(core.key)
    now = state.now
    assert isinstance(now, FindingBlanks)
    assert seat is not None
    context = context_at(state, now.deal.round_number, "unblind", seat)
    masked = [each.A for each in now.blinded]
    x = (core.author.round_secret(state, now.round.deck).x + 1) % Q
    tokens, proof = prove_reveal(x, context, range(len(masked)), masked, core.author.fresh())
    return wire.Unblind(encode(tokens), encode(proof))


END_CHEATS: Final = (
    Cheat("a false hand", (wire.Open,), _other_tiles, CheckCode.PROOF),
    Cheat("a hand that stays hidden", (wire.Open,), _no_tiles, CheckCode.SHAPE),
    Cheat("a false score", (wire.RoundOver,), _less, CheckCode.SHAPE),
    Cheat("a latecomer without the chair", (wire.RoundOver,), _seats_somebody, CheckCode.SHAPE),
    Cheat(
        "a latecomer who sits already",
        (wire.RoundOver,),
        _seats_somebody,
        CheckCode.SHAPE,
        host=True,
    ),
    Cheat(
        "a latecomer who never asked",
        (wire.RoundOver,),
        _seats_a_forgery,
        CheckCode.SHAPE,
        host=True,
    ),
    Cheat(
        "the key of nothing",
        (wire.Keys,),
        lambda _, p: wire.Keys(flip(p.x), p.seed),
        CheckCode.PROOF,
        place=_KEYS,
    ),
    Cheat(
        "a key without its seed",
        (wire.Keys,),
        lambda _, p: wire.Keys(p.x, b""),
        CheckCode.SHAPE,
        place=_SEEDS,
    ),
    Cheat(
        "another seed",
        (wire.Keys,),
        lambda _, p: wire.Keys(p.x, flip(p.seed)),
        CheckCode.PROOF,
        place=_SEEDS,
    ),
    Cheat(
        "a part that keeps another tile",
        (wire.Rebuild,),
        _keeps_another,
        CheckCode.PROOF,
        place=LEAVING,
        leaver=True,
    ),
    Cheat(
        "a part with a wrong proof",
        (wire.Rebuild,),
        lambda _, p: wire.Rebuild(flip(p.contribution)),
        CheckCode.PROOF,
        place=LEAVING,
        leaver=True,
    ),
    Cheat(
        "a deck blinded with two factors",
        (wire.Blind,),
        _two_factors,
        CheckCode.PROOF,
        place=LEAVING,
        leaver=True,
    ),
    Cheat(
        "a blinded deck opened wrongly",
        (wire.Unblind,),
        lambda _, p: wire.Unblind(swap_points(p.tokens), p.proof),
        CheckCode.PROOF,
        place=LEAVING,
        leaver=True,
    ),
    Cheat(
        "a blinded deck opened with another key",
        (wire.Unblind,),
        _unblinds_with_another,
        CheckCode.PROOF,
        place=LEAVING,
        leaver=True,
    ),
)
"""In the order of the game."""


# ---- silence ----------------------------------------------------------------------------------


def _silence(
    kind: type[Any] | tuple[type[Any], ...],
    where: str,
    how: How = How.SILENT,
    *,
    phase: Phase | None = None,
    place: wire.Settings | None = None,
    leaver: bool = False,
    first_seed: int = 0,
) -> Cheat:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    word = "leaves" if how is How.AWAY else "is silent"
    return Cheat(
        f"{word} {where}",
        kinds,
        lambda _, said: said,
        None,
        how,
        phase=phase,
        place=place or _four("standard", (), 4, "leaver=redeal"),
        leaver=leaver,
        first_seed=first_seed,
    )


def _four(preset: str, switches: tuple[str, ...], hand: int, *options: str) -> wire.Settings:
    return wire.Settings(preset, switches, 6, 4, 1, hand, (*options, "patience=minute"))


_FIVE: Final = wire.Settings("standard", (), 6, 5, 1, 3, ("leaver=rebuild", "patience=minute"))
_TURN: Final = (wire.Lay, wire.Draw, wire.Pass, wire.Act)

SILENCES: Final = (
    _silence(wire.Roster, "at the roster"),
    _silence(wire.CoinCommit, "at the commitment to the coin"),
    _silence(wire.CoinReveal, "when the coin is shown"),
    _silence(wire.KeyCommit, "at the commitment to its key"),
    _silence(wire.KeyOpen, "when its key is opened"),
    _silence(wire.Deck, "with the deck in hand"),
    _silence(wire.Proof, "instead of a shuffle proof"),
    _silence(wire.Checked, "instead of having checked"),
    _silence(wire.Shares, "when tiles are dealt", phase=Phase.SHARES),
    _silence(_TURN, "in its turn", phase=Phase.PLAY),
    _silence(wire.Shares, "when another draws", phase=Phase.DRAWN),
    _silence(
        wire.OpeningCommit,
        "at the commitment to its opening",
        place=_four("standard", ("opening=simultaneous",), 4),
    ),
    _silence(
        wire.OpeningReveal,
        "when its opening is shown",
        place=_four("standard", ("opening=simultaneous",), 4),
    ),
    _silence(
        wire.HandOver, "with a tile to hand over", place=_four("wolf-lake", (), 1), first_seed=22
    ),
    _silence(wire.MixHand, "with a hand to mix", place=_four("standard", (), 4, "draws=hidden")),
    _silence(wire.Rebuild, "when a deck is rebuilt", place=_FIVE, leaver=True),
    _silence(wire.Blind, "when a deck is blinded", place=_FIVE, leaver=True),
    _silence(wire.Unblind, "when a deck is unblinded", place=_FIVE, leaver=True),
    _silence(wire.Open, "instead of opening its hand"),
    _silence(wire.RoundOver, "instead of signing the scores"),
    _silence(
        wire.Keys, "instead of laying its key open", place=_four("standard", (), 4, "audit=keys")
    ),
    _silence(wire.CoinReveal, "when it has seen the coin", How.AWAY),
    _silence(wire.Deck, "with the deck in hand", How.AWAY),
    _silence(wire.Shares, "before its shares", How.AWAY, phase=Phase.SHARES),
    _silence(_TURN, "in its turn", How.AWAY, phase=Phase.PLAY),
    _silence(wire.Open, "before its hand is opened", How.AWAY),
)
"""Nobody can prove silence: who is silent is given up by all others, and nobody is accused."""
