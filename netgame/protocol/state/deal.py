"""Making a deck that nobody has stacked or can read [protocol.md §4.7, §5.3 to §5.5].

Each stage takes one step, but mixing takes one for each seat. Every seat commits to a key for the
round, and every seat opens it. Then each seat in order remasks and reorders the deck. Every seat
proves that it did only that, and every seat signs that all proofs hold. The stages of round 0
follow each other; those of a later round come one step at a time between the turns of the round
before, and what is left of them after that round.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from engine.play.leavers import void_round
from engine.rules.spec import TableSpec
from engine.table.rounds import round_deck
from engine.table.table import Table
from engine.table.trains import Seat
from engine.tiles import Tile
from netgame.crypto.batch import Weights
from netgame.crypto.keys import decode_key_opening, joint_key, verify_key_opening
from netgame.crypto.masking import Masked, decode_deck, initial_deck, tile_point
from netgame.crypto.shuffle import ShuffleLink, decode_shuffle_proof, verify_shuffles
from netgame.crypto.transcript import context
from netgame.errors import LocalMisuse
from netgame.protocol.log.entry import Entries, payloads_of
from netgame.protocol.log.fault import CheckCode, Claim, Finding, PendingProof, ProofKind
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.deck import Deal, RoundDeck
from netgame.protocol.state.phases import (
    Dealing,
    InRound,
    Late,
    Now,
    Round,
    Scoring,
    Staged,
    WithDeal,
)
from netgame.protocol.state.state import State, by_seat
from netgame.wire.messages import Checked, Deck, KeyCommit, KeyOpen, Proof


def context_at(state: State, phase: str, seat: int) -> bytes:
    """Return the octets to which a proof written in the due step is bound [protocol.md §5.2].

    They name the round whose deal is going on (between turns, that is the next round), or else the
    round in play. Raises LocalMisuse in a phase that has neither. `phase` is the tag of the entry.
    """
    match state.now:
        case Dealing(deal=deal) | WithDeal(deal=deal):
            number = deal.round_number
        case InRound(round_):
            number = round_.table.round_number
        case _:
            raise LocalMisuse("no round to which anything is bound")
    return context(state.log_id, number, phase, seat, state.step, state.head)


def commit_context(state: State, made: Deal | RoundDeck, seat: int) -> bytes:
    """Return the context in which `seat` committed to its key for this deal or deck.

    If nobody has committed to a key yet, it is the context of a commitment in the due step.
    """
    if made.commit_contexts or isinstance(made, RoundDeck):
        return made.commit_contexts[seat]
    return context_at(state, "key-commit", seat)


def new_deal(state: State, spec: TableSpec, round_number: int) -> Deal:
    """Return a new deal for this round, to be made by all the seats that are present."""
    decks = (initial_deck(round_deck(spec, round_number)),)
    return Deal(round_number, state.present, state.step, decks)


def with_next_deal(state: State, round_: Round) -> Round:
    """Return the round with `following` set to a new deal for the next round.

    In the last round, `following` is set to None.
    """
    spec, following = round_.table.spec, round_.table.round_number + 1
    deal = new_deal(state, spec, following) if following < spec.rounds else None
    return replace(round_, following=deal)


def deal_again(state: State, standing: Round, number: int) -> Now:
    """Return the phase in which a new deal for the round `number` is made after `standing`.

    If only one seat is present, it is the phase in which that seat signs the scores, with which it
    may give seats to latecomers.
    """
    if len(state.present) == 1:
        return Scoring(standing)
    return Dealing(standing, new_deal(state, standing.table.spec, number))


def void_round_of(state: State, round_: Round) -> Now:
    """Return the phase in which the round is dealt again among the seats that stay; nobody scores.

    If only one seat is left, it is the phase in which that seat signs the scores.
    """
    table = void_round(round_.table, frozenset(map(Seat, state.gone)))
    standing = replace(round_, table=table, following=None)
    return deal_again(state, standing, table.round_number)


def mix_again(state: State, round_: Round, first: tuple[Masked, ...]) -> Deal:
    """Return a deal that shuffles the deck `first` in a new chain, under the round's own keys."""
    number, deck = round_.table.round_number, round_.deck
    begun = Deal(number, state.present, state.step, (first,), DealPhase.DECK, deck.commit_contexts)
    return replace(begun, keys=deck.keys, joint=deck.joint)


def tiles_by_point(table: Table) -> dict[bytes, Tile]:
    """Return every tile of the round in play, keyed by the point that an opened position shows."""
    return {tile_point(tile): tile for tile in round_deck(table.spec, table.round_number)}


