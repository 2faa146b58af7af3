"""Going on after a cut, without the seats that left for good [protocol.md §4.7, rebuilding.md].

`epochs.cut` has decided which seats go, and after which head. Before play is over the deck is
either rebuilt without their keys, in four stages, and the round goes on, or it is dealt again.
While a table forms, the roster is signed again instead; once play is over, the round ends without
them.

    REBUILD -> DEAL (the new chain) -> BLIND -> UNBLIND -> the round goes on
"""

from typing import Final

from msgspec.structs import replace

from engine.play.judge import unseen_tiles
from engine.play.leavers import leave, rebuilt, void_round
from engine.table.moves import DrawTile
from engine.table.rounds import start_game
from engine.table.table import RoundPhase, Table
from engine.table.trains import Position, Seat
from netgame.crypto.blanks import blinded_deck, decode_blinding, find_blanks, verify_blinding
from netgame.crypto.group import decode_points
from netgame.crypto.keys import joint_key
from netgame.crypto.rebuild import RebuildStatement, decode_rebuild, rebuilt_deck, verify_rebuild
from netgame.protocol.log.entry import Entries, epoch_digest, payload_as, payloads_of
from netgame.protocol.log.fault import Claim, PendingProof, ProofKind
from netgame.protocol.notices import MovesUndone, Notice, Played, SeatsLeft
from netgame.protocol.state import deal as deals
from netgame.protocol.state import phases
from netgame.protocol.state.deck import NO_DECK, with_chain
from netgame.protocol.state.latecomers import seat_again
from netgame.protocol.state.lobby import form_again
from netgame.protocol.state.options import LeaverRule
from netgame.protocol.state.play import go_on, told_of_shuffle
from netgame.protocol.state.round_end import after_round
from netgame.protocol.state.shares import Shared, share_claims, shared_at
from netgame.protocol.state.state import Completed, State
from netgame.wire.messages import Blind, Rebuild, Unblind
from netgame.wire.statements import seats_in

_IN_PLAY: Final = (phases.Phase.PLAY, phases.Phase.DRAWN, phases.Phase.CALLS, phases.Phase.MIX_HAND)


def open_epoch(state: State, goes: int) -> Completed:
    """Return the state and the notices after a cut: the due step ends, and a new epoch begins.

    `goes` is the bit set of the seats that the cut removes; the first notice names them. The due
    step has no entries.
    """
    seats = seats_in(goes)
    company = state.company.without(goes, state.step, state.head)
    left = replace(state, company=company, late=None)
    moved, notices = _go_on_without(left, frozenset(map(Seat, seats)))
    head = epoch_digest(state.head, company.now.id)
    told = SeatsLeft(state.names_of(seats))
    return replace(moved, step=state.step + 1, head=head), (told, *notices)


def told_of_undone(before: State, back: State) -> tuple[Notice, ...]:
    """Return, in a tuple, the notice to give if the steps from `back` to `before` become void.

    The tuple is empty if players saw nothing of these steps, for example in a deal: no round began
    or was scored, no move was made and nobody called.
    """
    was, now = before.table, back.table
    if was is None or now is None:
        return () if was is now else (MovesUndone(),)
    if (was.past, was.round_number) != (now.past, now.round_number):
        return (MovesUndone(),)
    undone = before.history[len(back.history) :]
    called = _called(was) != _called(now)  # the history does not include calls
    only_draws = not called and all(isinstance(move, DrawTile) for _, move in undone)
    return (MovesUndone(only_draws),) if undone or called else ()


def _called(table: Table) -> tuple[int, int, bool]:
    """Return all that a call can change: the silent seats, the tapped seats, and a tap just now."""
    return table.memory.silent, table.memory.tapped, table.turn.tapped


def _go_on_without(state: State, seats: frozenset[Seat]) -> Completed:
    match state.now:
        case phases.Unopened() | phases.InLobby() | phases.CoinFallen() | phases.Over():
            return state, ()  # nobody goes in these phases
        case phases.Forming(of):
            if isinstance(of, phases.NewSeats):
                return seat_again(state, of.before), ()
            return form_again(state, of)
        case phases.Dealing(since, deal):
            if isinstance(since, phases.FirstDeal):
                return state.at(deals.deal_again(state, _first_standing(since, seats), 0)), ()
            return state.at(deals.deal_again(state, _left(since, seats), deal.round_number)), ()
        case phases.Scoring(standing, events):
            return state.at(phases.Scoring(_left(standing, seats), events)), ()
        case phases.InRound():
            return _round_without(state, state.now, seats)


