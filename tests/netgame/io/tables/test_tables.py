"""Whole games between real peers over loopback sockets, and mishaps on the way."""

from contextlib import AsyncExitStack

import pytest
import trio
from msgspec import structs

from engine.bots.levels import BotLevel
from engine.refusals import Refusal
from engine.table.moves import LayTile
from netgame.crypto.transcript import expand
from netgame.io.network.listen import LOOPBACK
from netgame.io.node.question import Granted
from netgame.io.tables.bot import play_seat
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.notes import read_notes
from netgame.io.tables.options import HostOptions, JoinOptions, ReachedBy
from netgame.io.tables.resume import resume_table
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.notices import FaultFound, GameOver, Played, SeatsLeft, Trouble, TroubleKind
from netgame.protocol.peer.view import TableStage
from netgame.wire.messages import Settings
from tests.netgame.io.node.test_node import until as until_so

GAME_LIMIT_S = 60


def settings(seats, *, pips=6, rounds=1):
    """Return the settings of a small game under the standard rules."""
    return Settings("standard", (), pips, seats, rounds, 0)


def host_options(tmp_path, seats, level=BotLevel.NORMAL, **more):
    """Return a host's options: hidden from the network, and open unless `more` says otherwise.

    In `more`, `bots` is the number of bots, all of them of `level`.
    """
    defaults = {
        "name": "Ann",
        "settings": settings(seats),
        "data_dir": tmp_path / "ann",
        "start_at": seats,
        "auto": True,
        "reach": ReachedBy.COMPUTER,
        "announce": False,
        "open": True,
    }
    chosen = defaults | more
    chosen["bots"] = (level,) * chosen.get("bots", 0)
    if chosen.pop("open"):
        chosen["settings"] = structs.replace(chosen["settings"], options=("newcomers=open",))
    return HostOptions(**chosen)


def join_options(tmp_path, name, **more):
    """Return a guest's options: hidden from the network, with a seat that plays by itself."""
    defaults = {
        "name": name,
        "data_dir": tmp_path / name,
        "auto": True,
        "reach": ReachedBy.COMPUTER,
    }
    return JoinOptions(**defaults | more)


def place(node):
    """Return the address on loopback at which a node can be dialled."""
    return f"{LOOPBACK}:{node.port}"


def hosts(*table, **more):
    """Open a table for the block, with the options of `host_options`; yield its host."""
    return host_table(host_options(*table, **more))


def joins(tmp_path, name, host, **more):
    """Seat a guest at a host's table for the block; yield the guest."""
    return join_table(join_options(tmp_path, name, **more), place(host))


async def sit_down(stack, tmp_path, seats, **more):
    """Open a table and seat guests until `stack` closes; return the nodes, the host first.

    The game begins when all sit.
    """
    nodes = [await stack.enter_async_context(hosts(tmp_path, seats, **more))]
    for number in range(1, seats):
        options = join_options(tmp_path, f"guest{number}")
        nodes.append(await stack.enter_async_context(join_table(options, place(nodes[0]))))
    return nodes


async def stay(options, where, task_status):
    """Join a table and stay until cancelled; report `started` with the node."""
    async with join_table(options, where) as node:
        task_status.started(node)
        await trio.sleep_forever()


async def finish(*nodes):
    """Wait until the game is settled at every node; fail if that takes too long."""
    with trio.fail_after(GAME_LIMIT_S):
        for node in nodes:
            await node.finished.wait()


async def until(node, condition, limit_s=GAME_LIMIT_S):
    """Wait until a node's view fulfils a condition; fail after `limit_s` seconds."""
    await until_so(node, lambda: condition(node.view()), limit_s)


def is_over(view):
    """Return True if the game is over."""
    return view.stage is TableStage.OVER


def begun(view):
    """Return True if tiles have been laid."""
    return view.table is not None and any(train.lays for train in view.table.trains)


def notices_of(node, kind):
    """Take all queued notices of a node, and return those of a kind."""
    told = []
    try:
        while True:
            told.append(node.notices.receive_nowait())
    except trio.WouldBlock:
        return [notice for notice in told if isinstance(notice, kind)]


