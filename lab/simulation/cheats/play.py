"""Cheats at a turn: lays, claims, openings, tiles handed over, hands mixed, calls."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.play.judge import why_illegal
from engine.table.moves import DrawTile
from engine.table.trains import Seat
from lab.simulation.cheats.cheat import (
    How,
    as_at_demo,
    cheat,
    due_body,
    fails_proof,
    fails_rules,
    fails_shape,
    flip,
    says,
    signed_truly,
    with_fields,
)
from lab.simulation.cheats.deal import (
    FALSE_PROOF,
    OTHER_COMMITMENT,
    again,
    earlier,
    me,
    other_point,
    shares_under,
    swap_points,
)
from lab.simulation.cheats.words import seat_of
from lab.simulation.computers.small_tables import small
from netgame.crypto.group import encode
from netgame.crypto.hand import prove_hand
from netgame.crypto.handover import prove_hand_over
from netgame.crypto.shuffle import make_shuffle_secret, prove_shuffle, shuffle
from netgame.protocol.log.fault import CheckCode, Guilty
from netgame.protocol.peer.core import Core
from netgame.protocol.state.deal import context_at
from netgame.protocol.state.phases import HandingOver, Playing
from netgame.protocol.state.play import hand_to_mix, tile_given
from netgame.protocol.state.session import due
from netgame.protocol.state.turn import hand_statement
from netgame.wire.messages import (
    Catch,
    Declare,
    Draw,
    HandOver,
    Lay,
    LayChain,
    LayHub,
    MixHand,
    NoDouble,
    Open,
    OpeningCommit,
    OpeningReveal,
    Pass,
    Payload,
    Quiet,
    Silent,
)

_ROUNDHOUSE: Final = small(3, 5, preset="roundhouse")
_AT_ONCE: Final = small(3, 5, "opening=simultaneous")
_HANDED: Final = small(3, 1, preset="wolf-lake")
_HIDDEN: Final = small(3, 5, "draws=hidden")
_PAIRS: Final = small(3, 7, "several=two-held")
_LONG: Final = small(3, 5)


def _refused(core: Core, said: Iterable[Payload]) -> Payload | None:
    """Return the first of these payloads that breaks the rules whatever the hidden tiles are.

    Return None if none does.
    """
    for payload in said:
        body = due_body(core.ledger, seat_of(core), payload)
        judged = core.ledger.judge(signed_truly(core, body))
        if isinstance(judged, Guilty) and judged.fault.finding.check is CheckCode.RULES:
            return payload
    return None


# ---- lays -------------------------------------------------------------------------------------


def _closed_train(core: Core, lay: Lay) -> Payload | None:
    trains = (each for each in range(len(core.state.seats)) if each != lay.train)
    return _refused(core, (replace(lay, train=each) for each in trains))


def _held_by_another(core: Core, lay: Lay) -> Payload | None:
    _, round_, seat = me(core)
    others = (p for owner, held in enumerate(round_.table.hands) if owner != seat for p in held)
    return _refused(core, (replace(lay, position=each) for each in others))


def _laid_before(core: Core, lay: Lay) -> Payload | None:
    old = earlier(core, Lay)
    return old and _refused(core, (replace(old, train=lay.train, on=lay.on),))


def _share_of_another_tile(core: Core, lay: Lay) -> Lay | None:
    _, round_, seat = me(core)
    other = next((p for p in round_.table.hands[seat] if p != lay.position), None)
    if other is None:
        return None
    tokens, proof = shares_under(core, "lay", (other,), (round_.deck.residuals[other],))
    return replace(lay, token=tokens[0], proof=encode(proof))


# ---- claims -----------------------------------------------------------------------------------


def _cannot_play_the_pair(core: Core, _: LayChain) -> Payload | None:
    state, round_, seat = me(core)
    move = DrawTile(Seat(seat))
    hand = core.author.hand(state)
    if hand is None or why_illegal(round_.table, move) is not None:
        return None
    statement = hand_statement(state, round_, move, "draw")
    held = [tile for _, tile in hand.tiles]
    if statement is None or not set(held) <= set(statement.tiles):
        return None
    x, entropy = core.author.round_secret(state, round_.deck).x, core.author.fresh()
    return Draw(encode(prove_hand(statement, x, held, entropy)))


def _false_answer(_: Core, said: LayChain | Declare | LayHub | NoDouble | Silent) -> Payload | None:
    """Return an answer whose proof does not verify, or None if the answer has no proof."""
    if not isinstance(said, NoDouble | Silent):
        return replace(said, proof=flip(said.proof))
    return replace(said, claim=flip(said.claim)) if said.claim else None


def _false_catch(core: Core, _: Quiet) -> Payload | None:
    seats = (seat for seat in core.state.present if seat != seat_of(core))
    return _refused(core, (Catch(seat) for seat in seats))


def _out_of_turn(core: Core, _: object) -> Pass | None:
    """Return a pass while a move of another seat is due; None at any other time."""
    state = core.state
    seat = state.seat_of(core.key)
    out_of_turn = isinstance(state.now, Playing) and seat not in due(state).authors
    return Pass(b"") if out_of_turn else None


# ---- openings, tiles handed over, mixed hands ---------------------------------------------------


def _not_held(core: Core, _: HandOver) -> HandOver | None:
    state, round_, seat = me(core)
    assert isinstance(state.now, HandingOver)
    due_tile, deck = tile_given(state.now, seat), round_.deck
    other = next((each for each in deck.residuals.values() if each != due_tile), None)
    if other is None:
        return None
    context = context_at(state, "hand-over", seat)
    x, entropy = core.author.round_secret(state, deck).x, core.author.fresh()
    return HandOver(encode(prove_hand_over(x, context, other, deck.joint, entropy)))


def _swapped_tile(core: Core, _: MixHand) -> MixHand | None:
    state, round_, seat = me(core)
    true = hand_to_mix(round_, seat)
    given = (true[0], true[0], *true[2:])
    key = round_.deck.keys[seat]
    context = context_at(state, "mix-hand", seat)
    secret = make_shuffle_secret(len(given), core.author.fresh())
    entropy = core.author.fresh()
    made = shuffle(given, key, secret)
    proof = prove_shuffle(context, key, given, made, secret, entropy)
    return MixHand(encode(made), encode(proof))


PLAY_CHEATS: Final = (
    fails_proof("a foreign tile", Lay, with_fields(tile=lambda t: (t[0], (t[1] + 1) % 7))),
    fails_rules(
        "a tile that does not join", Lay, with_fields(tile=lambda t: ((t[0] + 1) % 7, t[1]))
    ),
    fails_rules("a lay on a closed train", Lay, _closed_train),
    fails_rules("a tile that another holds", Lay, _held_by_another),
    fails_rules("a tile laid twice", Lay, _laid_before, place=_LONG),
    fails_proof(
        "another token", Lay, with_fields(token=other_point), about="a point that opens nothing"
    ),
    fails_proof(
        "what opens another tile",
        Lay,
        _share_of_another_tile,
        about="the token of another tile held, with a good proof of that one",
    ),
    fails_proof(
        "cannot play, with a tile that fits",
        Lay,
        as_at_demo("pass"),
        about="a draw or a pass, proved as if other tiles were held",
    ),
    cheat(
        "cannot play, with a pair that fits together",
        LayChain,
        _cannot_play_the_pair,
        CheckCode.AUDIT,
        shown=Open,
        place=_PAIRS,
        first_seed=43,
        about=(
            "a draw with a double and its cover, which can only be laid together "
            "(`several=two-held`); the proof speaks of single tiles and holds"
        ),
    ),
    fails_proof("a false claim", Draw, with_fields(claim=flip)),
    fails_proof("the claim of an earlier turn", Draw, again(Draw, "claim"), place=_LONG),
    fails_proof("the claim of another seat", Draw, again(Draw, "claim", own=False), place=_LONG),
    fails_rules("a pass for a draw", Draw, lambda _, draw: Pass(draw.claim)),
    fails_proof("a false pass", Pass, with_fields(claim=flip)),
    fails_rules("a draw for a pass", Pass, lambda _, passed: Draw(passed.claim)),
    cheat("a pass out of turn", (), _out_of_turn, CheckCode.TURN, How.UNASKED),
    fails_shape(
        "a tile in its other spelling",
        LayHub,
        with_fields(tile=lambda _: (5, 4)),
        place=_ROUNDHOUSE,
        about="a tile with its high half first, where the low one comes first",
    ),
    fails_proof(
        "a false answer",
        (LayChain, Declare, LayHub, NoDouble, Silent),
        _false_answer,
        place=_ROUNDHOUSE,
        about="what is asked for, or a chain, with a proof that does not hold",
    ),
    fails_rules(
        "a catch of somebody who has said it",
        Quiet,
        _false_catch,
        place=_ROUNDHOUSE,
        about="where all may speak, of a seat that has tapped, or has more than one tile",
    ),
    fails_proof("another opening", OpeningReveal, with_fields(secret=flip), place=_AT_ONCE),
    fails_proof(
        "an opening changed after the commitment",
        OpeningReveal,
        with_fields(turn=lambda turn: (Draw if isinstance(turn, Pass) else Pass)(b"")),
        place=_AT_ONCE,
        about="another turn than the one committed to",
    ),
    cheat(
        "two openings", OpeningCommit, OTHER_COMMITMENT, CheckCode.FORK, How.BESIDE, place=_AT_ONCE
    ),
    fails_proof("a false hand-over", HandOver, with_fields(over=flip), place=_HANDED),
    fails_proof(
        "a tile handed over that it was not",
        HandOver,
        _not_held,
        place=_HANDED,
        about="another tile, with a good proof of that one",
    ),
    fails_proof("a false mix of the hand", MixHand, FALSE_PROOF, place=_HIDDEN),
    fails_proof(
        "another hand",
        MixHand,
        with_fields(deck=swap_points),
        place=_HIDDEN,
        about="a mixed hand with the halves of a tile exchanged",
    ),
    fails_proof(
        "a hand mixed with a tile twice",
        MixHand,
        _swapped_tile,
        place=_HIDDEN,
        about="one tile twice and another left out, proved as if the hand had been so",
    ),
    cheat("two moves", Lay, says(Pass(b"")), CheckCode.FORK, How.BESIDE),
)
"""In the order of the game."""
