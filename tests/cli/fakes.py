"""A fake node that notes the requests made to it, and a fake person who notes what they read."""

import math
import time
from dataclasses import replace

import trio
import trio.testing

from cli.exits import ExitCode
from cli.render.cells import Canvas
from cli.render.menu import menu_lines
from cli.render.palette import ASCII_GLYPHS
from cli.screens.ending import RunEnding
from cli.session.frontend import NoticeShown
from cli.session.loop import sit
from cli.session.sitting import Habits, Sitting, Visit
from netgame.io.door.admission import Door
from netgame.io.node.question import Granted
from netgame.io.tables.options import HostOptions, JoinOptions
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from netgame.wire.messages import Settings
from tests.cli.scenes import written

_SETTINGS = Settings("standard", (), 12, 4, 3, 0)


def seats_of(*names: str, **facts) -> tuple[SeatInfo, ...]:
    """Return a seat with these facts for each name: of a connected person whose key is the name."""
    seats = (SeatInfo(name, name.encode(), "abcd", False, True, decides=True) for name in names)
    return tuple(replace(each, **facts) for each in seats)


def view_of(scene, **facts) -> TableView:
    """Return the view of a table in play that shows this scene; `facts` replace its fields."""
    seats = seats_of(*scene.names)
    view = TableView(
        stage=TableStage.PLAYING,
        table_id=b"t",
        settings=None,
        spec=scene.table.spec,
        table=scene.table,
        seat=scene.seat,
        hand=scene.hand,
        seats=seats,
        host_key=b"",
        is_host=False,
        seats_offered=len(seats),
        due=(),
        head=b"",
        step=7,
        deal_note=None,
        can_move=scene.can_move,
        needed=len(seats) // 2 + 1,
    )
    return replace(view, **facts)


def remembers(what: str):
    """Return a method for `FakeNode` that notes its arguments and grants the request."""

    async def asked(node, *given, **how) -> Granted:
        node.asked.append((what, *given, *how.values()))
        return Granted()

    return asked


def sitting_with(
    *,
    stays: bool = False,
    starts_itself: bool = False,
    resumable: bool = True,
    auto: bool = False,
    watches: bool = False,
    looks_first: bool = False,
    **facts,
) -> Sitting:
    """Return a sitting; each of `facts` is a field of the habits, of the visit or of the sitting.

    Somebody else hosts the table, unless it `starts_itself` or is not `resumable`.
    """
    habits, visit = (
        kind(**{name: facts.pop(name) for name in kind.__struct_fields__ if name in facts})
        for kind in (Habits, Visit)
    )
    seat = JoinOptions(name="Ana", auto=auto, watches=watches, looks_first=looks_first)
    if starts_itself or not resumable:
        begins = {"start_at": 4 if starts_itself else None, "seed": None if resumable else 1}
        seat = HostOptions(name="Ana", auto=auto, settings=_SETTINGS, **begins)
    return Sitting(seat, habits, visit, came_to_watch=stays, **facts)


class FakeNode:
    """A node whose table never changes; it notes the requests made to it."""

    is_hidden = False
    page, page_address = None, ""

    def __init__(self, scene, **facts) -> None:
        self.key = scene.names[scene.seat].encode()
        self.name = scene.names[scene.seat]
        self.finished = trio.Event()
        self.door = Door()
        self.kicked: dict[bytes, str] = {}
        self.scene, self.facts = scene, facts
        self.asked: list[tuple[object, ...]] = []
        self.folder = None
        self.serve_page = trio.lowlevel.checkpoint
        self.teller, self.notices = trio.open_memory_channel(math.inf)

    def view(self) -> TableView:
        """Return the view of the scene with the facts that the test gave."""
        return view_of(self.scene, **self.facts)

    def tell(self, *notices) -> None:
        """Send these notices to the session."""
        for notice in notices:
            self.teller.send_nowait(notice)

    def when_changed(self) -> trio.Event:
        """Return an event that is never set."""
        return trio.Event()

    when_moved = when_changed

    propose, call, chat, begin = map(remembers, ("propose", "call", "chat", "begin"))
    rename, go_on_without = map(remembers, ("rename", "without"))
    play_again = remembers("again")
    take_seat, look_on = map(remembers, ("take_seat", "look_on"))

    async def kick(self, key) -> Granted:
        """Note the request, grant it, and list this key as kicked."""
        self.asked.append(("kick", key))
        view = self.view()
        guests = dict(view.guests)
        self.kicked[key] = view.name_of(key) or guests[key]
        return Granted()

    async def allow(self, key) -> Granted:
        """Note the request, grant it, and take this key off the list of kicked ones."""
        self.asked.append(("allow", key))
        self.kicked.pop(key, None)
        return Granted()

    def is_missed(self, key) -> bool:
        """Return True for Ben, and False for everybody else."""
        return key == b"Ben"

    def addresses_of(self, _key) -> tuple[str, ...]:
        """Return no addresses."""
        return ()

    async def on_disk(self, work, _otherwise):
        """Do the work at once and return its result."""
        return work()

    async def attend(self) -> None:
        """Do nothing, as for a seat that a person plays."""


