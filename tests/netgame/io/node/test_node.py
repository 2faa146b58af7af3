"""A node carries out its core's effects in order, and writes to the disk before it sends."""

import errno
import os
import threading
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from netgame.errors import DiskTrouble, LocalMisuse, Malformed, Refused
from netgame.io.disk import appended
from netgame.io.disk.identity import Identity
from netgame.io.disk.store import DataFolder
from netgame.io.door.admission import OK, Door
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK, Listen
from netgame.io.node.opening import open_node
from netgame.io.node.question import Granted, Waiting
from netgame.limits import INBOX_MAX
from netgame.protocol.log.entry import read_frames
from netgame.protocol.notices import ChatHeard, LobbyChanged, Trouble, TroubleKind
from netgame.protocol.peer import effects as fx

SECRET = b"s" * 32


@dataclass
class FakeCore:
    """A core that notes its inputs, and returns the effects that a test has arranged.

    It also takes the place of each of its own parts.
    """

    parts = context = state = writer = talk = lobby_host = watchers = chair = property(
        lambda self: self
    )
    starts: tuple = ()
    heard: list = field(default_factory=list)
    on_frame: object = None
    on_wake: object = None
    moves: dict = field(default_factory=dict)
    table_id: bytes = b"t" * 64

    vouched: frozenset = frozenset()

    def may_come(self, key):
        """Return True for a key in `vouched`, as if a member vouched for it."""
        return key in self.vouched

    def belongs(self, _key):
        """Return False: nobody sits here."""
        return False

    def view(self):
        """Return this core, which has a table id."""
        return self

    def start(self, now, life):
        """Return the arranged first effects."""
        return self.starts

    def _note(self, what, answer=None):
        self.heard.append(what)
        told = (fx.Notify(LobbyChanged()),)
        return told + tuple(answer(*what[1:]) if callable(answer) else ())

    def link_up(self, peer, now):
        """Note a new link, and return a `Notify` effect."""
        return self._note(("up", peer))

    def link_down(self, peer, now, _end):
        """Note a lost link, and return a `Notify` effect."""
        return self._note(("down", peer))

    def frame(self, peer, body, now):
        """Note a frame; return a `Notify` effect, and then the effects that `on_frame` returns.

        Raise `Malformed` for the body `bad`.
        """
        if body == b"bad":
            raise Malformed("rubbish")
        return self._note(("frame", peer, body), self.on_frame)

    def work_done(self, job, result, now):
        """Note the result of a job, and return a `Notify` effect."""
        return self._note(("work", job, result))

    def wake(self, now):
        """Note the time; return a `Notify` effect, and then the effects that `on_wake` returns."""
        return self._note(("wake", now), self.on_wake)

    def act(self, wish, now):
        """Call `wish`, and return the effects that it returns."""
        return wish()

    def close(self):
        """Return no effects."""
        return ()

    def try_move(self, move):
        """Return the arranged answer to a move, or raise it if it is an exception."""
        answer = self.moves[move]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def say(self, text):
        """Return an effect that shows a chat line at this node; nothing is sent."""
        return (fx.Notify(ChatHeard("me", text)),)


def node_of(core, tmp_path, name="ann"):
    """Return a context manager that runs a node over a fake core; anybody may come in."""
    identity = Identity(name.encode().ljust(32, b"."))
    data = DataFolder(tmp_path / name)
    return open_node(
        core,
        identity,
        lambda table_id: data.open_table(table_id, SECRET),
        Listen(LOOPBACK, 0),
        door=Door(anybody=True),
    )


@asynccontextmanager
async def linked(tmp_path, ann, ben):
    """Run two linked nodes in the block; it begins once both cores have noted the link."""
    async with node_of(ann, tmp_path, "ann") as one, node_of(ben, tmp_path, "ben") as two:
        await one.pool.connect([Address(LOOPBACK, two.port)])
        await until(one, lambda: ann.heard)
        await until(two, lambda: ben.heard)
        yield one, two


async def told(node):
    """Wait for the next notice that is not a `LobbyChanged`, and return it."""
    while isinstance(notice := await node.notices.receive(), LobbyChanged):
        pass
    return notice


async def until(node, condition, limit_s=100):
    """Wait until a condition is true, checking it after each input of the core.

    Fail after `limit_s` seconds.
    """
    with trio.fail_after(limit_s):
        while True:
            changed = node.when_changed()
            if condition():
                return
            await changed.wait()


def record_of(node):
    """Return the payloads in a node's record on the disk."""
    return read_frames(node.folder.record.path.read_bytes())[0]


