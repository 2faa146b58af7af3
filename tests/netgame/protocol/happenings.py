"""Helpers that make things happen at a simulated table, and that check how it ended."""

from collections.abc import Iterable, Iterator, Sequence

from netgame.crypto.signing import SigningKey
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.ledger.record import Walked, walk
from netgame.protocol.ledger.verdict import RecordVerdict
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import REQUEST_DOMAIN, frame_payload, read_entry
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.games import entries_in
from tests.netgame.simtable import SimTable, Sitter, kill
from tests.netgame.small_games import is_its_turn


def verified(octets: bytes) -> RecordVerdict:
    """Return a third party's verdict on the octets of a record."""
    return verify_record(octets, expand(bytes(32), "verify"))


def walked(octets: bytes) -> Iterator[Walked]:
    """Return an iterator over the entries and decisions of a record, in order."""
    return walk(octets, expand(bytes(32), "walk"))


def file_of(payloads: Iterable[bytes]) -> bytes:
    """Return the octets of a file with these payloads, framed with checksums."""
    return b"".join(map(frame_payload, payloads))


def numbers_of(record: Sequence[bytes], kind: type[wire.Payload]) -> list[int]:
    """Return the indices at which a record or a journal has entries of a kind."""
    found = ((n, each) for n, payload in enumerate(record) for each in entries_in((payload,)))
    return [n for n, each in found if isinstance(read_entry(each).payload, kind)]


def expect_agreement(table: SimTable) -> None:
    """Check that all sitters have one head, and that nobody is accused."""
    assert len({sitter.state.head for sitter in table.sitters}) == 1
    assert not any(sitter.faults() for sitter in table.sitters)


def seated(table: SimTable, *names: str, **kinds: type[Core]) -> list[Sitter]:
    """Seat these players, the first as host; the game begins when all sit. Return all sitters.

    `kinds` are further players, each with the class of its core.
    """
    for name in (*names, *kinds):
        start_at = None if table.sitters else len(names) + len(kinds)
        table.seat(name, start_at=start_at, core_class=kinds.get(name, Core))
    return table.sitters


# ---- waiting ------------------------------------------------------------------------------------


def until_in_play(table: SimTable) -> None:
    """Let time pass until the round is in play for everybody."""
    table.run(lambda: all(each.state.phase is Phase.PLAY for each in table.sitters))


def until_turn(table: SimTable, who: Sitter) -> None:
    """Let time pass until it is this sitter's turn."""
    table.run(lambda: is_its_turn(who))


def in_turn(table: SimTable, among: Sequence[Sitter] = ()) -> Sitter:
    """Let time pass until these sitters are at one step and one is to move; return that one.

    If `among` is empty, all sitters are meant.
    """
    here = among or table.sitters

    def mover() -> Sitter | None:
        step = here[0].state.step
        if any(each.state.step != step for each in here):
            return None
        return next(filter(is_its_turn, here), None)

    table.run(lambda: mover() is not None)
    return mover()


# ---- links --------------------------------------------------------------------------------------


def apart(table: SimTable, *groups: Sequence[Sitter]) -> None:
    """Cut all links between these groups, and let no new ones be opened."""
    for number, group in enumerate(groups):
        for one in group:
            for other in (each for later in groups[number + 1 :] for each in later):
                table.cut.add(frozenset((one.key, other.key)))
                table.disconnect(one, other)


def heal(table: SimTable, *groups: Sequence[Sitter]) -> None:
    """Link all sitters of these groups with each other again."""
    here = [each for group in groups for each in group]
    table.cut -= {frozenset((one.key, other.key)) for one in here for other in here}
    for number, one in enumerate(here):
        for other in here[number + 1 :]:
            table.connect(one, other)


def heard(table: SimTable, *kinds: type) -> Iterator[tuple[bytes, wire.LinkMessage]]:
    """Yield the sender's key and the message for each sent message of these kinds.

    The table must keep its frames.
    """
    for sender, _, frame in table.sent:
        message = decode_any(frame, wire.LinkMessage)
        if isinstance(message, kinds):
            yield sender, message


# ---- people -------------------------------------------------------------------------------------


def take_seat(table: SimTable, who: Sitter) -> None:
    """Let the person at `who` ask for a seat."""
    table.act(who, lambda parts: parts.joiner.take_seat())


def look_on(table: SimTable, who: Sitter) -> None:
    """Let the person at `who` ask only to watch."""
    table.act(who, lambda parts: parts.joiner.look_on())


def watching(table: SimTable) -> Sitter:
    """Let Zoe come to watch, and catch up; return her sitter."""
    zoe = table.seat("Zoe", watches=True)
    table.run(lambda: bool(zoe.told_of(notices.CaughtUp)))
    return zoe


def begin(table: SimTable) -> None:
    """Let the host begin the game with the players who sit."""
    table.act(table.host, lambda parts: parts.lobby_host.begin())


def asks(
    signer: SigningKey, name: str, table: bytes, step: int, key: bytes = b"", where: str = ""
) -> wire.JoinAsk:
    """Return the signed request of somebody who wants a seat."""
    addresses = (where,) if where else ()
    played_by = wire.PlayedBy.TERMINAL
    request = wire.JoinRequest(table, step, key or signer.public_bytes, name, addresses, played_by)
    octets = encode(request)
    return wire.JoinAsk(octets, signer.sign(REQUEST_DOMAIN, octets))


def go_on(table: SimTable, who: Sequence[Sitter], *without: Sitter) -> None:
    """Let each of `who` ask to go on without the others named."""
    keys = [each.key for each in without]
    for sitter in who:
        table.act(sitter, lambda parts: parts.wishes.give_up(keys))


def say_farewell(table: SimTable, who: Sitter) -> None:
    """Let `who` leave for good, and end its process 0.1 seconds later."""
    table.act(who, leave_for_good)
    table.later(0.1, lambda: kill(table, who))


def gone(sitter: Sitter) -> set[str]:
    """Return the names of the players who have gone, as this sitter knows."""
    state = sitter.state
    return {state.name_of(seat) for seat in state.gone}


def hears(table: SimTable, who: Sitter, sender: Sitter, message: wire.LinkMessage) -> None:
    """Deliver a message to `who` over its link to `sender`."""
    table.do(who, who.core.frame(sender.key, encode(message), table.now))
