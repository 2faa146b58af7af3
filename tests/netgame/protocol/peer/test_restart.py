"""A process that died takes its seat again from its record and its one secret."""

import pytest

from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import decode
from tests.netgame.games import entries_of, in_turn, played
from tests.netgame.protocol.happenings import (
    expect_agreement,
    heard,
    restart,
    seated,
    until_in_play,
)
from tests.netgame.simtable import SimTable, full_table, kill, link_all, revive, standard
from tests.sliced import sliced

NAMES = ("Ann", "Ben", "Cy")


def entries_seen(table: SimTable) -> dict[tuple[int, int], set[wire.SignedEntry]]:
    """Every entry that anybody ever sent or wrote down, by slot."""
    found = [signed for sitter in table.sitters for signed in entries_of(sitter)]
    for _, message in heard(table, wire.Entries, wire.Pulled):
        found += message.entries
    slots: dict[tuple[int, int], set[wire.SignedEntry]] = {}
    for signed in set(found):
        body = decode(signed.body, wire.Body)
        slots.setdefault((body.step, body.seat), set()).add(signed)
    return slots


def played_on(table: SimTable) -> None:
    """The game is over, all agree, nobody is accused, and no slot has two entries."""
    table.run_game()
    assert {sitter.core.state.phase for sitter in table.sitters} == {Phase.OVER}
    expect_agreement(table)
    for slot, entries in entries_seen(table).items():
        assert len(entries) == 1, slot


def tapped_table(seats: int, rounds: int) -> SimTable:
    """A table that keeps every frame it carries."""
    table = SimTable(standard(6, seats, rounds))
    table.sent = []
    seated(table, *NAMES[:seats])
    return table


@sliced(
    ("who", "at_step"),
    [(1, 6), (0, 8), (1, 9), (0, 12), (1, 14), (0, 15), (1, 17), (0, 20), (1, 26), (0, 33)],
    3,
)
def test_a_killed_process_goes_on_where_it_was(who: int, at_step: int) -> None:
    """In the coin, in every stage of a deal, in mid-turn: same head, the same octets."""
    table = tapped_table(3, 1 if at_step < 20 else 2)
    victim = table.sitters[who]
    table.run(lambda: victim.core.state.step >= at_step)
    restart(table, victim)
    played_on(table)
    assert verify_record(victim.record_octets, expand(table.seed, "verify")).finished


@sliced("entries", range(6, 62, 8), 3)
def test_a_table_of_which_all_died_goes_on(entries: int) -> None:
    """Wherever the records end: they ask each other, fill up what some lack, and play on."""
    table = tapped_table(3, 1)
    table.run(lambda: len(table.sitters[0].record) > entries)
    for sitter in table.sitters:
        kill(table, sitter)
    for sitter in table.sitters:
        revive(table, sitter)
        assert not sitter.core.view().can_move
    table.later(1.0, lambda: link_all(table))
    played_on(table)


@sliced("entries", range(8, 62, 9), 2)
def test_a_record_cut_short_is_filled_up_before_anything_is_signed(entries: int) -> None:
    """A disk that forgot its last entries, own ones among them, makes nobody a cheater."""
    table = tapped_table(3, 1)
    cy = table.sitters[2]
    table.run(lambda: len(cy.record) > entries)
    kill(table, cy)
    del cy.record[max(6, entries - 9) :]
    table.sent = []  # what was on its way when it died has reached nobody
    revive(table, cy)
    table.later(0.5, lambda: link_all(table))
    played_on(table)


def test_a_seat_that_came_back_alone_waits_for_somebody_to_ask() -> None:
    """Without any head it stays silent, however long."""
    table = full_table(NAMES, standard(6, 3, 1), bots=False)
    until_in_play(table)
    state = table.sitters[0].core.state
    mover = next(s for s in table.sitters if state.seat_of(s.core.key) == state.table.to_move)
    for other in table.sitters:
        if other is not mover:
            table.cut.add(frozenset((mover.core.key, other.core.key)))
    restart(table, mover)
    table.pass_time(60.0)
    assert not mover.core.view().can_move
    table.cut.clear()
    link_all(table)
    table.run(lambda: mover.core.view().can_move, 20.0)


def test_a_liar_about_its_log_cannot_make_an_honest_seat_sign_twice() -> None:
    """As long as anybody claims more than we hold, silence is the safe side."""
    game = played(3, 6, 1)
    one = in_turn(game)
    state = one.core.state
    for other in game.sitters[1:]:
        one.link(other.core.key)
        one.hear(other.core.key, wire.Head(state.step + 1, bytes(64), b"", 0))
    one.pass_time(30.0)
    assert not one.core.view().can_move
    assert not one.said(wire.Entries)
    for other in game.sitters[1:]:
        one.hear(other.core.key, wire.Head(state.step, state.head, b"", 0))
    one.pass_time(4.0)
    assert one.core.view().can_move


def test_a_restarted_seat_dials_everybody_at_once() -> None:
    """Who has only lost a link leaves it to the lower key for a while; here that may be resting."""
    table = full_table(NAMES, standard(6, 3, 1))
    until_in_play(table)
    keys = {sitter.core.key for sitter in table.sitters}
    highest = max(table.sitters, key=lambda sitter: sitter.core.key)
    others = keys - {highest.core.key}
    for other in others:
        assert not dialled(highest.core.link_down(other, table.now))
    entropy = expand(table.seed, "second life")
    name, secret, record = highest.core.place.name, highest.secret, highest.record
    back = Core(highest.signer, name, entropy, secret, ()).restore(record, table.now)
    assert dialled(back.start(table.now)) == others
    assert not dialled(back.wake(table.now))


def dialled(effects: tuple[fx.Effect, ...]) -> set[bytes]:
    """Who is to be dialled."""
    return {effect.peer for effect in effects if isinstance(effect, fx.Dial)}


def test_a_record_that_is_no_log_is_refused() -> None:
    """Entries that do not follow each other do not restore."""
    table = played(3, 6, 1)
    ann = table.sitters[0]
    broken = [*ann.record[:20], *ann.record[21:]]
    with pytest.raises(Malformed):
        Core(ann.signer, "Ann", expand(table.seed, "x"), ann.secret, ()).restore(broken, 0.0)
