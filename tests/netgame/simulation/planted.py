"""Bugs planted into the product, one at a time: how many seeds does the simulator need for each?

    python -m tests.netgame.simulation.planted [NAME ...] [--seeds 300]

A simulator that finds none of these would find nothing else either. Each bug is a few lines put
in the place of the right ones for as long as a `with` block lasts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, islice
from typing import Any

from lab.simulation.cables import CableEnd
from lab.simulation.campaign import games
from lab.simulation.disk import Disk
from lab.simulation.game import Game, play_game
from lab.simulation.process import Process
from netgame.crypto.entropy import expand
from netgame.crypto.transcript import digest
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import Phase
from netgame.protocol.ledger.ledger import Later, Ledger, Repeat
from netgame.protocol.log.entry import Entry
from netgame.protocol.log.record_frames import read_frames
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.author import Author
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.journal import Journal
from netgame.protocol.peer.keyring import Keyring
from netgame.protocol.peer.sync import is_ahead
from netgame.wire import messages as wire

Swap = tuple[type, str, Any]
BUGS: dict[str, Callable[[], list[Swap]]] = {}


def bug(name: str) -> Callable[[Callable[[], list[Swap]]], Callable[[], list[Swap]]]:
    """Enter a bug under its name."""

    def entered(make: Callable[[], list[Swap]]) -> Callable[[], list[Swap]]:
        BUGS[name] = make
        return make

    return entered


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Have one bug in place within the block."""
    swaps = [(_home(where, what), what, wrong) for where, what, wrong in BUGS[name]()]
    right = [(where, what, where.__dict__[what]) for where, what, _ in swaps]
    try:
        for where, what, wrong in swaps:
            setattr(where, what, wrong)
        yield
    finally:
        for where, what, thing in right:
            setattr(where, what, thing)


def _home(where: type, what: str) -> type:
    """The class that says what: `where` itself or one it builds on."""
    return next(each for each in where.__mro__ if what in each.__dict__)


def found_by(name: str, seeds: int, first: int = 0) -> Game | None:
    """The first game that shows the bug, if any of so many seeds does."""
    with planted(name):
        played = islice(games(first, real=False), seeds)
        return next((game for game in played if game.trouble), None)


def shows_without_faults(name: str) -> bool:
    """Whether a game in which nothing goes wrong shows the bug as well."""
    with planted(name):
        return any(play_game(seed, faults=False).trouble for seed in range(3))


# ---- the shell: effects, disk, links -----------------------------------------------------------


@bug("send before persist")
def _send_first() -> list[Swap]:
    true = Process._carry_out

    def wrong(self):
        if any(isinstance(effect, fx.Send) for effect in self._todo):
            records = [each for each in self._todo if isinstance(each, fx.Persist | fx.Journalled)]
            entries = [each for each in records if isinstance(each, fx.Persist)]
            self._fresh = entries[-1].record if entries and entries[-1].sync else None
            while self._todo and self._todo[0] in records:
                self._todo.popleft()
            others = [each for each in self._todo if each not in records]
            self._todo = deque((*others, *records))
        return true(self)

    return [(Process, "_carry_out", wrong)]


@bug("sync is forgotten")
def _no_sync() -> list[Swap]:
    return [(Disk, "sync", lambda self: None)]


@bug("own entries are not synced")
def _lazy_sync() -> list[Swap]:
    true = Process._carry_out

    def wrong(self):
        self._unsynced = False
        return true(self)

    def no_sync(self):
        self._unsynced = False
        return True

    return [(Process, "_carry_out", wrong), (Process, "_sync", no_sync)]


@bug("a full disk is not noticed")
def _deaf_disk() -> list[Swap]:
    def wrong(self, octets):
        self.cached += octets if self.room is None else octets[: self.room]
        if self.room is not None:
            self.room = max(0, self.room - len(octets))

    return [(Disk, "_write", wrong)]


@bug("what a full disk took in part is written behind it")
def _torn_retry() -> list[Swap]:
    def wrong(self):
        self._write(self._unsynced)
        self.sync()

    return [(Disk, "retry", wrong)]


