"""Coming to somebody else's table: who answers, do we know them, and what proves it?

1. `arrive` sees which key answers and which table it claims; we have said nothing yet.
2. If that is not the key known or advertised there, the arrival ends with a warning.
3. `let_in` opens the link. It uses the join code, unless the table asks for none, a code has proved
   that host before, or our own log names it. A host that does not know us may still ask for it.
4. `meet_host` finds in the log the name of the peer that let us in, the host or its stand-in, and
   notes it among the known peers. If another key was known by that name, the arrival ends here,
   before we have asked for a seat.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias, TypeVar

from msgspec import structs

from netgame.errors import DiskTrouble, Malformed, Refused
from netgame.frozen import FrozenStruct
from netgame.io.discovery.advert import TableAd
from netgame.io.disk.known_peers import How, KnownPeers
from netgame.io.door.admission import BUSY, CODE_WANTED, WRONG_CODE
from netgame.io.door.channel import Seen
from netgame.io.door.codes import JoinCode, parse_code
from netgame.io.door.dial import insist, look
from netgame.io.network.addresses import parse_address
from netgame.io.network.interfaces import dialled_as
from netgame.io.node.node import Node
from netgame.io.tables.options import JoinOptions
from netgame.io.work import apart
from netgame.limits import CODE_TRIES_PER_ADDRESS
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableView
from netgame.protocol.text import fingerprint, long_fingerprint, read_long_fingerprint

_NEED_CODE: Final = (
    "that table asks newcomers for its join code: ask the player who announces it, and join with "
    "--code, such as --code 7-otter-violin"
)
_LAST_TRY: Final = (
    "that was the third wrong join code, so the host has another now: ask for it, and join again "
    "in a minute"
)
_ANOTHER_PLAYER: Final = "another player answers where that host was; look at who it is"
WRONG_PLACE: Final = ("no-table", "key", "no-code-there")
"""The codes with which `arrive` refuses a table or a player that is not the one meant."""

_OTHER_CODE: Final = "other-code"
_OTHER_NUMBER: Final = (
    "the join code of this table begins with another number; ask its host for the code shown now"
)
_OTHER_KEY: Final = "other-key"
_NOT_THAT_KEY: Final = "the program that answers there has another key"
_NOT_LET_IN: Final = "the player who announces that table has not allowed your key yet"
_ASKED_AGAIN: Final = frozenset(
    {WRONG_CODE.code, CODE_WANTED.code, BUSY.code, _OTHER_CODE, _OTHER_KEY}
)
"""Codes of refusals after which another code, or key, may be accepted."""
T = TypeVar("T")

_UNNAMED: Final = "(stranger)"
"""Replaces the name of a key that has no seat at this table."""

_CHAIR: Final = "(host)"
"""Replaces the name of a host without a seat."""


_Shown: TypeAlias = JoinCode | str
"""The proof of a host to its guest: a code that both know, or the host's long fingerprint."""


class Arrival(FrozenStruct):
    """A table that we have looked at without joining it."""

    seen: Seen
    """The host's first message."""
    known: KnownPeers
    trusted: bool
    """True if a join code has proved this host's key before."""


async def arrive(where: str | TableAd, known: KnownPeers, options: JoinOptions) -> Arrival:
    """Look at who answers at an address or for an advertisement, and return what was seen.

    Raises `Refused` (`no-table`, `key`, `changed-key` or `no-code-there`) if that is not a table,
    or not the one meant. While the door there is busy, it is tried again if the options say
    `insists`, `HUNG_UP_TRIES` times in all at most. Raises `Malformed` for a bad address,
    `DiskTrouble` if the known peers cannot be read, and the errors of `dial.race`.
    """
    endpoints = (where,) if isinstance(where, str) else where.endpoints
    addresses = [way for each in endpoints for way in dialled_as(parse_address(each))]
    seen = await _tried(lambda: look(addresses), options)
    if not seen.table:
        raise Refused("no-table", "that player is not at a table")
    if options.host and seen.key != options.host:
        raise Refused("key", _ANOTHER_PLAYER)
    if not isinstance(where, str):
        _check_advertised(where, seen)
    return Arrival(seen, known, await apart(partial(_check_known, known, where, seen)))


async def _tried(attempt: Callable[[], Awaitable[T]], options: JoinOptions) -> T:
    """Run `attempt` and return its result; if the options say `insists`, repeat it on a hang-up.

    Errors are as for `insist`, or those of `attempt`.
    """
    return await (insist(attempt, options.tell_busy) if options.insists else attempt())


