"""How a peer comes to have a table: it opens one, looks for one, or has its record back.

Each makes a new core ready for its first input, `Core.start`.
"""

from collections.abc import Sequence
from typing import TypeVar

from netgame.crypto.coin import table_id
from netgame.errors import Malformed
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.fault import Accepted, Later
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.standing.silence import ASK_FIRST_S
from netgame.wire.codec import decode
from netgame.wire.messages import Body, OpenTable, RecordEntry, Settings

C = TypeVar("C", bound=Core)


def open_table(
    core: C,
    nonce: bytes,
    settings: Settings,
    *,
    seated: bool = True,
    start_at: int | None = None,
    lead: str | None = None,
) -> C:
    """Host a table, whose id comes from the `nonce` of 32 octets.

    Who is not `seated` only hosts it. `start_at` begins the game by itself when so many sit;
    `lead` names who plays first, under rules by which the table chooses that.
    """
    host = core.parts.lobby_host
    host.opening = OpenTable(core.key, nonce, settings)
    host.seated, host.start_at, host.lead = seated, start_at, lead
    core.place.ledger = Ledger(table_id(core.key, nonce))
    return core


def look_for_table(
    core: C,
    *,
    host: PeerKey | None = None,
    host_addresses: Sequence[str] = (),
    looks_first: bool = False,
    watches: bool = False,
) -> C:
    """Look for a seat at the table of the first peer linked, or of `host` alone if given.

    At `host_addresses` it is dialled again if its link breaks before the log says where it is.
    Who looks first asks for no seat before `take_seat`; who `watches` says so, and looks on.
    """
    joiner = core.parts.joiner
    joiner.host, joiner.host_addresses = host, tuple(host_addresses)
    joiner.looks, joiner.watches = looks_first or watches, watches
    return core


def restore(core: C, payloads: Sequence[bytes], now: float, journal: Sequence[bytes] = ()) -> C:
    """Take up a table from its record; raises `Malformed` if the record is not a log.

    `journal` is what the file beside it holds. Who has no seat there looks on; who has been given
    up meanwhile asks for its seat again. The entries were judged before they were written down, so
    their proofs are not run again.
    """
    place, parts = core.place, core.parts
    for payload in payloads[1:]:
        frame = decode(payload, RecordEntry)
        if not place.table_id:
            place.ledger = Ledger(decode(frame.entry.body, Body).table)
        judged = place.ledger.judge(frame.entry)
        if isinstance(judged, Later):  # written down once the chain before it had been checked
            place.ledger.pass_chain(place.ledger.chain)
            judged = place.ledger.judge(frame.entry)
        if not isinstance(judged, Accepted):
            raise Malformed("a record whose entries do not follow each other")
        place.ledger.settle(judged.entry)
    parts.journal.recall(place.ledger, journal)
    parts.silence.begin(now + ASK_FIRST_S)
    parts.mesh.begin((member.key for member in place.state.members), now)
    parts.joiner.looks = place.state.member(core.key) is None
    return core
