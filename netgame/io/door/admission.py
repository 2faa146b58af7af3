"""Admission to this peer's links: members, known peers, and strangers with the join code.

    anybody       at an open table: every key that proves itself comes in
    code          at any other: a stranger proves the code once, then its key is enough
    members only  where the table is not announced: the roster pins the keys, members vouch for
                  watchers, and no code helps

Wrong tries are limited: three from one address or eight from all make the host draw another code;
an address that failed must wait; and all tries together have a budget [peer.md §5]. A try that is
broken off before the client has shown its proof tells it nothing and is not counted.

Two addresses can use that budget up for as long as they please. So a person can have an address
`blocked`, which gives back what it has used, and have a key `allowed`, which then needs no code.
"""

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass, field
from typing import Final

from netgame import limits
from netgame.io.door.codes import JoinCode, draw_code
from netgame.io.network.streams import HERE
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.text import long_fingerprint
from netgame.rates import TokenBucket
from netgame.wire.messages import Verdict

ASKED_TOLD_MAX: Final = 16
"""The player is told of so many sources from which somebody is asked for the join code."""
OK: Final = Verdict("ok", "")
CODE_WANTED: Final = Verdict("code", "this table asks strangers for its join code")
WRONG_CODE: Final = Verdict("wrong-code", "the join code is wrong")
FULL: Final = Verdict("full", "too many peers are connected already")
FLOODED: Final = Verdict("flood", "this peer has sent far too much; wait a minute")
MEMBERS_ONLY: Final = Verdict("stranger", "newcomers get in where the table is announced, not here")
BUSY: Final = Verdict("busy", "somebody has tried too many join codes there; wait a minute")
BLOCKED: Final = Verdict("blocked", "that table lets nobody new in from your address")
FORWARDED: Final = Verdict(
    "forwarded",
    "only players of that table may connect through another player, and never with a join code",
)
LINKED: Final = Verdict("linked", "there is a direct link already")
_NO_CODE: Final = Verdict("open", "that table asks for no join code")


class _Tries:
    """The tries of one address: `wrong` ones at the present code, and until when it must wait.

    `spent` are the wrong ones at all codes; `runs` limits how many it may begin.
    """

    def __init__(self, now: float) -> None:
        self.wrong = self.spent = 0
        self.shut_until = now
        self.runs = TokenBucket(1 / limits.CODE_PAUSE_S, limits.CODE_RUNS_BURST, now)

    def matters(self, now: float) -> bool:
        """Whether forgetting it would gain the address anything."""
        return bool(self.wrong) or now < self.shut_until or not self.runs.is_full(now)


