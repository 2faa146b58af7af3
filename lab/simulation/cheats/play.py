"""Cheats at a turn: lays, claims, openings, tiles handed over, hands mixed, calls."""

from collections.abc import Iterable
from typing import Final

from engine.play.judge import why_illegal
from engine.table.moves import DrawTile
from engine.table.moves import Pass as PassTurn
from engine.table.trains import Seat
from lab.simulation.cheats.cheat import Cheat, How, flip
from lab.simulation.cheats.deal import POINT_BYTES, earlier, other_point
from netgame.crypto.group import encode
from netgame.crypto.hand import prove_hand
from netgame.crypto.handover import prove_hand_over
from netgame.crypto.masking import prove_reveal
from netgame.crypto.shuffle import make_shuffle_secret, prove_shuffle, shuffle
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.phases import HandingOver, Playing, Round
from netgame.protocol.fold.play import hand_to_mix, position_given
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import State
from netgame.protocol.fold.turn import hand_statement
from netgame.protocol.log.entry import sign_entry
from netgame.protocol.log.fault import CheckCode, Guilty
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire

_ROUNDHOUSE: Final = wire.Settings("roundhouse", (), 6, 3, 1, 5)
_AT_ONCE: Final = wire.Settings("standard", ("opening=simultaneous",), 6, 3, 1, 5)
_HANDED: Final = wire.Settings("wolf-lake", (), 6, 3, 1, 1)
_HIDDEN: Final = wire.Settings("standard", (), 6, 3, 1, 5, ("draws=hidden",))
_PAIRS: Final = wire.Settings("standard", ("several=two-held",), 6, 3, 1, 7)
_LONG: Final = wire.Settings("standard", (), 6, 3, 1, 5)


def _me(core: Core) -> tuple[State, Round, int]:
    state, seat = core.state, core.state.seat_of(core.key)
    assert state.round is not None
    assert seat is not None
    return state, state.round, seat


def _refused(core: Core, said: Iterable[wire.Payload]) -> wire.Payload | None:
    """The first of these that the rules forbid, whatever lies hidden."""
    state, _, seat = _me(core)
    for payload in said:
        body = wire.Body(state.log_id, state.step, state.head, seat, 0, payload)
        judged = core.ledger.judge(sign_entry(core.place.signer, body))
        if isinstance(judged, Guilty) and judged.fault.finding.check is CheckCode.RULES:
            return payload
    return None


# ---- lays -------------------------------------------------------------------------------------


def _other_half(_: Core, lay: wire.Lay) -> wire.Lay:
    joined, other = lay.tile
    return wire.Lay(
        lay.position, (joined, (other + 1) % 7), lay.train, lay.on, lay.token, lay.proof
    )


def _other_join(_: Core, lay: wire.Lay) -> wire.Lay:
    joined, other = lay.tile
    return wire.Lay(
        lay.position, ((joined + 1) % 7, other), lay.train, lay.on, lay.token, lay.proof
    )


def _closed_train(core: Core, lay: wire.Lay) -> wire.Payload | None:
    trains = (each for each in range(len(core.state.seats)) if each != lay.train)
    return _refused(
        core,
        (wire.Lay(lay.position, lay.tile, each, lay.on, lay.token, lay.proof) for each in trains),
    )


def _held_by_another(core: Core, lay: wire.Lay) -> wire.Payload | None:
    _, round_, seat = _me(core)
    others = (p for owner, held in enumerate(round_.table.hands) if owner != seat for p in held)
    return _refused(
        core, (wire.Lay(p, lay.tile, lay.train, lay.on, lay.token, lay.proof) for p in others)
    )


def _laid_before(core: Core, lay: wire.Lay) -> wire.Payload | None:
    old = earlier(core, wire.Lay)
    if not isinstance(old, wire.Lay):
        return None
    again = wire.Lay(old.position, old.tile, lay.train, lay.on, old.token, old.proof)
    return _refused(core, (again,))


def _share_of_another_tile(core: Core, lay: wire.Lay) -> wire.Lay | None:
    """What opens another tile of its hand, with a proof that is good for that one."""
    state, round_, seat = _me(core)
    other = next((p for p in round_.table.hands[seat] if p != lay.position), None)
    if other is None:
        return None
    context = context_at(state, round_.table.round_number, "lay", seat)
    x, masked = core.author.round_secret(state, round_.deck).x, round_.deck.residuals[other].A
    tokens, proof = prove_reveal(x, context, (other,), (masked,), core.author.fresh())
    return wire.Lay(*(lay.position, lay.tile, lay.train, lay.on, tokens[0], encode(proof)))


# ---- claims -----------------------------------------------------------------------------------