def agree(nodes):
    """Check that the game is over at every node, with the same log and scores and no faults."""
    views = [node.view() for node in nodes]
    assert {view.stage for view in views} == {TableStage.OVER}
    assert len({view.head for view in views}) == 1
    assert len({view.table for view in views}) == 1
    assert not any(notices_of(node, FaultFound) for node in nodes)


def verified(path):
    """Return the offline judge's verdict on a record, which must be good."""
    verdict = verify_record(path.read_bytes(), bytes)
    assert verdict.ok, verdict.sentence
    return verdict


async def test_a_practice_game_opens_no_port_and_no_connection(
    tmp_path, monkeypatch, jumping_clock
):
    """A practice game with bots opens no port: its seats are linked by streams in memory."""

    async def fail(*_args, **_more):
        raise AssertionError("a socket for a practice game")

    monkeypatch.setattr(trio, "open_tcp_listeners", fail)
    monkeypatch.setattr(trio, "open_tcp_stream", fail)
    options = host_options(tmp_path, 3, settings=settings(3), bots=2, reach=ReachedBy.PROGRAM)
    async with host_table(options) as host:
        assert (host.port, host.is_hidden) == (0, True)
        await finish(host)
        assert all(bot.port == 0 for bot in host.bots)
        assert verified(host.folder.record.path).finished


@pytest.mark.parametrize(
    ("seats", "pips"),
    [(3, 6), *(pytest.param(*each, marks=pytest.mark.campaign) for each in ((2, 6), (8, 12)))],
)
async def test_game_between_people_far_apart(tmp_path, seats, pips, jumping_clock):
    """Peers that share nothing but sockets play to the end and agree on everything."""
    async with AsyncExitStack() as stack:
        nodes = await sit_down(stack, tmp_path, seats, settings=settings(seats, pips=pips))
        await finish(*nodes)
        agree(nodes)
        records = [node.folder.record.path for node in nodes]
    assert len({verified(path).head for path in records}) == 1


async def test_practice_with_bots(tmp_path, jumping_clock):
    """Bots are peers with keys; a finished game is recorded, and the bots' files are removed."""
    options = host_options(
        tmp_path, 4, bots=3, settings=settings(4, rounds=2), record=tmp_path / "game.rec"
    )
    async with host_table(options) as node:
        await finish(node)
        assert sum(seat.bot for seat in node.view().seats) == 3
        assert len({seat.key for seat in node.view().seats}) == 4
        assert len(notices_of(node, GameOver)) == 1
        kept = [bot.folder.path for bot in node.bots]
        assert all(path.exists() for path in kept)
    assert not any(path.exists() for path in kept), "nobody comes back to a game that is over"
    verdict = verified(tmp_path / "game.rec")
    assert verdict.finished
    assert len(verdict.scores) == 2


async def test_seed_gives_the_same_game_again(tmp_path, jumping_clock):
    """A seed gives the same game again at any pace, each time in a folder of its own."""
    heads, folders = [], set()
    for seed, pause_s in ((7, 0.0), (7, 0.01), (8, 0.0)):
        options = host_options(tmp_path, 2, bots=1, seed=seed, pause_s=pause_s)
        async with host_table(options) as node:
            await finish(node)
            heads.append(node.view().head)
            folders.add(node.folder.path)
    assert heads[0] == heads[1] != heads[2]
    assert len(folders) == 3


async def test_bots_move_when_they_may(tmp_path, jumping_clock):
    """Bots move only when they may, even if that takes a minute: somebody may be reading."""
    gate = trio.Event()
    async with hosts(tmp_path, 2, BotLevel.EASY, bots=1, seed=7, may_move=gate.wait) as host:
        (bot,) = host.bots
        await until(bot, lambda view: view.can_move)
        table = bot.view().table
        await trio.sleep(60)
        assert bot.view().table == table
        gate.set()
        await until(bot, lambda view: view.table.to_move == host.view().seat)


