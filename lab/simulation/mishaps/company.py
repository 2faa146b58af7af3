"""People who come late, watch, say farewell, or come back to a seat that was given up.

    a late joiner   comes in the middle of the first round, by the door of any member, for a seat;
                    sometimes more of them than the table has room for
    a watcher       comes the same way, leaves, and may come again
    a farewell      a seat says that it leaves for good, and its process ends
    a return        a seat is away until the others have given it up, then wants to sit again,
                    perhaps with an entry that completed a step and is on its own disk alone

All of them are processes like any other, so mishaps strike them too.
"""

from collections import Counter
from collections.abc import Callable, Generator
from functools import partial
from typing import ClassVar, Final

from engine.rules.spec import TableSpec
from lab.simulation.computers.chance import Chance
from lab.simulation.computers.clock import Script
from lab.simulation.computers.death import Point
from lab.simulation.computers.network import pairs_of
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import entry_of
from lab.simulation.computers.world import World
from lab.simulation.mishaps.leaving import can_be_spared, can_go_on
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.seating import WhyNoSeat
from netgame.protocol.state.latecomers import why_not_seated_later
from netgame.protocol.state.lobby import is_for_now, spec_of
from netgame.protocol.state.options import is_open
from netgame.protocol.state.phases import Phase
from netgame.wire.codec import decode
from netgame.wire.messages import JoinRequest, RoundOver
from netgame.wire.statements import seats_in

JOINERS: Final = "came late for a seat"
SEATED: Final = "seated at a next round"
WATCHER: Final = "watchers"
AGAIN: Final = "watchers that came again"
FAREWELL: Final = "farewells"
RETURN: Final = "seats that came back"

KINDS: Final = (JOINERS, SEATED, WATCHER, AGAIN, FAREWELL, RETURN)
"""The comings and goings to count."""

_FIRST_ENTRY: Final = 6
_ROUND_ENTRIES: Final = 40
"""The first round of a small game has about this many entries."""
_CROWD: Final = 5
"""In one game of six, this many more people come for a seat."""
_BY_DEEDS: Final = (WhyNoSeat.CONVICTED, WhyNoSeat.SILENT, WhyNoSeat.LEFT_TWICE)
_RETRY_S: Final = 0.5
_KNOCK_S: Final = 10.0
"""A guest that hears nothing for so long gets a join code from somebody else."""


