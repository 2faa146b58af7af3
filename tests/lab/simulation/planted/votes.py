"""Votes on steps that are done, and words of leaving: what they may not bring about."""

from msgspec.structs import replace

from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.votes import Poll
from netgame.protocol.log.entry import is_leave
from netgame.protocol.log.fault import Stray
from netgame.protocol.peer.entries.writer import Pen
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.standing.stay import Stay
from tests.lab.simulation.planted.swaps import Bug, Swap, into

BUGS: dict[str, Bug] = {}
bug = into(BUGS)


@bug("a vote behind another log counts")
def _unlinked() -> list[Swap]:
    true = Ledger._judge_missing

    def wrong(self, entry, payload, key, *, linked):
        judged = true(self, entry, payload, key, linked=linked)
        return replace(judged, entry=entry) if isinstance(judged, Stray) else judged

    return [(Ledger, "_judge_missing", wrong)]


@bug("a voice counts that has gone on")
def _any_voice() -> list[Swap]:
    return [(Ledger, "has_gone_on", lambda self, step, seat: False)]


@bug("what is read anew is held to nothing")
def _forgetful() -> list[Swap]:
    return [(Place, "remember", lambda self, entry: None)]


@bug("a word of leaving never lapses")
def _for_ever() -> list[Swap]:
    def wrong(self, seat, leave):
        key = self.keys[seat]
        return self.since[seat] <= leave.step <= self.step and is_leave(leave, key, self.table_id)

    return [(Poll, "is_word", wrong)]


@bug("whoever has left still writes what was in the making")
def _last_word() -> list[Swap]:
    true = Pen.made

    def wrong(self, step, payload):
        left, self.stay.has_left = self.stay.has_left, False
        true(self, step, payload)
        self.stay.has_left = left

    return [(Pen, "made", wrong)]


@bug("a word of leaving is of a step that its seat has written")
def _too_soon() -> list[Swap]:
    true = Stay.say_farewell

    def wrong(self):
        slots, self.place.ledger.slots = self.place.ledger.slots, {}
        true(self)
        self.place.ledger.slots = slots

    return [(Stay, "say_farewell", wrong)]