def _check_advertised(ad: TableAd, seen: Seen) -> None:
    """Check that the peer that answers has the key and the code that were advertised.

    Raises `Refused` (`key`, `no-code-there`) if it does not. A match alone proves nothing yet.
    """
    if fingerprint(seen.key) != ad.fingerprint:
        raise Refused(
            "key",
            "another player answers where that table was advertised: its key is {key}, not "
            "{advertised}; somebody may stand between",
            key=fingerprint(seen.key),
            advertised=ad.fingerprint,
        )
    if ad.code_number and not seen.number:
        raise Refused("no-code-there", "that table was advertised with a join code, but asks none")


def _check_known(known: KnownPeers, where: str | TableAd, seen: Seen) -> bool:
    """Raise `Refused` for a changed key; return True if a code has proved this one before.

    An address that the player typed may belong to somebody else by now, and a join code would show
    that. So without an advertised name, a changed key is refused only if the table asks for no
    code. Raises `DiskTrouble`.
    """
    name = None if isinstance(where, str) else where.name
    warning = known.warning(name, str(seen.address), seen.key)
    if warning is not None and not (name is None and seen.number):
        raise Refused("changed-key", warning.text, **warning.facts)
    return seen.key in known.trusted()


async def let_in(node: Node, arrival: Arrival, options: JoinOptions) -> How:
    """Open the link to the host; return how it was proved to be the one meant.

    That is "code" if both ends have proved the same code now or earlier, or if the player has typed
    the host's long fingerprint; otherwise "open". The player is asked again after a wrong code,
    while the door takes none, and for a code whose number is not the table's, which is not sent.
    The third wrong code is the last. Raises `Refused` (`code`, `wrong-code`, `other-code`,
    `other-key`, `not-the-host`, … or by the host), `Malformed` for text that is not a code, and the
    errors of `dial.race`.
    """
    trusted = arrival.trusted or node.knows(arrival.seen.key)
    tries = 0
    wanted = bool(options.code) or (arrival.seen.number > 0 and not trusted)
    shown = await _ask(node, options, arrival.seen.number) if wanted else None
    while True:
        try:
            arrival = await _seen_for(shown, arrival, options)
            await _knock(node, arrival, options, shown)
        except Refused as refusal:
            if refusal.code == CODE_WANTED.code and shown is None:
                shown = await _ask(node, options, arrival.seen.number)
                continue
            if refusal.code not in _ASKED_AGAIN:
                raise
            tries += refusal.code == WRONG_CODE.code
            if tries == CODE_TRIES_PER_ADDRESS:
                raise Refused(WRONG_CODE.code, _LAST_TRY) from None
            shown = await _typed(node, options, arrival.seen.number, str(refusal))
            if shown is None:
                raise
        else:
            node.door.came_by = shown if isinstance(shown, JoinCode) else None
            return "code" if shown or arrival.trusted else "open"


async def _seen_for(shown: _Shown | None, arrival: Arrival, options: JoinOptions) -> Arrival:
    """Look again if this code's number differs from the one seen: the host may have a new code.

    Returns the arrival with what was seen last. Raises `Refused` (`key`) if another key answers,
    and the errors of `dial.race`.
    """
    if not isinstance(shown, JoinCode) or shown.number == arrival.seen.number:
        return arrival
    seen = await _tried(lambda: look([arrival.seen.address]), options)
    if seen.key != arrival.seen.key:
        raise Refused("key", _ANOTHER_PLAYER)
    return structs.replace(arrival, seen=seen)


async def _knock(node: Node, arrival: Arrival, options: JoinOptions, shown: _Shown | None) -> None:
    """Open the link to the host, with the code if there is one.

    Raises `Refused`: `other-code` for a code with another number than the table's, which is not
    tried; `other-key` for a fingerprint that is not the host's; `code` for the right fingerprint if
    the host has not allowed our key. Other errors are as for `LinkPool.connect`.
    """
    seen = arrival.seen
    code = shown if isinstance(shown, JoinCode) else None
    if code is not None and seen.number not in (0, code.number):
        raise Refused(_OTHER_CODE, _OTHER_NUMBER)
    if isinstance(shown, str) and shown != long_fingerprint(seen.key):
        raise Refused(_OTHER_KEY, _NOT_THAT_KEY)
    try:
        await _tried(lambda: node.pool.connect([seen.address], seen.key, code), options)
    except Refused as refusal:
        if isinstance(shown, str) and refusal.code == CODE_WANTED.code:
            raise Refused(refusal.code, _NOT_LET_IN) from None
        raise


