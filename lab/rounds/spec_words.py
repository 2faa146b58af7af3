"""A table from the words of a person who trains, measures or compares."""

from collections.abc import Iterable

from cli.wording.refusals import refusal_sentence
from engine.refusals import Refusal
from engine.rules.choose import by_name, parse_rules, spelled
from engine.rules.spec import TableSpec, make_spec


def spec_of(
    preset: str,
    switches: Iterable[str],
    pip_max: int | None,
    seats: int,
    rounds: int | None,
    deal: int | None = None,
) -> TableSpec:
    """The table; ValueError, with the reason as a sentence, where there is none.

    Switches are words like `blanks=25-50`; what is None is as the rules have it.
    """
    rules = parse_rules(preset, spelled(by_name(switches)))
    spec = rules if isinstance(rules, Refusal) else make_spec(rules, pip_max, seats, rounds, deal)
    if isinstance(spec, Refusal):
        raise ValueError(refusal_sentence(spec))
    return spec