class Comers:
    """The comings and goings planned for one game, and their results."""

    world: World
    """The table where they happen; set before anything happens there."""
    takes_seats: ClassVar[bool] = True

    def __init__(self, chance: Chance) -> None:
        self.guests: list[Process] = []
        self.counts: Counter[str] = Counter()
        """Counts by `KINDS`."""
        self.unkept: list[str] = []
        """Signed scores that left out somebody whose wish for a seat the chair knew."""
        self.overrun: list[str] = []
        """Signed scores that seated strangers although these were not fewer than the others."""
        self._chance = chance
        self._entries = 0
        self._came_back = False
        self._is_cut_off = False
        self._goes_with_entry = False
        self._written_at = -1
        leaves = chance.once_in(3)
        returns = chance.once_in(3)
        if leaves and returns:
            self.seats = 4
        elif leaves or returns:
            self.seats = 3
        else:
            self.seats = 2 + chance.below(2)
        joins = partial(self._comes, watches=False)
        watches = partial(self._comes, watches=True)
        plan: list[tuple[int, Callable[[], Script]]] = [
            (self._moment(_ROUND_ENTRIES), joins) for _ in range(2 if chance.once_in(4) else 1)
        ]
        if chance.once_in(6):
            plan += [(self._moment(_ROUND_ENTRIES // 2), joins) for _ in range(_CROWD)]
        if chance.once_in(2):
            plan.append((self._moment(2 * _ROUND_ENTRIES), watches))
        self._leaver = chance.below(self.seats)
        self._returner = chance.below(self.seats)
        if self._leaver == self._returner:
            self._leaver = (self._returner + 1) % self.seats
        if leaves:
            plan.append((self._moment(2 * _ROUND_ENTRIES), self._leaves))
        if returns:
            plan.append((self._moment(_ROUND_ENTRIES // 2), self._goes_and_returns))
        self._plan = sorted(plan, key=lambda each: each[0])

    def _moment(self, entries: int) -> int:
        return _FIRST_ENTRY + self._chance.below(entries)

    # ---- what processes report ------------------------------------------------------------

    def wrote(self, writer: Process, record: bytes) -> None:
        """Note an appended entry: check the scores in it, if any, and see who is to come or go."""
        self._look_at_scores(writer, record)
        if writer.number == self._returner:
            self._written_at = entry_of(record).step
        if not writer.has_begun:
            return
        self._entries += 1
        while self._plan and self._plan[0][0] <= self._entries:
            _, script = self._plan.pop(0)
            self.world.later(0.0, partial(self.world.follow, script()))

    def said(self, writer: Process) -> None:
        """Ignore statements: nobody comes or goes because of one."""

    def moved(self, process: Process) -> None:
        """Ignore progress: nobody comes or goes because of it."""

    def strikes(self, process: Process, point: Point) -> bool:
        """Have this process go away right after it synced an entry; return True if it does.

        It goes only if that is planned, and if its entry completes a step. Nobody else has the
        entry then.
        """
        if not self._goes_with_entry or process.number != self._returner:
            return False
        is_done = process.state.step > self._written_at
        if point is not Point.SYNCED or not is_done or not self._can_spare(process):
            return False
        self._goes_with_entry = False
        self._goes_away(process)
        self.world.follow(self._waits(process))
        return True

    def _look_at_scores(self, writer: Process, record: bytes) -> None:
        """Note seat requests that the host wrongly left out of its scores, and too many strangers.

        A request counts if there was room for it. Only the host is judged: it is certain to chair
        its own table. It owes no seat to strangers who need its yes or are too many, or to somebody
        who was convicted, was silent, or has left twice.
        """
        entry, state = entry_of(record), writer.state
        if not isinstance(entry.payload, RoundOver) or writer.key != state.host:
            return
        let_in = {decode(each.request, JoinRequest).key for each in entry.payload.latecomers}
        room = spec_of(state.settings, len({each.key for each in state.seats} | let_in) + 1)
        for key, ask in writer.core.parts.applicants.waiting.items():
            request = decode(ask.request, JoinRequest)
            granted = why_not_seated_later(state, request) is None and is_for_now(state, request)
            has_room = state.seat_of(request.key) is not None or isinstance(room, TableSpec)
            owed = has_room and not self._may_refuse(writer, key, let_in)
            if key not in let_in and granted and owed:
                self.unkept.append(f"{self.world.by_key[key].name} at step {entry.step}")
        strangers = self._strangers(writer, let_in)
        others = set(state.company.now.here) - strangers
        if strangers & let_in and len(strangers) >= len(others):
            self.overrun.append(f"{len(strangers)} beside {len(others)} at step {entry.step}")

    def _may_refuse(self, host: Process, key: PeerKey, let_in: set[bytes]) -> bool:
        """Return True if the host may refuse this key a seat, besides those that it has `let_in`.

        It may if the key belongs to a stranger who needs its yes, to one stranger too many, or to
        somebody who was convicted, was silent, or has left twice.
        """
        strangers = self._strangers(host, {key, *let_in})
        others = set(host.state.company.now.here) - strangers
        needs_yes = key in strangers and is_open(host.state.settings)
        is_one_too_many = key in strangers and len(strangers) >= len(others)
        has_gone = host.core.parts.chair.why_barred(key) in _BY_DEEDS
        return needs_yes or is_one_too_many or has_gone

    def _strangers(self, host: Process, comers: set[bytes]) -> set[bytes]:
        """Return the keys that the host does not know, among the seats and these comers."""
        shown = (each for each in self.world.processes if host.number in each.codes)
        known = {each.key for each in self.world.began}
        known |= set() if is_open(host.state.settings) else {each.key for each in shown}
        return {*host.state.company.now.keys, *comers} - known

    # ---- who comes ------------------------------------------------------------------------

    def _tell(self, what: str) -> None:
        self.world.room.note(254, 6, len(what))
        self.world.tell(what)

    def _doors(self) -> list[Process]:
        """Return the players who could tell a guest a join code."""
        here = self._here()
        ready = (p for p in self.world.processes if p.is_ready and p.key in here)
        return [p for p in ready if p.state.seat_of(p.key) is not None]

    def _here(self) -> set[bytes]:
        """Return the keys of the seats in play, according to the most advanced process."""
        state = self.world.furthest()
        return {state.seats[seat].key for seat in state.present} if state.seats else set()

    def _comes(self, *, watches: bool, kind: Callable[..., Core] = Core) -> Script:
        while not (doors := self._doors()):
            if self.world.furthest().phase is Phase.OVER:
                return
            yield _RETRY_S
        guest = self.world.add_guest(watches=watches, kind=kind)
        self._arrived(guest, watches=watches)
        door = self._shown_in(guest, doors)
        wish = "to watch" if watches else "for a seat"
        self._tell(f"{guest.name} comes {wish}, by {door.name}'s door")
        guest.start()
        guest.join(door.key)
        self.world.follow(self._knocks(guest))
        if watches:
            yield from self._looks_on(guest, 1 + self._chance.below(2))

    def _arrived(self, guest: Process, *, watches: bool) -> None:
        """Note a guest that has come."""
        self.guests.append(guest)
        self.counts[WATCHER if watches else JOINERS] += 1

    def _shown_in(self, guest: Process, doors: list[Process]) -> Process:
        """Have the owner of one of these doors show the guest its join code; return that door.

        Three guests in four get the host's code as well, and so are not strangers to the host.
        """
        door = self._chance.pick(doors)
        guest.codes.add(door.number)
        if guest.number % 4:
            guest.codes.add(self.world.processes[0].number)
        return door

    def _knocks(self, guest: Process) -> Script:
        """Every ten seconds, have a guest that is without a link or a game try another door."""
        while guest.number not in self.world.left:
            yield _KNOCK_S
            in_game = guest.state.phase is not Phase.LOBBY
            doors = [door for door in self._doors() if door is not guest]
            is_linked = in_game and guest.links.ends
            if not guest.is_ready or not doors or is_linked:
                continue
            door = self._shown_in(guest, doors)
            if in_game:
                guest.join(door.key)
            else:
                guest.die()
                guest.begin_anew(door.key)

    def _looks_on(self, guest: Process, visits: int) -> Script:
        """End a watcher's program and restart it `visits` times; then it stays or ends for good."""
        while True:
            yield self._chance.pick((0.3, 2.0, 15.0))
            while not guest.is_ready:
                yield _RETRY_S
            if not visits and self._chance.once_in(2):
                return  # stays to the end
            has_power = not self._chance.once_in(4)
            guest.die(power=not has_power, quits=has_power)
            self._tell(f"{guest.name} looks on no longer")
            if not visits:
                self.world.left.add(guest.number)
                return
            visits -= 1
            yield self._chance.pick((0.1, 2.0, 20.0))
            self.counts[AGAIN] += 1
            guest.come_back()

    # ---- who goes -------------------------------------------------------------------------

    def _can_spare(self, victim: Process) -> bool:
        """Return True if all seats are there, and enough of them would be left without this one.

        It is False while a seat is being cut off from the members.
        """
        state = self.world.furthest()
        voters = seats_in(state.company.now.voters)  # a latecomer may have no vote yet
        keys = [PeerKey(state.seats[seat].key) for seat in voters if state.seats]
        here = [self.world.by_key[key] for key in keys]
        ready = all(each.is_ready for each in here)
        spare = ready and victim in here and can_be_spared(self.world, victim)
        return spare and not self._is_cut_off

    def _spared(self, victim: Process) -> Generator[float, None, bool]:
        """Wait until a seat can be spared. Return True then, and False if the game ends first."""
        while self.world.furthest().phase is not Phase.OVER:
            if not victim.is_busy and self._can_spare(victim):
                return True
            yield _RETRY_S
        return False

    def _leaves(self) -> Script:
        """Have a seat leave for good, with a farewell."""
        victim = self.world.processes[self._leaver]
        if (yield from self._spared(victim)):
            victim.act(leave_for_good)
            self.world.left.add(victim.number)
            self.counts[FAREWELL] += 1
            self._tell(f"{victim.name} says farewell at step {victim.state.step}")
            victim.die(quits=True)

    def _goes_and_returns(self) -> Script:
        """Once new trouble is allowed, have a seat go away until it is given up."""
        victim = self.world.processes[self._returner]
        while (yield from self._spared(victim)):
            if self.world.time.now < self.world.calm_until:
                yield _RETRY_S
                continue
            match self._chance.below(3):
                case 0:
                    if not (yield from self._cuts_off(victim)):
                        continue
                case 1:
                    self._goes_away(victim)
                case _:
                    self._goes_with_entry = True
                    return
            yield from self._waits(victim)
            return

    def _cuts_off(self, victim: Process) -> Generator[float, None, bool]:
        """Let a seat reach only guests for a moment: no member ever gets its entries of that time.

        The seat then goes away. Return False if it has already died of something else.
        """
        others = (n for n in range(self.world.settings.seats) if n != victim.number)
        pairs = pairs_of([victim.number], others)
        self._is_cut_off = True
        self.world.network.part(pairs)
        self._tell(f"{victim.name} reaches no member")
        yield self._chance.pick((0.3, 3.0))
        self._is_cut_off = False
        goes = victim.is_alive
        if goes:
            self._goes_away(victim)
        self.world.network.rejoin(pairs)
        return goes

    def _goes_away(self, victim: Process) -> None:
        self._tell(f"{victim.name} is away from step {victim.state.step} on")
        victim.die(power=self._chance.once_in(2))

    def _waits(self, victim: Process) -> Script:
        """Bring the seat back once it is given up, or once nobody can give it up any more."""
        while True:
            state = self.world.furthest()
            given_up = state.seat_of(victim.key) in state.gone
            others = (p for p in self.world.processes if p is not victim)
            members = (p for p in others if p.core.context.sits(p.key))
            can_give_up = any(can_go_on(each, victim) for each in members)  # some members have left
            has_ended = state.phase is Phase.OVER or self.world.is_stopped()
            if given_up or has_ended or not can_give_up:
                break
            yield _RETRY_S
        self._came_back |= given_up and victim.number == self._returner
        why = "given up" if given_up else "not given up"
        self._tell(f"{victim.name} comes back, {why} before step {state.step}")
        victim.come_back()

    # ---- what came of it ------------------------------------------------------------------

    def count_seats(self) -> None:
        """At the end of a game, count the guests in seats, and the player who came back to one."""
        here = self._here()
        self.counts[SEATED] += sum(guest.key in here for guest in self.guests)
        self.counts[RETURN] += self._came_back and self.world.processes[self._returner].key in here
