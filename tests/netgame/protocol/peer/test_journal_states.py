"""The states of a journal: what each lets its seat sign, and what changes it [peer.md §8.1]."""

from typing import get_args

import pytest
from msgspec.structs import replace

from netgame.crypto.transcript import expand
from netgame.protocol.log.entry import frame_payload, read_entry, read_frames, read_statement
from netgame.protocol.log.mending import mend_journal
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.effects import Journalled
from netgame.protocol.peer.parts import Parts
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.status.journal import (
    MOVES,
    Astray,
    Behind,
    InDoubt,
    JournalState,
    UpToDate,
)
from netgame.wire import messages as wire
from netgame.wire.statements import bit
from tests.netgame.wire.pages import PEER, section
from tests.vectors.by_hand import PLAIN, ByHand

BEN, CY = 1, 2


@pytest.fixture(scope="module")
def formed():
    """Return a table of three whose seats must now commit to a round key."""
    return ByHand("journal states", replace(PLAIN, seats=3)).sit().form()


class Desk:
    """Ben's journal, the log that the others write, and the file that the journal leaves."""

    def __init__(self, formed):
        self.earlier = formed
        self.log = formed.fork().commit()
        self.file = []
        self.start()

    def start(self):
        """Begin a process with the present file, and with the log as its record."""
        self.context = PeerContext(self.log.signer(BEN), "Ben", (), wire.PlayedBy.TERMINAL)
        self.context.ledger = self.log.ledger
        author = Author(self.context.key, bytes(32), expand(bytes(32), "journal states"))
        self.parts = Parts(self.context, author)
        self.journal = self.parts.journal
        self.journal.recall(self.file)
        return self

    def entry(self, **changes):
        """Return an entry of Ben's, for the due step unless the changes say otherwise."""
        return read_entry(self.log.entry(BEN, wire.KeyCommit(0, bytes(64)), **changes))

    def keep(self):
        """Append to the file what the journal has written."""
        effects = self.context.outbox.take()
        self.file += [each.record for each in effects if isinstance(each, Journalled)]

    def is_in(self, state):
        """Return True if Ben's journal is in this state."""
        return isinstance(self.journal.state(), state)


def up_to_date(desk):
    """Leave the desk alone: nothing that Ben has signed is missing anywhere."""


def behind(desk):
    """Let Ben speak in a poll that the log has yet to reach."""
    promise = desk.log.promise(BEN, poll=desk.log.ledger.poll.number + 1)
    desk.journal.write_statement(read_statement(promise))


def astray(desk):
    """Let Ben sign an entry for the due step, after a head that the log does not have."""
    desk.journal.write(desk.entry(prev=bytes(64)))


def in_doubt(desk):
    """Start with a file that has been damaged."""
    desk.file.append(read_frames(mend_journal(b"0" * 40))[0][0])
    desk.start()


ARRANGED = {UpToDate: up_to_date, Behind: behind, Astray: astray, InDoubt: in_doubt}


def short_record(desk):
    """End the record one step before an entry in the file."""
    if desk.is_in(UpToDate):
        desk.journal.write(desk.entry())
    desk.keep()
    desk.log = desk.earlier.fork()
    desk.start()


def short_record_behind_a_cut(desk):
    """End the record with a cut; the file has an entry that the cut made void, and a newer one."""
    desk.journal.write(desk.entry(step=desk.log.state.step + 3))
    another_epoch(desk)
    desk.journal.write(desk.entry(step=desk.log.state.step + 1))
    desk.keep()
    desk.start()


def log_comes(desk):
    """Let the others decide the poll."""
    desk.log.put(*desk.log.decided())


def own_entry_astray(desk):
    """Do the same as `astray`: somebody has told Ben a false head."""
    astray(desk)


def another_epoch(desk):
    """Let the others go on without Cy."""
    desk.log.put(*desk.log.decided(goes=bit(CY), voters=[0, BEN]))


def damage(desk):
    """Let Ben sign an entry, flip a bit in its frame in the file, and start again."""
    desk.journal.write(desk.entry(step=desk.log.state.step - 1))
    desk.keep()
    octets = bytearray(b"".join(map(frame_payload, desk.file)))
    octets[-40] ^= 4
    desk.file = list(read_frames(mend_journal(bytes(octets)))[0])
    desk.start()


def own_statement(desk):
    """Show Ben a promise that he has made in the open poll and that his journal lacks."""
    desk.journal.meet(read_statement(desk.log.promise(BEN, (7, BEN))))


def epoch_opens(desk):
    """Let Ben read, statement by statement, the poll by which the others go on without Cy."""
    for said in desk.log.decided(goes=bit(CY), voters=[0, BEN]):
        desk.parts.decisions.hear(said, None)