def _round_without(state: State, now: phases.InRound, seats: frozenset[Seat]) -> Completed:
    round_ = now.round
    if isinstance(now, phases.Auditing):
        grants = now.grants.without(state.gone)
        return after_round(state, _left(round_, seats), now.events, grants)
    if isinstance(now, phases.OpeningHands):
        return state.at(phases.OpeningHands(_left(round_, seats))), ()
    in_play = state.phase in _IN_PLAY and round_.table.phase is RoundPhase.PLAY
    rebuilds = in_play and state.options.leaver is LeaverRule.REBUILD
    if rebuilds or isinstance(now, phases.Rebuilt):
        return begin_rebuild(state, round_, seats)
    return state.at(deals.void_round_of(state, round_)), ()


def _left(round_: phases.Round, seats: frozenset[Seat]) -> phases.Round:
    """Return a round without these seats, and without the next deal.

    The table of a game that is over stays as it is. A peer that lacked the last entry of a game
    thus comes to the same result as the others.
    """
    return replace(round_, table=leave(round_.table, seats), following=None)


def _first_standing(since: phases.FirstDeal, seats: frozenset[Seat]) -> phases.Round:
    """Return a called-off first round, without these seats, with no deck and no forfeits."""
    table = void_round(start_game(since.spec, Seat(since.first)), seats)
    game = replace(table.game, forfeits=())  # nothing was dealt yet
    return phases.Round(replace(table, game=game), NO_DECK)


def begin_rebuild(state: State, round_: phases.Round, seats: frozenset[Seat]) -> Completed:
    """Begin to rebuild the deck without the leavers' keys, and undo a draw that lacks shares.

    If the remaining keys add up to O, the round is void instead; if one seat stays, the round ends.
    In these two cases there is no notice; otherwise it is `Reshuffled`. The next deal is dropped.
    `seats` are those that have just left.
    """
    joint = joint_key([round_.deck.keys[seat] for seat in state.present])
    if joint is None:  # keys chosen together to add up to O: start again
        return state.at(deals.void_round_of(state, round_)), ()
    table, history = _without_blind_draw(round_)
    table, deck = leave(table, seats), replace(round_.deck, joint=joint)
    moved = phases.Round(table, deck, history)
    if table.phase is RoundPhase.OVER:
        return state.at(phases.OpeningHands(moved)), ()
    names = state.names_of(sorted(seats))
    return state.at(phases.Rebuilding(moved)), told_of_shuffle(table, names)


def _without_blind_draw(round_: phases.Round) -> tuple[Table, phases.History]:
    """Return the table and its moves without drawn tiles that lack shares; unchanged if none do.

    If the last move was such a draw, it is undone. Other positions that lack shares return to the
    front of the boneyard.
    """
    table, history, known = round_.table, round_.history, round_.deck.residuals
    are_blind = not known.keys() >= {p for held in table.hands for p in held}
    if are_blind and history and isinstance(history[-1][1], DrawTile):
        table, history = history[-1][0], history[:-1]
    blind = {p for held in table.hands for p in held} - known.keys()
    hands = tuple(tuple(p for p in held if p not in blind) for held in table.hands)
    return replace(table, hands=hands, boneyard=(*sorted(blind), *table.boneyard)), history


def rebuild_statement(state: State, round_: phases.Round, seat: int) -> RebuildStatement:
    """Return the statement that a seat must prove: its part withholds exactly its own tiles."""
    table, deck = round_.table, round_.deck
    positions = tuple(sorted(table.hands[seat]))
    return RebuildStatement(
        ctx=deals.context_at(state, "rebuild", seat),
        joint=deck.joint,
        key=deck.keys[seat],
        positions=positions,
        residuals=tuple(deck.residuals[position] for position in positions),
        tiles=unseen_tiles(table),
    )


