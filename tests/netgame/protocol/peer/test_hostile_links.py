"""Whatever comes over a link, nobody crashes, nobody honest is accused, and the game goes on."""

import random

import pytest

from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import driven, played, read_until
from tests.netgame.simtable import SimTable, full_table, standard
from tests.sliced import sliced

NAMES = ("Ann", "Ben", "Cy")


def mutated(frame: bytes, chance: random.Random) -> bytes:
    """A frame with a few octets changed, cut or doubled."""
    octets = bytearray(frame)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(octets)) if octets else 0
        match chance.randrange(4):
            case 0 if octets:
                octets[at] = chance.randrange(256)
            case 1:
                octets = octets[:at]
            case 2:
                octets[at:at] = octets[at : at + chance.randint(1, 40)]
            case _:
                octets[at:at] = bytes([chance.randrange(256)])
    return bytes(octets)


class NoisyTable(SimTable):
    """Every frame is followed, now and then, by a spoiled copy of itself over the same link."""

    chance = random.Random(1)
    spoiled = 0

    def _send(self, sitter, peer, frame):
        super()._send(sitter, peer, frame)
        if self.chance.random() < 0.05:
            self.spoiled += 1
            super()._send(sitter, peer, mutated(frame, self.chance))


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_frames_do_no_harm(seed: int) -> None:
    """Links are dropped and rebuilt; the game ends with one head; nobody is convicted."""
    table = NoisyTable(standard(6, 3, 1), bytes([seed]) * 32)
    table.chance = random.Random(seed)
    table.seat("Ann", start_at=3)
    table.seat("Ben")
    table.seat("Cy")
    host = table.sitters[0]
    end = 0
    while not all(s.finished for s in table.sitters) and end < 50_000:
        end += 1
        table.run(lambda: True)
        _step(table)
        for sitter in table.sitters[1:]:
            table.connect(sitter, host)
    assert table.spoiled > 5
    assert len({s.core.state.head for s in table.sitters}) == 1
    assert all(s.core.fault is None for s in table.sitters)


def _step(table: SimTable) -> None:
    """Let one thing happen."""
    count = [0]

    def once() -> bool:
        count[0] += 1
        return count[0] > 1

    table.run(once)


@pytest.mark.parametrize(
    "message",
    [
        wire.Pull(200_000, b"", 0),
        wire.Pull(0, b"\xff" * 32, 0),
        wire.Pull(0, b"", 0),
        wire.Head(200_000, bytes(64), b"\xff" * 32, 0),
        wire.Head(0, bytes(64), b"", 0),
        wire.Entries(()),
        wire.Pulled(()),
        wire.Pulled((wire.SignedEntry(b"x", bytes(64)),)),
        wire.Entries((wire.SignedEntry(b"", bytes(64)),)),
        wire.Evidence((wire.SignedEntry(b"x", bytes(64)),)),
        wire.JoinAsk(b"junk", bytes(64)),
        wire.JoinAnswer("started", "go away"),
        wire.JoinAnswer("later", "round 2"),
        wire.Watch("Eve\x1b[2J"),
        wire.Guests((bytes(32), b"x" * 32)),
        wire.Hello(bytes(64)),
        wire.Hello(b"", bytes(16)),
        wire.Rival(),
        wire.Missed(bytes(64), b"\xff" * 32),
        wire.Statements((wire.SignedStatement(b"x", bytes(64)),)),
        wire.Evidence((), (wire.SignedStatement(b"x", bytes(64)),)),
        wire.Chat("\x1b]0;x\x07"),
        wire.Ping(),
        wire.Pong(),
    ],
    ids=lambda each: type(each).__name__,
)
@sliced("phase", [Phase.PLAY, Phase.LOBBY, Phase.DEAL, Phase.OVER], 2)
def test_any_message_at_any_time(message, phase: Phase) -> None:
    """From a member of the table, in every phase."""
    ledger, frames = read_until(lambda state: state.phase is phase and len(state.members) == 3)
    one = driven(frames)
    ben = played().sitters[1].core.key
    one.link(ben)
    one.hear(ben, message)
    one.pass_time(5.0)
    assert one.core.fault is None
    assert one.core.state == ledger.state


def test_a_fork_shown_to_one_peer_is_found_by_all() -> None:
    """Heads that differ lead to the two entries, and every honest peer names their author."""
    from tests.netgame.mallory import TwoFaced

    table = SimTable(standard(6, 4, 2))
    for name in ("Ann", "Ben", "Dee"):
        table.seat(name, start_at=4 if name == "Ann" else None)
    mallory = table.seat("Mallory", core_class=TwoFaced)
    mallory.core.bend = lambda core, payload: (
        wire.KeyCommit(payload.round, bytes(64), b"")
        if isinstance(payload, wire.KeyCommit) and payload.round == 1
        else None
    )
    honest = table.sitters[:3]
    table.run(lambda: all(sitter.faults() for sitter in honest), 120)
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check == "fork"
        assert fault.name.startswith("Mallory (")


def test_chatter_stays_in_bounds() -> None:
    """A normal game costs a few frames an entry and peer, so nothing echoes for ever."""
    table = full_table(NAMES, standard(6, 3, 2))
    table.run_game()
    entries = len(table.sitters[0].record)
    assert table.frames < 12 * entries
    assert not [t for s in table.sitters for t in s.told if isinstance(t, notices.Trouble)]
