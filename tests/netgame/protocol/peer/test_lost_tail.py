"""A record that has lost its end: nothing is signed twice, and no round key serves two branches."""

from collections.abc import Iterable

import pytest
from msgspec import structs

from engine.table.moves import DrawTile, Pass
from engine.table.trains import Seat
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import BetweenTurns, Phase
from netgame.protocol.fold.session import due
from netgame.protocol.fold.turn import opening_octets
from netgame.protocol.log.entry import sign_entry
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from netgame.wire.messages import Body, Deck, KeyCommit
from tests.netgame.games import NAMES, WIDE, Driven, driven, entries_in, played
from tests.netgame.protocol.happenings import expect_agreement, go_on, numbers_of, until_in_play
from tests.netgame.simtable import SimTable, Sitter, full_table, kill, link_all, revive, standard
from tests.netgame.small_games import MINUTE, expect_whole, offer

PATIENT_S = 60.0


def two_in_play() -> tuple[SimTable, Sitter, Sitter]:
    """Two seats that hold their hands: who mixed first, and who mixed last."""
    for seed in range(8):
        table = full_table(NAMES[:2], standard(6, 2, 1), seed=bytes([seed]) * 32, bots=False)
        until_in_play(table)
        first, last = sorted(table.sitters, key=lambda each: each.core.state.seat_of(each.core.key))
        if table.sitters[0] is first:
            return table, first, last
    raise AssertionError("no seed seats the host first")


def signed_by(sitter: Sitter, record: Iterable[bytes]) -> set[bytes]:
    """The bodies of all entries of this key in a record."""
    state, found = sitter.core.state, set()
    for signed in entries_in(record):
        body = decode(signed.body, Body)
        if state.author_key(body.step, body.seat) == sitter.core.key:
            found.add(signed.body)
    return found


@pytest.mark.parametrize("journal_survives", [True, False])
def test_a_record_of_two_that_lost_its_end_is_filled_up(journal_survives: bool) -> None:
    """The other is honest: what was forgotten comes back, and the game goes on."""
    table, victim, _ = two_in_play()
    kill(table, victim)
    del victim.record[numbers_of(victim.record, Deck)[1] :]
    if not journal_survives:
        victim.journal.clear()
    revive(table, victim)
    table.bots = True
    table.later(0.5, lambda: link_all(table))
    for sitter in table.sitters:
        table.move(sitter)
    table.run_game()
    expect_agreement(table)
    assert not victim.told_of(notices.Trouble)


@pytest.mark.parametrize("others_stand", [False, True])
def test_what_was_signed_is_said_again_in_the_same_octets(others_stand: bool) -> None:
    """Its last entry reached nobody and left the record; the journal has it, nonces and all.

    So it is where the record has what another has signed for that step.
    """
    table = full_table(NAMES[:3], standard(6, 3, 1))
    victim = table.sitters[1]
    table.run(lambda: victim.core.state.phase is Phase.SHARES)
    step, before = victim.core.state.step, len(victim.record)
    victim.core.place.links.tell_all = lambda message: None
    seat = victim.core.state.seat_of(victim.core.key)
    table.run(lambda: victim.core.ledger.slot(step, seat) is not None)
    if others_stand:
        table.run(lambda: len(victim.core.ledger.slots) > 1 or victim.core.state.step > step)
    kill(table, victim)
    ours = signed_by(victim, victim.record[before:])
    kept = victim.record[before:] if others_stand else []
    victim.record[before:] = [
        each for each in kept if not ours & {entry.body for entry in entries_in((each,))}
    ]
    assert bool(victim.record[before:]) == others_stand
    revive(table, victim)
    link_all(table)
    table.run_game()
    log = table.sitters[0].core.ledger
    (shares,) = [entry for entry in log.steps[step] if entry.seat == seat]
    bodies = [each.body for each in entries_in(victim.journal)]
    assert shares.signed.body in bodies
    assert len(bodies) == len(set(bodies))
    assert not any(sitter.faults() for sitter in table.sitters)


def test_a_void_seat_comes_back_with_the_next_round() -> None:
    """All others have lost more than a disk can lose and play another course: they are not joined.

    Nothing is signed where this seat has signed, nor with its keys; given up, it sits down again.
    """
    settings = offer((*MINUTE, "leaver=redeal"), rounds=3)
    table = full_table(NAMES[:4], settings, seed=bytes([3]) * 32)
    victim, others = table.sitters[1], [s for i, s in enumerate(table.sitters) if i != 1]
    until_in_play(table)
    mark = victim.core.parts.journal.mark
    signed = signed_by(victim, victim.record[1:])
    for number, sitter in enumerate(table.sitters):
        kill(table, sitter)
        del sitter.record[numbers_of(sitter.record, KeyCommit)[0] :]
        if sitter is not victim:
            sitter.journal.clear()
            sitter.secret = expand(table.seed, "another secret", number)(32)
    for sitter in table.sitters:
        revive(table, sitter)
    link_all(table)
    table.run(lambda: any(isinstance(each, notices.Trouble) for each in victim.told))
    go_on(table, others, victim)
    table.run_game()
    expect_whole(table)
    round_over = victim.core.ledger.steps[-1]
    assert victim.core.state.seat_of(victim.core.key) in {entry.seat for entry in round_over}
    again = signed_by(victim, victim.record[1:])
    new = {decode(body, Body).step for body in again - signed}
    assert min(new) > mark.step


