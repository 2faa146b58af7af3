"""The end of a round: hands laid open, scores signed, keys shown [protocol.md §5.8].

If a table audits with keys, each position of every chain opens once all keys are known, and the
round is judged once more with all tiles known.
"""

from collections.abc import Iterable, Mapping
from itertools import count

from msgspec.structs import replace

from engine.audit import audit
from engine.play.apply import score_round
from engine.scoring import rounds_are_over, winners
from engine.table.events import Event, GameEnded
from engine.table.rounds import next_round_number
from engine.table.table import Table
from engine.table.trains import Position
from engine.tiles import Tile, make_tile
from netgame.crypto import audit as crypto
from netgame.crypto.group import decode_scalar
from netgame.protocol.log.entry import Entries, payload_as
from netgame.protocol.log.fault import CheckCode, Claim, Finding, PendingProof, ProofKind
from netgame.protocol.notices import DealPhase, GameOver, LaidOpen, RoundOver
from netgame.protocol.state import phases
from netgame.protocol.state.deal import new_deal, tiles_by_point
from netgame.protocol.state.deck import NO_DECK
from netgame.protocol.state.latecomers import check_latecomers, check_named, form_anew, granted
from netgame.protocol.state.options import Audit
from netgame.protocol.state.play import begin_round
from netgame.protocol.state.shares import Shared, share_claims, shared_at
from netgame.protocol.state.state import Completed, State
from netgame.wire.messages import Keys, Open
from netgame.wire.messages import RoundOver as RoundOverEntry


def hand_to_open(state: State, now: phases.OpeningHands, seat: int) -> Shared:
    """Return the ciphertexts whose shares open a seat's hand, positions ascending.

    There are none if the hand is empty.
    """
    positions = tuple(sorted(now.round.table.hands[seat]))
    return shared_at(state, now.round, "open", seat, positions, now.round.deck.residuals)


def check_open(
    state: State, now: phases.OpeningHands, seat: int, payload: Open
) -> Finding | PendingProof | None:
    """Check that the seat names every tile that it holds, and opens each by its token.

    Return None for an empty hand that is opened without any octets. Raises `Malformed` for octets
    that do not decode.
    """
    shared = hand_to_open(state, now, seat)
    if len(payload.tiles) != len(shared.positions):
        return Finding(CheckCode.SHAPE, "opened more or fewer tiles than it holds")
    if not shared.positions:
        extra = payload.tokens or payload.proof
        return Finding(CheckCode.SHAPE, "sent shares for an empty hand") if extra else None
    return PendingProof(
        *share_claims(
            ProofKind.TILE,
            shared,
            payload.tokens,
            payload.proof,
            "opened its hand with a share that is not of its key",
            [make_tile(*pips) for pips in payload.tiles],
            "opened its hand as tiles that it does not hold",
        )
    )


def complete_open(state: State, now: phases.OpeningHands, entries: Entries) -> Completed:
    """Score the round by the open hands, and judge its moves again with all these tiles known.

    The first fault found is stored in `late`; the scores are due next in any case. No notices.
    """
    round_ = now.round
    shown = {e.seat: [make_tile(*pips) for pips in payload_as(e, Open).tiles] for e in entries}
    hands = tuple(tuple(shown.get(seat, ())) for seat in range(len(state.seats)))
    tiles = dict(round_.deck.tiles)
    for held, opened in zip(round_.table.hands, hands, strict=True):
        tiles.update(zip(sorted(held), opened, strict=True))
    table, events = score_round(round_.table, hands)
    standing = replace(round_, table=table, deck=replace(round_.deck, tiles=tiles))
    late = judged_again(round_.history, tiles)
    return replace(state, now=phases.Scoring(standing, events), late=late), ()


def scores_to_sign(table: Table) -> tuple[int, ...]:
    """Return the scores of the round just over, in seat order; () if it was called off."""
    return tuple(points for row in table.past[table.round_number :] for points in row)


def check_round_over(
    state: State, now: phases.Scoring, seat: int, payload: RoundOverEntry
) -> Finding | None:
    """Check that the scores are those of the open hands, and check the seats and votes they give.

    Return None if all is well; a malformed request is a finding.
    """
    if payload.scores != scores_to_sign(now.standing.table):
        return Finding(CheckCode.SHAPE, "signed scores that the open hands do not give")
    return check_latecomers(state, seat, payload) or check_named(state, payload)


