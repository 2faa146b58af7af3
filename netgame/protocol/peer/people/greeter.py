"""The first messages on a link: the table that we mean, and what the other side must know."""

from collections.abc import Iterator
from itertools import chain

from netgame.crypto.transcript import DIGEST_BYTES
from netgame.limits import HELLO_S
from netgame.protocol.ledger.poll import key_of
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.linked import Peer, batches
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.people.watchers import Watchers
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.peer.sync.pulls import EarlyEntries
from netgame.wire.messages import (
    Entries,
    Evidence,
    Hello,
    Rival,
    SignedEntry,
    SignedStatement,
    Statements,
)


class Greeter(PeerPart):
    """Greets each new link, and hears the greetings of others."""

    early: EarlyEntries
    joiner: Joiner
    watchers: Watchers
    faults: Faults
    life: bytes = b""
    """Random octets that tell this process from another with the same key."""

    def say_hello(self, key: PeerKey) -> None:
        """Send a greeting that names the table we mean, if any."""
        self.context.outbox.send(key, Hello(self.context.table_id, self.life))

    def hear(self, key: PeerKey, peer: Peer, hello: Hello) -> None:
        """Hear a greeting: take its table if we look for one, welcome the peer, or end the link.

        A peer is welcomed once, if it names our table or none. The link of a peer at another table,
        or of one watcher too many, is ended. The greeting is only noted while we look for another
        peer's table, or if neither side names a table.
        """
        context = self.context
        peer.hello = hello
        if not context.table_id and self.joiner.host not in (None, key):
            return  # we cannot tell yet whether we look for its table
        if not context.table_id and len(hello.table) == DIGEST_BYTES:
            self._find_table(key, hello.table)
        if hello.table not in (b"", context.table_id):
            context.links.hang_up(key, "it is at another table")
            self.joiner.hear_elsewhere(key)
            return
        if not context.table_id or peer.greeted:
            return
        is_guest = not context.in_lobby and not context.belongs(key)
        if not is_guest or self.watchers.may_watch(key):
            self._welcome(key, peer, hello)

    def hang_up(self) -> None:
        """End links over which no greeting has come for `HELLO_S`, to free their places."""
        for key, peer in tuple(self.context.links.peers.items()):
            if peer.hello is None and self.context.reached(peer.came_at + HELLO_S):
                self.context.links.hang_up(key, "it has not said which table it means")

    def _find_table(self, key: PeerKey, table: bytes) -> None:
        """Take the table that this peer has named, and greet the peer again.

        If we looked for the table of a certain host, greet and hear earlier peers again, too.
        """
        self.context.begin_log(table)
        was_sought, self.joiner.host = self.joiner.host, key
        self.say_hello(key)
        # If we looked for anybody's table, no earlier peer has named one.
        for other, peer in tuple(self.context.links.peers.items()) if was_sought else ():
            if other != key and peer.hello is not None:
                self.say_hello(other)
                self.hear(other, peer, peer.hello)

    def _welcome(self, key: PeerKey, peer: Peer, hello: Hello) -> None:
        """Welcome a peer at our table, and tell it everything that it must know before it writes.

        First comes `Rival`, if another process has used its key here. Then come the peer's own
        unsettled entries, its statements in the open poll, our head, and evidence of faults
        (`Faults.to_show`).
        """
        peer.greeted, peer.life = True, hello.life
        if peer.life and peer.rival and peer.life != peer.rival:  # else both sides have dialled
            self.context.outbox.send(key, Rival())
        context = self.context
        for entries in batches(self._unsettled_of(key)):
            context.outbox.send(key, Entries(entries))
        for statements in batches(self._said_by(key, peer)):
            context.outbox.send(key, Statements(statements))
        peer.told, peer.told_at = context.head(), context.now
        context.outbox.send(key, peer.told)
        for fault in self.faults.to_show():
            context.outbox.send(key, Evidence(fault.entries, fault.statements))

    def _unsettled_of(self, key: PeerKey) -> Iterator[SignedEntry]:
        """Yield the peer's own entries that our head does not count: kept, or still being judged.

        They are sent before the head: a seat that has forgotten them must not think that it may
        write again.
        """
        held = (entries.values() for entries in self.early.by_step.values())
        for entry in (*self.context.ledger.pending.values(), *chain(*held)):
            if self.context.ledger.key_of(entry) == key and entry.is_by(key):
                yield entry.signed

    def _said_by(self, key: PeerKey, peer: Peer) -> Iterator[SignedStatement]:
        """Yield the peer's own statements in the open poll, and note each as shown to it.

        They are sent before our head, so that a seat that has forgotten them signs nothing that
        contradicts them.
        """
        context = self.context
        for said in context.ledger.poll.said.values():
            if key_of(context.state.company, said.statement) == key:
                peer.shown.add(said.name)
                yield said.signed