def check_rebuild(
    state: State, now: phases.Rebuilding, seat: int, payload: Rebuild
) -> PendingProof:
    """Return the `PendingProof` that the part withholds exactly the hand of its seat.

    Raises `Malformed` for octets that do not decode.
    """
    statement = rebuild_statement(state, now.round, seat)
    part = decode_rebuild(payload.contribution, len(statement.tiles))
    says = "withheld other tiles from the new deck than it holds"
    return PendingProof(
        Claim(lambda _: verify_rebuild(statement, part), says, kind=ProofKind.BONEYARD)
    )


def complete_rebuild(state: State, now: phases.Rebuilding, entries: Entries) -> Completed:
    """Add up all parts to make the new deck, which the seats that stay mix next.

    There is no notice.
    """
    tiles = unseen_tiles(now.round.table)
    given = payloads_of(entries, Rebuild)
    parts = [decode_rebuild(each.contribution, len(tiles)).entries for each in given]
    deal = deals.mix_again(state, now.round, rebuilt_deck(tiles, parts))
    return state.at(phases.MixingRebuilt(now.round, deal)), ()


def check_blind(
    state: State, now: phases.BlindingRebuilt, seat: int, payload: Blind
) -> PendingProof:
    """Return the `PendingProof` that one factor, known to the seat, blinds all entries of the deck.

    Raises `Malformed` for octets that do not decode.
    """
    deck = now.deal.decks[-1]
    context = deals.context_at(state, "blind", seat)
    blinding = decode_blinding(payload.blinding, len(deck))
    says = "blinded the new deck with more than one factor"
    return PendingProof(
        Claim(lambda _: verify_blinding(context, deck, blinding), says, kind=ProofKind.BONEYARD)
    )


def complete_blind(state: State, now: phases.BlindingRebuilt, entries: Entries) -> Completed:
    """Add up the blindings to make the blinded deck; shares of it are due next.

    There is no notice. If a sum happens to be the neutral point O, all seats must blind the deck
    once more.
    """
    size = len(now.deal.decks[-1])
    parts = [decode_blinding(each.blinding, size).entries for each in payloads_of(entries, Blind)]
    blinded = blinded_deck(parts)
    if blinded is None:
        return state, ()
    return state.at(phases.FindingBlanks(now.round, now.deal, blinded)), ()


def unblinding(state: State, now: phases.FindingBlanks, seat: int) -> Shared:
    """Return the ciphertexts of the blinded deck, of which `seat` must show its shares.

    The shares of all seats together show which entries of the deck are blank.
    """
    masked = {Position(at): each for at, each in enumerate(now.blinded)}
    return shared_at(state, now.round, "unblind", seat, tuple(masked), masked)


def check_unblind(
    state: State, now: phases.FindingBlanks, seat: int, payload: Unblind
) -> PendingProof:
    """Return the `PendingProof` that the seat sent its token for each entry of the blinded deck.

    Raises `Malformed` for octets that do not decode.
    """
    shared = unblinding(state, now, seat)
    says = "sent a share of the blinded deck that is not of its key"
    return PendingProof(
        *share_claims(ProofKind.BONEYARD, shared, payload.tokens, payload.proof, says)
    )


def complete_unblind(state: State, now: phases.FindingBlanks, entries: Entries) -> Completed:
    """Make the tiles that nobody holds the new boneyard, and go on with the round.

    The notice is `Played`, for the seat whose turn it is. If there are not as many blanks as held
    tiles, the round is void, without a notice.
    """
    round_, deal, blinded = now.round, now.deal, now.blinded
    tokens = [decode_points(payload_as(entry, Unblind).tokens, len(blinded)) for entry in entries]
    held = sum(len(hand) for hand in round_.table.hands)
    blanks = find_blanks(blinded, tokens, held)
    if blanks is None:
        return state.at(deals.void_round_of(state, round_)), ()
    deck = with_chain(round_.deck, deal, frozenset(blanks))
    table, events = rebuilt(round_.table, tuple(deck.masked))
    moved = replace(round_, table=table, deck=deck)
    return state.at(go_on(state, deals.with_next_deal(state, moved))), (
        Played(table.to_move, events),
    )
