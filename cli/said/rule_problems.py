"""Why a choice of rules, or of a table's size, cannot be had: one sentence each, with what can."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, assert_never

from engine.rules.choose import SWITCHES, RuleProblem, RuleProblemCode
from engine.rules.spec import SpecProblem, SpecProblemCode

_SPECS: Final[Mapping[SpecProblemCode, str]] = MappingProxyType(
    {
        SpecProblemCode.SET_UNKNOWN: "There is no double-{set} set; the sets are 6, 9, 12, 15 and "
        "18 (set).",
        SpecProblemCode.SEATS_OUT_OF_RANGE: "A table seats {least} to {most}, not {seats} (seats).",
        SpecProblemCode.ROUNDS_OUT_OF_RANGE: "With this set and these rules a game has 1 to {most} "
        "rounds, not {rounds} (rounds).",
        SpecProblemCode.DEAL_UNLISTED: "These rules name no deal for {seats} seats with "
        "double-{set}: choose another set, or give a number of tiles up to {most} (deal).",
        SpecProblemCode.DEAL_OUT_OF_RANGE: "{hand} tiles for each of {seats} seats do not come out "
        "of {tiles}: at most {most} (deal).",
        SpecProblemCode.PARTNER_SEATS: "partners=yes needs 4, 6 or 8 seats, so that every seat has "
        "an opposite one; {seats} seats do not (partners, seats).",
    }
)


def spec_problem_sentence(problem: SpecProblem) -> str:
    """Say why a table cannot be made, which option is the cause, and what would do."""
    return _SPECS[problem.code].format_map(dict(problem.facts))


def rule_problem_sentence(problem: RuleProblem) -> str:
    """Say why there are no such rules, and what there is."""
    facts = dict(problem.facts)
    known = facts.get("known", "").split()
    match problem.code:
        case RuleProblemCode.UNKNOWN_PRESET:
            hint = _near(facts["preset"], known) or f"there is: {', '.join(known)}."
            return f"There is no rule set {facts['preset']}; {hint}"
        case RuleProblemCode.UNKNOWN_SWITCH:
            hint = _near(facts["switch"], known) or "see: boneyard rules."
            return f"There is no switch {facts['switch']}; {hint}"
        case RuleProblemCode.UNKNOWN_VALUE:
            number = " or a number" if SWITCHES[facts["switch"]].kind.numbers else ""
            can = f"{', '.join(known)}{number}"
            return f"The switch {facts['switch']} cannot be {facts['value']}; it can be: {can}."
        case RuleProblemCode.CLASH:
            one, other = facts["one"], facts["other"]
            return f"The switches {one} and {other} exclude each other: {facts['reason']}."
    assert_never(problem.code)


def _near(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else ""
