"""A process that died takes its seat again from its record and its one secret."""

from __future__ import annotations

import pytest

from netgame.crypto.entropy import expand
from netgame.errors import Malformed
from netgame.protocol.core import Core
from netgame.protocol.record import verify_record
from netgame.protocol.state import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode
from tests.netgame.simtable import SimTable, Sitter, full_table, standard

NAMES = ("Ann", "Ben", "Cy")


def restart(table: SimTable, sitter: Sitter, entropy_label: str = "second life") -> None:
    """Kill a process and start it again from what it wrote down."""
    others = [each for each in table.sitters if each is not sitter]
    kill(table, sitter)
    sitter.core = Core.restore(
        sitter.signer,
        sitter.core.name,
        expand(table.seed, entropy_label),
        sitter.secret,
        (f"10.0.0.{table.sitters.index(sitter)}:4747",),
        sitter.record,
        table.now,
    )
    sitter.alive = True
    table.do(sitter, sitter.core.start(table.now))
    for other in others:
        table.connect(sitter, other)


def kill(table: SimTable, sitter: Sitter) -> None:
    """End a process: its links break, and what it had asked for never comes."""
    sitter.alive = False
    sitter.lives += 1
    for other in table.sitters:
        table.disconnect(sitter, other)


def own_entries(table: SimTable, sitter: Sitter) -> dict[tuple[int, int], set[bytes]]:
    """Every body that anybody ever accepted from a seat, by slot."""
    bodies: dict[tuple[int, int], set[bytes]] = {}
    for each in table.sitters:
        for payload in each.record[1:]:
            entry = decode(payload, wire.RecordEntry).entry
            body = decode(entry.body, wire.Body)
            bodies.setdefault((body.step, body.seat), set()).add(entry.body)
    del sitter
    return bodies


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("at_step", [6, 8, 9, 12, 14, 15, 17, 20, 26, 33, 47, 60])
def test_a_killed_process_goes_on_where_it_was(who: int, at_step: int) -> None:
    """In the coin, in every stage of a deal, in mid-turn: same head, nobody accused."""
    table = full_table(NAMES, standard(6, 3, 2))
    victim = table.sitters[who]
    table.run(lambda: victim.core.state.step >= at_step)
    restart(table, victim)
    table.run_game()
    assert len({sitter.core.state.head for sitter in table.sitters}) == 1
    for sitter in table.sitters:
        assert not sitter.faults()
        assert verify_record(sitter.record_octets, expand(table.seed, "verify")).finished
    assert all(len(bodies) == 1 for bodies in own_entries(table, victim).values())


def test_a_hand_comes_back_from_disk() -> None:
    """Tiles are derived from the log and the secret; they are written nowhere."""
    table = full_table(NAMES, standard(9, 3, 1), bots=False)
    table.run(lambda: all(each.core.state.phase is Phase.PLAY for each in table.sitters))
    cy = table.sitters[2]
    before = cy.core.view().hand
    restart(table, cy)
    assert cy.core.view().hand == before


def test_a_restarted_seat_asks_before_it_speaks() -> None:
    """Whose record lost its last move must not make another one."""
    table = full_table(NAMES, standard(6, 3, 1), bots=False)
    table.run(lambda: all(each.core.state.phase is Phase.PLAY for each in table.sitters))
    state = table.sitters[0].core.state
    mover = next(s for s in table.sitters if s.core.author.seat(state) == state.table.to_move)
    entries = len(mover.record)
    table.bots = True
    table.move(mover)
    table.bots = False
    table.run(lambda: all(each.core.state.step > state.step for each in table.sitters))
    del mover.record[entries:]
    kill(table, mover)
    mover.core = Core.restore(
        mover.signer,
        mover.core.name,
        expand(table.seed, "x"),
        mover.secret,
        (),
        mover.record,
        table.now,
    )
    mover.alive = True
    assert not mover.core.view().can_move
    for other in table.sitters:
        if other is not mover:
            table.connect(mover, other)
    table.bots = True
    table.run_game()
    assert not any(sitter.faults() for sitter in table.sitters)
    assert len({sitter.core.state.head for sitter in table.sitters}) == 1


def test_a_record_that_is_no_log_is_refused() -> None:
    """Entries that do not follow each other do not restore."""
    table = full_table(NAMES, standard(6, 3, 1))
    table.run_game()
    ann = table.sitters[0]
    broken = [*ann.record[:20], *ann.record[21:]]
    with pytest.raises(Malformed):
        Core.restore(ann.signer, "Ann", expand(table.seed, "x"), ann.secret, (), broken, 0.0)
