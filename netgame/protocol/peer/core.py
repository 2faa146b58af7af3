"""One peer's side of a table, without I/O: inputs and time in, effects out [protocol.md §8].

Every input returns effects, which the shell carries out in order. Work that takes time is handed
out as an effect, and its result comes back as an input. Times are monotonic seconds.

A core begins as one of three: the `host` opens a table, a `join`er has none until a peer names
one, a `restore`d peer has its record back and asks before it speaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from engine.play.legality import Refusal
from engine.rules.choose import RuleProblem
from engine.rules.spec import SpecProblem, TableSpec
from engine.table.moves import Move
from netgame.crypto.coin import table_id
from netgame.crypto.group import Entropy
from netgame.crypto.transcript import DIGEST_BYTES
from netgame.errors import Malformed
from netgame.limits import CHAT_CHARS_MAX
from netgame.protocol import notices
from netgame.protocol.fold.lobby import spec_of
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.ledger import Accepted, Later, Ledger
from netgame.protocol.ledger.votes import naming_of
from netgame.protocol.log.entry import Signer, read_mask, said, sign_leave
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.effects import Effect, PeerKey
from netgame.protocol.peer.quiet import ASK_FIRST_S
from netgame.protocol.peer.seating import CLOSED
from netgame.protocol.peer.sync import Dig, Peer, batches, pulled
from netgame.protocol.peer.watchers import Watching
from netgame.protocol.text import clean_text
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any, encode


class Core(Watching):
    """All inputs of a peer at a table."""

    # ---- beginnings ----

    @classmethod
    def host(
        cls,
        signer: Signer,
        name: str,
        settings: wire.Settings,
        entropy: Entropy,
        secret: bytes,
        addresses: Sequence[str],
        *,
        seated: bool = True,
        start_at: int | None = None,
        lead: str | None = None,
    ) -> Core:
        """Open a table; `start_at` begins the game by itself when so many sit.

        `lead` names who plays first, under rules by which the table chooses that.
        """
        core = cls(signer, name, entropy, secret, addresses)
        nonce = entropy(32)
        core._opening = wire.OpenTable(signer.public_bytes, nonce, settings)
        core._seated = seated
        core.start_at, core.lead = start_at, lead
        core.ledger = Ledger(table_id(signer.public_bytes, nonce))
        return core

    @classmethod
    def join(
        cls,
        signer: Signer,
        name: str,
        entropy: Entropy,
        secret: bytes,
        addresses: Sequence[str],
        *,
        bot: bool = False,
        host: PeerKey | None = None,
        host_addresses: Sequence[str] = (),
        looks_first: bool = False,
        watches: bool = False,
    ) -> Core:
        """Look for a seat at the table of the first peer linked, or of `host` alone if given.

        At `host_addresses` it is dialled again if its link breaks before the log says where it is.
        Who looks first asks for no seat before `take_seat`; who `watches` says so, and looks on.
        """
        core = cls(signer, name, entropy, secret, addresses, bot=bot)
        core._wanted = host
        core._host_addresses = tuple(host_addresses)
        core._looks, core._watches = looks_first or watches, watches
        return core

    @classmethod
    def restore(
        cls,
        signer: Signer,
        name: str,
        entropy: Entropy,
        secret: bytes,
        addresses: Sequence[str],
        payloads: Sequence[bytes],
        now: float,
        journal: Sequence[bytes] = (),
    ) -> Core:
        """Take up a table from its record; raises `Malformed` if the record is not a log.

        `journal` is what the file beside it holds. Who has no seat there looks on; who has been
        given up meanwhile asks for its seat again. The entries were judged before they were written
        down, so their proofs are not run again.
        """
        core = cls(signer, name, entropy, secret, addresses)
        for payload in payloads[1:]:
            frame = decode(payload, wire.RecordEntry)
            if not core.table_id:
                core.ledger = Ledger(decode(frame.entry.body, wire.Body).table)
            judged = core.ledger.judge(frame.entry)
            if isinstance(judged, Later):  # written down once the chain before it had been checked
                core.ledger.pass_chain(core.ledger.chain)
                judged = core.ledger.judge(frame.entry)
            if not isinstance(judged, Accepted):
                raise Malformed("a record whose entries do not follow each other")
            core.ledger.settle(judged.entry)
        core.remember(journal)
        core.quiet.begin(now + ASK_FIRST_S)
        core.mesh.begin((member.key for member in core.state.members), now)
        core._looks = core.state.member(core.key) is None
        return core

    def remember(self, journal: Sequence[bytes]) -> None:
        """Take over what this key has signed at the table, in the record too.

        Raises `Malformed` if that is no journal.
        """
        for step in (*self.ledger.steps, tuple(self.ledger.holding())):
            for entry in step:
                if self.state.author_key(entry.step, entry.seat) == self.key:
                    self.journal.add(entry)
        self.journal.read(journal)

    # ---- inputs ----

    def start(self, now: float, life: bytes = b"") -> tuple[Effect, ...]:
        """The first input: the host opens its table and sits down.

        `life` are octets thrown for this process alone, by which others tell it from a second one.
        """
        self.now, self.life = now, life
        if self._opening is not None and self.state.step == 0:
            self.write(self._opening)
            if self._seated:
                self.write(wire.Admit(*self._request()))
        elif not self.table_id:
            # It may be a table at which this seat has written before, and lost its record.
            self.quiet.begin(now + ASK_FIRST_S)
        for entry in self.journal.to_be_kept():
            self.emit(fx.Journalled(encode(wire.RecordEntry(entry.signed))))
        late = self.ledger.late_fault()
        if late is not None:
            self.convict(late)
        return self.flush()

    def link_up(self, peer: PeerKey, now: float) -> tuple[Effect, ...]:
        """A link whose other side has proved that it is `peer`."""
        self.now = now
        self.peers[peer] = Peer.after(self.peers.get(peer))
        self.watch.meet(peer)
        self.mesh.came(peer, now)
        self.say_hello(peer)
        return self.flush()

    def link_down(self, peer: PeerKey, now: float) -> tuple[Effect, ...]:
        """The link to `peer` is gone."""
        self.now = now
        self.peers.pop(peer, None)
        self.mesh.went(peer, now, is_dialled=self._belongs(peer) or peer == self._wanted)
        self._asked.pop(peer, None)
        self._early.pop(peer, None)
        self._asks.pop(peer, None)
        if not self._belongs(peer):
            self.quiet.heard.discard(peer)
        self._forget_watcher(peer)
        is_chair = self._opening is not None and self.state.phase is Phase.LOBBY
        if is_chair and peer != self.key and self.state.member(peer) is not None:
            self.write(wire.Dismiss(peer))
        return self.flush()

    def frame(self, peer: PeerKey, body: bytes, now: float) -> tuple[Effect, ...]:
        """A frame from `peer`; may hold anything."""
        self.now = now
        known = self.peers.get(peer)
        if known is not None and not known.dropped:
            try:
                message: wire.LinkMessage = decode_any(body, wire.LinkMessage)
            except Malformed as problem:
                self.drop(peer, f"it sent something that is {problem}")
            else:
                self._hear(peer, known, message)
        return self.flush()

    def work_done(self, job: int, result: object, now: float) -> tuple[Effect, ...]:
        """A piece of `Work` has run."""
        self.now = now
        self.finish_job(job, result)
        return self.flush()

    def wake(self, now: float) -> tuple[Effect, ...]:
        """The time asked for by the last `Wake` has come."""
        self.now = now
        return self.flush()

    def propose(self, move: Move, now: float) -> tuple[Effect, ...] | Refusal:
        """Make a move; a refusal changes nothing."""
        self.now = now
        refusal = self.try_move(move)
        return self.flush() if refusal is None else refusal

    def take_seat(self, now: float) -> tuple[Effect, ...]:
        """Who has only looked on sits down; when the game has begun, at the next round."""
        self.now, self._looks, self._watches = now, False, False
        self._answer_code = ""
        return self.flush()

    def look_on(self, now: float) -> tuple[Effect, ...]:
        """Who waits for a seat at the next round does so no longer, and watches."""
        self.now, self._looks = now, True
        return self.flush()

    def begin(
        self, now: float, lead: str | None = None
    ) -> tuple[Effect, ...] | RuleProblem | SpecProblem:
        """Host: start the game with who sits, or say why the rules do not allow it.

        `lead` names who plays first, under rules by which the table chooses that.
        """
        self.now, self.lead = now, lead or self.lead
        is_chair = self._opening is not None and self.state.phase is Phase.LOBBY
        if is_chair and self.state.host:
            spec = spec_of(self.state.settings, len(self.state.members))
            if not isinstance(spec, TableSpec):
                return spec
            self.write(self.closing(spec))
        return self.flush()

    def chat(self, text: str, now: float) -> tuple[Effect, ...]:
        """Say something to all; stands in no log."""
        self.now = now
        line = clean_text(text, CHAT_CHARS_MAX)
        if line:
            self.tell_all(wire.Chat(line))
            self.notify(notices.ChatHeard(self._name_of(self.key), line))
        return self.flush()

    def farewell(self, now: float) -> tuple[Effect, ...]:
        """Leave this seat for good: it writes nothing more, by its word. Close the links next."""
        self.now, self._looks = now, True
        if self.state.phase not in (Phase.LOBBY, Phase.OVER):
            self._has_left = True
            leave = sign_leave(self.signer, self.table_id, self.state.step)
            self.tell_all(wire.Farewell(leave))
        return self.flush()

    def leave(self, now: float) -> tuple[Effect, ...]:
        """This process is about to end; a host in its lobby says so, as its table goes with it."""
        self.now = now
        if self._opening is not None and self.state.phase is Phase.LOBBY:
            self.tell_all(wire.JoinAnswer(CLOSED, "The host has closed the table."))
        return self.flush()

    # ---- what peers say ----

    def _hear(self, key: PeerKey, peer: Peer, message: wire.LinkMessage) -> None:
        if isinstance(message, wire.Ping):
            self.send(key, wire.Pong())
        elif isinstance(message, wire.Hello):
            self._greet(key, peer, message)
        elif isinstance(message, wire.JoinAnswer):
            self._answered(key, message)
        elif isinstance(message, wire.Rival):
            self.quiet.met_rival(key)
        elif peer.greeted and self.budget.may_say(key, message, self.now):
            self._hear_member(key, peer, message)

    def _hear_member(self, key: PeerKey, peer: Peer, message: wire.LinkMessage) -> None:
        """What only a peer that is at our table may say."""
        match message:
            case wire.Head():
                self._hear_head(key, peer, message)
            case wire.Pull(step, filled) if step <= self.state.step:
                self.send(key, pulled(self.ledger.entries_from(step, read_mask(filled))))
            case wire.Pulled(entries):
                self.hear_pulled(key, peer, self._vetted(key, entries))
            case wire.Entries(entries):
                self.hear_entries(key, peer, self._vetted(key, entries))
            case wire.Evidence(entries):
                self.hear_evidence(key, peer, self._vetted(key, entries))
            case wire.Chat(text):
                self._hear_chat(key, text)
            case wire.Farewell(leave):
                self._hear_farewell(key, leave)
            case _:
                self._hear_wish(key, message)

    def _hear_farewell(self, key: PeerKey, leave: wire.Leave) -> None:
        """A seat leaves for good: the table goes on without it as soon as its link is down.

        Who has none yet wants none any more.
        """
        self._withdraw(key)
        knows = self._belongs(key) or key == self._wanted
        if knows and self.state.phase is not Phase.OVER:
            self.watch.part(key, leave)
            self.notify(notices.SaidFarewell(self._name_of(key)))

    def _hear_chat(self, key: PeerKey, text: str) -> None:
        line = clean_text(text, CHAT_CHARS_MAX)
        if line:
            self.notify(notices.ChatHeard(self._name_of(key), line))

    def _hear_head(self, key: PeerKey, peer: Peer, head: wire.Head) -> None:
        peer.head = head
        if self._belongs(self.key) and not self._belongs(key):
            return  # what a watcher says of its log is asked after by nobody who has a seat
        self._come_late(head)
        if self.state.member(key) is not None:
            self._last_heads[key] = head
        self.quiet.heard.add(key)
        if head.step <= self.state.step and head.digest != self.ledger.head_before(head.step):
            self.dig(key, head.step)
            return
        peer.dig = Dig()
        self.pull_missing()

    def _greet(self, key: PeerKey, peer: Peer, hello: wire.Hello) -> None:
        """The other side has said which table it means."""
        is_id = len(hello.table) == DIGEST_BYTES
        if not self.table_id and self._wanted not in (None, key):
            self._early[key] = hello  # who looks for a table cannot say yet whether it is theirs
            return
        if not self.table_id and is_id:
            self._find_table(key, hello.table)
        if hello.table not in (b"", self.table_id):
            self.drop(key, "it is at another table")
            return
        if not self.table_id or peer.greeted:
            return
        is_guest = self.state.phase is not Phase.LOBBY and not self._belongs(key)
        if not is_guest or self._may_watch(key):
            self._welcome(key, peer, hello)

    def _welcome(self, key: PeerKey, peer: Peer, hello: wire.Hello) -> None:
        """Tell a peer that is at our table all that it has to know before it writes."""
        peer.greeted, peer.life = True, hello.life
        if peer.has_rival():
            self.send(key, wire.Rival())
        state = self.state
        for piece in batches(self.unsettled_of(key)):
            self.send(key, wire.Entries(piece))
        self.send(key, wire.Head(state.step, state.head, self.ledger.filled()))
        for piece in batches(self._said_without(key)):
            self.send(key, wire.Entries(piece))
        if self.fault is not None:
            self.send(key, wire.Evidence(self.fault.entries))

    def _said_without(self, key: PeerKey) -> tuple[wire.SignedEntry, ...]:
        """What this key has signed to close steps that are done though this peer did not say so.

        No log has it; a peer that has closed the step otherwise learns from it that nobody follows.
        """
        votes = (each for each in self.journal.whole_votes() if each.step < self.state.step)
        return tuple(
            each.signed
            for each in votes
            if self.ledger.seat_at(each.step, key) in naming_of(said(each, wire.Missing)).seats
        )

    def _find_table(self, key: PeerKey, table: bytes) -> None:
        """The peer we looked for has named its table: tell it, and those who spoke before."""
        self.ledger = Ledger(table)
        self._wanted = key
        self.say_hello(key)
        early, self._early = self._early, {}
        for other, hello in early.items():
            self.say_hello(other)
            self._greet(other, self.peers[other], hello)

    def _tell_links(self) -> None:
        """Members' links that came up or went down, as the person here should know."""
        up = {cast("PeerKey", member.key) for member in self.state.members}
        up &= {key for key, peer in self.peers.items() if peer.greeted}
        for key in sorted(up ^ self._linked):
            self.notify(notices.LinkChanged(self._name_of(key), key in up))
        self._linked = up

    # ---- the mesh ----

    def _pace(self) -> None:
        """Besides telling heads: keep a link to every member, and pull what is missing."""
        super()._pace()
        self.pull_missing()
        self._dial_members()
        self._keep_seat()
        self._watch_host()
        self._find_back()
        self._introduce()
        self._take_asks()
        self._take_applicants()
        self._thin_guests()
        self._tell_guests()
        self._stand_in()
        self._come_level()
        self._lose_hope()
        self._tell_links()
        self._tell_watchers()