async def test_guest_with_a_damaged_record_gets_the_rest_from_the_others(tmp_path, jumping_clock):
    """A guest with a damaged record keeps its good beginning and gets the rest from other seats.

    The player is told of the damage, and nobody is accused.
    """
    async with hosts(tmp_path, 2, pause_s=0.05) as host:
        options = join_options(tmp_path, "ben")
        async with join_table(options, place(host)) as guest:
            await until(guest, begun)
            path = guest.folder.record.path
        octets = path.read_bytes()
        path.write_bytes(octets[: len(octets) * 9 // 10])
        (path.parent / "journal").write_bytes(b"damaged")
        async with join_table(options, place(host)) as guest:
            await finish(host, guest)
            told = {notice.kind for notice in notices_of(guest, Trouble)}
            assert told == {TroubleKind.RECORD_DAMAGED, TroubleKind.JOURNAL_DAMAGED}
            agree([host, guest])
    verified(path)


async def test_host_that_was_killed_comes_back_with_its_bots(tmp_path, jumping_clock):
    """A killed host comes back from the records, with its bots and at the same address.

    The guest waits and plays on.
    """
    options = host_options(tmp_path, 3, BotLevel.EASY, bots=1, pause_s=0.05)
    async with trio.open_nursery() as nursery:
        async with host_table(options) as host:
            guest = await nursery.start(sit_until_settled, tmp_path, place(host), "ben")
            await until(host, begun)
            port = host.port
        again = join_options(tmp_path, "ann")
        async with resume_table(again) as host:
            assert host.port == port
            assert [read_notes(bot.folder.path).level for bot in host.bots] == ["easy"]
            (kept,) = [bot.folder.path for bot in host.bots]
            await finish(host, guest)
            agree([host, guest])
        assert not kept.exists()


async def sit_until_settled(tmp_path, where, name, task_status):
    """Be a guest until the game is settled; report `started` with the node."""
    async with join_table(join_options(tmp_path, name), where) as guest:
        task_status.started(guest)
        await guest.finished.wait()


async def test_two_bots_on_one_seat_do_no_harm(tmp_path, jumping_clock):
    """Two bots may play one seat; the game is finished all the same."""
    async with hosts(tmp_path, 2, bots=1) as host:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_seat, host, BotLevel.NORMAL, expand(bytes(32), "second"))
            await finish(host)
            nursery.cancel_scope.cancel()
        assert notices_of(host, Played)


class Overtaken:
    """A seat whose person always makes the bot's move first, so that the bot is too late."""

    def __init__(self, node):
        self._node = node
        self.late = []

    def __getattr__(self, name):
        return getattr(self._node, name)

    async def propose(self, move):
        """Make the move as the person would, then propose it again; return the second answer.

        The second proposal is made at this seat's next turn, or after the game.
        """
        await self._node.propose(move)
        await until(self._node, lambda view: view.can_move or is_over(view))
        answer = await self._node.propose(move)
        self.late.append((move, answer))
        return answer


async def test_bot_that_comes_too_late_chooses_anew(tmp_path, jumping_clock):
    """A bot whose move a person has already made is refused, and plays on."""
    async with hosts(tmp_path, 2, auto=False, bots=1) as host:
        seat = Overtaken(host)
        await play_seat(seat, BotLevel.NORMAL, expand(bytes(32), "late"))
        await finish(host)
    # The shuffle decides how many moves were lays: the bot may have had nothing to lay.
    assert any(isinstance(answer, Refusal) for _, answer in seat.late)
    done = [move for move, answer in seat.late if isinstance(answer, Granted)]
    assert not any(isinstance(move, LayTile) for move in done)


@pytest.mark.campaign
async def test_a_host_that_leaves_for_good_takes_its_bots_along(tmp_path, nursery, jumping_clock):
    """A host that leaves for good takes its bot along, and the other three play to the end."""
    leaves, nodes = trio.Event(), []
    few = Settings("standard", (), 6, 5, 1, 4)

    async def sit_as_host(task_status):
        async with hosts(tmp_path, 5, settings=few, bots=1) as host:
            task_status.started(host)
            await leaves.wait()
            await host.farewell()

    host = await nursery.start(sit_as_host)
    async with AsyncExitStack() as stack:
        for number in range(3):
            options = join_options(tmp_path, f"guest{number}", pause_s=0.01)
            nodes.append(await stack.enter_async_context(join_table(options, place(host))))
        await until(nodes[0], lambda view: view.table is not None and view.table.turns > 3)
        leaves.set()
        await finish(*nodes)
        left = notices_of(nodes[0], SeatsLeft)
        agree(nodes)
    assert {name for notice in left for name in notice.names} == {"Ann", "Ada"}
