"""Tiles turned up, looked at, handed over and mixed again; openings that all lay at once."""

from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.table import RoundPhase
from engine.table.trains import TrainId
from netgame.limits import OPENING_BOX_BYTES
from netgame.protocol.fold.phases import Phase, ShowingOpenings
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, WIDE, WIDE_SEED, played_widely
from tests.netgame.mallory import Mallory, when
from tests.netgame.protocol.happenings import expect_agreement, restart, seated, verified
from tests.netgame.simtable import SimTable, full_table
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
        verdict = verified(sitter.record_octets)
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
    restart(table, victim)
    table.run_game()
    expect_agreement(table)


def test_a_tile_handed_over_without_a_proof_convicts_who_had_it() -> None:
    """At all others, with evidence that convinces anybody."""
    table = SimTable(WIDE, WIDE_SEED)
    for sitter in seated(table, **dict.fromkeys(NAMES[:3], Mallory)):
        sitter.core.bend = when(
            wire.HandOver, lambda _, p: wire.HandOver(p.over[:-1] + bytes([p.over[-1] ^ 1]))
        )
    table.run(lambda: sum(bool(sitter.faults()) for sitter in table.sitters) == 2)
    for sitter in table.sitters:
        for fault in sitter.faults():
            assert fault.check == "proof"
            assert verified(sitter.evidence[fault.evidence]).ok


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
    expect_agreement(table)


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