def epoch_opens_beside_an_unknown_one(desk):
    """Do the same as `epoch_opens`, after Ben has signed an entry in an epoch unknown here."""
    desk.journal.write(desk.entry(id=bytes(64)))
    epoch_opens(desk)


HAPPENS = {
    "a process starts with a record that ends before the marks": [
        short_record,
        short_record_behind_a_cut,
    ],
    "the log comes to the marks, or goes on in another epoch": [log_comes, another_epoch],
    "the due step has an own entry behind another head": [own_entry_astray],
    "the log goes on in another epoch": [another_epoch],
    "a process starts with a damaged journal": [damage],
    "an own statement comes that the journal lacks": [own_statement],
    "an epoch opens while this process looks on and does not recover": [epoch_opens],
    "the same, and the log does not know the epoch of a mark": [epoch_opens_beside_an_unknown_one],
}
CASES = [
    (move, state, act) for move in MOVES for state in move.before for act in HAPPENS[move.what]
]


@pytest.mark.parametrize(
    ("move", "before", "act"), CASES, ids=[f"{c[1].__name__}-{c[2].__name__}" for c in CASES]
)
def test_each_move_leads_where_the_table_says(formed, move, before, act):
    """Each move leads to the state in the table, from every state in which it may begin."""
    desk = Desk(formed)
    ARRANGED[before](desk)
    assert desk.is_in(before)
    act(desk)
    assert desk.is_in(move.then)


def named(state):
    """Return a state's name on the page."""
    words = {UpToDate: "up to date", Behind: "behind", Astray: "astray", InDoubt: "in doubt"}
    return words[state]


def test_the_table_of_moves_is_that_of_the_page():
    """docs/peer.md prints each move between states as the code has it."""
    rows = [", ".join(map(named, each.before)) for each in MOVES]
    table = [f"| {row} | {m.what} | {named(m.then)} |" for row, m in zip(rows, MOVES, strict=True)]
    assert "\n".join(table) in section("8", PEER)


SIGNS = {
    UpToDate: (True, True, 0),
    Behind: (False, False, 0),
    Astray: (False, False, 0),
    InDoubt: (False, False, 0),
}
"""Whether the seat may sign entries, whether it may vote, and how many entries it sends again."""


@pytest.mark.parametrize("state", get_args(JournalState))
def test_only_a_journal_that_is_up_to_date_lets_its_seat_sign(formed, state):
    """Only an up-to-date journal lets its seat sign an entry or a statement."""
    desk = Desk(formed)
    ARRANGED[state](desk)
    journal = desk.journal
    signs = journal.may_sign(), journal.may_say(), len(journal.to_be_said_again())
    assert signs == SIGNS[state]


@pytest.mark.parametrize(("arrange", "again"), [(up_to_date, 1), (behind, 1), (in_doubt, 0)])
def test_an_entry_for_the_due_step_is_said_again_and_no_other_is_signed(formed, arrange, again):
    """An entry in the journal for the due step is sent again, and no other entry is signed.

    Others may lack it, even if Ben's own log is behind. In doubt, nothing is sent.
    """
    desk = Desk(formed)
    arrange(desk)
    entry = desk.entry()
    desk.journal.write(entry)
    assert desk.journal.to_be_said_again() == (entry,) * again
    assert not desk.journal.may_sign()
    assert desk.journal.may_say() == (arrange is up_to_date)


def test_an_epoch_that_opens_during_a_recovery_ends_no_doubt(formed):
    """An epoch that opens during a recovery does not end a doubt.

    The lost entry may belong to that epoch: it may have been signed before the restart.
    """
    desk = Desk(formed)
    in_doubt(desk)
    desk.parts.recovery.begin(has_journal=True)
    before = desk.log.state.log_id
    epoch_opens(desk)
    assert desk.log.state.log_id != before
    assert desk.is_in(InDoubt)


def test_a_start_moves_no_mark_to_what_a_cut_has_made_void(formed):
    """A start does not move the mark to an entry that a cut made void.

    This holds even if the log ends in the lobby at the start. It then knows neither epoch, and
    the journal writes the mark that its file lacks.
    """
    desk = Desk(formed)
    short_record_behind_a_cut(desk)
    after_cut = desk.log
    desk.log = ByHand("journal states", replace(PLAIN, seats=3)).sit()
    desk.start()
    desk.journal.write_lacking()
    assert desk.is_in(Behind)
    desk.context.ledger = after_cut.ledger
    assert desk.is_in(Behind)


@pytest.mark.parametrize("doubt", [damage, own_statement])
def test_a_doubt_outlives_the_process_and_so_does_its_end(formed, doubt):
    """A doubt lasts through a restart, and so does the end of a doubt."""
    desk = Desk(formed)
    doubt(desk)
    for is_over in (False, True):
        if is_over:
            epoch_opens(desk)
        desk.keep()
        assert desk.start().is_in(UpToDate if is_over else InDoubt)