@bug("a damaged tail stays in the record")
def _keep_tail() -> list[Swap]:
    def wrong(self):
        self._is_broken = False
        return read_frames(bytes(self.durable))

    return [(Disk, "open", wrong)]


@bug("the last record is not read back")
def _short_reading() -> list[Swap]:
    true = Disk.open

    def wrong(self):
        payloads, damage = true(self)
        return payloads[:-1], damage

    return [(Disk, "open", wrong)]


@bug("a replaced link's end counts as the peer's")
def _old_link_down() -> list[Swap]:
    def wrong(self, end):
        self._live.pop(end.peer, None)
        return self.core.link_down(end.peer, self.clock())

    return [(Process, "_link_down", wrong)]


@bug("half a frame is forgotten")
def _short_buffer() -> list[Swap]:
    true = CableEnd.frames

    def wrong(self, octets):
        yield from true(self, octets)
        self._buffer.clear()

    return [(CableEnd, "frames", wrong)]


@bug("who is dialled in vain is not dialled again")
def _one_dial() -> list[Swap]:
    def wrong(self, peer, life):
        del life
        if peer in self.links:
            self._dialling.pop(peer, None)

    return [(Process, "_missed", wrong)]


# ---- coming back -------------------------------------------------------------------------------


@bug("restart writes at once")
def _hasty() -> list[Swap]:
    return [(Core, "_is_quiet", lambda self: False)]


@bug("restart hears one head only")
def _one_head() -> list[Swap]:
    def wrong(self):
        if self.quiet.is_over:
            return False
        heads = [peer.head for peer in self.peers.values() if peer.greeted and peer.head]
        if not heads or any(
            is_ahead(each, self.state.step, frozenset(self.ledger.slots)) for each in heads
        ):
            return True
        self.quiet._until = None
        return False

    return [(Core, "_is_quiet", wrong)]


@bug("restart does not catch up first")
def _behind() -> list[Swap]:
    def wrong(self):
        if self.quiet.is_over:
            return False
        heads = [peer.head for peer in self.peers.values() if peer.greeted and peer.head]
        unheard = {member.key for member in self.state.members} - self.quiet.heard - {self.key}
        if unheard and (self.now < self.quiet._until or not heads):
            return True
        self.quiet._until = None
        return False

    return [(Core, "_is_quiet", wrong)]


@bug("a seat without a record writes at once")
def _bold_newcomer() -> list[Swap]:
    true = Core.start

    def wrong(self, *arguments):
        quiet = self.quiet._until
        effects = true(self, *arguments)
        self.quiet._until = quiet
        return effects

    return [(Core, "start", wrong)]


@bug("a step begun is forgotten")
def _whole_steps_only() -> list[Swap]:
    true = Core.restore.__func__

    def wrong(cls, *arguments):
        restored = true(cls, *arguments)
        restored.ledger.slots.clear()
        return restored

    return [(Core, "restore", classmethod(wrong))]


@bug("the host opens its table again")
def _open_twice() -> list[Swap]:
    true = Core.start

    def wrong(self, now):
        if self.state.host == self.key and self.state.settings is not None:
            self.write(wire.OpenTable(self.key, bytes(32), self.state.settings))
        return true(self, now)

    return [(Core, "start", wrong)]


def _of_this_life(*names: str) -> list[Swap]:
    """Have secrets of a keyring come from its process instead of from the table's secret."""

    def swap(name: str) -> Swap:
        true = Keyring.__dict__[name]

        def wrong(self, *arguments):
            life = self.__dict__.setdefault("_planted", next(_LIVES))
            return true(Keyring(expand(self._secret, "planted", life)(32)), *arguments)

        return Keyring, name, wrong

    return [swap(name) for name in names]


_LIVES = count()

bug("round keys are drawn fresh")(lambda: _of_this_life("round_secret"))
bug("the coin is tossed again")(lambda: _of_this_life("coin"))
bug("the permutation is drawn fresh")(lambda: _of_this_life("round_seed"))
bug("an opening is sealed anew")(lambda: _of_this_life("opening_secret", "box_key"))


# ---- the journal -------------------------------------------------------------------------------


