"""Hands mixed by their owners, so that nobody can tell when a tile came to one [protocol.md §5.9].

Where a table hides draws, a seat that has drawn in a turn reorders its residuals when that turn is
over: one link of 5.5 under its own key.
"""

from dataclasses import replace

from engine.table.rounds import with_positions
from engine.table.table import ENDED
from engine.table.trains import Position, Seat
from netgame.crypto.group import Entropy
from netgame.crypto.masking import Masked, decode_deck
from netgame.crypto.shuffle import ShuffleLink, decode_shuffle_proof, verify_shuffles
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.options import Draws
from netgame.protocol.fold.phases import MixingHands, Round
from netgame.protocol.fold.state import State
from netgame.protocol.log.entry import Entry, said
from netgame.protocol.log.fault import Claim, Judging
from netgame.wire.messages import MixHand


def hands_to_mix(state: State, round_: Round) -> tuple[int, ...]:
    """The seats with a tile of which it can be told when it came; a single tile hides nothing."""
    table, settled = round_.table, round_.deck.settled
    if state.options.draws is not Draws.HIDDEN or table.phase in ENDED:
        return ()
    return tuple(
        seat
        for seat, held in enumerate(table.hands)
        if len(held) > 1 and not settled.issuperset(held)
    )


def hand_to_mix(round_: Round, seat: int) -> tuple[Masked, ...]:
    """The residuals that a seat mixes, in ascending order of their positions."""
    return tuple(round_.deck.residuals[position] for position in sorted(round_.table.hands[seat]))


def check_mix_hand(state: State, now: MixingHands, entry: Entry, payload: MixHand) -> Judging:
    """The same tiles in another order, under the key of their owner."""
    given, key = hand_to_mix(now.round, entry.seat), now.round.deck.keys[entry.seat]
    context = context_at(state, now.round.table.round_number, "mix-hand", entry.seat)
    mixed = decode_deck(payload.deck, len(given))
    link = ShuffleLink(context, given, mixed, decode_shuffle_proof(payload.proof, len(given)))

    def holds(entropy: Entropy) -> bool:
        return not verify_shuffles(key, (link,), entropy)

    return Judging(Claim(holds, "mixed its hand into another one"))


def mixed_hands(round_: Round, entries: tuple[Entry, ...]) -> Round:
    """The round with the hands at new positions, which count on."""
    table, deck = round_.table, round_.deck
    residuals, mixed, first = dict(deck.residuals), list(deck.mixed), deck.next_position
    settled = set(deck.settled)
    for entry in sorted(entries, key=lambda each: each.seat):
        held = decode_deck(said(entry, MixHand).deck, len(table.hands[entry.seat]))
        positions = tuple(Position(first + at) for at in range(len(held)))
        first += len(held)
        residuals.update(zip(positions, held, strict=True))
        settled.update(positions)
        mixed.append((entry.seat, positions))
        table = with_positions(table, Seat(entry.seat), positions)
    moved = replace(
        deck,
        residuals=residuals,
        mixed=tuple(mixed),
        next_position=first,
        settled=frozenset(settled),
    )
    return replace(round_, table=table, deck=moved)
