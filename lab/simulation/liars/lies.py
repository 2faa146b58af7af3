"""The faults that a liar can sign at any moment, made from its own log.

Each function of the type `Make` makes one lie, or returns None if the liar cannot tell it now. Its
`chance` picks the entries and statements to use.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.cheat import flip
from lab.simulation.cheats.words import accept, last_step, own, parting, promise, proposal
from lab.simulation.computers.chance import Chance
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.ledger.poll import Decision
from netgame.protocol.log.entry import Entry, ReceivedStatement, sign_entry, sign_statement
from netgame.wire import messages as wire
from netgame.wire.statements import NO_BALLOT, NOTHING, Ballot, Parting, Promise, Statement, bit

_NEAR: Final = 6
"""How many of a liar's last entries have slots whose forks can still part somebody."""


class Breach(Enum):
    """The kinds of signed fault; the report counts the lies of each kind."""

    BAD_ENTRY = "bad entry"
    FORK = "fork"
    PAIR = "pair"
    BESIDE = "beside"
    FALSE_STATEMENT = "false statement"
    SHOWN = "shown"


class Told(NamedTuple):
    """A lie: the messages to send, with entries and statements, or with evidence."""

    lie: Breach
    one: tuple[wire.LinkMessage, ...]
    """The messages to one half of its hearers."""
    other: tuple[wire.LinkMessage, ...]
    """The messages to the other half."""
    good: wire.SignedEntry | None = None
    """The true entry in these messages, if there is one."""
    instead: bool = False
    """True if the liar does not write the true entry as well."""


Make = Callable[[Bent, Chance], Told | None]


def entries(*signed: wire.SignedEntry) -> wire.LinkMessage:
    """Return a message with these entries."""
    return wire.Entries(signed)


def statements(*said: ReceivedStatement) -> wire.LinkMessage:
    """Return a message with these statements."""
    return wire.Statements(tuple(each.signed for each in said))


def signed(core: Bent, seat: int, payload: wire.Payload, **changes: object) -> wire.SignedEntry:
    """Return an entry of the liar's for the due step, with these changes to its body."""
    state, poll = core.state, core.ledger.poll.number
    body = wire.Body(state.log_id, state.step, state.head, seat, poll, payload)
    return sign_entry(core.context.signer, replace(body, **changes))


def otherwise(payload: wire.Payload) -> wire.Payload | None:
    """Return a different payload of the same kind that also passes 7.8 to 7.12.

    Return None for a kind of payload for which this module makes no other.
    """
    match payload:
        case wire.KeyCommit():
            return wire.KeyCommit(payload.round, flip(payload.commitment))
        case wire.CoinCommit():
            return wire.CoinCommit(flip(payload.commitment))
        case wire.Proof():
            return replace(payload, proof=flip(payload.proof))
    return None


def twin(core: Bent, body: wire.Body) -> wire.SignedEntry | None:
    """Return a second valid entry for the slot of this body, or None if none can be made."""
    if body.poll:
        return sign_entry(core.context.signer, replace(body, poll=body.poll - 1))
    payload = otherwise(body.payload)
    return (
        None if payload is None else sign_entry(core.context.signer, replace(body, payload=payload))
    )


def own_entries(core: Bent) -> list[Entry]:
    """Return the liar's own entries in its log, newest first."""
    ledger = core.ledger
    return [each for each in ledger.newest_first() if ledger.key_of(each) == core.key]


# ---- entries ------------------------------------------------------------------------------------


def out_of_turn(core: Bent, _: Chance) -> Told | None:
    """Make an entry for the due step that nobody could accept."""
    seat = core.state.company.now.seat_of(core.key)
    if seat is None or not core.context.sits(core.key):
        return None
    lie = entries(signed(core, seat, wire.Roster(bytes(64))))
    return Told(Breach.BAD_ENTRY, (lie,), (lie,))


def anothers_step(core: Bent, chance: Chance) -> Told | None:
    """Make an entry for a closed step in which somebody else was due."""
    state, ledger = core.state, core.ledger
    first = state.company.sessions[0][0] if state.company.sessions else state.step
    here = [
        step
        for step in range(first, state.step)
        if state.company.at(step).has(core.key)
        and ledger.steps[step]
        and core.key not in map(ledger.key_of, ledger.steps[step])
    ]
    if not here:
        return None
    step = chance.pick(here)
    seat = state.company.at(step).seat_of(core.key)
    of = ledger.steps[step][0]
    body = wire.Body(of.id, step, ledger.head_before(step), seat or 0, of.poll, wire.Checked(0))
    lie = entries(sign_entry(core.context.signer, body))
    return Told(Breach.BAD_ENTRY, (lie,), (lie,))


