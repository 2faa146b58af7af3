"""Another offer for a table that waits: what a host types in the lobby, put on top of the old."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cli.exits import CommandFailed
from cli.house_rules.choice import TableChoice, settings_for
from cli.house_rules.menu import Hosting, answered
from cli.language import say
from engine.rules.choose import by_name
from engine.rules.presets import PRESETS
from netgame.wire.messages import Settings


def anything(_settings: Settings) -> str:
    """Refuse no offer."""
    return ""


@dataclass(slots=True)
class Changes:
    """What a host changes at a table that waits, and at the next ones of the same company.

    With `pinned` the host has chosen how many seats there are; they stay, whatever else changes.
    """

    pinned: bool = False

    def changed(
        self,
        settings: Settings,
        words: Sequence[str],
        why_not: Callable[[Settings], str] = anything,
    ) -> Settings | str:
        """Return the offer with this change, or why there is none; `why_not` may refuse it."""
        choice = _chosen(_choice_of(settings, pinned=self.pinned), words)
        if isinstance(choice, str):
            return choice
        try:
            found = settings_for(choice)
        except CommandFailed as failed:
            return failed.sentence
        if problem := why_not(found):
            return problem
        self.pinned = "seats" in choice.sizes
        return found


def _chosen(choice: TableChoice, words: Sequence[str]) -> TableChoice | str:
    """Put these words on top of a choice, or say why they mean nothing."""
    first, *more = (word.lower() for word in words)
    if first in PRESETS:
        choice, more = replace(choice, preset=first, switches={}), more
    else:
        more = [first, *more]
    if not more:
        return choice
    step = answered(Hosting(choice), " ".join(more))
    if step.state is None or step.state.choice is None:
        return say("Type what to change, such as set 9, or blanks=25-50.")
    if step.said or step.state.switch is not None:
        text = "Type {name} and its value; rules {name} lists them."
        return step.said or say(text, name=step.state.switch)
    return step.state.choice


def _choice_of(settings: Settings, *, pinned: bool) -> TableChoice:
    """What somebody chose to make this offer: also the seats, where more would be possible."""
    sizes = {"set": settings.pip_max, "rounds": settings.rounds, "deal": settings.hand}
    choice = TableChoice(
        settings.preset,
        by_name(settings.switches),
        {name: value for name, value in sizes.items() if value},
        by_name(settings.options),
    )
    if pinned or settings.seats < settings_for(choice).seats:
        return replace(choice, sizes={**choice.sizes, "seats": settings.seats})
    return choice