def _cannot_play(core: Core, _: wire.Lay) -> wire.Payload | None:
    """A draw or a pass with a tile that fits, proved as if it held others."""
    state, round_, seat = _me(core)
    move: DrawTile | PassTurn = DrawTile(Seat(seat))
    if why_illegal(round_.table, move) is not None:
        move = PassTurn(Seat(seat))
    hand, kind = core.author.hand(state), "draw" if isinstance(move, DrawTile) else "pass"
    statement = hand_statement(state, round_, move, kind)
    if statement is None or hand is None or why_illegal(round_.table, move) is not None:
        return None
    held = [tile for _, tile in hand.tiles if tile in statement.tiles]
    spare = [tile for tile in statement.tiles if tile not in held]
    lies = len(hand.tiles) - len(held)
    if not lies or len(spare) < lies:
        return None
    x, entropy = core.author.round_secret(state, round_.deck).x, core.author.fresh()
    claim = encode(prove_hand(statement, x, [*held, *spare[:lies]], entropy))
    return wire.Draw(claim) if kind == "draw" else wire.Pass(claim)


def _cannot_play_the_pair(core: Core, _: wire.Act) -> wire.Payload | None:
    """A draw with a double and its cover in hand, of which neither can be laid without the other.

    The proof holds: it speaks of single tiles.
    """
    state, round_, seat = _me(core)
    move, hand = DrawTile(Seat(seat)), core.author.hand(state)
    if hand is None or why_illegal(round_.table, move) is not None:
        return None
    statement = hand_statement(state, round_, move, "draw")
    held = [tile for _, tile in hand.tiles]
    if statement is None or not set(held) <= set(statement.tiles):
        return None
    x, entropy = core.author.round_secret(state, round_.deck).x, core.author.fresh()
    return wire.Draw(encode(prove_hand(statement, x, held, entropy)))


def _old_claim(core: Core, draw: wire.Draw) -> wire.Draw | None:
    """What it has proved of another hand, of as many tiles not seen."""
    old = earlier(core, wire.Draw)
    fits = isinstance(old, wire.Draw) and len(old.proof) == len(draw.proof)
    return old if isinstance(old, wire.Draw) and fits else None


def _their_claim(core: Core, draw: wire.Draw) -> wire.Draw | None:
    theirs = earlier(core, wire.Draw, own=False)
    fits = isinstance(theirs, wire.Draw) and len(theirs.proof) == len(draw.proof)
    return theirs if isinstance(theirs, wire.Draw) and fits else None


def _false_act(_: Core, act: wire.Act) -> wire.Act | None:
    """What it shows or claims, with a proof that does not hold."""
    rest = act.number, act.on, act.tiles, act.tokens
    if act.proof:
        return wire.Act(act.word, *rest, flip(act.proof), act.claim)
    return wire.Act(act.word, *rest, act.proof, flip(act.claim)) if act.claim else None


def _no_act(_: Core, act: wire.Act) -> wire.Act:
    return wire.Act("dance", act.number, act.on, act.tiles, act.tokens, act.proof, act.claim)


def _out_of_turn(core: Core, _: object) -> wire.Pass | None:
    """A pass while another's move is due."""
    state = core.state
    seat = state.seat_of(core.key)
    out_of_turn = isinstance(state.now, Playing) and seat not in due(state).authors
    return wire.Pass(b"") if out_of_turn else None


# ---- openings, tiles handed over, mixed hands ---------------------------------------------------


def _other_turn(core: Core, said: wire.OpeningReveal) -> wire.OpeningReveal:
    """A turn that it thought of when all had committed to theirs."""
    del core
    turn = said.turn
    new = wire.Pass(b"") if not isinstance(turn, wire.Pass) else wire.Draw(b"")
    return wire.OpeningReveal(said.secret, new)


def _not_held(core: Core, _: wire.HandOver) -> wire.HandOver | None:
    """Another tile than the one it has to give, with a proof that is good for that one."""
    state, round_, seat = _me(core)
    assert isinstance(state.now, HandingOver)
    due_tile = position_given(state.now, seat)
    other = next((p for p in round_.deck.residuals if p != due_tile), None)
    if other is None:
        return None
    context = context_at(state, round_.table.round_number, "hand-over", seat)
    x, entropy = core.author.round_secret(state, round_.deck).x, core.author.fresh()
    over = prove_hand_over(x, context, round_.deck.residuals[other], round_.deck.joint, entropy)
    return wire.HandOver(encode(over))


def _swapped_tile(core: Core, _: wire.MixHand) -> wire.MixHand | None:
    """A hand with one tile twice and one away, mixed and proved as if it had been so."""
    state, round_, seat = _me(core)
    true = hand_to_mix(round_, seat)
    given, key = (true[0], true[0], *true[2:]), round_.deck.keys[seat]
    context = context_at(state, round_.table.round_number, "mix-hand", seat)
    secret, entropy = make_shuffle_secret(len(given), core.author.fresh()), core.author.fresh()
    made = shuffle(given, key, secret)
    proof = prove_shuffle(context, key, given, made, secret, entropy)
    return wire.MixHand(encode(made), encode(proof))