@bug("the journal is ignored at restore")
def _forgetful() -> list[Swap]:
    return [(Core, "remember", lambda self, journal: None)]


@bug("a seat signs beyond its mark")
def _bold() -> list[Swap]:
    return [
        (Journal, "may_sign", lambda self, ledger: True),
        (Journal, "has_filled", lambda self, step: False),
        (Journal, "to_be_said_again", lambda self, ledger: ()),
        (Core, "_is_quiet", lambda self: False),
    ]


# ---- the log -----------------------------------------------------------------------------------


@bug("wrong step digest order")
def _arrival_order() -> list[Swap]:
    settle = Ledger.settle

    def in_order_of_arrival(self, entry):
        notices = settle(self, entry)
        if self.steps and entry in self.steps[-1] and not self.slots:
            arrived = self.__dict__.pop("_planted", [])
            arrived.append(entry)
            bodies = [each.signed.body for each in arrived]
            head = digest("step", self._heads[-2], bodies)
            if len(arrived) == len(self.steps[-1]):
                self._heads[-1] = head
                self.state = replace(self.state, head=head)
        else:
            self.__dict__.setdefault("_planted", []).append(entry)
        return notices

    return [(Ledger, "settle", in_order_of_arrival)]


@bug("forget own slot")
def _slot_forgotten() -> list[Swap]:
    def wrong(self):
        state = self.state
        seat = self.author.seat(state)
        if self.fault is not None or seat is None or seat not in due(state).authors:
            return False
        return not self._is_quiet() and self._writing != state.step

    return [(Core, "may_write", wrong)]


@bug("entries of the due step are not passed on")
def _done_steps_only() -> list[Swap]:
    true = Ledger.entries_from

    def wrong(self, step, filled=frozenset()):
        of_due_step = {entry.signed for entry in self.slots.values()}
        for signed in true(self, step, filled):
            if signed not in of_due_step:
                yield signed

    return [(Ledger, "entries_from", wrong)]


@bug("a pull skips a step")
def _next_step() -> list[Swap]:
    true = Core.pull

    def wrong(self, key, peer, question):
        true(self, key, peer, wire.Pull(question.step + 1, question.filled))

    return [(Core, "pull", wrong)]


@bug("a pulled batch is lost")
def _lost_batch() -> list[Swap]:
    true = Core.hear_pulled

    def wrong(self, key, peer, entries):
        if self.quiet.is_over:
            true(self, key, peer, entries)

    return [(Core, "hear_pulled", wrong)]


@bug("heads are told on change only")
def _no_beat() -> list[Swap]:
    true = Core._pace

    def wrong(self):
        self._beat_at = self.now + 1e6
        self._last_heads.clear()
        true(self)

    return [(Core, "_pace", wrong)]


@bug("nobody is dialled after the first time")
def _no_redial() -> list[Swap]:
    true = Core.link_up

    def wrong(self, peer, now):
        kept = dict(self._dialling)
        effects = true(self, peer, now)
        self._dialling = kept | dict.fromkeys((peer,), -1.0)
        return effects

    return [(Core, "link_up", wrong)]


@bug("a broken link is not noticed")
def _deaf_to_links() -> list[Swap]:
    def wrong(self, peer, now):
        del peer
        self.now = now
        return self.flush()

    return [(Core, "link_down", wrong)]


@bug("who speaks early is dropped")
def _impatient() -> list[Swap]:
    true = Core._greet

    def wrong(self, key, peer, hello):
        if not self.table_id and self._wanted not in (None, key) and hello.table:
            self.drop(key, "it is at another table")
        else:
            true(self, key, peer, hello)

    return [(Core, "_greet", wrong)]


@bug("own moves are signed twice")
def _double() -> list[Swap]:
    true = Core._sign

    def wrong(self, step, payload):
        true(self, step, payload)
        if isinstance(payload, wire.Shares) and self.state.step == step:
            self.ledger.pending.clear()
            true(self, step, wire.Shares(payload.tokens, bytes(98)))

    return [(Core, "_sign", wrong)]


