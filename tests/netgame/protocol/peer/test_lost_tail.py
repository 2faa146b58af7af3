"""A record that has lost its end: no slot is signed twice, and no two openings share a secret."""

import pytest

from netgame.protocol import notices
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.state.deal import context_at
from netgame.protocol.state.phases import Phase, ShowingOpenings
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import Body
from tests.netgame.games import NAMES, WIDE, driven, in_turn, played
from tests.netgame.simtable import full_table, kill, link_all, revive

# ---- secrets ---------------------------------------------------------------------------------


def sealing():
    """Return the core of a host that must commit to its opening, and two possible openings."""
    table = full_table(NAMES[:3], WIDE, seed=bytes([4]) * 32)
    core = table.host.core
    table.until(core, Phase.OPENING_COMMIT)
    return core, (wire.Draw(b""), wire.Pass(b""))


def test_two_openings_in_one_place_share_no_secret():
    """Two openings for one slot share no secret, so showing one does not reveal the other."""
    core, openings = sealing()
    context = context_at(core.state, "opening-commit", core.state.seat_of(core.key))
    one, other = (core.author._committed(context, each) for each in openings)
    assert one[0] != other[0]
    assert one[1] != other[1]


def killed_with_its_opening_sealed():
    """Return a table whose host died after committing to its opening and before showing it."""
    table = full_table(NAMES[:3], WIDE, seed=bytes([4]) * 32)
    host = table.host
    table.until(host, Phase.OPENING_COMMIT)
    kinds = [type(frame) for frame in frames_of(host.journal)]
    assert wire.Sealed not in kinds
    table.run(lambda: wire.Sealed in map(type, frames_of(host.journal)))
    kill(table, host)
    return table


def frames_of(journal):
    """Return the frames of a journal."""
    return [decode_any(each, wire.JournalFrame) for each in journal]


def test_an_opening_is_in_the_journal_before_its_commitment():
    """An opening is in the journal before its commitment, so a restarted program can show it."""
    table = killed_with_its_opening_sealed()
    host, written = table.host, frames_of(table.host.journal)
    at = next(place for place, frame in enumerate(written) if isinstance(frame, wire.Sealed))
    commitment = read_entry(written[at + 1].entry).payload
    assert isinstance(commitment, wire.OpeningCommit)
    revive(table, host)
    link_all(table)
    table.run(lambda: host.state.phase is Phase.OVER)
    assert not any(sitter.faults() for sitter in table.sitters)


def test_a_seat_that_has_lost_its_opening_says_so_and_shows_none():
    """A seat that has lost its opening warns its player, and shows no opening.

    It does not commit to a different one either, so nobody is accused.
    """
    table = killed_with_its_opening_sealed()
    host = table.host
    host.journal[:] = [
        encode(frame) for frame in frames_of(host.journal) if not isinstance(frame, wire.Sealed)
    ]
    revive(table, host)
    link_all(table)
    table.pass_time(30.0)
    doubts = [each.kind for each in host.told_of(notices.Trouble)]
    assert doubts == [notices.TroubleKind.JOURNAL_DOUBT]
    assert all(isinstance(each.state.now, ShowingOpenings) for each in table.sitters)
    assert not any(sitter.faults() for sitter in table.sitters)


# ---- copies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0.0, 2.0, 4.0])
def test_a_copied_folder_signs_nothing_once_the_other_is_heard(seconds):
    """A program in a copied folder leaves the table when it hears the other copy's entry.

    Both copies sign with the same key. The program signs nothing after that.
    """
    game = played(3, 6, 1)
    log, copy = game.host.ledger, in_turn(game)
    copy.level(*(each.key for each in game.sitters[1:]))
    step, seat = copy.state.step, copy.seat
    copy.pass_time(seconds)
    copy.sent.clear()
    (own,) = [entry for entry in log.steps[step] if entry.seat == seat]
    ben = game.sitters[1].key
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


def shares_owed():
    """Return the number of frames of a game after which Ann owes shares she has not signed."""
    game = played(3, 6, 1)
    return next(
        n
        for n in range(20, 90)
        if (one := driven(n, 0, game)).state.phase is Phase.SHARES
        and one.ledger.slot(one.state.step, one.seat) is None
    )


def back(*journal):
    """Return Ann, restarted with this journal and no links, and the keys of the two others."""
    game = played(3, 6, 1)
    return driven(shares_owed(), 0, game, journal), game.sitters[1].key, game.sitters[2].key


@pytest.mark.parametrize(
    ("answers", "is_rival", "silent_s"),
    [(2, False, 0.0), (1, False, 3.5), (2, True, 2.5)],
    ids=["all have shown what they hold", "one is not there", "its key had another link"],
)
def test_a_restarted_seat_signs_once_nobody_can_know_of_more(answers, is_rival, silent_s):
    """A restarted seat signs once all others have sent their heads and none reported a rival.

    Otherwise it first listens for a while.
    """
    one, *others = back()
    for number, peer in enumerate(others[:answers]):
        assert not one.said(wire.Entries)
        one.link(peer)
        if is_rival and number:
            one.hear(peer, wire.Rival())
        one.hear_head(peer)
    if silent_s:
        one.pass_time(silent_s)
        assert not one.said(wire.Entries)
        one.pass_time(3.5)
    assert len(one.said(wire.Entries)) == answers


@pytest.mark.parametrize(
    ("lives", "is_up", "rivals"),
    [
        ((1, 2), True, 1),  # a second process takes over the first one's link
        ((1, 1), True, 0),  # both sides have dialled: one process, two links
        ((1, 2), False, 0),  # the first one's link ended before, as when it was killed
        ((1, 1, 2), True, 1),
        ((1, 2, 2), True, 1),
        ((1, 0, 2), True, 1),  # a link that has said nothing hides nobody
    ],
)
def test_a_member_tells_who_comes_when_its_key_has_a_link(lives, is_up, rivals):
    """A member reports a rival to a peer if another process with the same key already has a link.

    Each process draws a random `life` at its start, which tells the processes apart.
    """
    one, ben, _ = back()
    for life in lives:
        one.do(one.core.link_up(ben, one.now))
        if life:
            one.hear(ben, wire.Hello(one.state.table_id, bytes([life]) * 16))
        if not is_up:
            one.unlink(ben)
    assert len(one.said(wire.Rival)) == rivals


@pytest.mark.parametrize(
    ("ahead", "kind"), [(0, notices.TroubleKind.OTHER_COURSE), (2, notices.TroubleKind.LOST_END)]
)
def test_who_has_signed_what_no_log_holds_signs_no_more_and_is_told(ahead, kind):
    """A seat that has signed an entry that no log contains signs nothing more.

    Its player is told. A second entry for the slot would be a fork, even if it follows a
    different head.
    """
    silent, *_ = back()
    ann = played(3, 6, 1).host.signer
    step = silent.state.step + ahead
    body = Body(silent.state.log_id, step, bytes(64), silent.seat, 0, wire.Checked(0))
    signed = sign_entry(ann, body)
    one, *others = back(encode(wire.RecordEntry(signed)))
    one.level(*others)
    for _ in range(6):
        one.pass_time(10.0)
    assert {each for said in one.said(wire.Entries) for each in said.entries} <= {signed}
    assert [each.kind for each in one.told_of(notices.Trouble)] == [kind]
