"""The verb for the settings of a person, which are those of `boneyard config`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cli.session.verbs.verb import Ask, TableVerb, Where

if TYPE_CHECKING:
    from cli.session.session import Session
    from netgame.protocol.peer.view import TableView


class Config(Ask, frozen=True):
    """Show the settings or one of them, or change one."""

    words: tuple[str, ...] = ()

    def about(self, view: TableView) -> tuple[object, ...]:
        """Return no facts: settings do not depend on the table."""
        return ()

    async def do(self, session: Session) -> None:
        """Show or change the settings; apply at once any change that matters at this table."""
        told = session.sitting.habits.config(self.words, session.front.canvas().columns)
        if told.lines:
            session.front.show(told.lines)
        for sentence in told.said:
            session.front.say(sentence)
        if told.habits is not None:
            session.take_habits(told.habits)
        if told.rearranges:
            session.desk.arranged = None


CONFIG: Final = TableVerb(
    "config [KEY VALUE]",
    "Show your settings or one of them, or set one for this and later games.",
    lambda words: Config(tuple(words)),
    spanish=("ajustes",),
    examples=("config", "config bell", "config bell off", "config unset bell"),
    where=Where.ALWAYS,
    takes_text=True,
    also=("my settings", "mis ajustes"),
)

VERBS: Final = (CONFIG,)