# ---- secrets ---------------------------------------------------------------------------------


def test_another_head_has_another_key() -> None:
    """A key, a seed and a coin that two branches commit to are never the same."""
    table = full_table(NAMES[:3], standard(6, 3, 2))
    core = table.sitters[0].core
    table.run(lambda: core.state.phase is Phase.COIN_COMMIT)
    coins = {
        core.author._keyring.coin(core.state.log_id, head) for head in (bytes(64), core.state.head)
    }
    assert len(coins) == 2

    def later_deal() -> bool:
        deal = core.state.deal
        return isinstance(core.state.now, BetweenTurns) and deal.phase is DealPhase.KEY_COMMIT

    table.run(later_deal)
    state = core.state
    branch = structs.replace(state, head=bytes(64))
    keys = [core.author.round_secret(each, state.deal) for each in (state, branch)]
    assert keys[0].x != keys[1].x
    assert keys[0].rand != keys[1].rand


def test_two_openings_share_neither_key_nor_secret() -> None:
    """One committed to twice in one place would else show both, the box as one stream."""
    table = full_table(NAMES[:3], WIDE, seed=bytes([4]) * 32)
    core = table.sitters[0].core
    table.run(lambda: core.state.phase is Phase.OPENING_COMMIT)
    seat = Seat(core.state.seat_of(core.key))
    openings = [DrawTile(seat), Pass(seat)]
    one, other = (
        core.author._sealed(core.state, core.state.round, seat, opening) for opening in openings
    )
    said = [opening_octets(opening) for opening in openings]
    padded = [(len(each).to_bytes(2, "big") + each).ljust(1024, b"\0") for each in said]
    assert padded[0] != padded[1]
    stream = [
        bytes(a ^ b for a, b in zip(box, plain, strict=False))
        for box, plain in zip((one.box, other.box), padded, strict=True)
    ]
    assert stream[0] != stream[1]
    assert one.commitment != other.commitment


# ---- copies ----------------------------------------------------------------------------------


def copy_of(entries: int) -> Driven:
    """A process started from a copy of Ann's folder, linked to all others, level with them."""
    game = played(3, 6, 1)
    ann = game.sitters[0]
    record = ann.record[: entries + 1]
    core = Core(ann.signer, "Ann", expand(bytes(32), "copy"), ann.secret, ()).restore(
        record, 0.0, ann.journal[:0]
    )
    copy = Driven(core)
    for other in game.sitters[1:]:
        copy.link(other.core.key)
        copy.hear(other.core.key, wire.Head(core.state.step, core.state.head, b"", 0))
    return copy


@pytest.mark.parametrize("seconds", [0.0, 2.0, 4.0])
def test_a_copied_folder_signs_nothing_once_the_other_is_heard(seconds: float) -> None:
    """Who is level and hears its own key write, without having written, is not alone."""
    game = played(3, 6, 1)
    log = game.sitters[0].core.ledger
    entries = next(
        n
        for n in range(20, 90)
        if (one := driven(n, 0, game)).core.state.phase is Phase.PLAY
        and not isinstance(one.core.state.now, BetweenTurns)
        and one.core.state.seat_of(one.core.key) in due(one.core.state).authors
    )
    copy = copy_of(entries)
    step, seat = copy.core.state.step, copy.core.state.seat_of(copy.core.key)
    copy.pass_time(seconds)
    copy.sent.clear()
    (own,) = [entry for entry in log.steps[step] if entry.seat == seat]
    ben = game.sitters[1].core.key
    copy.hear(ben, wire.Entries((own.signed,)))
    for entry in (entry for later in log.steps[step:] for entry in later):
        copy.hear(ben, wire.Entries((entry.signed,)))
    copy.pass_time(10.0)
    closed = copy.told_of(notices.TableClosed)
    assert [each.why for each in closed] == [notices.WhyClosed.ELSEWHERE]
    assert not copy.said(wire.Entries)
    assert not copy.core.fault
    assert not copy.evidence


# ---- back at the table -----------------------------------------------------------------------


def shares_owed() -> int:
    """After how many entries of a game Ann owes shares, and nobody decides anything."""
    game = played(3, 6, 1)
    return next(
        n
        for n in range(20, 90)
        if (one := driven(n, 0, game)).core.state.phase is Phase.SHARES
        and one.core.ledger.slot(one.core.state.step, one.core.state.seat_of(one.core.key)) is None
    )