def _other_hand(_: Core, said: wire.MixHand) -> wire.MixHand:
    """The halves of its first tile the other way round."""
    deck = said.deck
    swapped = deck[POINT_BYTES : 2 * POINT_BYTES] + deck[:POINT_BYTES]
    return wire.MixHand(swapped + deck[2 * POINT_BYTES :], said.proof)


PLAY_CHEATS: Final = (
    Cheat("a foreign tile", (wire.Lay,), _other_half, CheckCode.PROOF),
    Cheat("a tile that does not join", (wire.Lay,), _other_join, CheckCode.RULES),
    Cheat("a lay on a closed train", (wire.Lay,), _closed_train, CheckCode.RULES),
    Cheat("a tile that another holds", (wire.Lay,), _held_by_another, CheckCode.RULES),
    Cheat("a tile laid twice", (wire.Lay,), _laid_before, CheckCode.RULES, place=_LONG),
    Cheat(
        "another token",
        (wire.Lay,),
        lambda _, p: wire.Lay(p.position, p.tile, p.train, p.on, other_point(), p.proof),
        CheckCode.PROOF,
    ),
    Cheat("what opens another tile", (wire.Lay,), _share_of_another_tile, CheckCode.PROOF),
    Cheat("cannot play, with a tile that fits", (wire.Lay,), _cannot_play, CheckCode.PROOF),
    Cheat(
        "cannot play, with a pair that fits together",
        (wire.Act,),
        _cannot_play_the_pair,
        CheckCode.AUDIT,
        shown=wire.Open,
        place=_PAIRS,
        first_seed=43,
    ),
    Cheat("a false claim", (wire.Draw,), lambda _, p: wire.Draw(flip(p.proof)), CheckCode.PROOF),
    Cheat("the claim of an earlier turn", (wire.Draw,), _old_claim, CheckCode.PROOF, place=_LONG),
    Cheat("the claim of another seat", (wire.Draw,), _their_claim, CheckCode.PROOF, place=_LONG),
    Cheat("a pass for a draw", (wire.Draw,), lambda _, p: wire.Pass(p.proof), CheckCode.RULES),
    Cheat("a false pass", (wire.Pass,), lambda _, p: wire.Pass(flip(p.proof)), CheckCode.PROOF),
    Cheat("a draw for a pass", (wire.Pass,), lambda _, p: wire.Draw(p.proof), CheckCode.RULES),
    Cheat("a pass out of turn", (), _out_of_turn, CheckCode.TURN, How.UNASKED),
    Cheat("an act of no kind", (wire.Act,), _no_act, CheckCode.SHAPE, place=_ROUNDHOUSE),
    Cheat("a false act", (wire.Act,), _false_act, CheckCode.PROOF, place=_ROUNDHOUSE),
    Cheat(
        "another opening",
        (wire.OpeningReveal,),
        lambda _, p: wire.OpeningReveal(flip(p.secret), p.turn),
        CheckCode.PROOF,
        place=_AT_ONCE,
    ),
    Cheat(
        "an opening changed after the commitment",
        (wire.OpeningReveal,),
        _other_turn,
        CheckCode.PROOF,
        place=_AT_ONCE,
    ),
    Cheat(
        "two openings",
        (wire.OpeningCommit,),
        lambda _, p: wire.OpeningCommit(flip(p.commitment), p.box),
        CheckCode.FORK,
        How.BESIDE,
        place=_AT_ONCE,
    ),
    Cheat(
        "a false hand-over",
        (wire.HandOver,),
        lambda _, p: wire.HandOver(flip(p.over)),
        CheckCode.PROOF,
        place=_HANDED,
    ),
    Cheat(
        "a tile handed over that it was not",
        (wire.HandOver,),
        _not_held,
        CheckCode.PROOF,
        place=_HANDED,
    ),
    Cheat(
        "a false mix of the hand",
        (wire.MixHand,),
        lambda _, p: wire.MixHand(p.deck, flip(p.proof)),
        CheckCode.PROOF,
        place=_HIDDEN,
    ),
    Cheat("another hand", (wire.MixHand,), _other_hand, CheckCode.PROOF, place=_HIDDEN),
    Cheat(
        "a hand mixed with a tile twice",
        (wire.MixHand,),
        _swapped_tile,
        CheckCode.PROOF,
        place=_HIDDEN,
    ),
    Cheat("two moves", (wire.Lay,), lambda _c, _p: wire.Pass(b""), CheckCode.FORK, How.BESIDE),
)
"""In the order of the game."""