async def test_record_is_synced_before_the_frame_leaves(tmp_path, monkeypatch, jumping_clock):
    """A frame leaves only after the records on which it depends are synced.

    Records that follow one another share a sync.
    """
    synced = []
    real = appended.sync_file

    def sync(descriptor):
        synced.append(os.fstat(descriptor).st_size)
        real(descriptor)

    at_send = []

    def note(_peer, body):
        at_send.append((body, synced[-1]))
        return ()

    ann, ben = FakeCore(), FakeCore(on_frame=note)
    async with linked(tmp_path, ann, ben) as (one, two):
        ann.moves["go"] = (
            fx.Persist(b"first"),
            fx.Persist(b"second", sync=False),
            fx.Send(two.key, b"1"),
            fx.Persist(b"third"),
            fx.Send(two.key, b"2"),
        )
        monkeypatch.setattr(appended, "sync_file", sync)
        assert await one.propose("go") == Granted()
        await until(two, lambda: len(at_send) == 2)
        sizes = [8 + len(each) for each in (b"first", b"second", b"third")]
        # Records in a row share one sync, and each frame came after the sync before it.
        assert synced == [sum(sizes[:2]), sum(sizes)]
        assert [body for body, _ in at_send] == [b"1", b"2"]
        assert at_send[0][1] >= synced[0]
        assert at_send[1][1] == synced[1]
        assert record_of(one) == (b"first", b"second", b"third")


async def test_whom_a_member_vouches_for_gets_no_place_of_a_member(tmp_path, jumping_clock):
    """A key that a member vouches for is admitted, but gets no place kept for members."""
    guest = Identity.ephemeral().public
    async with node_of(FakeCore(vouched=frozenset({guest})), tmp_path) as node:
        node.door.anybody = False
        assert node.door.admit(guest) == OK
        assert not node.door.is_ours(guest)


async def test_refusal_is_returned_and_misuse_raised(tmp_path, jumping_clock):
    """A refused move returns the refusal; misuse raises, and the node goes on after both."""
    core = FakeCore(moves={"no": "a refusal", "oops": LocalMisuse("too early")})
    async with node_of(core, tmp_path) as node:
        assert await node.propose("no") == "a refusal"
        with pytest.raises(LocalMisuse):
            await node.propose("oops")
        await node.chat("still here")
        assert await told(node) == ChatHeard("me", "still here")


async def test_turn_does_not_wait_for_the_next_rounds_deal(tmp_path, jumping_clock):
    """Short work runs at once, even while long work uses every thread that it may have."""
    done = threading.Event()
    long = [fx.Work(number, done.wait, long=True) for number in range(2 * os.cpu_count())]
    core = FakeCore(
        starts=(*long, fx.Wake(trio.current_time())),
        on_wake=lambda _now: [fx.Work(99, threading.get_ident)],
    )

    def jobs():
        return [job for kind, job, *_ in core.heard if kind == "work"]

    try:
        async with node_of(core, tmp_path) as node:
            await until(node, jobs)
            assert jobs() == [99]
            done.set()
            await until(node, lambda: len(jobs()) == len(long) + 1)
    finally:
        done.set()


def work_of(core):
    """Return the jobs whose work a core has noted as done, each with its result."""
    return [told[1:] for told in core.heard if told[0] == "work"]


async def test_what_two_nodes_of_a_process_want_alike_is_done_once(tmp_path, jumping_clock):
    """If two nodes of one process ask for the same work, it runs once; both get the result.

    Different work is run separately.
    """
    runs = count(1)
    works = [fx.Work(7, lambda: next(runs), same=("this", number)) for number in (1, 1, 2)]
    cores = [FakeCore(starts=(work,)) for work in works]
    async with AsyncExitStack() as stack:
        for number, core in enumerate(cores):
            node = await stack.enter_async_context(node_of(core, tmp_path, f"n{number}"))
            await until(node, partial(work_of, core))
    assert [work_of(core) for core in cores] == [[(7, 1)], [(7, 1)], [(7, 2)]]


async def test_whoever_leaves_amid_common_work_leaves_it_to_the_next(tmp_path, jumping_clock):
    """If a node leaves during work that another node waits for, that other node starts it again."""
    begun, goes_on = threading.Event(), threading.Event()

    def run():
        begun.set()
        return goes_on.wait()

    async def sit(core):
        with leaves:
            async with node_of(core, tmp_path, "ann"):
                await trio.sleep_forever()

    leaves = trio.CancelScope()
    ann, ben = (FakeCore(starts=(fx.Work(7, run, same="this"),)) for _ in range(2))
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sit, ann)
            await trio.to_thread.run_sync(begun.wait)
            begun.clear()
            async with node_of(ben, tmp_path, "ben") as node:
                leaves.cancel()
                await trio.to_thread.run_sync(begun.wait)
                goes_on.set()
                await until(node, partial(work_of, ben))
    finally:
        goes_on.set()
    assert (work_of(ann), work_of(ben)) == ([], [(7, True)])


