"""A new offer for a table in its lobby: the host's typed changes applied to the old offer."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from cli.choices.table import listed
from cli.exits import CommandFailed
from cli.house_rules.choice import TableChoice, choice_of_offer, settings_for
from netgame.wire.messages import Settings


def anything(_settings: Settings) -> str:
    """Return an empty reason: accept every offer."""
    return ""


class Changes(Struct):
    """Makes a new offer from the old one and the words that the host types in the lobby.

    One instance is used for all the tables that the same people sit at, one after another.
    """

    pinned: bool = False
    """True if the host has chosen the number of seats, so that other changes keep it."""

    def changed(
        self,
        settings: Settings,
        words: Sequence[str],
        why_not: Callable[[Settings], str] = anything,
    ) -> Settings | str:
        """Return the offer with this change, or a sentence saying why it is refused.

        `why_not` is given the new offer, and refuses it by returning a sentence instead of an empty
        string. The single word `switches` returns a list of what can be changed.

        Afterwards `pinned` says whether the number of seats is chosen; a refused change does not
        alter it.
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
        """Return the choice that leads to an offer.

        It includes the number of seats if that is pinned, or if these rules would allow more.
        """
        choice = choice_of_offer(settings)
        if self.pinned or settings.seats < settings_for(choice).seats:
            return choice.with_value("seats", str(settings.seats))
        return choice
