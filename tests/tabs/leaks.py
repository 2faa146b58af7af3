"""No secret of a tab leaves the tab or is in the memory of the page's server.

The test reads from the browser what the tab keeps, and derives the secrets of the round from that,
as the program does. It looks for them in what the tab sends and in all memory of the server, in
every form in which a program would write them. The same search must find two octet strings that are
planted in the tab.
"""

import base64
import secrets
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from netgame.crypto.batch import Batch
from netgame.crypto.group import encode
from netgame.crypto.transcript import expand
from netgame.io.disk.identity import Identity
from netgame.protocol.ledger.record import walk
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.peer.secrets.keyring import Keyring
from netgame.protocol.state.state import State
from tests.lan.guests import Party, must
from tests.tabs.browsers import PHONE, Tab, browsers
from tests.tabs.games import Table, may_play, play_until, sit_down

_PIECE_BYTES: Final = 1 << 24
_PLANTED: Final = """(planted) => new Promise((resolve) => {
    const address = location.origin.replace(/^http/, 'ws') + location.pathname + 'ws';
    const socket = new WebSocket(address);
    socket.onopen = () => { socket.send(Uint8Array.from(planted)); socket.close(); };
    socket.onclose = () => resolve();
})"""


class Sent:
    """All octets that a page has sent: messages of its WebSockets, and requests."""

    def __init__(self, tab: Tab) -> None:
        """Listen to what this tab sends from now on."""
        self.octets = bytearray()
        self.messages = 0
        session = tab.devtools()
        session.send("Network.enable")
        session.on("Network.webSocketFrameSent", self._take_message)
        for event in ("requestWillBeSent", "requestWillBeSentExtraInfo"):
            session.on(f"Network.{event}", lambda said: self._take(repr(said).encode()))
        session.on(
            "Network.webSocketWillSendHandshakeRequest",
            lambda said: self._take(repr(said).encode()),
        )

    def _take_message(self, said: dict[str, Any]) -> None:
        message = said["response"]
        text: str = message["payloadData"]
        is_text = message["opcode"] == 1
        self.messages += 1
        self._take(text.encode() if is_text else base64.b64decode(text))

    def _take(self, octets: bytes) -> None:
        self.octets += octets


def leaks(held: Party) -> None:
    """Check in mid-round that a tab's secrets are in neither its traffic nor its server's memory.

    The search must find only what was planted.
    """
    table = Table(held, "--set", "6", "--rounds", "1", "--auto")
    table.guest("Ben", "--auto")
    with browsers(held) as made:
        browser = made.on("Zoe")
        zoe = browser.tab("Zoe", "about:blank", browser.context(PHONE))
        sent = Sent(zoe)
        zoe.open(table.url)
        sit_down(table, zoe)
        table.types("start")
        play_until((zoe,), lambda: may_play(zoe))
        zoe.type("1")  # a move, with its proof
        play_until((zoe,), lambda: may_play(zoe))
        shown, said = secrets.token_bytes(32), secrets.token_bytes(16)
        zoe.page.evaluate(_PLANTED, list(shown))
        zoe.type(f"say {said.hex()}")
        table.sees(said.hex()[:20])
        mine = secrets_of(zoe.kept())
        memory = Path(held.folder / "memory")
        dump(held.guests["Ann"].process, memory)
        found = looked_for({**mine, "planted": shown}, iter([bytes(sent.octets)]))
        must(found == {"planted"}, f"what Zoe's page has sent holds {found}")
        held.say(f"{sent.messages} messages, {len(sent.octets):,} octets sent: no secret of Zoe's")
        found = looked_for({**mine, "planted": said}, pieces(memory))
        must(found == {"planted"}, f"the memory of the server holds {found}")
        size = memory.stat().st_size
        held.say(f"{size:,} octets of memory of the server: none of {', '.join(mine)}")


def secrets_of(kept: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return, by name, the secrets that only this tab may know during a round.

    They are derived from what the tab keeps.
    """
    (seed,) = (octets for path, octets in kept.items() if path.endswith("identity.key"))
    (secret,) = (octets for path, octets in kept.items() if path.endswith("/secret"))
    (record,) = (octets for path, octets in kept.items() if path.endswith("/record"))
    found = {"identity": seed, "table secret": secret}
    state = state_of(record)
    seat = state.seat_of(Identity(seed).public)
    must(seat is not None and state.deck is not None, "no round is played in the tab")
    assert seat is not None
    assert state.deck is not None
    context = state.deck.commit_contexts[seat]
    key = Keyring(secret)
    must(key.is_of(state, Identity(seed).public, seat), "the secrets are not those of the round")
    return {
        **found,
        "round key": encode(key.round_secret(context).x),
        "seed of permutations": expand(secret, "seed", context)(32),
    }


def state_of(record: bytes) -> State:
    """Return the state at the end of a record."""
    frames = b"".join(map(frame_payload, read_frames(record)[0]))
    *_, last = walk(frames, Batch(secrets.token_bytes))
    return last.after


def forms(secret: bytes) -> Iterator[bytes]:
    """Yield a secret as programs write it: plain, reversed, in hex, in base64 at any offset."""
    yield from (secret, secret[::-1], secret.hex().encode(), secret.hex().upper().encode())
    for before in range(3):
        # neighbouring octets change the first and the last characters
        first, last = -(-8 * before // 6), 8 * (before + len(secret)) // 6
        for encoded in (base64.b64encode, base64.urlsafe_b64encode):
            yield encoded(bytes(before) + secret + bytes(2))[first:last]


def looked_for(wanted: Mapping[str, bytes], searched: Iterator[bytes]) -> set[str]:
    """Return the names of the secrets found, in any form, in any of the pieces."""
    sought = [(name, form) for name, octets in wanted.items() for form in forms(octets)]
    found: set[str] = set()
    for piece in searched:
        found |= {name for name, form in sought if form in piece}
    return found


def pieces(path: Path) -> Iterator[bytes]:
    """Yield a file in pieces that overlap by 256 octets, so that no secret is cut in two."""
    before = b""
    with path.open("rb") as file:
        while octets := file.read(_PIECE_BYTES):
            yield before + octets
            before = octets[-256:]


def dump(process: Any, path: Path) -> None:
    """Write all writable memory of a process to a file, like a core dump; stop it meanwhile."""
    process.send_signal(signal.SIGSTOP)
    try:
        maps = Path(f"/proc/{process.pid}/maps").read_text().splitlines()
        with open(f"/proc/{process.pid}/mem", "rb", 0) as memory, path.open("wb") as out:
            for line in maps:
                bounds, rights = line.split()[:2]
                if not rights.startswith("rw"):
                    continue
                first, last = (int(each, 16) for each in bounds.split("-"))
                memory.seek(first)
                while first < last and (octets := memory.read(min(last - first, _PIECE_BYTES))):
                    first += out.write(octets)
    finally:
        process.send_signal(signal.SIGCONT)