def _fork(core: Bent, chance: Chance) -> tuple[Entry, wire.SignedEntry] | None:
    """Return one of the liar's entries and a second one for its slot.

    Return None if the log contains no entry of the liar's.
    """
    mine = own_entries(core)
    mine = mine[:_NEAR] if chance.once_in(2) else mine
    if not mine:
        return None
    entry = chance.pick(mine)
    body = wire.Body(entry.id, entry.step, entry.prev, entry.seat, entry.poll, entry.payload)
    other = twin(core, body)
    if other is None or chance.once_in(3):
        changed = replace(body, payload=wire.Checked(5))
        changed = replace(changed, prev=bytes(64)) if chance.once_in(2) else changed
        other = sign_entry(core.context.signer, changed)
    return entry, other


def second_body(core: Bent, chance: Chance) -> Told | None:
    """Make a second entry for a slot that the liar has filled, recently or long ago."""
    found = _fork(core, chance)
    if found is None:
        return None
    lie = entries(found[1])
    return Told(Breach.FORK, (lie,), (lie,))


def own_evidence(core: Bent, chance: Chance) -> Told | None:
    """Make evidence against the liar itself: both bodies of a fork."""
    found = _fork(core, chance)
    if found is None:
        return None
    lie = wire.Evidence((found[0].signed, found[1]))
    return Told(Breach.FORK, (lie,), (lie,))


# ---- statements ---------------------------------------------------------------------------------


def _has_vote(core: Bent) -> bool:
    seat = core.state.company.now.seat_of(core.key)
    return seat is not None and bool(core.state.company.now.voters & bit(seat))


def two_promises(core: Bent, chance: Chance) -> Told | None:
    """Make two promises of one ballot, two partings, or one of each, that contradict each other."""
    if not _has_vote(core):
        return None
    seat = core.state.company.now.seat_of(core.key) or 0
    ballot = Ballot(1 + chance.below(3), seat)
    last = last_step(core, seat)
    others = core.ledger.poll.cut.company & ~bit(seat)
    one = promise(core, ballot, last=last)
    two = promise(core, ballot, last=last, without=others & -others)
    match chance.below(3):
        case 0:
            one = parting(core, last=last)
        case 1:
            one, two = parting(core, last=last), parting(core, ballot, last=last)
    return _apart(chance, (one,), (two,))


def _apart(
    chance: Chance, one: tuple[ReceivedStatement, ...], two: tuple[ReceivedStatement, ...]
) -> Told:
    """Return a lie of two contradictory groups of statements.

    Either all hearers get both groups, or each half of them gets one.
    """
    if chance.once_in(2):
        return Told(Breach.PAIR, (statements(*one),), (statements(*two),))
    both = (statements(*one, *(each for each in two if each not in one)),)
    return Told(Breach.PAIR, both, both)


def two_proposals(core: Bent, chance: Chance) -> Told | None:
    """Make two contradictory proposals in the liar's own ballot, and sometimes an accept of each.

    This needs the promises of a quorum for that ballot.
    """
    if not _has_vote(core):
        return None
    poll = core.ledger.poll
    seat = core.state.company.now.seat_of(core.key)
    mine = (poll.cut.statements[name] for name in own(core, Promise))
    ballots = [each.ballot for each in mine if isinstance(each, Promise)]
    ballots = [each for each in ballots if each.owner == seat]
    found = best_proposal(poll.cut, ballots[-1]) if ballots else None
    if found is None:
        return None
    value, names = found
    said = [poll.said[name] for name in names if name in poll.said]
    proposes = partial(proposal, core, ballots[-1], names, step=value.step, head=value.head)
    one = proposes(goes=value.goes)
    two = proposes(goes=0 if value.goes else bit(seat or 0))
    if chance.once_in(2):
        return _apart(chance, (*said, one), (*said, two))
    both = accept(core, one.name), accept(core, two.name)
    return _apart(chance, (*said, one, both[0]), (*said, two, both[1]))