def complete_round_over(state: State, now: phases.Scoring, entries: Entries) -> Completed:
    """Go on to the audit if this table audits with keys; otherwise do what `after_round` does.

    There is no notice before an audit. A round is not audited if it was called off, or if somebody
    with a key in it has left. Any request for a seat from the next step on is for later scores.
    """
    grants = granted(state, {each.seat: payload_as(each, RoundOverEntry) for each in entries})
    signed = replace(state, seating_since=state.step + 1)  # later requests wait for other scores
    table, deck = now.standing.table, now.standing.deck
    audits = state.options.audit is not Audit.HANDS and bool(scores_to_sign(table))
    # Without the key of a seat that has left, nothing opens.
    if audits and state.gone.isdisjoint(seat for seat, key in enumerate(deck.keys) if key):
        return signed.at(phases.Auditing(now.standing, now.events, grants)), ()
    return after_round(signed, now.standing, now.events, grants)


def complete_keys(state: State, now: phases.Auditing, entries: Entries) -> Completed:
    """Judge the round once more with all tiles known, and go on; a fault is stored in `late`."""
    xs = {entry.seat: decode_scalar(payload_as(entry, Keys).x) for entry in entries}
    tiles = {**now.round.deck.tiles, **_opened(now.round, xs)}
    late = judged_again(now.round.history, tiles)
    standing = replace(now.round, deck=replace(now.round.deck, tiles=tiles))
    return after_round(replace(state, late=late), standing, now.events, now.grants)


def after_round(
    state: State, standing: phases.Round, events: tuple[Event, ...], grants: phases.Grants
) -> Completed:
    """Go on to the rest of the next deal, to new seats and votes, or to the end of the game.

    The game ends after the last round, or earlier if only one seat is left and nobody comes. The
    one notice is `GameOver` then, else `RoundOver`. It has neither scores nor opened hands if an
    earlier notice had them, for example if all others have gone during the next deal. If the next
    deal is finished, its round begins.
    """
    table = standing.table
    end = laid_open(standing) if events or not scores_to_sign(table) else None
    is_last = rounds_are_over(table.spec, table.past)
    alone = len(state.present) == 1
    scored = tuple(event for event in events if not isinstance(event, GameEnded))
    if is_last or (alone and not grants.coming):
        # The winners are among the seats still present.
        ended = GameOver((*scored, GameEnded(winners(table))), end)
        return state.at(phases.Over(standing)), (ended,)
    if any(grants):
        anew = replace(standing, following=None)
        return form_anew(state, anew, grants), (RoundOver(scored, end),)
    deal = standing.following or new_deal(state, table.spec, next_round_number(table))
    is_made = deal.phase is DealPhase.READY
    now = begin_round(state, standing, deal) if is_made else phases.Dealing(standing, deal)
    return state.at(now), (RoundOver(events, end),)


def laid_open(standing: phases.Round) -> LaidOpen | None:
    """Return the table of the last round with its opened hands, by seat; None without a deck.

    Tiles that nobody opened are left out.
    """
    table, deck = standing.table, standing.deck
    if deck is NO_DECK:
        return None
    opened = (tuple(deck.tiles[at] for at in sorted(h) if at in deck.tiles) for h in table.hands)
    return LaidOpen(table, tuple(opened), deck.mixers)


def check_keys(state: State, now: phases.Auditing, seat: int, payload: Keys) -> PendingProof:
    """Return the `PendingProof` that the secret is that of the seat's round key.

    Raises `Malformed` if it is not a scalar.
    """
    x, key = decode_scalar(payload.x), now.round.deck.keys[seat]
    says = "laid open a key that is not its own"
    return PendingProof(Claim(lambda _: crypto.reveals_key(x, key), says, kind=ProofKind.KEY))


def judged_again(history: phases.History, tiles: Mapping[Position, Tile]) -> phases.Late | None:
    """Return the first fault that a round's moves show with the tiles now known, or None."""
    found = audit(history, tiles)
    if found is None:
        return None
    finding = Finding(CheckCode.AUDIT, f"broke a rule in the round: {found.refusal.rule}")
    return phases.Late(int(found.seat), finding)


def _opened(round_: phases.Round, xs: Mapping[int, int]) -> dict[Position, Tile]:
    """Return the tile of every position of the round's chains and mixed hands, opened with `xs`.

    If all keys are right, each position opens as a tile. If a key is false, positions that
    need it do not, and are left out. That happens only in the program that lies about its own key,
    which it does not check itself; all others convict it.
    """
    named, deck = tiles_by_point(round_.table), round_.deck
    opened: list[tuple[Iterable[int], Iterable[bytes | None]]] = [
        (count(chain.first), crypto.open_points(chain.deck, xs.values())) for chain in deck.chains
    ]
    for seat, positions in deck.mixed:
        residuals = [deck.residuals[position] for position in positions]
        opened.append((positions, crypto.open_points(residuals, (xs[seat],))))
    return {
        Position(at): named[point]
        for positions, points in opened
        for at, point in zip(positions, points, strict=False)
        if point in named
    }
