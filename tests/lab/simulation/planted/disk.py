"""Bugs about records: they must be written before sending, synced, and read back whole."""

from collections import deque

from lab.simulation.computers.disk import Disk
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import Records
from netgame.protocol.log.entry import read_entry, read_frames
from netgame.protocol.peer import effects as fx
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.lab.simulation.planted.swaps import Swap, bug


@bug("send before persist", Process, "_carry_out")
def _send_first(true, self):
    if any(isinstance(effect, fx.Send) for effect in self._todo):
        records = [each for each in self._todo if isinstance(each, fx.Persist | fx.Journalled)]
        entries = [each for each in records if isinstance(each, fx.Persist)]
        self._fresh = [entries[-1].record] if entries and entries[-1].sync else []
        while self._todo and self._todo[0] in records:
            self._todo.popleft()
        others = [each for each in self._todo if each not in records]
        self._todo = deque((*others, *records))
    return true(self)


@bug("sync is forgotten", Disk, "sync")
def _no_sync(self):
    return None


@bug("own entries are not synced")
def _lazy_sync() -> list[Swap]:
    return [
        (Records, "must_sync", property(lambda self: False)),
        (Records, "must_sync_before", lambda self, effect: False),
    ]


@bug("record and journal are written for whole steps only", Process, "keep")
def _record_steps(true, self, effect):
    waiting = self.__dict__.setdefault("_planted", {}).setdefault(self.lives, [])
    waiting.append(effect)
    if isinstance(effect, fx.Persist) and effect.sync:
        self._fresh = [effect.record]
    for each in [each for each in waiting if _step_of(each.record) < self.core.state.step]:
        waiting.remove(each)
        true(self, each)


def _step_of(record: bytes) -> int:
    """Return the step of the entry in a record frame, or -1 for a header or a statement."""
    message = decode_any(record, wire.RecordHeader | wire.RecordEntry | wire.RecordStatement)
    return read_entry(message.entry).step if isinstance(message, wire.RecordEntry) else -1


@bug("an own entry is written before what it follows", Process, "_carry_out")
def _own_first(true, self):
    own = [each for each in self._todo if isinstance(each, fx.Persist) and each.sync]
    if own and self.core.state.company.sessions:
        self._todo = deque((*own, *(each for each in self._todo if each not in own)))
    return true(self)


@bug("a full disk is not noticed", Disk, "_write")
def _deaf_disk(self, octets):
    self.cached += octets if self.room is None else octets[: self.room]
    if self.room is not None:
        self.room = max(0, self.room - len(octets))


@bug("what a full disk took in part is written behind it", Disk, "retry")
def _torn_retry(self):
    self._write(self._unsynced)
    self.sync()


@bug("a damaged tail stays in the record", Disk, "open")
def _keep_tail(self):
    self._is_broken = False
    return read_frames(bytes(self.durable))


@bug("the last record is not read back", Disk, "open")
def _short_reading(true, self):
    payloads, damage = true(self)
    return payloads[:-1], damage


@bug("checksums are not looked at", Disk, "open")
def _no_checksums(self):
    octets = bytes(self.durable)
    at = 0
    payloads = []
    while at + 8 <= len(octets):
        size = int.from_bytes(octets[at : at + 4], "big")
        if at + 8 + size > len(octets):
            break
        payloads.append(octets[at + 8 : at + 8 + size])
        at += 8 + size
    del self.durable[at:]
    self._is_broken = False
    return tuple(payloads), None


@bug("evidence is not kept", Records, "save")
def _no_evidence(self, name, content):
    return None
