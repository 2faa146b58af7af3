"""Simultaneous openings: a chain may follow tiles that were chosen one by one."""

from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.table import RoundPhase
from engine.table.trains import TrainId
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.simtable import full_table


def chain_of(view, most):
    """Return up to `most` moves that lay a greedy chain from a hand on the seat's own train."""
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


def test_a_chain_goes_on_from_tiles_chosen_before_it():
    """A simultaneous opening may begin tile by tile and go on as a chain; all its tiles count."""
    settings = wire.Settings("standard", ("opening=simultaneous",), 9, 2, 1, 12)
    table = full_table(NAMES[:2], settings, seed=bytes([6]) * 32, bots=False)
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
