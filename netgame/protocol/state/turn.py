"""A turn at the table: its move, the tiles it shows, and its claim about the hand.

The engine judges everything that all seats can see. Tokens open the tiles that a move shows, and a
proof backs what it claims about the hand [protocol.md §5.6, §5.7]. If all seats lay their openings
at once, each commits to its whole opening (a chain, a draw or a pass) before anybody shows one.
Then each opening is shown and judged like any other turn [protocol.md §4.5].
"""

from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.calls import apply_calls
from engine.play.due import as_left, in_step_order
from engine.play.judge import hidden_claim, unseen_tiles, why_illegal
from engine.table.moves import Call, Move, Quiet, shows
from engine.tiles import Tile
from netgame.crypto.hand import HandStatement, decode_hand_proof, verify_hand
from netgame.crypto.sealed import opening_commitment
from netgame.protocol.log.entry import Entries, entry_name
from netgame.protocol.log.fault import CheckCode, Claim, Finding, PendingProof, ProofKind
from netgame.protocol.notices import Notice, Played
from netgame.protocol.state import phases
from netgame.protocol.state.acts import move_of, proofs_of
from netgame.protocol.state.deal import context_at
from netgame.protocol.state.play import go_on, told_of_shuffle
from netgame.protocol.state.shares import Shared, share_claims, shared_at
from netgame.protocol.state.state import Completed, State, by_seat
from netgame.wire.codec import encode
from netgame.wire.messages import LayChain, Opening, OpeningCommit, OpeningReveal, Spoken, Turn


def check_turn(
    state: State, now: phases.InRound, seat: int, payload: Turn
) -> Finding | PendingProof:
    """Return a finding if the move is illegal on the public table, else the proofs left to verify.

    The `PendingProof` contains the claims about the move's tokens and about the hand; it may be
    empty. Raises `Malformed` for tokens or proofs that do not decode.
    """
    move = move_of(seat, payload)
    if move is None:
        return Finding(CheckCode.SHAPE, "named a tile with its high half first")
    refusal = why_illegal(now.round.table, move)
    if refusal is not None:
        return Finding(CheckCode.RULES, f"made an illegal {entry_name(payload)}", refusal)
    kind, (tokens, proof, claim) = entry_name(payload), proofs_of(payload)
    shown = _shown_claims(state, now.round, move, kind, tokens, proof)
    if isinstance(shown, Finding):
        return shown
    claimed = _hand_claims(state, now.round, move, kind, claim)
    return claimed if isinstance(claimed, Finding) else PendingProof(*shown, *claimed)


def tiles_to_open(
    state: State, round_: phases.Round, move: Move, kind: str
) -> tuple[Shared, tuple[Tile, ...]] | None:
    """Return the `Shared` whose shares open the tiles a move shows, and those tiles.

    None if the move opens no tile. The shares belong to an entry of this `kind` in the due step. A
    tile that was turned up for all needs no share, but a tile of a hand is opened again even if it
    was shown before.
    """
    held = round_.table.hands[move.seat]
    shown = [
        (position, tile)
        for position, tile in shows(move)
        if position in held or position not in round_.deck.tiles
    ]
    if not shown:
        return None
    positions, tiles = zip(*shown, strict=True)
    return shared_at(state, round_, kind, move.seat, positions, round_.deck.residuals), tiles


def _shown_claims(
    state: State, round_: phases.Round, move: Move, kind: str, tokens: bytes, proof: bytes
) -> Finding | tuple[Claim, ...]:
    """Return the claims that the tokens are genuine and open the tiles that the move shows.

    Return () if the move opens no tile, and a finding if it has tokens or a proof all the same.
    Raises `Malformed` for octets that do not decode.
    """
    opened = tiles_to_open(state, round_, move, kind)
    if opened is None:
        extra = tokens or proof
        return Finding(CheckCode.SHAPE, "opened nothing, with a proof") if extra else ()
    shared, tiles = opened
    return share_claims(
        ProofKind.TILE,
        shared,
        tokens,
        proof,
        "laid a tile with a share that is not of its key",
        list(tiles),
        "laid a tile that this position does not hold",
    )


def hand_statement(
    state: State, round_: phases.Round, move: Move, kind: str
) -> HandStatement | None:
    """Return the statement that a seat must prove for a move that makes a claim about its hand.

    It says that every tile the seat keeps after the move is one that the claim does not rule out.
    None if the move claims nothing, or shows every tile the seat holds. The move must be legal on
    the public table; `kind` is the kind of the entry. [protocol.md §5.7]
    """
    table, deck = round_.table, round_.deck
    denied = hidden_claim(table, move)
    shown = {position for position, _ in shows(move)}
    positions = tuple(sorted(p for p in table.hands[move.seat] if p not in shown))
    if denied is None or not positions:
        return None
    gone = {*denied, *(tile for _, tile in shows(move))}
    return HandStatement(
        context_at(state, kind, move.seat),
        deck.keys[move.seat],
        positions,
        tuple(deck.residuals[position] for position in positions),
        tuple(tile for tile in unseen_tiles(table) if tile not in gone),
    )


