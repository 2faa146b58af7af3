"""Tiles turned up, looked at, handed over and mixed again; openings that all lay at once."""

from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.table import RoundPhase
from engine.table.trains import TrainId
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, played_widely
from tests.netgame.protocol.happenings import verified
from tests.netgame.simtable import SimTable, full_table


def payloads(table: SimTable, kind: type) -> list[wire.Payload]:
    """Everything of one kind in a log, in order."""
    steps = table.host.ledger.steps
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
    table.run(lambda: all(sitter.view.can_move for sitter in table.sitters))
    for sitter in table.sitters:
        first, *rest = chain_of(sitter.view, 3)
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
    table.run(lambda: table.host.state.table.phase is RoundPhase.PLAY)
    trains = table.host.state.table.trains[:2]
    assert [len(train.lays) for train in trains] == [3, 3]
    assert not any(sitter.faults() for sitter in table.sitters)
