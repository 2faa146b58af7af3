"""Every cheat of the catalogue: caught at the entry, by every honest peer, with evidence."""

from dataclasses import replace

import pytest

from engine.play.judge import unseen_tiles, why_illegal
from engine.play.legal_moves import legal_moves
from engine.table.moves import LayTile, Pass
from netgame.crypto import group
from netgame.crypto.keys import make_round_secret
from netgame.crypto.masking import decode_deck, prove_reveal
from netgame.crypto.transcript import expand
from netgame.protocol.fold.acts import move_of
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.phases import Phase, Playing
from netgame.protocol.ledger.verdict import VerdictKind
from netgame.protocol.ledger.verification import verify_record
from netgame.wire import messages as wire
from tests.netgame.mallory import Mallory, TwoFaced, WrongSigner, when
from tests.netgame.simtable import SimTable, Sitter, standard
from tests.netgame.small_games import expect_caught

SEED = expand(bytes(32), "cheats")(32)


def table_with(bend, core_class: type[Mallory] = Mallory) -> tuple[SimTable, Sitter]:
    """Ann hosts, Ben and Mallory join; Mallory bends."""
    table = SimTable(standard(6, 3, 7), SEED)
    table.seat("Ann", start_at=3)
    table.seat("Ben")
    mallory = table.seat("Mallory", core_class=core_class)
    mallory.core.bend = bend
    return table, mallory


