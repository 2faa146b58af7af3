"""A peer written from protocol.md and peer.md alone: it reads the log, and watches or joins.

It judges every entry with this folder's reader, and compares every head that it hears with its own.
As a member it signs what forms the table (4.4) and takes part in polls (4.7). It cannot deal, so it
leaves when a deal is due.
"""

import hashlib
from contextlib import asynccontextmanager

import trio

from tests.conformance import octets, proofs
from tests.conformance.channel import Ended, pack, prove, public, reached, sign
from tests.conformance.octets import pair_of, seats_of
from tests.conformance.reader import ACCEPT, HOLD, IGNORE, Reader
from tests.conformance.voter import next_statement, parting
from tests.netgame.crypto.oracle import hashed

SAID = (
    *("hello", "join-ask", "join-answer", "watch", "guests", "head", "pull", "pulled", "entries"),
    *("statements", "missed", "in-touch", "evidence", "chat", "again", "rival", "ping", "pong"),
    "stream-open",
)
UNHEEDED = ("hello", "pong", "again", "guests", "watch", "missed", "in-touch")
PING_S = 2.0


PULLED_MAX, ENVELOPE = 60_000, 80


@asynccontextmanager
async def visit(port, key, name, code="", life=b""):
    """Connect to a door, prove the key, greet, and yield the peer; disconnect after the block."""
    async with reached(port) as channel:
        hello = await prove(channel, key, code)
        guest = Stranger(channel, key, name, life)
        await guest.greet()
        assert hello.table == guest.reader.fold.table_id
        yield guest


