"""How it was decided that seats go, as the certificate of the poll shows [§4.7].

It shows which seats named which, and which said farewell. It cannot show whether somebody was
really away, nor what was received and kept back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from netgame.protocol.epochs.company import Company
from netgame.protocol.fold.phases import Member
from netgame.protocol.ledger.poll import Decision, key_of
from netgame.protocol.text import fingerprint
from netgame.wire.statements import (
    Accept,
    Parting,
    Promise,
    Proposal,
    Statement,
    author,
    bit,
    seats_in,
)


class Seating(Protocol):
    """The seats of a table, as needed to name a member: a `State`, or a log read without rules."""

    @property
    def host(self) -> bytes:
        """The key of the host, who opened the table."""

    @property
    def company(self) -> Company:
        """The seats, epoch by epoch."""

    def member(self, key: bytes) -> Member | None:
        """The member with this key; None if nobody has sat here with it."""


@dataclass(frozen=True, slots=True)
class GoneSeat:
    """One seat that has gone, by its `name` and `key`; it went where `step` was due.

    Rounds count from 0. With `farewell` it left of its own accord. Otherwise the members
    `named_by`, more than half, named it, which was enough; those `not_needed` did not name this
    seat, or their promises were not counted. `promised`: the seat itself took part in the deciding
    ballot.
    """

    name: str
    key: bytes
    step: int
    round_number: int
    farewell: bool
    named_by: tuple[str, ...]
    not_needed: tuple[str, ...]
    promised: bool


def departures_of(table: Seating, decision: Decision) -> tuple[GoneSeat, ...]:
    """How each seat that goes by this decision went; `table` already has the decision behind it."""
    return tuple(_departures(table, decision)) if decision.goes else ()


def _departures(table: Seating, decision: Decision) -> Iterator[GoneSeat]:
    said = {each.name: each.statement for each in decision.said}
    last = decision.proposal
    first = _fresh(said, last)
    epoch = table.company.of_id(decision.book.id)
    assert epoch is not None, "what is decided belongs to an epoch"
    counted = [said[name] for name in first.counted]
    parted = {key_of(table.company, each) for each in counted if isinstance(each, Parting)}
    promises = {each.seat: each for each in counted if isinstance(each, Promise)}
    took_part = {author(each) for each in said.values() if _takes_part(each, last)}
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
            *(name, key, decision.step, decision.round_number, farewell),
            *(names(sorted(named)), names(others), seat in took_part),
        )


def _fresh(said: dict[bytes, Statement], proposal: Proposal) -> Proposal:
    """The proposal in which the value was fresh: each later one repeats what had been accepted."""
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


def _takes_part(each: Statement, proposal: Proposal) -> bool:
    if isinstance(each, Promise):
        return each.ballot == proposal.ballot
    return isinstance(each, Accept)
