"""Pairs of statements that convict their author, because no honest seat signs both.

A pair and the proposals that it names are all the evidence needed. Two accepts of different values
are such a pair only if they are of one ballot: an honest seat may sign them in different ballots. A
seat that lost its journal would forget what it has signed, and could sign such a pair by mistake.
So a program without its journal signs no statements.
"""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from netgame.wire.statements import (
    NO_BALLOT,
    NOTHING,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    author,
)


class Written(NamedTuple):
    """The fields of an entry that decide whether a statement beside it convicts its author."""

    seat: int
    """Its author."""
    poll: int
    """The poll that was open when it was signed."""
    step: int
    prev: bytes
    """The digest of the step before, to which it links."""


class Pair(Enum):
    """The reasons why two statements, or a statement and an entry, convict their author."""

    TWICE = "two statements of one kind where a seat signs one"
    FORGOT = "what had been accepted is not said later"
    TOOK_BACK = "a later promise says less of the log, or less was accepted"
    CAME_BACK = "something signed after a parting"
    WENT_ON = "an entry that a promise rules out"


Find = Callable[[bytes], Proposal | None]
"""Returns the proposal with a given name, or None if it is not at hand."""


def convicting(one: Statement, other: Statement, find: Find) -> Pair | None:
    """Return why these two statements convict their author, or None if they do not.

    They do not if an honest seat may sign both, if they are of different seats or epochs, or if
    they are the same statement. None also if `find` does not find a proposal that would be needed.
    """
    if one == other or one.id != other.id or author(one) != author(other):
        return None
    # Statements carry no time: either may be the earlier one.
    return _ordered(one, other, find) or _ordered(other, one, find)


def went_on(said: Promise | Parting, entry: Written) -> Pair | None:
    """Return why an entry and a promise or parting of one seat convict it, or None if they do not.

    None also if they are of different seats. The caller makes sure that both are of one epoch.
    """
    if entry.seat != said.seat:
        return None
    if entry.poll > said.poll:
        return Pair.CAME_BACK if isinstance(said, Parting) else None
    # An entry of an earlier poll counts, too: `last` covers all that the seat had signed.
    is_behind = entry.step > said.last
    is_astray = entry.step == said.step and entry.prev != said.head
    return Pair.WENT_ON if is_behind or is_astray else None


def _ordered(one: Statement, other: Statement, find: Find) -> Pair | None:
    if isinstance(one, Parting):
        return _after_parting(one, other, find)
    # Polls are separate decisions. Only a parting holds beyond its own.
    if one.poll != other.poll:
        return None
    match one, other:
        case Proposal(), Proposal():
            return Pair.TWICE if one.ballot == other.ballot else None
        case Promise(), Promise():
            is_same = one.ballot == other.ballot
            return Pair.TWICE if is_same else _taken_back(one, other, other.ballot, find)
        case Accept(), Accept():
            ballots = [found.ballot for each in (one, other) if (found := find(each.proposal))]
            return Pair.TWICE if len(ballots) == 2 and ballots[0] == ballots[1] else None
        case Accept(), Promise() | Parting():
            return _forgotten(one, other, find)
    return None


def _after_parting(parting: Parting, other: Statement, find: Find) -> Pair | None:
    """Return why a parting and another statement of its seat convict it, or None."""
    if isinstance(other, Parting):
        return Pair.TWICE
    if other.poll > parting.poll:
        return Pair.CAME_BACK
    if isinstance(other, Promise) and other.poll == parting.poll:
        if other.ballot > parting.promised:
            return Pair.CAME_BACK
        return _taken_back(other, parting, parting.promised, find)
    return None


def _taken_back(
    first: Promise, later: Promise | Parting, ballot: Ballot, find: Find
) -> Pair | None:
    if first.ballot > ballot:
        return None
    # A log only grows within a poll, and the first promise has fixed `last`.
    if later.step < first.step or later.last != first.last:
        return Pair.TOOK_BACK
    return Pair.TOOK_BACK if _says_less(later, first.accepted, find) else None


def _forgotten(accept: Accept, said: Promise | Parting, find: Find) -> Pair | None:
    proposal = find(accept.proposal)
    # A promise of the same ballot came before the accept, so it could not name it.
    if proposal is None or (isinstance(said, Promise) and said.ballot <= proposal.ballot):
        return None
    return Pair.FORGOT if _says_less(said, accept.proposal, find) else None


def _says_less(said: Promise | Parting, accepted: bytes, find: Find) -> bool:
    """Return True if a later statement hides a proposal that its seat had accepted.

    It does so if it names no proposal, one of a lower ballot, or a different one of the same
    ballot. False if `find` does not find one of the two.
    """
    before, after = (
        NO_BALLOT if n == NOTHING else _ballot(n, find) for n in (accepted, said.accepted)
    )
    if before is None or after is None:
        return False
    return after < before or (after == before and said.accepted != accepted)


def _ballot(name: bytes, find: Find) -> Ballot | None:
    found = find(name)
    return None if found is None else found.ballot
