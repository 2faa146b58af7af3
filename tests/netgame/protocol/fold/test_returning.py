"""Tiles turned up, looked at, handed over and mixed again; openings that all lay at once."""

import msgspec
import pytest

from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.table import RoundPhase
from engine.table.trains import TrainId
from netgame.crypto.group import encode
from netgame.crypto.handover import prove_hand_over
from netgame.crypto.sealed import seal, unseal
from netgame.crypto.transcript import expand
from netgame.errors import LocalMisuse, Malformed
from netgame.limits import OPENING_BOX_BYTES
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.phases import Phase, ShowingOpenings
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, WIDE, WIDE_SEED, played_widely
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, Sitter, full_table, kill, link_all, revive
from tests.sliced import sliced


def payloads(table: SimTable, kind: type) -> list[wire.Payload]:
    """Everything of one kind in a log, in order."""
    steps = table.sitters[0].core.ledger.steps
    return [entry.payload for step in steps for entry in step if isinstance(entry.payload, kind)]


def test_a_game_of_returned_tiles_makes_a_good_record() -> None:
    """First tiles turned up, a double found in the boneyard, a tile pulled: mixed again, by all."""
    table = played_widely()
    words = {act.word for act in payloads(table, wire.Act)}
    assert {"silent", "none", "hub", "pull", "declare", "tap", "quiet"} <= words
    assert len(payloads(table, wire.HandOver)) == 1
    # two deals, two mixings after the draws for the first turn, one after the pull
    assert len(payloads(table, wire.Deck)) == 5 * 3
    for sitter in table.sitters:
        assert not sitter.faults()
        verdict = verify_record(sitter.record_octets, expand(bytes(32), "verify"))
        assert verdict.ok, verdict.sentence


def test_positions_of_a_new_boneyard_count_on() -> None:
    """No position ever comes twice in a round, so no share can serve for another tile."""
    table = full_table(NAMES[:3], WIDE, seed=WIDE_SEED)
    seen: set[int] = set()
    core = table.sitters[0].core

    def new_chain() -> bool:
        deck = core.state.deck
        return deck is not None and not set(deck.masked) <= seen

    for _ in range(2):
        table.run(new_chain)
        deck = core.state.deck
        assert deck is not None
        assert not set(deck.masked) & seen
        assert deck.next_position == max(deck.masked) + 1
        seen |= set(deck.masked)


def test_nobody_shows_an_opening_before_all_are_bound() -> None:
    """Commitments and boxes of one size, then the openings: nothing in the log tells before."""
    table = played_widely()
    commits = payloads(table, wire.OpeningCommit)
    assert {len(each.box) for each in commits} == {OPENING_BOX_BYTES}
    kinds = [{type(entry.payload) for entry in step} for step in table.sitters[0].core.ledger.steps]
    for number, kind in enumerate(kinds):
        if kind == {wire.OpeningReveal}:
            assert kinds[number - 1] == {wire.OpeningCommit}
        assert wire.OpeningReveal not in kind or len(kind) == 1


PLACES = (
    lambda state: state.phase is Phase.OPENING_COMMIT,
    lambda state: isinstance(state.now, ShowingOpenings),
    lambda state: state.phase is Phase.HAND_OVER,
    lambda state: (
        state.phase is Phase.DEAL
        and state.table is not None
        and state.deal is not None
        and state.deal.phase is DealPhase.PROOF
    ),
)


@sliced(("place", "who"), [(place, who) for who in range(3) for place in range(4)], 5)
def test_a_killed_process_finds_what_it_had_committed_to(place: int, who: int) -> None:
    """Before an opening is shown, while a tile is handed over, in the middle of a mixing."""
    table = full_table(NAMES[:3], WIDE, seed=WIDE_SEED)
    victim = table.sitters[who]
    table.run(lambda: PLACES[place](victim.core.state))
    kill(table, victim)
    revive(table, victim)
    link_all(table)
    table.run_game()
    assert len({sitter.core.state.head for sitter in table.sitters}) == 1
    assert not any(sitter.faults() for sitter in table.sitters)


# ---- cheats ----------------------------------------------------------------------------------


def wide_table(bend, settings: wire.Settings = WIDE) -> tuple[SimTable, Sitter]:
    """The game of `WIDE`, with the seat that hands its tile over bent."""
    table = SimTable(settings, WIDE_SEED)
    for number, name in enumerate(NAMES[:3]):
        table.seat(name, core_class=Mallory, start_at=3 if number == 0 else None)
    for sitter in table.sitters:
        sitter.core.bend = bend
    return table, table.sitters[0]


def expect_one_caught(table: SimTable, check: str) -> None:
    """Who cheated first is named by the others, for `check`, with evidence that holds."""
    table.run(lambda: sum(bool(sitter.faults()) for sitter in table.sitters) >= 2)
    for sitter in table.sitters:
        for fault in sitter.faults():
            assert fault.check == check, fault.sentence
            verdict = verify_record(sitter.evidence[fault.evidence], expand(bytes(32), "verify"))
            assert verdict.ok, verdict.sentence
            culprit = next(
                s for s in table.sitters if verdict.culprit.startswith(s.core.place.name)
            )
            assert culprit.core.cheated_at is not None