async def _ask(node: Node, options: JoinOptions, number: int) -> _Shown:
    """Return the code given as an option, or else typed; raises `Refused` if there is neither.

    Raises `Malformed` for text that is not a code.
    """
    given = _read(options.code) if options.code else await _typed(node, options, number, "")
    if given is None:
        raise Refused(CODE_WANTED.code, _NEED_CODE)
    return given


async def _typed(node: Node, options: JoinOptions, number: int, trouble: str) -> _Shown | None:
    """Return the code that the player types; None if there is nobody to ask, or no answer.

    First the player is shown this seat's own fingerprint, by which the host can let it in without a
    code. Raises `Malformed` for text that is not a code.
    """
    options.tell_key(long_fingerprint(node.key))
    typed = await options.ask_code(number, trouble) if options.ask_code else None
    return None if typed is None else _read(typed)


def _read(text: str) -> _Shown:
    """Read a join code or a long fingerprint; raises `Malformed` for anything else."""
    return read_long_fingerprint(text) or parse_code(text)


async def meet_host(node: Node, arrival: Arrival, how: How) -> None:
    """Wait until the log tells the host's name, then note the host among the known peers.

    Raises `Refused` (`changed-key`) if another key is known by that name. Disk trouble is told to
    the player, not raised.
    """
    key = arrival.seen.key
    name = await node.until(lambda view: _name_at(view, key))
    meet = partial(arrival.known.meet, name, str(arrival.seen.address), key, how)
    warning = await node.on_disk(meet, None)
    if warning is not None:
        raise Refused("changed-key", warning.text, **warning.facts)


def _name_at(view: TableView, key: bytes) -> str:
    """Return the name of the peer with this key, or "(host)" for a host without a seat.

    Empty for any other peer without a name, and until the log has arrived.
    """
    if view.settings is None:
        return ""
    return view.name_of(key) or (_CHAIR if key == view.host_key else "")


async def meet_guests(node: Node, known: KnownPeers) -> None:
    """Note as known everybody who sits or watches and has shown the code.

    Next time they need none. A kicked player is removed from the known peers, and needs the code
    again at the next table. A player who is convicted of breaking the rules is noted as such until
    the player here lets them in again. Runs until cancelled. The player here is told of disk
    trouble, or of a changed key.
    """
    met, kicked = set[bytes](), set[bytes]()
    chair = node.parts.chair
    guilty = set[bytes]()
    before: frozenset[bytes] = await node.on_disk(known.convicted, frozenset())
    chair.convicted |= before
    while True:
        # Letting in somebody convicted brings no notice.
        changed = node.when_moved() if guilty or before else node.when_changed()
        now = {key for key in (*node.parts.context.guilty, *before) if chair.is_convicted(key)}
        for key in now - guilty - before:
            facts = key, node.view().name_of(key) or _UNNAMED, node.door.by_code.get(key, "")
            await node.on_disk(partial(known.convict, *facts), None)
        for key in (guilty | before) - now:
            await node.on_disk(partial(known.pardon, key), None)
        guilty, before = now, before & now
        kicked &= node.kicked.keys()  # the others are allowed again, and may be noted again
        for out in node.kicked.keys() - kicked:
            kicked.add(out)
            met.discard(out)
            await node.on_disk(partial(known.forget, out), None)
        sit = ((seat.key, seat.name) for seat in node.view().seats)
        for key, name in (*sit, *node.parts.names.watchers().items()):
            source = node.door.by_code.get(key)
            if source is not None and key not in met | kicked:
                met.add(key)
                meet = partial(known.meet, name, source, key, "code")
                warning = await node.on_disk(meet, None)
                if warning is not None:
                    node.tell_trouble(warning)
        await changed.wait()


def tell_damage(node: Node, known: KnownPeers) -> None:
    """Tell the player if the file of known peers was damaged when it was last read."""
    if known.trouble is not None:
        node.tell_trouble(known.trouble)


def recall(node: Node, known: KnownPeers) -> None:
    """Let this node dial known peers where they were met earlier, even outside this network.

    Its door also learns which keys a join code has proved. Entries that cannot be read, and host
    names, are left out; if the file cannot be read, nothing happens.
    """
    with suppress(DiskTrouble):
        node.door.met = known.trusted()
        for peer in known.read():
            with suppress(Malformed, ValueError):
                key = PeerKey(bytes.fromhex(peer.key))
                node.pool.neighbours.meet(key, parse_address(peer.address).host)