def check_stage(
    state: State, now: Staged, seat: int, payload: KeyCommit | KeyOpen | Deck | Proof | Checked
) -> Finding | PendingProof | None:
    """Check the entry of a stage: its round and form and, for an opened key, the proof.

    None if it is good; for an opened key, the check of its proof is returned as a `PendingProof`.
    Shuffle proofs are only decoded here; `why_bad_chain` checks them. Raises `Malformed` for octets
    that do not decode.
    """
    deal = now.deal
    if payload.round != deal.round_number:
        return Finding(CheckCode.KIND, "wrote to the deal of another round")
    match payload:
        case KeyOpen():
            return _check_opening(state, deal, seat, payload)
        case Deck():
            decode_deck(payload.deck, len(deal.decks[0]))
        case Proof():
            decode_shuffle_proof(payload.proof, len(deal.decks[0]))
        case KeyCommit() | Checked():
            pass
    return None


def _check_opening(state: State, deal: Deal, seat: int, payload: KeyOpen) -> PendingProof:
    opening = decode_key_opening(payload.opening)
    context = context_at(state, "key-open", seat)
    opened = (deal.commitments[seat], deal.commit_contexts[seat], opening, context)
    says = "opened a round key that it had not committed to"
    return PendingProof(Claim(lambda _: verify_key_opening(*opened), says, kind=ProofKind.KEY))


def moved_on(state: State, deal: Deal, entries: Entries) -> Deal | Late:
    """Return the deal after the step that these entries complete.

    If the step opened equal keys, or keys that cancel each other out, return the fault instead.
    """
    match deal.phase:
        case DealPhase.KEY_COMMIT:
            return _after_commitments(state, deal, entries)
        case DealPhase.KEY_OPEN:
            return _after_openings(state, deal, entries)
        case DealPhase.DECK:
            return _after_deck(state, deal, entries)
        case DealPhase.PROOF:
            return replace(deal, phase=DealPhase.CHECKED, proof_step=state.step)
        case DealPhase.CHECKED | DealPhase.READY:
            return replace(deal, phase=DealPhase.READY)


def _after_commitments(state: State, deal: Deal, entries: Entries) -> Deal:
    contexts = (context_at(state, "key-commit", seat) for seat in range(len(state.seats)))
    return replace(
        deal,
        phase=DealPhase.KEY_OPEN,
        commit_contexts=tuple(contexts),
        commitments=by_seat(state, entries, KeyCommit, lambda each: each.commitment),
    )


def _after_openings(state: State, deal: Deal, entries: Entries) -> Deal | Late:
    """Return the deal with its keys and their sum, and with the first deck due next; or a fault.

    Equal keys are blamed on the second seat with the key. A sum of O is blamed on the last seat.
    Neither can come from honest seats. Under valid proofs of possession, equal keys need a copied
    secret, and a sum of O needs a secret chosen after all commitments.
    """
    keys = by_seat(state, entries, KeyOpen, lambda each: decode_key_opening(each.opening).X)
    own = [keys[seat] for seat in deal.authors]
    joint = joint_key(own)
    if joint is None:
        twice = [seat for i, seat in enumerate(deal.authors) if own[i] in own[:i]]
        says = "opened a round key that another seat has"
        if not twice:
            says = "opened a round key that cancels those of the other seats"
        return Late((*twice, deal.authors[-1])[0], Finding(CheckCode.PROOF, says))
    return replace(deal, phase=DealPhase.DECK, keys=keys, joint=joint)


def _after_deck(state: State, deal: Deal, entries: Entries) -> Deal:
    (payload,) = payloads_of(entries, Deck)
    seat = deal.authors[len(deal.decks) - 1]
    decks = (*deal.decks, decode_deck(payload.deck, len(deal.decks[0])))
    contexts = (*deal.deck_contexts, context_at(state, "deck", seat))
    phase = DealPhase.PROOF if len(contexts) == len(deal.authors) else DealPhase.DECK
    return replace(deal, phase=phase, decks=decks, deck_contexts=contexts)


def why_bad_chain(
    deal: Deal, proofs: Sequence[Proof], by: Weights, own: int | None = None
) -> tuple[int, Finding] | None:
    """Return the first seat whose shuffle proof does not hold, and why; None if all hold.

    The caller's `own` seat is not checked. `by` provides the secret weights with which the proofs
    are added up; entropy must be fresh [protocol.md §5.5]. With a `Batch`, None means only that all
    hold if the batch does. `proofs` has one proof for each author, in order: raises ValueError for
    more or fewer, and `Malformed` if one does not decode.
    """
    chain = zip(deal.authors, deal.deck_contexts, pairwise(deal.decks), proofs, strict=True)
    size = len(deal.decks[0])
    others = {
        seat: ShuffleLink(context, *decks, decode_shuffle_proof(each.proof, size))
        for seat, context, decks, each in chain
        if seat != own
    }
    bad = verify_shuffles(deal.joint, list(others.values()), by)
    if not bad:
        return None
    seat = list(others)[bad[0]]
    says = "mixed a deck that is not the one it was given"
    return seat, Finding(CheckCode.SHUFFLE, says)