def back(entries: int, *journal: bytes) -> tuple[Driven, bytes, bytes]:
    """Ann's process, just started again, and the keys of the two others; no link is up yet."""
    game = played(3, 6, 1)
    ann, ben, cy = game.sitters
    core = Core(ann.signer, "Ann", expand(bytes(32), "back"), ann.secret, ()).restore(
        ann.record[: entries + 1], 0.0, journal
    )
    return Driven(core), ben.core.key, cy.core.key


def show_head(one: Driven, peer: bytes) -> None:
    """This peer is level with us."""
    one.hear(peer, wire.Head(one.core.state.step, one.core.state.head, b"", 0))


def test_a_restarted_seat_signs_once_all_have_shown_what_they_hold() -> None:
    """Nothing can have been forgotten that any of them has: nobody waits for a clock."""
    one, ben, cy = back(shares_owed())
    for peer in (ben, cy):
        assert not one.said(wire.Entries)
        one.link(peer)
        show_head(one, peer)
    assert one.now == 0.0
    assert len(one.said(wire.Entries)) == 2


def test_a_restarted_seat_that_not_all_have_answered_listens_first() -> None:
    """Who is not there may have a link to another program of the same seat."""
    one, ben, _ = back(shares_owed())
    one.link(ben)
    show_head(one, ben)
    one.pass_time(3.5)
    assert not one.said(wire.Entries)
    one.pass_time(3.5)
    assert len(one.said(wire.Entries)) == 1


def test_a_seat_whose_key_had_another_link_listens_first() -> None:
    """One honest member is enough to say so, whatever the others say."""
    one, ben, cy = back(shares_owed())
    one.link(ben)
    show_head(one, ben)
    one.link(cy)
    one.hear(cy, wire.Rival())
    show_head(one, cy)
    one.pass_time(2.5)
    assert not one.said(wire.Entries)
    one.pass_time(1.0)
    assert len(one.said(wire.Entries)) == 2


@pytest.mark.parametrize(
    ("lives", "is_up", "rivals"),
    [
        ((1, 2), True, 1),  # a second process takes the place of the first one's link
        ((1, 1), True, 0),  # both sides have dialled: one process, two links
        ((1, 2), False, 0),  # the first one's link ended before, as when it was killed
        ((1, 1, 2), True, 1),
        ((1, 2, 2), True, 1),
    ],
)
def test_a_member_tells_who_comes_when_its_key_has_a_link(
    lives: tuple[int, ...], is_up: bool, rivals: int
) -> None:
    """Told apart by what each process has thrown for itself when it started."""
    one, ben, _ = back(shares_owed())
    for life in lives:
        one.do(one.core.link_up(ben, one.now))
        one.hear(ben, wire.Hello(one.core.state.table_id, bytes([life]) * 16))
        if not is_up:
            one.unlink(ben)
    assert len(one.said(wire.Rival)) == rivals


def test_a_link_that_said_nothing_hides_nobody() -> None:
    """Two links of the second process replace the first one's: it is told of that on the last."""
    one, ben, _ = back(shares_owed())
    one.do(one.core.link_up(ben, one.now))
    one.hear(ben, wire.Hello(one.core.state.table_id, bytes([1]) * 16))
    one.do(one.core.link_up(ben, one.now))
    one.do(one.core.link_up(ben, one.now))
    one.hear(ben, wire.Hello(one.core.state.table_id, bytes([2]) * 16))
    assert len(one.said(wire.Rival)) == 1
    heads = [kind for kind, _ in ((type(m), m) for _, m in one.sent) if kind is wire.Head]
    rival = next(i for i, (_, m) in enumerate(one.sent) if isinstance(m, wire.Rival))
    assert heads
    assert any(isinstance(m, wire.Head) for _, m in one.sent[rival:])


@pytest.mark.parametrize(
    ("ahead", "kind"), [(0, notices.TroubleKind.OTHER_COURSE), (2, notices.TroubleKind.LOST_END)]
)
def test_who_has_signed_what_no_log_holds_signs_no_more_and_is_told(
    ahead: int, kind: notices.TroubleKind
) -> None:
    """Two entries for one slot are a fork, whatever each of them follows."""
    entries, game = shares_owed(), played(3, 6, 1)
    state, ann = driven(entries, 0, game).core.state, game.sitters[0].signer
    seat = state.seat_of(ann.public_bytes)
    body = Body(state.log_id, state.step + ahead, bytes(64), seat, 0, wire.Checked(0))
    signed = sign_entry(ann, body)
    one, *others = back(entries, encode(wire.RecordEntry(signed)))
    for peer in others:
        one.link(peer)
        show_head(one, peer)
    for _ in range(6):
        one.pass_time(10.0)
    assert {each for said in one.said(wire.Entries) for each in said.entries} <= {signed}
    assert [each.kind for each in one.told_of(notices.Trouble)] == [kind]