async def no_thread_works() -> None:
    """Wait until no worker thread of trio is at work.

    The wait takes real time, even if the tasks run on a test clock.
    """
    threads, own = trio.to_thread.current_default_thread_limiter(), trio.CapacityLimiter(1)
    while threads.borrowed_tokens:
        await trio.to_thread.run_sync(time.sleep, 0.001, limiter=own)
        await trio.testing.wait_all_tasks_blocked()


class FakeFront:
    """A front end for a person who types these lines and then leaves; it notes all it has to show.

    A number among the lines is a wait of that many seconds; a function is called, followed by a
    wait of 5 seconds.
    """

    asks_back = True
    has_keys = keeps_board = False
    saw_question = True
    seen = None

    def __init__(self, *lines) -> None:
        self.lines = [*lines, "quit", "yes"]
        self.ending = RunEnding()
        self.said: list[str] = []
        self.shown: list[object] = []
        self.status: list[str] = []

    def canvas(self) -> Canvas:
        """Return a canvas of 80 columns and 24 rows."""
        return Canvas(80, 24, ASCII_GLYPHS)

    def say(self, sentence: str) -> None:
        """Note the sentence."""
        self.said.append(sentence)

    def ask(self, sentence: str) -> None:
        """Note the question like any other sentence."""
        self.say(sentence)

    recount = ask

    def show(self, lines) -> None:
        """Note the lines, joined to one sentence."""
        self.say(" ".join(written(lines).split()))

    def shows_whole(self) -> bool:
        """Return False: there is no drawn table whose trains could be shown whole."""
        return False

    def renews(self, _closed) -> bool:
        """Return False: nothing is shown that could be renewed."""
        return False

    def offer(self, menu) -> None:
        """Note the lines of a menu; ignore None."""
        if menu is not None:
            self.show(menu_lines(menu, self.canvas()))

    def tell(self, occasion) -> None:
        """Note the sentence of a notice in `said`; note any other occasion in `shown`."""
        if isinstance(occasion, NoticeShown):
            self.said.append(occasion.sentence)
        else:
            self.shown.append(occasion)

    def count(self, kind) -> int:
        """Return how many occasions of this type were noted in `shown`."""
        return sum(isinstance(each, kind) for each in self.shown)

    def working(self, sentence) -> None:
        """Note the sentence about work in progress; ignore None."""
        if sentence is not None:
            self.said.append(sentence)

    def scene_is(self, _place, status, *_beside) -> None:
        """Note the status line if it changed."""
        if self.status[-1:] != [status]:
            self.status.append(status)

    async def next_line(self, _back: str = "") -> str | None:
        """Return the next line once all other tasks are blocked.

        Do the waits and the calls that come before it.
        """
        await trio.testing.wait_all_tasks_blocked()
        while not isinstance(line := self.lines.pop(0), str | None):
            if callable(line):
                line()
            await trio.sleep(5 if callable(line) else line)
            await no_thread_works()
        return line


async def played(scene, *lines: str, told=(), auto: bool = False) -> tuple[FakeNode, FakeFront]:
    """Sit down at this scene, receive the notices `told`, type these lines, and leave.

    Return the node and the front end, which have noted what happened.
    """
    node, front = FakeNode(scene), FakeFront(*lines)
    node.tell(*told)
    code = await sit(node, front, sitting_with(auto=auto))
    assert code is ExitCode.OK
    return node, front
