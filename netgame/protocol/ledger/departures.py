"""The seats that have gone, and how, as the certificates of the polls tell [§4.7].

A certificate shows which seats named which as missing, and which left of their own accord. It
cannot show that somebody was really away, or what a seat received and withheld.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from netgame.protocol.epochs.cut import seats_of
from netgame.protocol.ledger.poll import Decision, key_of
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.protocol.text import fingerprint
from netgame.wire.statements import Accept, Parting, Promise, Proposal, Statement, bit, seats_in


@dataclass(frozen=True, slots=True)
class GoneSeat:
    """One seat that has gone, with the circumstances that the log and the certificate show."""

    name: str
    """The fingerprint of the key if it never was a member."""
    key: bytes
    step: int
    """The step that was due where it went."""
    round_number: int
    """The round in play, from 0."""
    farewell: bool
    """It left of its own accord; then nobody is named below."""
    named_by: tuple[str, ...]
    """The members who named it: more than half, which is enough."""
    not_needed: tuple[str, ...]
    """The members who stay and did not name it, or whose promises were not counted."""
    promised: bool
    """The seat itself took part in the ballot that decided."""
    phase: Phase
    """The phase in which it went."""
    owing: bool
    """It owed an entry there. It may have written one: entries that a decision makes void do not
    count here."""

    @property
    def while_dealing(self) -> bool:
        """True if it went while it owed shares of the dealt hands; all hands are then dealt again.

        It may have given its shares to a single seat, which could then see a hand.
        """
        return self.owing and self.phase is Phase.SHARES

    @property
    def while_drawing(self) -> bool:
        """True if it went while it owed a share of a tile that somebody drew or turned up."""
        return self.owing and self.phase is Phase.DRAWN


def departures_of(table: State, decision: Decision) -> Iterator[GoneSeat]:
    """Yield a `GoneSeat` for each seat that this decision removes, in ascending order of seats.

    `table` is a state after the decision.
    """
    said = {each.name: each.statement for each in decision.said}
    last = decision.proposal
    first = _fresh(said, last)
    epoch = table.company.of_id(decision.book.id)
    # The callers ask about decisions of this log, each of which closed an epoch.
    assert epoch is not None, "what is decided belongs to an epoch"
    counted = [said[name] for name in first.counted]
    parted = {key_of(table.company, each) for each in counted if isinstance(each, Parting)}
    promises = {each.seat: each for each in counted if isinstance(each, Promise)}
    took_part = seats_of(
        each
        for each in said.values()
        if isinstance(each, Accept) or (isinstance(each, Promise) and each.ballot == last.ballot)
    )
    voters = [seat for seat in seats_in(epoch.voters) if not decision.goes & bit(seat)]

    def names(seats: list[int]) -> tuple[str, ...]:
        members = (table.member(epoch.keys[seat]) for seat in seats)
        return tuple(member.name for member in members if member is not None)

    for seat in seats_in(decision.goes):
        key = epoch.keys[seat]
        name = "".join(names([seat])) or fingerprint(key)  # a guest that never had a seat has none
        farewell = key in parted
        named = [] if farewell else [s for s, p in promises.items() if p.without & bit(seat)]
        others = [] if farewell else [each for each in voters if each not in named]
        yield GoneSeat(
            name=name,
            key=key,
            step=decision.step,
            round_number=decision.round_number,
            farewell=farewell,
            named_by=names(sorted(named)),
            not_needed=names(others),
            promised=bool(took_part & bit(seat)),
            phase=decision.phase,
            owing=seat in decision.owing,
        )


def _fresh(said: dict[bytes, Statement], proposal: Proposal) -> Proposal:
    """Return the proposal in which the value was fresh: this one, or one that it goes back to.

    Every proposal after that one repeats the value accepted in the highest ballot below its own.
    """
    while accepted := [each for each in _accepted(said, proposal) if each.ballot < proposal.ballot]:
        proposal = max(accepted, key=lambda each: each.ballot)
    return proposal


def _accepted(said: dict[bytes, Statement], proposal: Proposal) -> Iterator[Proposal]:
    for name in proposal.counted:
        each = said[name]
        if not isinstance(each, Promise | Parting) or each.id != proposal.id:
            continue
        found = said.get(each.accepted) if each.poll == proposal.poll else None
        if isinstance(found, Proposal):
            yield found
