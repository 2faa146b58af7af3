"""A new deck for a round that goes on after seats have left, made by the seats that stay.

It follows rebuilding.md.
"""

from copy import copy

from msgspec.structs import replace

from engine.play.judge import unseen_tiles
from engine.play.leavers import leave, rebuilt
from engine.table.moves import DrawTile
from engine.table.table import RoundPhase as At
from tests.conformance import proofs
from tests.conformance.fold.round import follow, mix, next_deal, void
from tests.conformance.fold.state import need
from tests.netgame.crypto.oracle import add


def begin_rebuild(fold, seats):
    """Begin to rebuild the deck with the seats that stay; undo a draw that lacks shares.

    If the keys of the seats that stay have no joint key, void the round. If the round ends because
    `seats` leave, have the hands opened.
    """
    table = fold.table
    blind = blind_positions(fold, table)
    if blind and fold.history and isinstance(fold.history[-1][1], DrawTile):
        table, fold.history = fold.history[-1][0], fold.history[:-1]
        blind = blind_positions(fold, table)
    hands = tuple(tuple(at for at in held if at not in blind) for held in table.hands)
    table = replace(table, hands=hands, boneyard=(*sorted(blind), *table.boneyard))
    fold.table = leave(table, seats)
    joint = proofs.joint([fold.deck.keys[seat] for seat in fold.present])
    if joint is None:
        void(fold)
        return
    fold.deck = copy(fold.deck)
    fold.deck.joint = joint
    fold.deal, fold.between, fold.blinded = None, False, None
    fold.rebuilding = fold.table.phase is not At.OVER
    fold.phase = "rebuild" if fold.rebuilding else "open"


def blind_positions(fold, table):
    """Return the positions in hands whose shares are incomplete."""
    return {at for held in table.hands for at in held if at not in fold.deck.residuals}


def check_rebuild(fold, entry, said):
    """Require a contribution that withholds exactly the tiles in the seat's hand."""
    deck, seat = fold.deck, entry.seat
    tiles = tuple(map(tuple, unseen_tiles(fold.table)))
    proofs.rebuild(said.contribution, len(tiles))
    positions = tuple(sorted(fold.table.hands[seat]))
    residuals = tuple(deck.residuals[at] for at in positions)
    statement = (fold.ctx("rebuild", seat), deck.joint, deck.keys[seat])
    need(proofs.rebuild_holds(*statement, positions, residuals, tiles, said.contribution), "proof")


def complete_rebuild(fold, entries):
    """Begin to mix the deck that is the sum of all contributions."""
    tiles = tuple(map(tuple, unseen_tiles(fold.table)))
    parts = [proofs.rebuild(each.payload.contribution, len(tiles))["entries"] for each in entries]
    first = tuple(
        (
            add(*(part[at][0] for part in parts)),
            add(proofs.tile(t), *(part[at][1] for part in parts)),
        )
        for at, t in enumerate(tiles)
    )
    fold.phase, fold.deal = "deal", mix(fold, first)


def check_blind(fold, entry, said):
    """Require a proof that all entries were multiplied by one factor."""
    last = fold.deal.decks[-1]
    read = proofs.blinding(said.blinding, len(last))
    need(proofs.blinding_holds(fold.ctx("blind", entry.seat), last, read), "proof")


def complete_blind(fold, entries):
    """Ask for tokens of the blinded deck, or, if an entry has the point O, for a new blinding."""
    n = len(fold.deal.decks[-1])
    made = [proofs.pairs(proofs.blinding(each.payload.blinding, n)["entries"]) for each in entries]
    blinded = tuple(
        (add(*(one[at][0] for one in made)), add(*(one[at][1] for one in made))) for at in range(n)
    )
    if any(A is None for A, _ in blinded):
        return
    fold.phase, fold.blinded = "unblind", blinded


def check_unblind(fold, entry, said):
    """Require one token for every entry of the blinded deck."""
    As = [A for A, _ in fold.blinded]
    tokens, proof = proofs.points(said.tokens, len(As)), proofs.reveal_proof(said.proof)
    X, ctx = fold.deck.keys[entry.seat], fold.ctx("unblind", entry.seat)
    need(proofs.reveal_holds(X, ctx, range(len(As)), As, tokens, proof), "proof")


def complete_unblind(fold, entries):
    """Make a new boneyard of the tiles that nobody holds, and go on with the round.

    Void the round if the number of empty entries is not the number of tiles in the hands.
    """
    tokens = [proofs.points(each.payload.tokens, len(fold.blinded)) for each in entries]
    left = [
        proofs.residual(each, [given[at] for given in tokens])[1]
        for at, each in enumerate(fold.blinded)
    ]
    blanks = {at for at, point in enumerate(left) if point is None}
    fold.blinded = None
    if len(blanks) != sum(map(len, fold.table.hands)):
        void(fold)
        return
    fold.rebuilding = False
    fold.deck = fold.deck.with_chain(fold.deal, blanks)
    fold.table, _ = rebuilt(fold.table, tuple(fold.deck.masked))
    fold.deal = None
    next_deal(fold)
    follow(fold)