@bug("records are written for whole steps only")
def _record_steps() -> list[Swap]:
    true = Process._write

    def wrong(self, effect):
        if effect.sync or self.core.state.seats_step < 0:
            true(self, effect)
            return
        kept = self.__dict__.setdefault("_planted", [])
        kept.append(effect)
        if len(self.core.ledger.slots) == 0:
            for each in kept:
                true(self, each)
            kept.clear()

    return [(Process, "_write", wrong)]


@bug("which slots are filled is not told")
def _no_mask() -> list[Swap]:
    return [(Ledger, "filled", lambda self: b"")]


@bug("alarms are slept through")
def _deaf_to_alarms() -> list[Swap]:
    def wrong(self, now):
        self.now = now
        return (fx.Wake(now + 1.0),)

    return [(Core, "wake", wrong)]


@bug("a repeated entry ends the link")
def _strict() -> list[Swap]:
    true = Core.offer

    def wrong(self, signed, sender):
        before = self.ledger.judge(signed)
        if isinstance(before, Repeat) and sender is not None and self.state.step % 4 == 0:
            self.drop(sender, "it sent an entry twice")
        return true(self, signed, sender)

    return [(Core, "offer", wrong)]


@bug("an early entry ends the link")
def _strict_order() -> list[Swap]:
    true = Core.offer

    def wrong(self, signed, sender):
        if isinstance(self.ledger.judge(signed), Later) and sender is not None:
            self.drop(sender, "it sent an entry too early")
        return true(self, signed, sender)

    return [(Core, "offer", wrong)]


@bug("the host dismisses in mid-game")
def _dismissal() -> list[Swap]:
    true = Core.link_down

    def wrong(self, peer, now):
        if self._opening is not None and self.state.phase is not Phase.LOBBY:
            self.write(wire.Dismiss(peer))
        return true(self, peer, now)

    return [(Core, "link_down", wrong)]


@bug("who sits down anew is told it sits")
def _twice_seated() -> list[Swap]:
    true = Core._asked_for_seat

    def wrong(self, key, ask):
        if self.state.phase is Phase.LOBBY and self.state.member(key) is not None:
            self.send(key, wire.JoinAnswer("seated", "You sit already."))
        else:
            true(self, key, ask)

    def stays(self, peer, now):
        opening, self._opening = self._opening, None
        effects = link_down(self, peer, now)
        self._opening = opening
        return effects

    link_down = Core.link_down
    return [(Core, "_asked_for_seat", wrong), (Core, "link_down", stays)]


@bug("a hand is kept over a new deal")
def _stale_hand() -> list[Swap]:
    true = Author._learn

    def wrong(self, state, seat):
        kept = self._tiles if self._born >= 0 else {}
        true(self, state, seat)
        self._tiles = {**self._tiles, **kept}

    return [(Author, "_learn", wrong)]


@bug("checksums are not looked at")
def _no_checksums() -> list[Swap]:
    def wrong(self):
        octets, at, payloads = bytes(self.durable), 0, []
        while at + 8 <= len(octets):
            size = int.from_bytes(octets[at : at + 4], "big")
            if at + 8 + size > len(octets):
                break
            payloads.append(octets[at + 8 : at + 8 + size])
            at += 8 + size
        del self.durable[at:]
        self._is_broken = False
        return tuple(payloads), None

    return [(Disk, "open", wrong)]


# ---- who comes and goes ------------------------------------------------------------------------


@bug("the chair forgets a newcomer's signature")
def _unsigned_wish() -> list[Swap]:
    def wrong(self):
        return ((each.request, bytes(64)) for each in self.applicants.values())

    return [(Core, "_asking", wrong)]


@bug("the coin is that of the session before")
def _same_coin() -> list[Swap]:
    true = Keyring.coin
    return [(Keyring, "coin", lambda self, log_id, head: true(self, b"", b""))]


@bug("the coin is bound to no head")
def _coin_of_no_head() -> list[Swap]:
    true = Keyring.coin
    return [(Keyring, "coin", lambda self, log_id, head: true(self, log_id, b""))]