def old_pair(core: Bent, chance: Chance) -> Told | None:
    """Make two contradictory promises or partings of a poll that is over."""
    company = core.state.company
    polls = list(_polls_with(core))
    if not polls:
        return None
    decision = chance.pick(polls)
    book, stop = decision.book, decision.proposal
    epoch = company.of_id(book.id)
    seat = (epoch.seat_of(core.key) if epoch is not None else None) or 0
    at = (book.id, book.number, seat)
    where = (stop.step, stop.head)
    ballot = Ballot(9, seat)
    made: list[Statement]
    match chance.below(3):
        case 0:
            lasts = (stop.step, stop.step - 1)
            made = [Promise(*at, ballot, *where, last, 0, NOTHING) for last in lasts]
        case 1:
            made = [
                Parting(*at, each, *where, stop.step - 1, NOTHING) for each in (NO_BALLOT, ballot)
            ]
        case _:
            later = Ballot(10, seat)
            made = [
                Promise(*at, ballot, *where, stop.step - 1, 0, NOTHING),
                Promise(*at, later, *where, stop.step, 0, NOTHING),
            ]
    one, two = (sign_statement(core.context.signer, each) for each in made)
    return _apart(chance, (one,), (two,))


def _polls_with(core: Bent) -> Iterator[Decision]:
    """Yield the closed polls in which this key had a vote."""
    company = core.state.company
    for decision in core.ledger.decisions:
        epoch = company.of_id(decision.book.id)
        seat = None if epoch is None else epoch.seat_of(core.key)
        if seat is not None and decision.book.cut.company & bit(seat):
            yield decision


def promise_below(core: Bent, chance: Chance) -> Told | None:
    """Make a promise that contradicts an entry that the liar has signed in the open poll."""
    poll = core.ledger.poll
    mine = [e for e in own_entries(core) if e.id == poll.id and e.poll == poll.number]
    if not mine or not _has_vote(core):
        return None
    step = mine[min(len(mine) - 1, chance.below(3))].step
    at = promise(core, step=step, last=max(0, step - 1)) if step else None
    if at is None:
        return None
    lie = statements(at)
    return Told(Breach.BESIDE, (lie,), (lie,))


def false_statement(core: Bent, chance: Chance) -> Told | None:
    """Make a promise that no honest seat could make, whatever its log contains."""
    if not _has_vote(core):
        return None
    seat = core.state.company.now.seat_of(core.key) or 0
    if chance.once_in(2):
        said = promise(core, last=core.state.step + 3)
    else:
        said = promise(core, without=bit(seat))
    return Told(Breach.FALSE_STATEMENT, (statements(said),), (statements(said),))


UNASKED: Final[tuple[Make, ...]] = (
    out_of_turn, out_of_turn, anothers_step, anothers_step, second_body, second_body, second_body,
    own_evidence, old_pair, old_pair, false_statement, false_statement, two_promises,
    two_proposals, promise_below,
)  # fmt: skip
"""Lies of a key that has a seat."""

OF_THE_PAST: Final[tuple[Make, ...]] = (
    anothers_step, second_body, own_evidence, own_evidence, old_pair, two_promises,
)  # fmt: skip
"""Lies of a key that has lost its seat."""


# ---- in the place of what is due ----------------------------------------------------------------


class Armed(Enum):
    """The lies that wait until an entry of the liar's is due."""

    INSTEAD = "a bad entry, and no other"
    BESIDE_GOOD = "a bad entry to some, the good one to all"
    FORK = "two legal bodies, the good one to all"
    APART = "two legal bodies, one to each half"
    PROMISED = "a promise that rules the entry out"
    SHUFFLE = "a false shuffle proof"


def in_place_of(core: Bent, seat: int, payload: wire.Payload, armed: Armed) -> Told | None:
    """Return the armed lie when this payload is due, or None if the lie is impossible now."""
    good = signed(core, seat, payload)
    bad = entries(signed(core, seat, wire.Roster(bytes(64))))
    match armed:
        case Armed.INSTEAD | Armed.BESIDE_GOOD:
            return Told(Breach.BAD_ENTRY, (bad,), (bad,), None, armed is Armed.INSTEAD)
        case Armed.FORK | Armed.APART:
            state, poll = core.state, core.ledger.poll.number
            body = wire.Body(state.log_id, state.step, state.head, seat, poll, payload)
            other = twin(core, body)
            if other is None:
                return None
            is_apart = armed is Armed.APART
            rest = (entries(good),) if is_apart else ()
            return Told(Breach.FORK, (entries(other),), rest, good, is_apart)
        case Armed.PROMISED:
            said = promise(core, last=max(0, core.state.step - 1)) if _has_vote(core) else None
            if said is None:
                return None
            return Told(Breach.BESIDE, (statements(said),), ())
        case Armed.SHUFFLE:
            if not isinstance(payload, wire.Proof):
                return None
            lie = entries(signed(core, seat, replace(payload, proof=flip(payload.proof))))
            return Told(Breach.SHOWN, (lie,), (lie,), None, instead=True)
