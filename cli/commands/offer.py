"""From options and table files to what is played: chosen, checked, and said in the host's offer."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import Final

from cli.commands.arguments import OPTION_CHOICES
from cli.commands.table_file import NOT_CHOSEN, TableChoice, is_table_file, read_choice
from cli.exits import CommandFailed, ExitCode
from cli.said.rule_problems import rule_problem_sentence, spec_problem_sentence
from engine.rules.choose import RuleProblem, parse_rules
from engine.rules.ruleset import RuleSet
from engine.rules.spec import SEATS_MAX, SEATS_MIN, SpecProblem, make_spec, suggested_set
from engine.rules.switches import First
from netgame.wire.messages import Settings

BOTS_DEFAULT: Final = 3

_USUAL_SET: Final = 12
"""What is played with as long as nobody says how many sit; every deal table knows it."""


def choice_of(options: argparse.Namespace, named: str) -> TableChoice:
    """Read what is to be played: a preset or a file, and what the options change in it.

    Raises `CommandFailed` if it cannot be read; whether it can be played `rules_of` says.
    """
    base = read_choice(named) if is_table_file(named) else TableChoice(named)
    return replace(
        base,
        switches=tuple({**dict(base.switches), **dict(options.switches)}.items()),
        pip_max=options.pip_max or base.pip_max,
        seats=options.seats or base.seats,
        rounds=options.rounds or base.rounds,
        hand=options.deal or base.hand,
        options=_options(base, options),
        first=getattr(options, "first_player", None) or base.first,
    )


def _options(base: TableChoice, options: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """Merge what the table hides and shows, as typed, over what a file says."""
    typed = {name: getattr(options, name, None) for name in OPTION_CHOICES}
    chosen = dict(base.options) | {name: value for name, value in typed.items() if value}
    return tuple(chosen.items())


def rules_of(choice: TableChoice) -> RuleSet:
    """Make the rules that are chosen; raises `CommandFailed` with what to change."""
    rules = parse_rules(choice.preset, dict(choice.switches))
    if isinstance(rules, RuleProblem):
        raise CommandFailed(ExitCode.USAGE, rule_problem_sentence(rules))
    return rules


@dataclass(frozen=True, slots=True)
class Offering:
    """A table that somebody is about to open."""

    settings: Settings
    bots: int
    """Seats for the program."""
    start_at: int | None
    """Begin by itself when so many sit; None waits for `start`."""
    first: str | None
    """Who plays first, by name, where the rules let the table choose that."""


def offering_of(options: argparse.Namespace) -> Offering:
    """Make a table of the options of `play` or `host`; raises `CommandFailed`."""
    choice = choice_of(options, options.rules)
    alone = options.command == "play"
    bots = _bots(options.bots, choice.seats, alone=alone)
    own = 0 if getattr(options, "no_seat", False) else 1
    if choice.seats is not None and choice.seats < bots + own:
        text = f"{bots} bots and you do not fit on {choice.seats} seats (seats, bots)."
        raise CommandFailed(ExitCode.USAGE, text)
    seats = bots + 1 if alone and choice.seats is None else choice.seats
    if choice.first is not None and rules_of(choice).first is not First.CHOSEN_ROTATE:
        raise CommandFailed(ExitCode.USAGE, f"{NOT_CHOSEN} (first-player)")
    settings = settings_for(replace(choice, seats=seats))
    return Offering(settings, bots, settings.seats if alone else seats, choice.first)


def _bots(asked: int | None, seats: int | None, *, alone: bool) -> int:
    """Return how many seats the program takes; `play` fills the table."""
    if asked is None:
        asked = (BOTS_DEFAULT if seats is None else seats - 1) if alone else 0
    if alone and asked < 1:
        raise CommandFailed(ExitCode.USAGE, "Nobody plays alone: at least one bot (bots).")
    return asked


def settings_for(choice: TableChoice) -> Settings:
    """Make the offer of a table for `choice.seats`, or for as many as the deal allows."""
    rules, seats = rules_of(choice), choice.seats
    deal = choice.hand or rules.deal
    pip_max = choice.pip_max or (suggested_set(seats, deal) if seats else _USUAL_SET)
    counts = (seats,) if seats else range(SEATS_MIN, SEATS_MAX + 1)
    tried = [make_spec(rules, pip_max, each, choice.rounds, choice.hand) for each in counts]
    fitting = [spec.seats for spec in tried if not isinstance(spec, SpecProblem)]
    if not fitting:
        problem = next(spec for spec in tried if isinstance(spec, SpecProblem))
        raise CommandFailed(ExitCode.USAGE, spec_problem_sentence(problem))
    return Settings(
        preset=choice.preset,
        switches=tuple(f"{name}={value}" for name, value in choice.switches),
        pip_max=pip_max,
        seats=max(fitting),
        rounds=choice.rounds or 0,
        hand=choice.hand or 0,
        options=tuple(
            f"{name}={value}" for name, value in choice.options if value != OPTION_CHOICES[name][0]
        ),
    )