def _stacked(core: Mallory, payload: wire.Deck) -> wire.Deck:
    deck = decode_deck(payload.deck, len(payload.deck) // 66)
    return wire.Deck(payload.round, group.encode((deck[1], *deck[1:])))


def test_stacked_shuffle() -> None:
    """One tile twice, another gone: no proof of it exists."""

    class Stacker(Mallory):
        def write(self, payload):
            if isinstance(payload, wire.Deck) and payload.round == 0:
                payload = _stacked(self, payload)
            super().write(payload)

    table, mallory = table_with(None, Stacker)
    expect_caught(table, mallory, "shuffle", at_once=False)
    for sitter in table.sitters[:2]:
        assert sitter.core.state.table is None, "nobody gave a share of the stacked deck"


def test_a_shuffle_with_a_point_off_the_curve() -> None:
    """A deck that does not decode convicts its author at once."""
    bend = when(
        wire.Deck, lambda _, deck: wire.Deck(deck.round, b"\x02" + b"\xff" * 65 + deck.deck[66:])
    )
    expect_caught(*table_with(bend), "shape")


def test_a_deck_that_is_short_of_a_tile() -> None:
    """N tiles go round, not N - 1."""
    bend = when(wire.Deck, lambda _, deck: wire.Deck(deck.round, deck.deck[66:]))
    expect_caught(*table_with(bend), "shape")


def test_a_key_it_had_not_committed_to() -> None:
    """A key chosen after seeing the others."""
    bend = when(
        wire.KeyOpen,
        lambda _, p: wire.KeyOpen(p.round, p.opening[:66] + bytes(32) + p.opening[98:]),
    )
    expect_caught(*table_with(bend), "proof")


def test_a_coin_it_had_not_committed_to() -> None:
    """A coin chosen after seeing the others."""
    bend = when(wire.CoinReveal, lambda _, p: wire.CoinReveal(bytes(32)))
    expect_caught(*table_with(bend), "proof")


def test_another_roster() -> None:
    """A signature under other keys or rules."""
    bend = when(wire.Roster, lambda _, p: wire.Roster(bytes(64)))
    expect_caught(*table_with(bend), "shape")


def _with_another_key(core: Mallory, payload: wire.Shares) -> wire.Shares:
    state = core.state
    seat = state.seat_of(core.key)
    assert state.deck is not None
    assert state.table is not None
    from netgame.protocol.fold.shares import positions_shared

    positions = positions_shared(state, state.round, seat)
    masked = [state.deck.masked[position].A for position in positions]
    context = context_at(state, state.table.round_number, "shares", seat)
    wrong = make_round_secret(expand(SEED, "another key")).x
    tokens, proof = prove_reveal(wrong, context, positions, masked, expand(SEED, "nonce"))
    return wire.Shares(group.encode(tokens), group.encode(proof))


def test_a_wrong_share() -> None:
    """A share under another key, with a proof for that key."""
    expect_caught(*table_with(when(wire.Shares, _with_another_key)), "proof")


def test_a_share_with_one_token_swapped() -> None:
    """Good tokens for the wrong positions."""
    bend = when(
        wire.Shares,
        lambda _, p: wire.Shares(p.tokens[33:66] + p.tokens[:33] + p.tokens[66:], p.proof),
    )
    expect_caught(*table_with(bend), "proof")


def _foreign(core: Mallory, payload: wire.Lay) -> wire.Lay | None:
    """Claim that the position holds another tile that would fit as well."""
    table = core.state.table
    assert table is not None
    seat = core.state.seat_of(core.key)
    for tile in unseen_tiles(table):
        if tile.has(payload.tile[0]) and tile != tuple(sorted(payload.tile)):
            claim = replace_tile(payload, (payload.tile[0], tile.other_end(payload.tile[0])))
            entry = _entry(core, claim, seat)
            if why_illegal(table, move_of(seat, entry.payload)) is None:
                return claim
    return None


def replace_tile(lay: wire.Lay, tile: tuple[int, int]) -> wire.Lay:
    """The same lay of another tile."""
    return wire.Lay(lay.position, tile, lay.train, lay.on, lay.token, lay.proof)


def _entry(core: Mallory, payload: wire.Payload, seat: int):
    from netgame.protocol.log.entry import read_entry, sign_entry

    return read_entry(sign_entry(core.place.signer, core.body(payload, seat)))


def test_a_foreign_tile() -> None:
    """A tile that the position does not hold, where it would fit."""
    expect_caught(*table_with(when(wire.Lay, _foreign)), "proof")


def test_an_illegal_lay() -> None:
    """A tile that does not fit the end."""

    def bend(core, payload):
        table = core.state.table
        hand = core.author.hand(core.state)
        legal = {move.tile for move in legal_moves(table, hand) if isinstance(move, LayTile)}
        for position, tile in hand.tiles:
            if tile not in legal:
                return wire.Lay(
                    position,
                    (tile.low, tile.high),
                    payload.train,
                    payload.on,
                    payload.token,
                    payload.proof,
                )
        return None

    expect_caught(*table_with(when(wire.Lay, bend)), "rules")


@pytest.mark.parametrize("kind", [wire.Draw, wire.Pass])
def test_a_false_cannot_play(kind) -> None:
    """A draw, or a pass, instead of the lay that was possible: no proof of it exists."""

    def bend(core, payload):
        table = core.state.table
        if kind is wire.Pass and why_illegal(table, Pass(core.state.seat_of(core.key))):
            return None
        from netgame.protocol.fold.turn import hand_statement

        seat = core.state.seat_of(core.key)
        statement = hand_statement(
            core.state, core.state.round, move_of(seat, kind(b"")), str(kind.__struct_config__.tag)
        )
        if statement is None:
            return None
        return kind(
            G_OCTETS + G_OCTETS + bytes(31) + b"\x01" + (bytes(31) + b"\x01") * len(statement.tiles)
        )

    table, mallory = table_with(when(wire.Lay, bend))
    expect_caught(table, mallory, "proof")


G_OCTETS = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")


def test_a_hand_proof_that_leaves_a_tile_out() -> None:
    """An honest proof over another statement: the playable tile is counted as unplayable."""

    def bend(core, payload):
        from netgame.crypto.hand import prove_hand
        from netgame.protocol.fold.turn import hand_statement

        state = core.state
        seat = state.seat_of(core.key)
        statement = hand_statement(state, state.round, _draw(seat), "draw")
        hand = core.author.hand(state)
        if statement is None or why_illegal(state.table, _draw(seat)) is not None:
            return None
        held = [tile for _, tile in hand.tiles]
        wide = replace(statement, tiles=tuple(sorted({*statement.tiles, *held})))
        secret = core.author.round_secret(state, state.deck)
        proof = prove_hand(wide, secret.x, held, expand(SEED, "nonce"))
        narrow = proof._replace(s_t=proof.s_t[: len(statement.tiles)])
        return wire.Draw(group.encode(narrow))

    expect_caught(*table_with(when(wire.Lay, bend)), "proof")


def _draw(seat):
    from engine.table.moves import DrawTile

    return DrawTile(seat)


def test_a_move_out_of_turn() -> None:
    """A seat that is not due writes anyway."""
    table, mallory = table_with(None)
    core = mallory.core

    def in_play() -> bool:
        state = core.state
        seat = state.seat_of(core.key)
        return isinstance(state.now, Playing) and state.table.to_move != seat

    table.run(in_play)
    core.slip(wire.Pass(b""))
    table.do(mallory, core.flush())
    expect_caught(table, mallory, "turn", at_once=False)
    for sitter in table.sitters[:2]:
        assert sitter.core.state.step <= core.cheated_at + 1, "at most the due seat was quicker"


def test_two_entries_in_one_slot() -> None:
    """One story for Ann, another for Ben: the two signatures convict."""
    bend = when(wire.CoinCommit, lambda _, p: wire.CoinCommit(bytes(64)))
    table, mallory = table_with(bend, TwoFaced)
    expect_caught(table, mallory, "fork", at_once=False)


def test_two_stories_in_mid_round() -> None:
    """Two different shares for one draw or deal."""
    bend = when(wire.Checked, lambda _, p: wire.KeyCommit(p.round, bytes(64), b""))
    table, mallory = table_with(bend, TwoFaced)
    honest = [sitter for sitter in table.sitters if sitter is not mallory]
    table.run(lambda: all(sitter.faults() for sitter in honest), 3600)
    for sitter in honest:
        assert sitter.faults()[0].name.startswith("Mallory (")
        assert sitter.faults()[0].check in ("fork", "kind")


def test_a_false_score() -> None:
    """Scores that the open hands do not give."""
    bend = when(wire.RoundOver, lambda _, p: wire.RoundOver(tuple(0 for _ in p.scores), ()))
    expect_caught(*table_with(bend), "shape")


def test_hands_opened_as_other_tiles() -> None:
    """A lighter hand than the one it holds."""

    def bend(core, payload):
        if not payload.tiles:
            return None
        return wire.Open(((0, 0),) * len(payload.tiles), payload.tokens, payload.proof)

    expect_caught(*table_with(when(wire.Open, bend)), "proof")


def test_a_wrong_signature_is_witnessed_and_the_game_goes_on() -> None:
    """It binds nobody, so the receivers name who sent it; the slot stays open."""
    table = SimTable(standard(6, 3, 1), SEED)
    table.seat("Ann", start_at=3)
    table.seat("Ben")
    mallory = table.seat("Mallory", core_class=Mallory)
    signer = WrongSigner(mallory.signer)
    mallory.core.place.signer = signer

    def bend(core, payload):
        signer.lies = True
        return payload

    mallory.core.bend = when(wire.CoinReveal, bend)
    honest = table.sitters[:2]
    table.run(lambda: all(sitter.faults() for sitter in honest), 3600)
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check == "signature"
        assert fault.name.startswith("Mallory (")
        assert sitter.core.fault is None, "the table is not stopped by what nobody signed"
        verdict = verify_record(sitter.evidence[fault.evidence], expand(SEED, "verify"))
        assert verdict.kind is VerdictKind.HEARSAY, verdict.sentence
        assert verdict.check == "signature"
        assert verdict.accused.startswith("Mallory (")


def test_a_forged_entry_of_another_seat_names_its_sender() -> None:
    """Mallory writes in Ben's name; the signature is not Ben's."""
    table, mallory = table_with(None)
    core = mallory.core
    table.run(lambda: isinstance(core.state.now, Playing))
    table.bots = False
    other = (core.state.seat_of(core.key) + 1) % 3
    core.slip(wire.Pass(b""), other)
    table.do(mallory, core.flush())
    expect_caught(table, mallory, "signature", at_once=False)


def test_evidence_for_an_honest_peer_convinces_nobody() -> None:
    """An evidence frame whose entries prove nothing is refused."""
    from netgame.protocol.log.entry import frame_payload
    from netgame.wire.codec import encode

    table, mallory = table_with(None)
    table.run(lambda: mallory.core.state.phase is Phase.PLAY)
    ann = table.sitters[0]
    entry = ann.core.ledger.steps[-1][0].signed
    for check in ("rules", "proof", "fork", "turn", "shuffle", "signature"):
        frame = wire.EvidenceFrame(check, (entry,), b"", b"", b"")
        octets = ann.record_octets + frame_payload(encode(frame))
        verdict = verify_record(octets, expand(SEED, "verify"))
        assert not verdict.ok, check