class Stranger:
    """A link to one peer, and the log as read over it."""

    def __init__(self, channel, key, name, life=b""):
        self.channel, self.key, self.name, self.life = channel, key, name, life
        self.addresses = ()
        self.reader, self.held, self.signed = None, [], {}
        self.head, self.heads_ahead, self.heads_checked = None, [], set()
        self.answers, self.asks, self.pulls, self.is_ended = [], [], 0, False
        self.evidence, self.has_rival, self.shown = (), False, set()
        self.lines, self.told = [], 0

    # ---- state --------------------------------------------------------------------------------

    @property
    def fold(self):
        """The fold of the log so far."""
        return self.reader.fold

    @property
    def is_level(self):
        """True if the log has step 0 and reaches the last head that the other side has sent."""
        return self.head is not None and self.fold.step >= max(1, self.head.step)

    @property
    def sits(self):
        """True if this peer is a member of the table."""
        return public(self.key) in self.fold.members

    # ---- receiving ----------------------------------------------------------------------------

    async def greet(self):
        """Send `hello` without a table, receive the id of the table, and send `hello` with it."""
        await self.channel.send("hello", b"", self.life)
        hello = await self.channel.receive("hello")
        self.reader = Reader(hello.table)
        await self.channel.send("hello", hello.table, self.life)

    async def follow(self, until):
        """Handle messages until `until(self)` is true; raise Ended if the link ends first."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._ping)
            while not (self.is_ended or until(self)):
                try:
                    await self._hear(await self.channel.receive(*SAID))
                except Ended:
                    self.is_ended = True
            nursery.cancel_scope.cancel()
        if not until(self):
            raise Ended

    async def _ping(self):
        while True:
            await trio.sleep(PING_S)
            await self.channel.send("ping")

    async def _hear(self, said):
        match said.tag:
            case "ping":
                await self.channel.send("pong")
            case "stream-open":  # nobody can dial us, so members ask for streams to us
                await self.channel.send("stream-refused", said.number, "busy")
            case "entries" | "pulled":
                await trio.to_thread.run_sync(self.take, [*map(pair_of, said.entries)])
            case "statements":
                await trio.to_thread.run_sync(self.listen, [*map(pair_of, said.statements)])
            case "head":
                self.head = said
                self.heads_ahead.append(said)
                self._check_heads()
                await self._pull()
            case "pull":
                self.pulls += 1
                if said.step <= self.fold.step:
                    entries = self._from(said.step, seats_of(said.filled))
                    await self.channel.send("pulled", entries)
                await self._show_decided(said.polls, said.step + 1)
            case "join-answer":
                self.answers.append(said.code)
            case "join-ask":
                self.asks.append(said)
            case "evidence":
                assert self.head is not None
                self.evidence = tuple(octets.entry(*pair_of(each)) for each in said.entries)
            case "chat":
                self._hear_line(said)
            case "rival":
                assert self.head is None
                self.has_rival = True
            case tag:
                assert tag in UNHEEDED, said
        if said.tag != "head":
            await self._write()

    def _hear_line(self, chat):
        """Keep the author and text of a chat line; it must be well signed and name this table."""
        assert proofs.signed(chat.author, "boneyard/v4/chat", chat.line, chat.signature)
        line = octets.message(chat.line, "ChatLine", limit=1_600)
        assert line.table == self.fold.table_id
        assert line.number > 0
        self.lines.append((chat.author, line.text))

    def take(self, signed):
        """Take entries, none of which may be bad; keep those of later steps until they are due."""
        waiting, step = [*self.held, *signed], -1
        while step != self.fold.step:
            step, later = self.fold.step, []
            for each in waiting:
                found = self.reader.take(*each)
                assert found in (ACCEPT, IGNORE, HOLD), found
                if found == HOLD:
                    later.append(each)
            waiting = later
        self.held = waiting
        self._check_heads()

    def listen(self, signed):
        """Take statements, none of which may be bad; then take entries that a decision made due."""
        for each in signed:
            self.shown.add(each)
            assert self.reader.hear(*each) in (ACCEPT, IGNORE), each
        self.take([])

    def _check_heads(self):
        """Compare each head received with the digest in the log, once the log reaches its step."""
        here = [each for each in self.heads_ahead if each.step <= self.fold.step]
        for head in here:
            assert head.digest == self.reader.heads[head.step], head.step
            self.heads_checked.add(head.step)
            self.heads_ahead.remove(head)

    async def _pull(self):
        """Ask for what is missing here, going by the last head received, or answer with a head."""
        step, filled, polls = self.fold.step, self.reader.filled, self.reader.polls
        lacks = seats_of(self.head.filled) - seats_of(filled)
        is_ahead = self.head.step > step or self.head.polls > polls
        if is_ahead or (self.head.step == step and lacks):
            await self.channel.send("pull", step, filled, polls)
        else:
            await self.channel.send("head", step, self.fold.head, filled, polls)

    async def _show_decided(self, polls, step):
        """Send the certificates of polls from number `polls` on that end at `step` or before."""
        for (_, at), said in zip(
            self.reader.values[polls:], self.reader.certificates[polls:], strict=True
        ):
            if at <= step:
                await self._show(map(pair_of, said))

    async def _show(self, said):
        """Send those of the statements that have not passed over this link in either direction."""
        new = [each for each in said if each not in self.shown]
        self.shown |= set(new)
        if new:
            await self.channel.send("statements", new)

    def _from(self, step, filled):
        """Return the entries from a step on that fit in one answer.

        The first is included even if it is too long. In the first step, the entries of the seats
        `filled` are left out.
        """
        fits, size = [], 0
        for number in range(step, self.fold.step + 1):
            for each in self.reader.entries_of(number):
                if number == step and each.seat in filled:
                    continue
                size += len(each.body) + ENVELOPE
                if fits and size > PULLED_MAX:
                    return fits
                fits.append(pair_of(each))
        return fits

    # ---- sending ------------------------------------------------------------------------------

    async def watch(self):
        """Tell the other side that this peer does not want a seat."""
        await self.channel.send("watch", self.name)

    async def talk(self, text):
        """Send a signed chat line to the table."""
        self.told += 1
        line = pack(self.fold.table_id, self.life, self.told, self.name, text)
        said = line, public(self.key), sign(self.key, "boneyard/v4/chat", line)
        await self.channel.send("chat", *said)

    async def ask(self, step=None, key=None):
        """Ask for a seat, by default at the due step and with the key of this peer."""
        await self.channel.send("join-ask", *self.request(step, key))

    def request(self, step=None, key=None):
        """Return a join request and its signature.

        By default the request is for the due step, with this peer's key.
        """
        key, step = key or self.key, self.fold.step if step is None else step
        request = pack(self.fold.session, step, public(key), self.name, self.addresses, 0)
        return request, sign(key, "boneyard/v4/join", request)

    async def _write(self):
        """Sign and send all that this peer owes for the roster, the coin and polls.

        Each slot is filled only once (4.2).
        """
        fold = self.fold
        seat = fold.seat_of(public(self.key))
        if seat is None:
            return
        said = next_statement(self.reader, seat)
        if said is not None:
            await self.say(said)
            await self._write()
            return
        payload = None if seat in self.reader.slots else self._owed()
        bound = any(each.tag != "accept" for each in self.reader.poll.by(seat))
        if payload is not None and not bound and (fold.id, fold.step) not in self.signed:
            await self.put(seat, payload)
            await self._write()

    async def say(self, statement):
        """Sign a statement of the open poll, and send it.

        Held statements that this link has not transferred yet are sent before it.
        """
        body = pack(*statement)
        poll, each = self.reader.poll, (body, sign(self.key, "boneyard/v4/cut", body))
        assert self.reader.hear(*each) == ACCEPT
        await self._show([*map(pair_of, poll.held.values()), each])

    async def put(self, seat, payload):
        """Sign the entry of a seat with this payload for the due step, take it, and send it."""
        fold = self.fold
        poll = self.reader.poll.of[1]
        body = pack(fold.id, fold.step, fold.head, seat, poll, payload)
        entry = (body, sign(self.key, "boneyard/v4/entry", body))
        self.signed[fold.id, fold.step] = entry
        self.take([entry])
        await self.channel.send("entries", (entry,))

    def _owed(self):
        fold = self.fold
        coin = hashlib.sha256(b"coin" + fold.id).digest()
        match fold.phase:
            case "roster":
                keys = sorted(fold.author(fold.step, seat) for seat in fold.present)
                return ("roster", hashed("roster", fold.id, fold.rules_hash, keys))
            case "coin-commit":
                return ("coin-commit", hashed("n", fold.id, public(self.key), coin))
            case "coin-reveal":
                return ("coin-reveal", coin)
        return None

    async def leave(self):
        """Sign and send a parting: this seat leaves for good."""
        await self.say(parting(self.reader, self.fold.seat_of(public(self.key))))

    async def ends(self):
        """Handle messages until the link ends."""
        await self.follow(lambda self: self.is_ended)