@dataclass(eq=False)
class Door:
    """Decides about one link at a time; `now` is monotonic seconds and is handed in."""

    code: JoinCode | None = None
    _: KW_ONLY
    anybody: bool = False
    """No code is asked for."""
    known: frozenset[bytes] = frozenset()
    """Keys that need no code, such as those of our bots."""
    draw: Callable[[], JoinCode] = draw_code
    table_id: Callable[[], bytes] = bytes
    """Asks the node for the id of its table."""
    turned_away: Callable[[PeerKey], Verdict | None] = lambda _peer: None
    """Says why the pool has no link for a peer; None if it has."""
    sits: Callable[[PeerKey], bool] = lambda _peer: False
    """Says whether a key belongs to the node's table."""
    reaches: Callable[[PeerKey], bool] = lambda _peer: False
    """Says whether the pool has a direct link to a peer."""
    may_come: Callable[[PeerKey], bool] = lambda _peer: False
    """Says whether a key may come to that table, as guests of members may, too."""
    members_at: Callable[[str], Collection[PeerKey]] = lambda _source: ()
    """Says which members are at a source."""
    tell: Callable[[Trouble], None] = lambda _trouble: None
    """Told who is asked for the code, of wrong tries, and of another code that they led to."""
    by_code: dict[bytes, str] = field(default_factory=dict)
    """Keys that have shown the code, with their source; they need none any more."""
    met: frozenset[bytes] = frozenset()
    """Keys that have proved a code to this player before. They do not come in without one where
    they are not `known`."""
    blocked: set[str] = field(default_factory=set)
    """Sources from which only members come in."""
    allowed: set[str] = field(default_factory=set)
    """Long fingerprints of keys that need no code."""
    elsewhere: JoinCode | None = None
    """The code of the door by which newcomers come in now, where that is another computer's and
    this one's screen shows it to a room, or with a page."""
    came_by: JoinCode | None = None
    """The code by which this seat itself has come in at another computer's door."""
    _asked: set[str] = field(default_factory=set)
    """Sources of which it was told that somebody there is asked for the code."""
    _tries: dict[str, _Tries] = field(default_factory=dict)
    _wrong: TokenBucket = field(
        default_factory=lambda: TokenBucket(limits.CODE_WRONG_PER_S, limits.CODE_WRONG_BURST, 0.0)
    )

    @property
    def number(self) -> int:
        """The public number of the code; 0 without one: strangers need none, or do not get in."""
        return self.code.number if self.code else 0

    @property
    def shown(self) -> JoinCode | None:
        """The code to show newcomers here; None if they need none, or are not to read it here."""
        return self.code or self.elsewhere

    def open(self, known: frozenset[bytes], *, anybody: bool) -> str:
        """Let strangers in from now on, `anybody` or with a code; returns the code, or "".

        A code that was already asked for is kept, and then returned even with `anybody`; `known`
        keys need none, nor do those from before.
        """
        self.known |= known
        self.anybody = anybody
        if not anybody:
            self.code = self.code or self.draw()
        return str(self.code or "")

    def shut(self) -> None:
        """Let in no more strangers; keys that are known or have shown the code still come in."""
        self.anybody, self.code = False, None

    def admit(self, peer: PeerKey, source: str = "", forwarder: bytes = b"") -> Verdict:
        """Return `OK` if a proved key may come in from there, else the verdict that refuses it.

        A key that has shown the code was noted by `was_right` before. By a forwarder come members
        alone, and only those without a direct link: that one stands.
        """
        if forwarder and not self.sits(peer):
            return FORWARDED
        away = self.turned_away(peer)
        if away is not None:
            return away
        if forwarder and self.reaches(peer):
            return LINKED
        if self.shuts_out(peer, source):
            return BLOCKED
        if self.anybody or peer in self.by_code or self.is_ours(peer) or self.may_come(peer):
            return OK
        self._tell_asked(source)
        return CODE_WANTED if self.code else MEMBERS_ONLY

    def _tell_asked(self, source: str) -> None:
        """Tell that somebody there is asked for the code, if there is one.

        Once each, and of so many: anybody may knock for ever.
        """
        if self.code and source not in self._asked and len(self._asked) < ASKED_TOLD_MAX:
            self._asked.add(source)
            self.tell(Trouble(TroubleKind.CODE_ASKED, (source, str(self.code))))

    def is_ours(self, peer: PeerKey) -> bool:
        """Whether this key needs no code and has a reserved place: a member, a bot, a known peer.

        So does one that is allowed. A guest that a member vouches for has none reserved: members
        may vouch for ever more.
        """
        return peer in self.known or self.sits(peer) or self.is_allowed(peer)

    def is_allowed(self, peer: PeerKey) -> bool:
        """Whether a person has let this key in by its long fingerprint."""
        return long_fingerprint(peer) in self.allowed

    def block(self, source: str, now: float) -> None:
        """Let in nobody but members from there, and give back the wrong tries that came from there.

        Without that the budget of all would stay used up, and newcomers wait on. The links that are
        there are the pool's.
        """
        self.blocked.add(source)
        tries = self._tries.pop(source, None)
        if tries is not None:
            self._wrong.give_back(tries.spent, now)

    def shuts_out(self, peer: PeerKey, source: str) -> bool:
        """Whether this key may not come from there: the address is blocked, and it is no member."""
        return source in self.blocked and not self.sits(peer)

    def turns_back(self, source: str) -> bool:
        """Whether nobody can come in from there, so that nothing need be heard of a connection."""
        return source in self.blocked and not self.members_at(source)

    def wrong_tries(self) -> dict[str, int]:
        """How many wrong codes came from which source, most first; of those that are remembered."""
        spent = {source: each.spent for source, each in self._tries.items() if each.spent}
        return dict(sorted(spent.items(), key=lambda item: -item[1]))

    def knows(self, peer: bytes) -> bool:
        """Whether a join code has proved this key to us, now or before, or it is a bot of ours.

        Being let in at an open table proves nothing.
        """
        met = peer in self.known or peer in self.by_code or peer in self.met
        return met or self.is_allowed(PeerKey(peer))

    def begin_try(self, source: str, now: float) -> JoinCode | Verdict:
        """The code to check a stranger's proof against, or why it may not try now.

        Each try counts towards those that one address may begin, except on this computer.
        """
        if self.code is None:
            return _NO_CODE
        if source in self.blocked:
            return BLOCKED
        if self._wrong.would_wait(now) or (source not in self._tries and not self._has_room(now)):
            return BUSY
        tries = self._tries.setdefault(source, _Tries(now))
        may_try = now >= tries.shut_until and (source == HERE or tries.runs.take_all(1, now))
        return self.code if may_try else BUSY

    def was_right(self, peer: PeerKey, source: str) -> None:
        """Note that this key has shown the code, and no longer needs it.

        The tries of its source are forgotten.
        """
        self.by_code[peer] = source
        self._tries.pop(source, None)

    def was_wrong(self, source: str, now: float) -> None:
        """Count a wrong try, and tell of it; after too many, draw another code.

        That is told instead, if a code is still asked for; the address of the last try must wait.
        """
        self._wrong.take(1, now)
        tries = self._tries.setdefault(source, _Tries(now))
        tries.wrong += 1
        tries.spent += 1
        in_all = sum(each.wrong for each in self._tries.values())
        if tries.wrong < limits.CODE_TRIES_PER_ADDRESS and in_all < limits.CODE_TRIES_MAX:
            self.tell(Trouble(TroubleKind.WRONG_CODE, (source,)))
            return
        tries.shut_until = now + limits.CODE_WAIT_S
        if self.change_code():
            self.tell(Trouble(TroubleKind.CODE_CHANGED, (source, str(self.code))))

    def change_code(self) -> bool:
        """Draw another code, with no wrong tries counted yet; False if no code is asked for.

        Its number is another too: whoever knows the former code sees that it has changed.
        """
        for each in self._tries.values():
            each.wrong = 0
        former = self.code
        while former is not None and self.number == former.number:
            self.code = self.draw()
        return former is not None

    def _has_room(self, now: float) -> bool:
        """Whether one more address can be remembered; forgets those without effect if need be."""
        if len(self._tries) >= limits.CODE_ADDRESSES_MAX:
            self._tries = {at: each for at, each in self._tries.items() if each.matters(now)}
        return len(self._tries) < limits.CODE_ADDRESSES_MAX
