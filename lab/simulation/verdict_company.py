"""Check what became of people who came and went: their logs, their records and their seats.

A guest's log and record agree with the members' log as far as they go. A guest who wanted a seat
has one or was told why not; no coin is thrown twice.
"""

from collections import Counter
from collections.abc import Iterator

from lab.simulation.computers.process import Process
from lab.simulation.computers.records import signed_entry
from lab.simulation.computers.world import World
from lab.simulation.mishaps.company import Comers
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_entry, read_frames
from netgame.protocol.notices import SeatLater
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import CoinReveal, SignedEntry


def is_void(signed: SignedEntry, ledger: Ledger) -> bool:
    """Return True if a cut has voided this entry: its epoch ended before the entry's step."""
    entry, company = read_entry(signed), ledger.state.company
    if company.of_id(entry.id) is None:
        return False
    return entry.step < len(ledger.steps) and company.at(entry.step).id != entry.id


def wrong_with_company(world: World, company: Comers, finishers: list[Process]) -> list[str]:
    """Return everything wrong with guests and with the host's scores at the end of a game."""
    ledger = finishers[0].ledger
    found = [f"seat: the scores forgot {each}" for each in company.unkept]
    found += [f"seat: too many strangers, {each}" for each in company.overrun]
    for guest in company.guests:
        found += _strayed(guest, ledger)
        if guest not in finishers and guest.wants_seat:
            found += _left_standing(world, guest)
    return found


def same_coins(ledger: Ledger) -> Iterator[str]:
    """Yield a line for each coin that was thrown more than once; void throws count, too."""
    entries = (*(entry for step in ledger.steps for entry in step), *ledger.void.values())
    said = (entry.payload for entry in entries)
    coins = Counter(payload.secret for payload in said if isinstance(payload, CoinReveal))
    for times in coins.values():
        if times > 1:
            yield f"coin: one was thrown {times} times"


def _strayed(guest: Process, ledger: Ledger) -> Iterator[str]:
    """Yield what is wrong with a guest's log and record.

    The log must be the members' log to its end. Every entry of the record must be in the members'
    log, unless it is void.
    """
    state = guest.state
    is_ours = state.step <= len(ledger.steps) and state.head == ledger.head_before(state.step)
    if guest.is_alive and not is_ours:
        yield f"guest: the log of {guest.name} is not that of the table at step {state.step}"
    elif guest.is_alive and state.phase is not Phase.OVER and state.phase is not Phase.LOBBY:
        yield f"guest: {guest.name} has not seen the end, but step {state.step}"
    payloads, _ = read_frames(guest.records.disk.octets)
    strange = set(filter(None, map(signed_entry, payloads[1:]))) - set(ledger.entries_from(0))
    if not all(is_void(signed, ledger) for signed in strange):
        yield f"guest: the record of {guest.name} has an entry that the table has not"


def _left_standing(world: World, guest: Process) -> Iterator[str]:
    """Yield a line if a guest who wanted a seat has none, and was not told why."""
    told = [notice for notice in guest.told if isinstance(notice, SeatLater)]
    if guest.number in world.left or guest.state.phase is Phase.LOBBY:
        return
    if not told or told[-1].granted:
        said = "to wait for the next round" if told else "nothing"
        yield f"seat: {guest.name} has none, and was told: {said}"
