"""Admission to this peer's links: members, known peers, and strangers with the join code.

    anybody       at an open table: every key that proves itself is let in
    code          at any other: a stranger proves the code once, then its key is enough
    members only  where the table is not announced: the roster pins the keys, members vouch for
                  watchers, and no code helps

Wrong tries are limited: three from one address or eight from all make the host draw another code;
an address that failed must wait; and all tries together have a budget [peer.md §5]. A client that
breaks off before it has shown its proof has learned nothing, and its try is not counted.

Two addresses can exhaust that budget for as long as they please. So a person can block an address,
which gives back the tries that it used, and allow a key, which then needs no code.
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
"""The number of sources for which the player is told that somebody is asked for the join code."""
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
    """The tries of one address: `wrong` counts the wrong ones at the current code.

    `spent` counts the wrong ones at all codes, `runs` limits how many tries the address may begin,
    and until `shut_until` it may begin none.
    """

    def __init__(self, now: float) -> None:
        self.wrong = self.spent = 0
        self.shut_until = now
        self.runs = TokenBucket(1 / limits.CODE_PAUSE_S, limits.CODE_RUNS_BURST, now)

    def matters(self, now: float) -> bool:
        """Return True if forgetting these tries would allow the address more of them."""
        return bool(self.wrong) or now < self.shut_until or not self.runs.is_full(now)


@dataclass(eq=False)
class Door:
    """Decides who may come in, one link at a time.

    The caller passes the time as `now`, in monotonic seconds.
    """

    code: JoinCode | None = None
    _: KW_ONLY
    anybody: bool = False
    """True if no code is asked for."""
    known: frozenset[bytes] = frozenset()
    """Keys that need no code, such as those of this player's bots."""
    draw: Callable[[], JoinCode] = draw_code
    table_id: Callable[[], bytes] = bytes
    """Returns the id of the node's table."""
    turned_away: Callable[[PeerKey], Verdict | None] = lambda _peer: None
    """Returns the refusal for a peer to which the pool allows no link; None for any other."""
    sits: Callable[[PeerKey], bool] = lambda _peer: False
    """Returns True for a key that belongs to the node's table."""
    reaches: Callable[[PeerKey], bool] = lambda _peer: False
    """Returns True for a peer to which the pool has a direct link."""
    may_come: Callable[[PeerKey], bool] = lambda _peer: False
    """Returns True for a key that may come to the node's table; members' guests may, too."""
    members_at: Callable[[str], Collection[PeerKey]] = lambda _source: ()
    """Returns the members whose link, or last link, is from a source."""
    tell: Callable[[Trouble], None] = lambda _trouble: None
    """Called when somebody is asked for the code, after a wrong try, and when wrong tries have
    changed the code.
    """
    by_code: dict[bytes, str] = field(default_factory=dict)
    """Keys that have shown the code, with their source; they need no code any more."""
    met: frozenset[bytes] = frozenset()
    """Keys that have proved a code to this player before. They still need a code unless they are
    `known`.
    """
    blocked: set[str] = field(default_factory=set)
    """Sources from which only members come in."""
    allowed: set[str] = field(default_factory=set)
    """Long fingerprints of keys that need no code."""
    elsewhere: JoinCode | None = None
    """The code of another computer's door, if newcomers come in there and this computer shows the
    code, on a screen for the room or with a page.
    """
    came_by: JoinCode | None = None
    """The code by which this seat itself came in at another computer's door."""
    _asked: set[str] = field(default_factory=set)
    """Sources for which the player has been told that somebody is asked for the code."""
    _tries: dict[str, _Tries] = field(default_factory=dict)
    _wrong: TokenBucket = field(
        default_factory=lambda: TokenBucket(limits.CODE_WRONG_PER_S, limits.CODE_WRONG_BURST, 0.0)
    )

    @property
    def number(self) -> int:
        """The public number of the code; 0 if there is none.

        Without a code, strangers either come in freely or not at all.
        """
        return self.code.number if self.code else 0

    @property
    def shown(self) -> JoinCode | None:
        """The code to show newcomers here; None if they need none, or should not read it here."""
        return self.code or self.elsewhere

    def open(self, known: frozenset[bytes], *, anybody: bool) -> str:
        """Let strangers in from now on, `anybody` or with a code; return the code, or "".

        A code already in use is kept, and is returned even with `anybody`. The `known` keys are
        added to those that need no code.
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
        """Return `OK` if a proved key may come in from `source`, or the verdict that refuses it.

        `was_right` has already noted a key that has shown the code. Through a forwarder only
        members come in, and only those without a direct link: a direct link takes precedence.
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
        """Tell the player that somebody at `source` is asked for the code, if there is one.

        The player is told once for each source, and of at most `ASKED_TOLD_MAX` sources, because
        anybody may connect again and again.
        """
        if self.code and source not in self._asked and len(self._asked) < ASKED_TOLD_MAX:
            self._asked.add(source)
            self.tell(Trouble(TroubleKind.CODE_ASKED, (source, str(self.code))))

    def is_ours(self, peer: PeerKey) -> bool:
        """Return True if a key needs no code and has a place reserved.

        This holds for a member, a bot, a known peer, and a key that a person has allowed. A guest
        that a member vouches for has no reserved place: members may vouch for any number.
        """
        return peer in self.known or self.sits(peer) or self.is_allowed(peer)

    def is_allowed(self, peer: PeerKey) -> bool:
        """Return True if a person has let this key in by its long fingerprint."""
        return long_fingerprint(peer) in self.allowed

    def block(self, source: str, now: float) -> None:
        """Let in only members from `source`, and give back the wrong tries that came from it.

        If those tries were not given back, the common budget could remain exhausted, and newcomers
        would go on waiting. Existing links are not ended here, but by the pool.
        """
        self.blocked.add(source)
        tries = self._tries.pop(source, None)
        if tries is not None:
            self._wrong.give_back(tries.spent, now)

    def shuts_out(self, peer: PeerKey, source: str) -> bool:
        """Return True if `source` is blocked and the key is not a member's."""
        return source in self.blocked and not self.sits(peer)

    def turns_back(self, source: str) -> bool:
        """Return True if `source` is blocked and no member's last link is from it.

        Nobody can come in from there then, so a connection need not be read.
        """
        return source in self.blocked and not self.members_at(source)

    def wrong_tries(self) -> dict[str, int]:
        """Return the number of wrong codes from each remembered source, the most first."""
        spent = {source: each.spent for source, each in self._tries.items() if each.spent}
        return dict(sorted(spent.items(), key=lambda item: -item[1]))

    def knows(self, peer: bytes) -> bool:
        """Return True if this key has ever proved a join code to this player, or is `known`.

        An allowed key counts too. Being let in at an open table proves nothing.
        """
        met = peer in self.known or peer in self.by_code or peer in self.met
        return met or self.is_allowed(PeerKey(peer))

    def begin_try(self, source: str, now: float) -> JoinCode | Verdict:
        """Return the code to check a stranger's proof against, or the verdict that forbids a try.

        How often an address may begin a try is limited, except for this computer.
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
        """Count a wrong try and tell the player of it; after too many, draw another code.

        In that case the address of the last try must wait, and the player is told of the new code
        instead, if a code is still asked for.
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
        """Draw another code and reset the counts of wrong tries; return False if there is no code.

        Its number differs too, so that anybody who knows the former code sees that it has changed.
        """
        for each in self._tries.values():
            each.wrong = 0
        former = self.code
        while former is not None and self.number == former.number:
            self.code = self.draw()
        return former is not None

    def _has_room(self, now: float) -> bool:
        """Return True if one more address can be remembered; may forget some that do not matter."""
        if len(self._tries) >= limits.CODE_ADDRESSES_MAX:
            self._tries = {at: each for at, each in self._tries.items() if each.matters(now)}
        return len(self._tries) < limits.CODE_ADDRESSES_MAX
