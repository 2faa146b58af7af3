"""Texts that a learner reads before the game goes on: the table waits until Enter is pressed."""

from cli.language import say
from cli.session.frontend import FrontEnd
from cli.session.tasks import Signal, sleep


class Explanations:
    """The explanations that the learner has yet to read, shown one at a time, oldest first.

    If nobody can press Enter, they are said at once, and nothing waits.
    """

    def __init__(self, front: FrontEnd) -> None:
        self._front = front
        self._texts: list[str] = []
        self._waiting: list[Signal] = []

    @property
    def goes_on(self) -> bool:
        """True if nothing waits to be read."""
        return not self._texts

    def explain(self, text: str) -> None:
        """Make the table wait until `text` is read; if nobody can press Enter, only say it."""
        if not self._front.asks_back:
            self._front.say(text)
            return
        self._texts.append(text)
        if len(self._texts) == 1:
            self.show()

    def show(self) -> None:
        """Show the next text to be read, if there is one."""
        if self._texts:
            self._front.ask(f"{self._texts[0]} {say('Press Enter to go on.')}")

    def turn_over(self) -> None:
        """Remove the text just read, and show the next, or let the table go on.

        A screen that showed it beside the table now prints it, so that it can be read again.
        """
        read = self._texts.pop(0)
        if self._front.keeps_board:
            self._front.say(read)
        self.show()
        if self.goes_on:
            waiting, self._waiting = self._waiting, []
            for signal in waiting:
                signal.give()

    async def move_on(self, pause_s: float) -> None:
        """Wait until everything has been read, and then for `pause_s` seconds more.

        Return at once if there is nothing to read.
        """
        while not self.goes_on:
            await self.done()
            await sleep(pause_s)

    async def done(self) -> None:
        """Return once everything has been read; at once if nothing waits."""
        if not self.goes_on:
            signal = Signal()
            self._waiting.append(signal)
            await signal.wait()