@bug("a newcomer writes before the coin")
def _hasty_newcomer() -> list[Swap]:
    true = Author.owed

    def wrong(self, state, *, chain_checked):
        seat, table = self.seat(state), state.table
        came = table is not None and seat is not None and table.aside.came >> seat & 1
        if came and state.phase is Phase.ROSTER:
            return wire.CoinCommit(bytes(64))
        return true(self, state, chain_checked=chain_checked)

    return [(Author, "owed", wrong)]


@bug("a promised seat is never taken back")
def _empty_promise() -> list[Swap]:
    return [(Core, "_lose_hope", lambda self: None)]


@bug("who has no seat turns away whom it does not know")
def _haughty() -> list[Swap]:
    true = Core._may_watch

    def wrong(self, key):
        if not self._belongs(self.key):
            self.drop(key, "it has no seat at this table")
            return False
        return true(self, key)

    return [(Core, "_may_watch", wrong)]


@bug("a watcher keeps what no member has")
def _stubborn() -> list[Swap]:
    return [(Core, "start_anew", lambda self: None)]


@bug("what answers a pull begins no dig")
def _shallow() -> list[Swap]:
    true = Core.dig

    def wrong(self, sender, step):
        if getattr(self, "_unasked", True):
            true(self, sender, step)

    hear = Core.hear_pulled

    def pulled(self, key, peer, entries):
        self._unasked = False
        hear(self, key, peer, entries)
        self._unasked = True

    return [(Core, "dig", wrong), (Core, "hear_pulled", pulled)]


# ---- judging others ----------------------------------------------------------------------------


@bug("a second entry in a slot is let be")
def _forks_pass() -> list[Swap]:
    true = Ledger._judge_signed

    def wrong(self, entry, key):
        return true(self, entry, key) if self.slot(entry.step, entry.seat) is None else Repeat()

    return [(Ledger, "_judge_signed", wrong)]


@bug("proofs are not looked at")
def _unproved() -> list[Swap]:
    true = Core._accept
    return [(Core, "_accept", lambda self, entry, judging: true(self, entry, None))]


@bug("shuffles are not checked")
def _unchecked() -> list[Swap]:
    true = Core._chain_checked
    return [(Core, "_chain_checked", lambda self, this, found: true(self, this, None))]


@bug("signatures are not checked")
def _unsigned() -> list[Swap]:
    return [(Entry, "is_by", lambda self, key: True)]


@bug("the wrong seat is blamed")
def _scapegoat() -> list[Swap]:
    true = Core.convict

    def wrong(self, fault):
        true(self, replace(fault, key=self.state.seats[0].key if self.state.seats else fault.key))

    return [(Core, "convict", wrong)]


@bug("evidence is not kept")
def _no_evidence() -> list[Swap]:
    true = Process._do_beside

    def wrong(self, effect):
        if not isinstance(effect, fx.SaveEvidence):
            true(self, effect)

    return [(Process, "_do_beside", wrong)]


@bug("evidence is empty")
def _empty_evidence() -> list[Swap]:
    true = Core.convict

    def wrong(self, fault):
        true(self, replace(fault, entries=()))

    return [(Core, "convict", wrong)]


@bug("who passes on an entry is blamed for it")
def _messenger() -> list[Swap]:
    true = Core._blame

    def wrong(self, fault, sender):
        true(self, replace(fault, key=sender) if sender is not None else fault, sender)

    return [(Core, "_blame", wrong)]


def main() -> int:
    """Print, for each bug, within how many seeds it is found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seeds", type=int, default=300)
    options = parser.parse_args()
    missed = 0
    for name in options.names or BUGS:
        began = time.monotonic()
        game = found_by(name, options.seeds)
        quiet = shows_without_faults(name)
        missed += game is None
        told = "NOT FOUND" if game is None else f"seed {game.seed}"
        what = "" if game is None else game.trouble[0][:70]
        seconds = f"{time.monotonic() - began:.1f} s"
        how = "at once" if quiet else "by faults"
        print(f"{name:<46} {told:>9} {seconds:>9}  {how:<9}  {what}", flush=True)
    total = len(options.names or BUGS)
    print(f"{total - missed} of {total} found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
