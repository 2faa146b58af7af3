"""The budget of each key: how much cost it may still cause here, over any link [peer.md §9].

The limits of a link start over with every link, so everything that costs others is counted by key:

    an account   one key's allowance of one kind of cost; it refills with time
    the crowd    one account of each kind, shared by all strangers for whom there is no room

An account is forgotten only when it is full again, so coming back under the same key gains nothing.
Once there is no room for another account, using fresh keys gains nothing either.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final

from msgspec import Struct, field

from netgame import limits
from netgame.rates import TokenBucket
from netgame.wire import messages as wire


class Cost(Enum):
    """The kinds of cost; each value is the burst allowed at once and the refill per second."""

    CHAT = (limits.CHAT_BURST, limits.CHAT_PER_S)
    """A line on everybody's screen."""
    WISH = (limits.WISHES_BURST, limits.WISHES_PER_S)
    """A request for a seat, or its withdrawal: a signature to verify, and an answer."""
    ADMISSION = (limits.ADMISSIONS_BURST, limits.ADMISSIONS_PER_S)
    """An entry in the lobby, and one more when the link goes down."""
    PULL = (limits.PULLS_BURST, limits.PULLS_PER_S)
    """A frame of entries."""
    EVIDENCE = (limits.EVIDENCE_BURST, limits.EVIDENCE_PER_S)
    """Up to two entries to judge, or to keep aside."""
    STATEMENT = (limits.STATEMENTS_BURST, limits.STATEMENTS_PER_S)
    """A statement signed by this key, to judge and to show to all; `Decisions` charges it to its
    author."""
    MISSED = (limits.MISSED_BURST, limits.MISSED_PER_S)
    """A line on everybody's screen."""
    NEEDLESS = (limits.NEEDLESS_BURST, limits.NEEDLESS_PER_S)
    """An entry from a member that was not news."""
    NEEDLESS_GUEST = (limits.NEEDLESS_GUEST_BURST, limits.NEEDLESS_GUEST_PER_S)
    """An entry from a guest that was not news, received at a seat."""


_COSTS: Final[dict[type[object], Cost]] = {
    wire.Chat: Cost.CHAT,
    wire.Again: Cost.CHAT,
    wire.JoinAsk: Cost.WISH,
    wire.Watch: Cost.WISH,
    wire.Pull: Cost.PULL,
    wire.Evidence: Cost.EVIDENCE,
    wire.Missed: Cost.MISSED,
    wire.InTouch: Cost.MISSED,
}


class Budget(Struct):
    """The accounts of all keys at one table.

    A key that belongs to the table always has accounts of its own.
    """

    _belongs: Callable[[bytes], bool]
    _accounts: dict[tuple[bytes, Cost], TokenBucket] = {}
    _crowd: dict[Cost, TokenBucket] = {}
    _lobby: TokenBucket = field(
        default_factory=lambda: TokenBucket(limits.LOBBY_PER_S, limits.LOBBY_BURST, 0.0)
    )

    def may(self, key: bytes, cost: Cost, now: float, number: int = 1) -> bool:
        """Return whether this key may cause this cost `number` more times; count them if so."""
        return self._account(key, cost, now).take_all(number, now)

    def is_spent(self, key: bytes, cost: Cost, now: float) -> bool:
        """Return True if this key may not cause this cost even once now; count nothing."""
        return self._account(key, cost, now).would_wait(now)

    def may_say(self, key: bytes, message: wire.LinkMessage, now: float) -> bool:
        """Return whether a message's cost is within its sender's allowance; count it if so.

        True for a message that costs nothing.
        """
        cost = _COSTS.get(type(message))
        return cost is None or self.may(key, cost, now)

    def may_admit(self, key: bytes, now: float) -> bool:
        """Return whether the lobby may write an admission of this key; count it if so.

        Admissions are limited for each key and for all keys together.
        """
        if self._lobby.would_wait(now) or not self.may(key, Cost.ADMISSION, now):
            return False
        return self._lobby.take_all(1, now)

    def _account(self, key: bytes, cost: Cost, now: float) -> TokenBucket:
        """Return the account of this key, or the crowd's if there is no room for another.

        A new account is full. Accounts that are full again are forgotten to make room.
        """
        if (key, cost) in self._accounts:
            return self._accounts[key, cost]
        if len(self._accounts) >= limits.KEYS_COUNTED_MAX:
            # An account that is full again is no different from a new one.
            spent = (each for each in self._accounts.items() if not each[1].is_full(now))
            self._accounts = dict(spent)
        burst, per_s = cost.value
        fresh = TokenBucket(per_s, burst, now)
        if len(self._accounts) >= limits.KEYS_COUNTED_MAX and not self._belongs(key):
            return self._crowd.setdefault(cost, fresh)
        return self._accounts.setdefault((key, cost), fresh)
