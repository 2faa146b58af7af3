"""The rules wanted for a table, put together choice by choice, checked, and made into an offer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from cli.choices.table import FIRST, RULES, SEATS, SIZES, TABLE, USUAL, read_changes
from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.render.rule_sheet import Offer, offer_from
from cli.wording.refusals import refusal_sentence
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import RULE_SETS, STANDARD, SWITCHES, by_name, parse_rules, value_text
from engine.rules.deals import DEALS
from engine.rules.ruleset import RuleSet
from engine.rules.spec import TableSpec, make_spec, suggested_set
from engine.rules.switches import First
from netgame.protocol.state.options import OPTIONS
from netgame.protocol.state.revision import offered
from netgame.wire.messages import Settings

_USUAL_SET: Final = 12
"""The set if neither set nor seats are chosen, unless the deal table lacks it."""

NOT_CHOSEN: Final = (
    "These rules decide who plays first; first=chosen-rotate lets you name somebody."
)


class TableChoice(Struct, frozen=True):
    """The rules wanted for a table: a rule set and the changes to it."""

    preset: str = STANDARD
    """The rule set; it decides everything that `values` does not name."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Words as an offer spells them, by the keys of `cli.choices.table`."""

    @property
    def switches(self) -> dict[str, str]:
        """The switches that are set, each with its word.

        A deal chosen as a number of tiles is left out: it is a size.
        """
        return {
            name: word
            for name, word in self.values.items()
            if name in SWITCHES and not (name in SIZES and word.isdigit())
        }

    @property
    def options(self) -> dict[str, str]:
        """The options of the table that differ from the usual ones."""
        usual = {name: TABLE[name].usual.value for name in OPTIONS}
        return {k: word for k, word in self.values.items() if word != usual.get(k, word)}

    def size(self, name: str) -> int | None:
        """Return the number chosen for this size; None if it is the usual one or a deal table."""
        word = self.values.get(name, "")
        return int(word) if word.isdigit() else None

    def with_value(self, key: str, word: str) -> "TableChoice":
        """Return this choice with one value changed; the value is not checked.

        Choosing a rule set, even the same one again, undoes every switch. The word `none` undoes a
        size, and the rule set's own word undoes a switch that was set.
        """
        if key == RULES.key:
            kept = {name: self.values[name] for name in self.values if name not in self.switches}
            return TableChoice(word, kept)
        others = {name: value for name, value in self.values.items() if name != key}
        taken_back = key in SIZES and word == USUAL
        taken_back |= key in self.values and self._is_own(key, word)
        return replace(self, values=others if taken_back else {**self.values, key: word})

    def _is_own(self, key: str, word: str) -> bool:
        """Return True if `key` is a switch and `word` is its value in the rule set."""
        rules = RULE_SETS.get(self.preset)
        return rules is not None and key in SWITCHES and value_text(rules, key) == word

    def with_typed(self, words: Sequence[str]) -> "TableChoice":
        """Return this choice with typed changes on top.

        Words are for example `walnut set 9 blanks=25-50`. Raises `CommandFailed` for words that
        cannot be read, or that make no table.
        """
        choice = on_top(self, read_changes(words))
        settings_for(choice)
        return choice


def on_top(base: TableChoice, changes: Iterable[tuple[str, str]]) -> TableChoice:
    """Return a choice with changes on top, each a key with its word; the result is not checked."""
    for key, word in changes:
        base = base.with_value(key, word)
    return base


def choice_of_offer(settings: Settings) -> TableChoice:
    """Return the choice that leads to this offer, without its number of seats."""
    sizes = {"set": settings.pip_max, "rounds": settings.rounds, "deal": settings.hand}
    numbers = {name: str(number) for name, number in sizes.items() if number}
    values = by_name((*settings.switches, *settings.options))
    return TableChoice(settings.preset, {**values, **numbers})


def rules_of(choice: TableChoice) -> RuleSet:
    """Return the rules of a choice.

    Raises `CommandFailed` if they exclude each other, or if a first player is named although the
    rules decide who plays first.
    """
    rules = parse_rules(choice.preset, choice.switches)
    if isinstance(rules, Refusal):
        raise CommandFailed(ExitCode.USAGE, refusal_sentence(rules))
    if FIRST.key in choice.values and rules.first is not First.CHOSEN_ROTATE:
        raise CommandFailed(ExitCode.USAGE, f"{say(NOT_CHOSEN)} ({FIRST.key})")
    return rules


def settings_for(choice: TableChoice) -> Settings:
    """Return the offer of a table for the seats chosen, or for the most that the deal allows.

    The set is the one chosen, else the one suggested for the seats chosen, else double-12, or the
    largest set of a deal table that does not list double-12. Rounds and hand are 0 if not chosen.
    Raises `CommandFailed` if no table can be made.
    """
    specs = _specs(choice, _set_of(choice) or _usual_set(choice))
    chosen = Settings(
        preset=choice.preset,
        switches=_words(choice.switches),
        pip_max=specs[0].pip_max,
        seats=max(spec.seats for spec in specs),
        rounds=choice.size("rounds") or 0,
        hand=choice.size("deal") or 0,
        options=_words(choice.options),
    )
    return offered(chosen)


def _words(values: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}={word}" for name, word in values.items())


def sheet_offer(choice: TableChoice) -> Offer:
    """Return the offer that a sheet shows, with sizes left open if they are not chosen.

    Raises `CommandFailed` if the rules exclude each other, or make no table of the sizes chosen.
    """
    pip_max = _set_of(choice)
    seats, rounds, hand = (choice.size(name) for name in ("seats", "rounds", "deal"))
    if (pip_max, rounds, hand) != (None, None, None):
        _specs(choice, pip_max)
    return offer_from(
        choice.preset,
        rules_of(choice),
        choice.switches,
        pip_max=pip_max,
        seats=seats,
        rounds=rounds,
        hand=hand,
        options=choice.options.items(),
    )


def _set_of(choice: TableChoice) -> int | None:
    """Return the set that is chosen, or else the one suggested for the seats chosen.

    None if neither set nor seats are chosen.
    """
    pip_max, seats = choice.size("set"), choice.size("seats")
    if pip_max is not None or seats is None:
        return pip_max
    return suggested_set(seats, choice.size("deal") or rules_of(choice).deal)


def _usual_set(choice: TableChoice) -> int:
    deal = choice.size("deal") or rules_of(choice).deal
    known = () if isinstance(deal, int) else DEALS[deal]
    return _USUAL_SET if not known or _USUAL_SET in known else max(known)


def _specs(choice: TableChoice, pip_max: int | None) -> list[TableSpec]:
    """Return every table that the choice allows, the fewest seats first.

    If `pip_max` is None, each has the set suggested for its seats. Raises `CommandFailed` if the
    choice allows no table.
    """
    rules, seats = rules_of(choice), choice.size("seats")
    counts = SEATS if seats is None else (seats,)
    rounds, hand = choice.size("rounds"), choice.size("deal")
    tried = [make_spec(rules, pip_max, count, rounds, hand) for count in counts]
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
