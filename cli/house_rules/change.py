"""Another offer for a table that waits: what a host types in the lobby, put on top of the old."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from cli.choices.table import listed
from cli.exits import CommandFailed
from cli.house_rules.choice import TableChoice, choice_of_offer, settings_for
from netgame.wire.messages import Settings


def anything(_settings: Settings) -> str:
    """Return an empty reason: no offer is refused."""
    return ""


class Changes(Struct):
    """Makes a new offer of the old one and what a host types in the lobby.

    One of these serves a company from table to table.
    """

    pinned: bool = False
    """True if the host has chosen how many seats there are: they stay, whatever else changes."""

    def changed(
        self,
        settings: Settings,
        words: Sequence[str],
        why_not: Callable[[Settings], str] = anything,
    ) -> Settings | str:
        """Return the offer with this change, or a sentence why there is none.

        `why_not` may refuse it with a sentence. The one word `switches` returns what can be
        changed. A change sets `pinned` if a number of seats is chosen now, else unsets it; a
        refusal leaves it.
        """
        if [word.lower() for word in words] == ["switches"]:
            return listed()
        try:
            choice = self._choice_of(settings).with_typed(words)
        except CommandFailed as failed:
            return failed.sentence
        found = settings_for(choice)
        if problem := why_not(found):
            return problem
        self.pinned = choice.size("seats") is not None
        return found

    def _choice_of(self, settings: Settings) -> TableChoice:
        """Return what made this offer, with its seats if they are pinned or more are possible."""
        choice = choice_of_offer(settings)
        if self.pinned or settings.seats < settings_for(choice).seats:
            return choice.with_value("seats", str(settings.seats))
        return choice