async def test_only_the_latest_wake_counts(tmp_path, jumping_clock):
    """Only the latest wake effect counts: it replaces an earlier one, whichever time is sooner."""
    start = trio.current_time()
    further = iter([(fx.Wake(start + 11), fx.Wake(start + 20)), (fx.Wake(start),)])
    core = FakeCore(
        starts=(fx.Wake(start + 1000), fx.Wake(start + 10)), on_wake=lambda _: next(further, ())
    )
    async with node_of(core, tmp_path) as node:
        await until(node, lambda: len(core.heard) == 3)
    assert [int(now - start) // 10 for _, now in core.heard] == [1, 2, 2]


async def test_dial_effect_makes_a_link_and_drop_ends_it(tmp_path, jumping_clock):
    """A dial effect makes a link to the named peer, and a drop effect ends it."""
    ann, ben = FakeCore(), FakeCore()
    async with node_of(ann, tmp_path, "ann") as one, node_of(ben, tmp_path, "ben") as two:
        ann.moves["dial"] = (fx.Dial(two.key, (f"{LOOPBACK}:{two.port}",)),)
        ann.moves["drop"] = (fx.Send(two.key, b"bye"), fx.Drop(two.key, "enough"))
        await one.propose("dial")
        await until(one, lambda: ann.heard == [("up", two.key)])
        await one.propose("drop")
        await until(two, lambda: len(ben.heard) == 3)
        assert ben.heard == [("up", one.key), ("frame", one.key, b"bye"), ("down", one.key)]
        await until(one, lambda: ann.heard[-1] == ("down", two.key))


@pytest.mark.parametrize("floods", [True, False])
async def test_who_is_dropped_for_a_flood_is_kept_out(tmp_path, floods, jumping_clock):
    """A peer that is dropped for a flood is banned; one dropped for another reason is not."""
    ann, ben = FakeCore(), FakeCore()
    async with linked(tmp_path, ann, ben) as (one, two):
        ann.moves["drop"] = (fx.Drop(two.key, "enough", floods=floods),)
        await one.propose("drop")
        await until(one, lambda: ann.heard[-1] == ("down", two.key))
        assert (two.key in one.pool.banned) is floods


async def test_malformed_frame_costs_its_sender_the_link(tmp_path, jumping_clock):
    """A malformed frame ends its sender's link, and other links go on."""
    ann, ben, eve = FakeCore(), FakeCore(), FakeCore()
    async with linked(tmp_path, ann, ben) as (one, two), node_of(eve, tmp_path, "eve") as three:
        await three.pool.connect([Address(LOOPBACK, one.port)])
        await until(one, lambda: len(ann.heard) == 2)
        await until(three, lambda: eve.heard)
        eve.moves["lie"] = (fx.Send(one.key, b"bad"),)
        ben.moves["say"] = (fx.Send(one.key, b"good"),)
        await three.propose("lie")
        await until(three, lambda: eve.heard[-1][0] == "down")
        await two.propose("say")
        await until(one, lambda: ("frame", two.key, b"good") in ann.heard)
        assert ("down", three.key) in ann.heard


async def test_flood_is_taken_at_the_cores_pace(tmp_path, jumping_clock):
    """If more frames come than the inbox can take, all of them still arrive in order."""
    bodies = [str(number).encode() for number in range(4 * INBOX_MAX)]
    ann, ben = FakeCore(), FakeCore()
    async with linked(tmp_path, ann, ben) as (one, two):
        for start in range(0, len(bodies), 100):
            ann.moves[start] = tuple(fx.Send(two.key, body) for body in bodies[start : start + 100])
            await one.propose(start)
            await trio.sleep(0.001)
        await until(two, lambda: len(ben.heard) == len(bodies) + 1)
        assert [body for _, _, body in ben.heard[1:]] == bodies


async def test_disk_that_fails_pauses_the_seat(tmp_path, monkeypatch, jumping_clock):
    """A failing disk pauses the seat: the frame does not leave, and the links end.

    The player is told why, and is told again after another move.
    """
    ann, ben = FakeCore(), FakeCore()

    def fail(descriptor):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    async with linked(tmp_path, ann, ben) as (one, two):
        ann.moves["go"] = (fx.Persist(b"entry"), fx.Send(two.key, b"entry"))
        await one.chat("first")
        monkeypatch.setattr(appended, "sync_file", fail)
        assert await one.propose("go") == Waiting()
        assert one.paused is not None
        assert await told(one) == ChatHeard("me", "first")
        notice = await told(one)
        assert isinstance(notice, Trouble)
        assert notice.kind is TroubleKind.SEAT_PAUSED
        assert "Input/output" in str(notice.facts[0])
        await until(two, lambda: ben.heard[-1] == ("down", one.key))
        assert not [what for what in ben.heard if what[0] == "frame"]
        assert await one.propose("go") == Waiting()
        assert isinstance(await told(one), Trouble)


async def test_record_that_was_changed_behind_us_pauses_the_seat(tmp_path, jumping_clock):
    """If a frame needs an entry that cannot be read from the record, the seat is paused.

    The links end, and the player is told which entry it is.
    """

    class Forgetful(FakeCore):
        def frame(self, peer, body, now):
            raise DiskTrouble("entry 3 of the record cannot be read any more")

    ann, ben = Forgetful(), FakeCore()
    async with linked(tmp_path, ann, ben) as (one, two):
        ben.moves["pull"] = (fx.Send(one.key, b"pull"),)
        await two.propose("pull")
        await until(two, lambda: ben.heard[-1] == ("down", one.key))
        assert one.paused is not None
        assert one.paused.kind is TroubleKind.SEAT_PAUSED
        assert "entry 3" in str(one.paused.facts[0])
        assert await one.propose("go") == Waiting()


async def test_node_that_is_left_amid_a_sync_dials_nobody_any_more(
    tmp_path, monkeypatch, jumping_clock
):
    """A node that is cancelled during a sync dials nobody, even once the sync has ended."""
    syncs, has_room = threading.Event(), threading.Event()

    def sync(_descriptor):
        syncs.set()
        has_room.wait()

    ann, ben = FakeCore(), Identity(b"ben".ljust(32, b"."))
    ann.moves["go"] = (fx.Persist(b"entry"), fx.Dial(ben.public, (f"{LOOPBACK}:1",)))
    monkeypatch.setattr(appended, "sync_file", sync)
    with trio.CancelScope() as staying:
        async with node_of(ann, tmp_path) as node, trio.open_nursery() as nursery:
            nursery.start_soon(node.propose, "go")
            await trio.to_thread.run_sync(syncs.wait)
            staying.cancel()
            with trio.CancelScope(shield=True):
                await wait_all_tasks_blocked()
                has_room.set()
    assert staying.cancelled_caught
    assert not node.pool.wanted


async def test_a_node_that_has_ended_is_asked_in_vain(tmp_path, jumping_clock):
    """A call to a node that has ended raises BrokenResourceError, and does not wait."""
    async with node_of(FakeCore(), tmp_path) as node:
        pass
    with trio.fail_after(100), pytest.raises(trio.BrokenResourceError):
        await node.chat("too late")


async def test_folder_that_cannot_be_made_is_told_on_entry(tmp_path, jumping_clock):
    """A node whose folder cannot be made raises DiskTrouble before its block begins."""
    (tmp_path / "ann").write_text("in the way")
    with pytest.raises(DiskTrouble):
        async with node_of(FakeCore(starts=(fx.Persist(b"x"),)), tmp_path):
            pytest.fail("not reached")


async def test_a_node_that_dials_itself_is_refused(tmp_path, jumping_clock):
    """A node that dials its own address is refused, and its core hears of no link."""
    core = FakeCore()
    async with node_of(core, tmp_path) as node:
        with pytest.raises(Refused, match="same player"):
            await node.pool.connect([Address(LOOPBACK, node.port)])
    assert not core.heard


@pytest.mark.parametrize("steps", [0, 1, 3, 10, 30, 100])
async def test_node_can_be_cancelled_at_any_moment(tmp_path, steps):
    """A node can be cancelled at different moments of its start and work, and always ends.

    It releases its folder, so that the same player can come back.
    """
    core = FakeCore(
        starts=(fx.Persist(b"x"), fx.Work(1, lambda: None), fx.Wake(0)),
        on_wake=lambda now: [fx.Persist(b"y"), fx.Wake(now)],
    )

    async def come_and_go(scope):
        with scope:
            async with node_of(core, tmp_path) as node:
                with suppress(Refused):
                    await node.pool.connect([Address(LOOPBACK, node.port)])
                await trio.sleep_forever()

    scope = trio.CancelScope()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(come_and_go, scope)
        for _ in range(steps):
            await trio.lowlevel.checkpoint()
        scope.cancel()
    async with node_of(FakeCore(starts=(fx.Persist(b"z"),)), tmp_path) as node:
        assert record_of(node)[-1] == b"z"
