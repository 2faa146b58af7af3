"""What somebody wants to play: merged from file and arguments, checked, and made an offer."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from cli.drawn.rule_sheet import Offer, offer_from
from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.said.refusals import refusal_sentence
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import STANDARD, parse_rules, spelled
from engine.rules.deals import DealTable
from engine.rules.ruleset import RuleSet
from engine.rules.spec import ROUNDS_MAX, SEATS_MAX, SEATS_MIN, TableSpec, make_spec, suggested_set
from engine.tiles import SET_SIZES
from netgame.protocol.fold.options import OPTIONS
from netgame.protocol.fold.revision import offered
from netgame.wire.messages import Settings

_USUAL_SET: Final = 12
"""The set as long as nobody says how many sit; every deal table knows it."""


class Size(NamedTuple):
    """A number that a table may choose: what it is for, what it can be, and an example."""

    about: str
    values: Sequence[int]
    example: int

    @property
    def words(self) -> str:
        """Say what it can be."""
        if isinstance(self.values, range):
            least, most = self.values[0], self.values[-1]
            return say("a whole number from {least} to {most}", least=least, most=most)
        return say("one of {words}", words=", ".join(map(str, self.values)))


SIZES: Final = {
    "set": Size("the highest double of the set", SET_SIZES, 12),
    "seats": Size("start by itself with so many players", range(SEATS_MIN, SEATS_MAX + 1), 4),
    "rounds": Size("rounds to play, if not one for each double", range(1, ROUNDS_MAX + 1), 5),
    "deal": Size("tiles in each hand", DealTable.numbers, 12),
}
"""The numbers of a table, by the name that arguments and table files have for them."""


@dataclass(frozen=True, slots=True)
class TableChoice:
    """What somebody wants to play; whatever a mapping does not name is left to the preset.

    However a number was typed, in a file, an argument or a menu, here it is as an offer has it.
    """

    preset: str = STANDARD
    switches: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Numbers by the names of `SIZES`."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What the table hides and shows beside its rules."""
    name: str | None = None
    """What these house rules are called."""
    first: str | None = None
    """Who plays first, by name, where the rules let the table choose that."""

    def __post_init__(self) -> None:
        """Bring the values of switches into their one spelling."""
        object.__setattr__(self, "switches", spelled(self.switches))


NOT_CHOSEN: Final = (
    "These rules decide who plays first; first=chosen-rotate lets you name somebody."
)


def with_typed(base: TableChoice, typed: argparse.Namespace) -> TableChoice:
    """Put on top of a choice what was typed; whether it can be played, `rules_of` says."""
    words: Mapping[str, Any] = vars(typed)

    def given(names: Iterable[str]) -> dict[str, Any]:
        return {name: words[name] for name in names if words.get(name) is not None}

    return replace(
        base,
        switches={**base.switches, **dict(typed.switches)},
        sizes={**base.sizes, **given(SIZES)},
        options={**base.options, **given(OPTIONS)},
        first=words.get("first_player") or base.first,
    )


def rules_of(choice: TableChoice) -> RuleSet:
    """Make the rules that are chosen; raises `CommandFailed` with what to change."""
    rules = parse_rules(choice.preset, choice.switches)
    if isinstance(rules, Refusal):
        raise CommandFailed(ExitCode.USAGE, refusal_sentence(rules))
    return rules


def settings_for(choice: TableChoice) -> Settings:
    """Make the offer of a table for the seats chosen, or for as many as the deal allows."""
    sizes = choice.sizes
    specs = _specs(choice, _set_of(choice) or _USUAL_SET)
    chosen = Settings(
        preset=choice.preset,
        switches=tuple(f"{name}={value}" for name, value in choice.switches.items()),
        pip_max=specs[0].pip_max,
        seats=max(spec.seats for spec in specs),
        rounds=sizes.get("rounds", 0),
        hand=sizes.get("deal", 0),
        options=tuple(
            f"{name}={value}"
            for name, value in choice.options.items()
            if value != next(iter(OPTIONS[name])).value
        ),
    )
    return offered(chosen)


def sheet_offer(choice: TableChoice) -> Offer:
    """Make the offer that a sheet shows, its sizes left open where nothing is chosen."""
    sizes, pip_max = choice.sizes, _set_of(choice)
    if pip_max is not None or "rounds" in sizes or "deal" in sizes:
        _specs(choice, pip_max)
    return offer_from(
        *(choice.preset, rules_of(choice), choice.switches, pip_max),
        *(sizes.get("seats"), sizes.get("rounds"), sizes.get("deal"), choice.options.items()),
    )


def _set_of(choice: TableChoice) -> int | None:
    """Return the set that is chosen, or suggested for the seats that are."""
    seats = choice.sizes.get("seats")
    if "set" in choice.sizes or seats is None:
        return choice.sizes.get("set")
    return suggested_set(seats, choice.sizes.get("deal") or rules_of(choice).deal)


def _specs(choice: TableChoice, pip_max: int | None) -> list[TableSpec]:
    """Make every table that the choice allows; raises `CommandFailed` if there is none."""
    rules, sizes = rules_of(choice), choice.sizes
    counts = (sizes["seats"],) if "seats" in sizes else SIZES["seats"].values
    tried = [
        make_spec(rules, pip_max, seats, sizes.get("rounds"), sizes.get("deal")) for seats in counts
    ]
    fitting = [spec for spec in tried if isinstance(spec, TableSpec)]
    if not fitting:
        problem = next(spec for spec in tried if isinstance(spec, Refusal))
        if problem.reason is RefusalReason.DEAL_UNLISTED and len(tried) > 1:
            text = (
                "The deal table knows no double-{set}: choose another set, or a number of tiles "
                "(deal)."
            )
            raise CommandFailed(ExitCode.USAGE, say(text, set=dict(problem.facts)["set"]))
        raise CommandFailed(ExitCode.USAGE, refusal_sentence(problem))
    return fitting