def test_an_opening_that_was_not_committed_to() -> None:
    """Other secret octets, or another opening, than the commitment says."""
    table, _ = wide_table(
        when(wire.OpeningReveal, lambda _, shown: wire.OpeningReveal(bytes(32), shown.turn))
    )
    expect_one_caught(table, "proof")


def _another(_: Mallory, shown: wire.OpeningReveal) -> wire.OpeningReveal:
    """Another kind of opening than the one committed to, or a chain on another train."""
    match shown.turn:
        case wire.Act():
            other = msgspec.structs.replace(shown.turn, number=(shown.turn.number + 1) % 3)
        case wire.Draw(proof):
            other = wire.Pass(proof)
        case wire.Pass(proof):
            other = wire.Draw(proof)
    return wire.OpeningReveal(shown.secret, other)


def test_an_opening_changed_after_the_others_were_seen() -> None:
    """It is not the one committed to."""
    table, _ = wide_table(when(wire.OpeningReveal, _another))
    expect_one_caught(table, "proof")


def _other_tile(core: Mallory, _: wire.HandOver) -> wire.HandOver | None:
    """Another tile of its own, with a good proof for that one."""
    state, seat = core.state, core.state.seat_of(core.key)
    assert state.table is not None
    assert state.deck is not None
    if not state.table.hands[seat]:
        return None
    context = context_at(state, state.table.round_number, "hand-over", seat)
    x = core.author.round_secret(state, state.deck).x
    left = state.deck.residuals[state.table.hands[seat][0]]
    return wire.HandOver(
        encode(prove_hand_over(x, context, left, state.deck.joint, core.author.fresh()))
    )


def test_another_tile_handed_over() -> None:
    """Who would rather keep the tile that was pulled."""
    table, _ = wide_table(when(wire.HandOver, _other_tile))
    table.run(lambda: any(sitter.faults() for sitter in table.sitters))
    expect_one_caught(table, "proof")


def test_a_malformed_hand_over() -> None:
    """Octets that are no points."""
    table, _ = wide_table(when(wire.HandOver, lambda _, __: wire.HandOver(bytes(229))))
    expect_one_caught(table, "shape")


def test_a_tile_pulled_from_somebody_else() -> None:
    """Only the hand of who laid the double is pulled from."""
    bend = when(
        wire.Act,
        lambda _, act: (
            msgspec.structs.replace(act, on=(act.on + 1) % 3) if act.word == "pull" else None
        ),
    )
    table, _ = wide_table(bend)
    expect_one_caught(table, "rules")


# ---- edges -----------------------------------------------------------------------------------


def test_draws_at_once_for_which_no_tile_is_left_are_passes() -> None:
    """Eight seats of three tiles each leave three to draw."""
    settings = wire.Settings("standard", ("opening=simultaneous",), 6, 8, 1, 3)
    table = full_table(NAMES, settings, seed=bytes(32))
    table.run_game()
    draws = [
        each.turn
        for each in payloads(table, wire.OpeningReveal)
        if isinstance(each.turn, wire.Draw)
    ]
    assert len(draws) > 3
    assert not any(sitter.faults() for sitter in table.sitters)
    assert len({sitter.core.state.head for sitter in table.sitters}) == 1


def test_a_box_opens_with_its_own_key_only() -> None:
    """And holds no more than a hand can say."""
    key, other = bytes(32), bytes([1]) * 32
    assert unseal(key, seal(key, b"an opening")) == b"an opening"
    with pytest.raises(Malformed):
        unseal(other, seal(key, b"an opening"))
    with pytest.raises(LocalMisuse):
        seal(key, bytes(OPENING_BOX_BYTES))


def chain_of(view, most: int) -> list[LayTile]:
    """A chain of so many tiles that a hand can lay on its own train, greedily."""
    table, tiles, pip, found = view.table, dict(view.hand.tiles), view.table.hub.high, []
    while len(found) < most:
        fits = [(at, tile) for at, tile in sorted(tiles.items()) if tile.has(pip)]
        if not fits:
            break
        at, tile = fits[0]
        del tiles[at]
        on = len(table.trains[view.seat].lays) + len(found) - 1
        found.append(LayTile(view.seat, at, tile, TrainId(view.seat), on, pip))
        pip = tile.other_end(pip)
    return found


def test_a_chain_goes_on_from_tiles_chosen_before_it() -> None:
    """An opening at once may be begun tile by tile and ended in one line: all of it counts."""
    settings = wire.Settings("standard", ("opening=simultaneous",), 9, 2, 1, 12)
    table = full_table(NAMES[:2], settings, seed=bytes([4]) * 32, bots=False)
    table.run(lambda: all(sitter.core.view().can_move for sitter in table.sitters))
    for sitter in table.sitters:
        first, *rest = chain_of(sitter.core.view(), 3)
        assert len(rest) == 2
        for move in (
            first,
            LayChain(
                first.seat,
                first.train,
                tuple(ChainLink(each.position, each.tile, each.joined) for each in rest),
                on=0,
            ),
        ):
            table.act(sitter, lambda parts, move=move: parts.writer.try_move(move))
    table.run(lambda: table.sitters[0].core.state.table.phase is RoundPhase.PLAY)
    trains = table.sitters[0].core.state.table.trains[:2]
    assert [len(train.lays) for train in trains] == [3, 3]
    assert not any(sitter.faults() for sitter in table.sitters)
