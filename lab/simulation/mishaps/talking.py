"""People who talk at a table, and say after its game that they are in for another.

The log contains none of this. Talk is signed, and travels through others where there is no link. To
be in for another game, a person says so over each of their own links. So words may come late, twice
after a restart, or never, but always from their speaker.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeVar

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.death import Point
from lab.simulation.computers.process import Process
from lab.simulation.computers.world import World
from netgame.protocol.notices import WATCHES, AgainHeard, ChatHeard
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.parts import Parts
from netgame.protocol.state.phases import Phase

N = TypeVar("N", ChatHeard, AgainHeard)

LINES: Final = "lines said"
HEARD: Final = "heard by others"
IN: Final = "in for another game"
IN_HEARD: Final = "of which others heard"

KINDS: Final = (LINES, HEARD, IN, IN_HEARD)
"""The kinds of talk to count."""

_LINE_ONCE_IN: Final = 6
"""After one entry in this many somebody says something."""

_SOON_S: Final = 2.0
"""Within so long of an entry, or of the end, people say what they have to say."""


class Talkers:
    """The people of one table who talk, what they said, and what the others heard of it."""

    world: World
    """The table where they talk; set before anything happens there."""
    takes_seats = False

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._lines: dict[str, PeerKey] = {}
        """The author of each line."""
        self._asked: set[int] = set()
        """The numbers of the processes whose people have decided about another game."""
        self._in: dict[PeerKey, bool] = {}
        """The people who are in, and whether they open the table."""

    # ---- what processes report ------------------------------------------------------------

    def wrote(self, writer: Process, record: bytes) -> None:
        """Note that an entry was written: now and then somebody says something soon after one."""
        del writer, record
        if self._chance.once_in(_LINE_ONCE_IN):
            speaker = self._chance.pick(self.world.processes)
            self._soon(speaker, partial(self._say, speaker))

    def said(self, writer: Process) -> None:
        """Ignore statements: nobody talks because of one."""

    def strikes(self, process: Process, point: Point) -> bool:
        """Return False: talk never kills a process."""
        del process, point
        return False

    def moved(self, process: Process) -> None:
        """Note progress: soon after the game's end most people say that they are in for another."""
        if process.state.phase is Phase.OVER and process.number not in self._asked:
            self._asked.add(process.number)
            if not self._chance.once_in(4):
                self._soon(process, partial(self._is_in, process))

    def _soon(self, speaker: Process, errand: Callable[[Parts], None]) -> None:
        self.world.later(self._chance.between(0.0, _SOON_S), lambda: speaker.act(errand))

    def _say(self, speaker: Process, parts: Parts) -> None:
        text = f"line {len(self._lines) + 1}"
        self._lines[text] = speaker.key
        parts.talk.say(text)

    def _is_in(self, process: Process, parts: Parts) -> None:
        """Tell the others that this person is in; the host opens the next table."""
        opens = process.state.host == process.key
        self._in[process.key] = opens
        parts.another_game.say(opens=opens)

    # ---- what came of it ------------------------------------------------------------------

    @property
    def counts(self) -> Counter[str]:
        """How much was said, and how often others heard it."""
        chat = (n for p in self.world.processes for n in _told(p, ChatHeard) if n.key != p.key)
        again = (n for p in self.world.processes for n in _told(p, AgainHeard))
        return Counter(
            {
                LINES: len(self._lines),
                HEARD: sum(1 for _ in chat),
                IN: len(self._in),
                IN_HEARD: sum(1 for _ in again),
            }
        )

    def wrong(self) -> Iterator[str]:
        """Yield a line for each thing that a process should not have heard.

        Nobody said it, or it was heard under a wrong name, or too often.
        The things heard are chat lines, and reports that somebody is in for another game. A process
        that restarts may hear again what others repeat to it. A liar may say anything, but only in
        its own name.
        """
        for process in self.world.processes:
            heard = Counter[str]()
            for notice in _told(process, ChatHeard):
                speaker = self.world.by_key[PeerKey(notice.key)]
                lies = type(speaker.core) is not Core and notice.text not in self._lines
                heard[notice.text] += not lies
                is_so = lies or self._lines.get(notice.text) == speaker.key
                if not is_so or not _is_called(speaker, notice.name):
                    yield f"talk: {process.name} heard {notice.text!r} by {notice.name}"
            for text, times in heard.items():
                if times > process.lives:
                    yield f"talk: {process.name} heard {text!r} {times} times"
            yield from self._wrongly_in(process)

    def _wrongly_in(self, process: Process) -> Iterator[str]:
        """Yield each false or repeated report that somebody is in for another game."""
        heard = Counter[PeerKey]()
        for notice in _told(process, AgainHeard):
            speaker = self.world.by_key[PeerKey(notice.key)]
            heard[speaker.key] += 1
            is_so = self._in.get(speaker.key) is notice.opens and _is_called(speaker, notice.name)
            if not is_so or heard[speaker.key] > process.lives:
                yield f"again: {process.name} heard that {notice.name} is in, opens={notice.opens}"


def _is_called(speaker: Process, name: str) -> bool:
    """Return True if a screen may show this person by this name, as a player or as a watcher."""
    return name in (speaker.name, f"{speaker.name}{WATCHES}")


def _told(process: Process, kind: type[N]) -> Iterator[N]:
    return (notice for notice in process.told if isinstance(notice, kind))
