"""One peer's side of a table, without I/O: inputs and time in, effects out [peer.md §8.1].

Every input returns effects, which the shell carries out in order. Slow work goes out as an effect,
and its result comes back as an input. Times are monotonic seconds.

A new core opens a table, looks for one, or restores one from its record; then the shell calls
`start`.

An input does two things. First it goes to its part: `inbox` names the part for each message, and a
wish of the player is a method of its part. Then, if a part has `stirred` or has waited for this
moment, all parts follow up. `advance` repeats until nothing moves: an entry that we write may close
the step, and the next step may be ours too. `do_duties` then goes once through everything else that
may be due. A part that waits for a time calls `PeerContext.reached`, and the core asks to be woken
at the earliest of these times.

Most inputs bring one of the several entries that a step needs, and stir nothing. The core then
looks only at the head, because a table of fourteen gets hundreds of such inputs in each turn.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Self

from engine.refusals import Refusal
from netgame.crypto.coin import table_id
from netgame.crypto.group import Entropy
from netgame.errors import Malformed
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Reception
from netgame.protocol.ledger.record import other_revision
from netgame.protocol.log.entry import Signer, read_statement
from netgame.protocol.log.fault import Accepted, Fault, Later
from netgame.protocol.notices import LinkEnd, WhyClosed
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.effects import Effects, PeerKey, Wake
from netgame.protocol.peer.inbox import hear
from netgame.protocol.peer.parts import Parts
from netgame.protocol.peer.people.seeking import Purpose, WantsSeat
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.view import TableView, build_view
from netgame.protocol.state.revision import is_other, offered
from netgame.protocol.state.state import State
from netgame.wire.codec import decode, decode_any
from netgame.wire.messages import Body, OpenTable, PlayedBy, RecordEntry, RecordStatement, Settings

_WANTS_SEAT: Final = WantsSeat()

Wish = Callable[[], Refusal | None]
"""A request by the player here: a method of a part, which may refuse it."""


def _take_back(ledger: Ledger, frame: RecordEntry | RecordStatement) -> None:
    """Take a frame of our own record into the log, and carry out any decision that it completes.

    Raises `Malformed` for a frame that cannot be read, an entry that does not follow from the
    frames before it, or an offer of another revision of the rules. A useless statement is ignored.
    """
    if isinstance(frame, RecordStatement):
        said = read_statement(frame.statement)
        if ledger.hear(said) is Reception.LATER:
            _pass_chain(ledger)
            ledger.hear(said)
        ledger.steps.note()
    else:
        judged = ledger.judge(frame.entry)
        if isinstance(judged, Later):
            _pass_chain(ledger)
            judged = ledger.judge(frame.entry)
        if not isinstance(judged, Accepted):
            raise Malformed("a record whose entries do not follow each other")
        offer = judged.entry.payload
        if isinstance(offer, OpenTable) and is_other(offer.settings):
            raise other_revision(offer.settings.revision)
        ledger.settle(judged.entry)
    ledger.decide()


def _pass_chain(ledger: Ledger) -> None:
    """Take the chain due in the log, if any, as checked, and carry out what waited for it.

    This peer checked it earlier, or nothing after it would be in the record.
    """
    ledger.pass_chain(ledger.chain)
    ledger.decide()


def advance(parts: Parts) -> None:
    """Take the entries that waited for the due step, and write those we owe, until nothing moves.

    While a fault stops us, no entry of our own is taken or written. Does nothing without a table,
    or once another process signs with our key. If our secret is lost, this peer leaves instead, as
    soon as no recovery is under way.
    """
    context, intake = parts.context, parts.intake
    while context.table_id and not parts.lifetime.is_elsewhere:
        step = context.state.step
        at = step, len(context.ledger.decisions)
        parts.faults.weigh()
        if parts.author.has_lost_secret(context.state):
            parts.recovery.look()  # once it is over we would owe entries that we cannot make
            if not parts.recovery.lasts:
                parts.lifetime.close(WhyClosed.NO_SECRET)
                return
        intake.offer_kept(step)
        parts.entry_signer.say_again(step)
        parts.entry_signer.recover()
        parts.deck_work.begin()
        parts.writer.write_owed()
        parts.polls.act()
        if (context.state.step, len(context.ledger.decisions)) == at:
            return


def do_duties(parts: Parts) -> None:
    """Do everything that may be due after any input; effects leave in this order."""
    # Our head changed a moment ago, a peer's log differs, or a peer has not been told for long.
    parts.heads.tell()
    # The game is over or the table has stopped, and everybody knows or has had time to.
    parts.lifetime.leave_when_done()
    # Somebody has entries that we lack, and we are asking nobody.
    parts.pulls.pull_missing()
    # A peer has been linked for long and has not said which table it means.
    parts.greeter.hang_up()
    # A member has no link to us, and no pause between two tries is running.
    parts.mesh.dial_members()
    # We want a seat in the lobby, and have read what the host has written.
    parts.joiner.keep_seat()
    # The host's link is down, and no game has begun.
    parts.joiner.watch_host()
    # Another process with our key is at this table, and knows of us by now.
    parts.second_process.leave_when_told()
    # The host's link is down, and no log says where the host is.
    parts.joiner.find_back()
    # We have no seat, and a member has not yet heard in this seating what we want.
    parts.joiner.introduce()
    # We host the lobby, and somebody waits for an answer.
    parts.lobby_host.take_asks()
    # Somebody asks for a seat at the next round, or was promised one and gets none.
    parts.applicants.answer()
    # Strangers have become the majority of those who decide who goes on.
    parts.chair.tell()
    # The game has begun with more guests than may watch.
    parts.watchers.thin()
    # Our guests have changed since we told a member.
    parts.watchers.tell_guests()
    # Our log has come to where the table was when we found it.
    parts.news.come_level()
    # We wait for a seat, and by the log there will be none.
    parts.joiner.lose_hope()
    # This computer is cut off, or no longer is.
    parts.own_network.look()
    # A member's link has come up or gone down.
    parts.presence.tell_links()
    # A program keeps the table waiting, or no longer does.
    parts.presence.tell_answers()
    # The host's process has been gone for a while, or is back.
    parts.deputy.stand_in()
    # Not all notices by or about strangers had room on the screen.
    parts.context.tell_left_out()
    # A peer that was out of reach when we said something is back.
    parts.talk.say_again()
    # Somebody here has not heard that our player wants another game.
    parts.another_game.tell()
    # A player or program would go on without others.
    parts.wishes.tell()
    # A peer without a seat has no link to some of those whom we reach.
    parts.relay.tell()
    # A peer has not seen all statements of a poll, or somebody has left for good.
    parts.polls.tell()
    # A watcher has come, or has been gone for a while.
    parts.presence.tell_watchers()
    # The members have changed, or there is a new link.
    parts.mesh.look_after()


class Core:
    """One peer at a table: each input changes its `parts` and returns the resulting effects.

    `secret` is the table secret of 32 octets; others may dial us at the `addresses`. The log is
    empty until a table is opened, found or restored.
    """

    def __init__(
        self,
        signer: Signer,
        name: str,
        entropy: Entropy,
        secret: bytes,
        addresses: Sequence[str],
        *,
        played_by: PlayedBy = PlayedBy.TERMINAL,
    ) -> None:
        self.context = PeerContext(signer, name, addresses, played_by)
        self.key = self.context.key
        self.author = Author(self.key, secret, entropy)
        self.parts = Parts(self.context, self.author)
        self._view: TableView | None = None

    @property
    def ledger(self) -> Ledger:
        """The log as far as this peer has it."""
        return self.context.ledger

    @property
    def state(self) -> State:
        """The state of the table as of the log so far."""
        return self.context.state

    @property
    def fault(self) -> Fault | None:
        """The proved fault that stops this seat now, or None."""
        return self.context.fault

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All proved faults kept here, in the order in which they were found."""
        return tuple(self.parts.faults.kept)

    def _at(self, now: float) -> Parts:
        """Set the clock to the time of this input, drop the last view, and return the parts."""
        self.context.now = now
        self._view = None
        return self.parts

    # ---- getting a table ----

    def open_table(
        self,
        nonce: bytes,
        settings: Settings,
        *,
        seated: bool = True,
        start_at: int | None = None,
        lead: str | None = None,
        kicked: Mapping[PeerKey, str] = MappingProxyType({}),
    ) -> Self:
        """Host a table, whose id is made from the `nonce` of 32 octets; return this core.

        A host that is not `seated` has no seat. The game begins by itself when `start_at` players
        sit; `lead` names the first player where the rules let the table choose. The `kicked` keys
        get no seat. `start` writes the offer, which is of the revision that we play.
        """
        host = self.parts.lobby_host
        host.opening = OpenTable(self.key, nonce, offered(settings))
        host.seated, host.start_at, host.lead = seated, start_at, lead
        self.parts.chair.kicked = kicked
        self.context.begin_log(table_id(self.key, nonce))
        return self

    def look_for_table(
        self, *, host: PeerKey | None = None, purpose: Purpose = _WANTS_SEAT
    ) -> Self:
        """Look for the table of `host` or, if None, of the first linked peer that names one.

        Unless the `purpose` is `WantsSeat`, no seat is asked for before `Joiner.take_seat`. Returns
        this core.
        """
        self.parts.joiner.host = host
        self.parts.joiner.come_for(purpose)
        return self

    def restore(self, payloads: Sequence[bytes], now: float, journal: Sequence[bytes] = ()) -> Self:
        """Resume a table from the payloads of its record, and return this core.

        The first payload is the header, which is not read. `journal` has the payloads of the
        journal file. Without a seat in the log, this peer only watches. If the others have gone on
        without it, it asks for its seat again. It signs nothing before it has heard how far their
        logs go. Proofs are not checked again, because the entries were judged before they were
        written.

        Raises `Malformed` if the record is not a log or is of another revision of the rules, or if
        the journal cannot be read.
        """
        context, parts = self.context, self._at(now)
        for payload in payloads[1:]:
            frame = decode_any(payload, RecordEntry | RecordStatement)
            if not context.table_id and isinstance(frame, RecordEntry):
                context.begin_log(decode(frame.entry.body, Body).id)
            _take_back(context.ledger, frame)
        parts.author.recall(parts.journal.recall(journal))
        parts.recovery.begin(has_journal=True)
        parts.mesh.begin(member.key for member in context.state.members)
        parts.joiner.restart()
        return self

    # ---- inputs of the shell ----

    def start(self, now: float, life: bytes = b"") -> Effects:
        """Take the first input: a host opens its table and, if `seated`, sits down.

        A restored peer writes down the entries of its own that its journal lacks. `life` is random
        octets, by which others tell this process from a second one with the same key.
        """
        parts = self._at(now)
        parts.greeter.life = parts.talk.life = life
        opening = parts.lobby_host.opening
        if opening is not None and self.state.step == 0:
            parts.lobby_host.open(opening)
        elif not self.context.table_id:
            # This key may have written at that table before, and lost its record.
            parts.recovery.begin(has_journal=False)
        parts.journal.write_lacking()
        parts.faults.convict_late()
        return self.flush()

    def link_up(self, peer: PeerKey, now: float) -> Effects:
        """Take a link whose other side has proved that it is `peer`, and greet it.

        The link replaces any other to the same peer, whose state starts over.
        """
        parts = self._at(now)
        if peer in self.context.links.peers:  # the new link replaces it: the shell ends the old one
            parts.presence.note_end(peer, LinkEnd.ENDED_HERE)
            parts.talk.doubt(peer)
            for part in (
                parts.joiner,
                parts.wishes,
                parts.second_hand,
                parts.relay,
                parts.another_game,
            ):
                part.forget(peer)  # messages sent over the old link may be lost
        self.context.links.come(peer)
        parts.own_network.come(peer)
        parts.mesh.came(peer)
        parts.greeter.say_hello(peer)
        return self.flush()

    def link_down(self, peer: PeerKey, now: float, end: LinkEnd = LinkEnd.BROKEN) -> Effects:
        """Note that the link to `peer` is gone, and how it ended.

        The peer's request for a seat lapses. If we host an open lobby and the peer is a member, we
        dismiss it.
        """
        parts = self._at(now)
        parts.presence.note_end(peer, end)
        parts.own_network.lose(peer, end)
        if peer in self.context.links.peers:
            # This reads the state of the link, which goes next.
            parts.talk.doubt(peer)
        belongs = self.context.belongs(peer)
        self.context.links.peers.pop(peer, None)
        parts.mesh.went(peer, is_dialled=belongs or peer == parts.joiner.host)
        if not belongs:
            parts.recovery.forget(peer)
            parts.decisions.forget(peer)
        if end is LinkEnd.FORWARDER:
            parts.absence.lose_forwarded(peer)
        parts.wishes.lose(peer)
        parts.second_process.lose(peer)
        for part in (parts.joiner, parts.names, parts.second_hand, parts.relay, parts.another_game):
            part.forget(peer)
        parts.applicants.withdraw(peer)
        parts.lobby_host.lose(peer)
        return self.flush()

    def frame(self, peer: PeerKey, body: bytes, now: float) -> Effects:
        """Take a frame from `peer`; it may contain anything.

        A peer that breaks the protocol is dropped; a peer that is already dropped, or has no link,
        is ignored. If this raises `Malformed`, that is the sender's fault alone: the caller ends
        the sender's link.
        """
        hear(self._at(now), peer, body)
        return self._follow(peer)

    def work_done(self, job: int, result: object, now: float) -> Effects:
        """Take the result of a `Work`; all duties follow if the work was `long`.

        Raises KeyError if `job` never began, or has already had its result.
        """
        context = self._at(now).context
        was_long = context.outbox.finish(job, result)
        context.stirred |= was_long
        return self._follow()

    def wake(self, now: float) -> Effects:
        """Do what is due at this time; the shell calls this at the time of the last `Wake`."""
        self._at(now)
        return self._follow()

    def _follow(self, peer: PeerKey | None = None) -> Effects:
        """Follow up on an input, perhaps a frame from `peer`, and return its effects.

        Does all duties if a part has stirred or a time has come; otherwise only tells our head.
        """
        if self.context.stirred or self.context.now >= self.context.wake_at:
            return self.flush()
        self.parts.heads.answer(peer)
        return self._effects()

    def flush(self) -> Effects:
        """Do all duties, and return all effects in order; the last is a `Wake`."""
        self.context.wake_at = math.inf
        advance(self.parts)
        self.context.stirred = False
        self._view = None
        do_duties(self.parts)
        return self._effects()

    def _effects(self) -> Effects:
        wake_at = min(self.context.wake_at, self.parts.heads.round_at)
        return *self.context.outbox.take(), Wake(wake_at)

    # ---- what the player may do and see ----

    def act(self, wish: Wish, now: float) -> Effects | Refusal:
        """Do what the player here asks for, then all duties, and return the effects.

        If the wish is refused, do nothing else and return the refusal.
        """
        self._at(now)
        refusal = wish()
        return self.flush() if refusal is None else refusal

    def is_missed(self, peer: bytes, now: float) -> bool:
        """Return True if players may be asked to go on without this seat.

        The seat is away or convicted, has long kept the table waiting, or holds up the polls.
        """
        return self._at(now).wishes.is_missed(peer)

    def view(self) -> TableView:
        """Return a snapshot of what the player may see; until the next input, the same object."""
        self._view = self._view or build_view(self.parts)
        return self._view