def _hand_claims(
    state: State, round_: phases.Round, move: Move, kind: str, given: bytes
) -> Finding | tuple[Claim, ...]:
    """Return the claim that the move tells the truth about the hand; () if nothing is to be proved.

    Return a finding if there is a proof although nothing is to be proved, or if the claim rules out
    every tile that the hand could contain. Raises `Malformed` for octets that do not decode.
    """
    statement = hand_statement(state, round_, move, kind)
    if statement is None:
        return Finding(CheckCode.SHAPE, f"proved nothing with a {kind}") if given else ()
    if not statement.tiles:
        return Finding(CheckCode.PROOF, f"sent a {kind} where every tile can be laid")
    proof = decode_hand_proof(given, len(statement.tiles))
    says = f"sent a {kind} without proof that nothing can be laid"
    return (Claim(lambda by: verify_hand(statement, proof, by), says, kind=ProofKind.HAND),)


def _moves(entries: Entries) -> list[Move]:
    """Return the moves of the entries, in the same order.

    The move of a revealed opening is that of the turn that it contains. The entries must have
    passed their checks.
    """
    said = ((each.seat, each.payload) for each in entries)
    turns = ((seat, p.turn if isinstance(p, OpeningReveal) else p) for seat, p in said)
    made = (move_of(seat, turn) for seat, turn in turns)  # type: ignore[arg-type]
    return [move for move in made if move is not None]


def complete_turn(
    state: State, now: phases.Playing | phases.ShowingOpenings, entries: Entries
) -> Completed:
    """Apply the moves of a step in seat order; return the state after them, and the notices.

    A move that lays a double in the hub or shows a tile is applied after all others. If earlier
    moves of the step have left no tile to draw, a draw becomes a pass with the same claim. There is
    a notice for each move, and a last one if tiles go back into the boneyard.
    """
    round_ = now.round
    after = round_.table
    history = list(round_.history)
    tiles = dict(round_.deck.tiles)
    notices: list[Notice] = []
    for each in in_step_order(_moves(entries)):
        move = as_left(after, each)
        history.append((after, move))
        after, events = apply(after, move)
        tiles.update(shows(move))
        notices.append(Played(move.seat, events))
    notices += told_of_shuffle(after)
    deck = replace(round_.deck, tiles=tiles)
    moved = replace(round_, table=after, deck=deck, history=tuple(history))
    turn_over = after.turns != round_.table.turns
    return state.at(go_on(state, moved, turn_over=turn_over)), tuple(notices)


def check_call(_: State, now: phases.HearingCalls, seat: int, payload: Spoken) -> Finding | None:
    """Return a finding if a call (a tap, a catch or `quiet`) is illegal, else None."""
    move = move_of(seat, payload)
    refusal = None if move is None else why_illegal(now.round.table, move)
    return None if refusal is None else Finding(CheckCode.RULES, "made an illegal call", refusal)


def complete_calls(state: State, now: phases.HearingCalls, entries: Entries) -> Completed:
    """Apply the calls of all seats at once; return the state after them, and at most one notice.

    The notice names the lowest seat that called, and contains the events of all calls. There is no
    notice if all seats were quiet. Calls are not added to the round's history.
    """
    calls = [move for move in _moves(entries) if isinstance(move, Call)]
    after, events = apply_calls(now.round.table, calls)
    caller = next((call.seat for call in calls if not isinstance(call, Quiet)), None)
    notices = () if caller is None else (Played(caller, events),)
    moved = replace(now.round, table=after)
    return state.at(go_on(state, moved, turn_over=True, called=True)), notices


def opening_octets(turn: Opening) -> bytes:
    """Return the octets of an opening to which a seat commits.

    They are the encoded payload, with its tokens, proof and claim left empty.
    """
    if isinstance(turn, LayChain):
        return encode(replace(turn, tokens=b"", proof=b""))
    return encode(replace(turn, claim=b""))


def complete_opening_commit(
    state: State, now: phases.SealingOpenings, entries: Entries
) -> Completed:
    """Keep the commitments of all seats; the next phase shows the openings. There is no notice."""
    contexts = (context_at(state, "opening-commit", seat) for seat in range(len(state.seats)))
    sealed = phases.SealedOpenings(
        tuple(contexts), by_seat(state, entries, OpeningCommit, lambda each: each.commitment)
    )
    return state.at(phases.ShowingOpenings(now.round, sealed)), ()


def check_opening_reveal(
    state: State, now: phases.ShowingOpenings, seat: int, payload: OpeningReveal
) -> Finding | PendingProof | None:
    """Check that the opening is the one that the seat committed to, then check it as a turn.

    Return a finding or the proofs left to verify, never None. Raises `Malformed` for octets that do
    not decode.
    """
    context, said = now.sealed.contexts[seat], opening_octets(payload.turn)
    given = opening_commitment(context, said, payload.secret)
    if given != now.sealed.commitments[seat]:
        return Finding(CheckCode.PROOF, "showed another opening than it had committed to")
    return check_turn(state, now, seat, payload.turn)
