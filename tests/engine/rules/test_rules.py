"""Rule sets and tables: what is accepted, what is refused and why."""

import pytest

from engine.rules.chapters import CHAPTERS, NOT_PLAYED
from engine.rules.choose import (
    RULE_SETS,
    SWITCHES,
    RuleProblem,
    RuleProblemCode,
    RuleSet,
    format_rules,
    parse_rules,
)
from engine.rules.deals import DEALS, DealTable
from engine.rules.spec import (
    SEATS_MAX,
    SpecProblem,
    SpecProblemCode,
    TableSpec,
    deck_count,
    make_spec,
    rounds_max,
    suggested_set,
)
from engine.rules.switches import Blanks, Mexican
from engine.tiles import SET_SIZES
from tests.engine.deals import COMPANIONS


@pytest.mark.parametrize(
    ("name", "value"),
    [(switch.name, value) for switch in SWITCHES.values() for value in switch.values],
)
def test_every_value_is_read_and_written_back(name, value):
    """`parse_rules(*format_rules(rules)) == rules`."""
    rules = parse_rules("standard", {name: value} | COMPANIONS.get((name, value), {}))
    assert isinstance(rules, RuleSet)
    preset, words = format_rules(rules)
    assert parse_rules(preset, dict(word.split("=") for word in words)) == rules


def test_a_preset_is_written_by_its_name():
    """A rule set equal to a preset needs no switches."""
    for name, rules in RULE_SETS.items():
        assert format_rules(rules) == (name, ())


def test_deal_takes_a_number():
    """`deal=12` is a hand of twelve."""
    rules = parse_rules("standard", {"deal": "12", "mexican": "none", "blanks": "0-50"})
    assert rules == RuleSet(deal=12, mexican=Mexican.NONE, blanks=Blanks.DOUBLE_50)
    assert format_rules(rules) == ("standard", ("deal=12", "mexican=none", "blanks=0-50"))


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_any_switch_on_any_preset_is_read_back_or_refused(name, switch):
    """A preset with one switch changed is a rule set that can be written, or a clash."""
    for value in SWITCHES[switch].values:
        rules = parse_rules(name, {switch: value})
        if isinstance(rules, RuleProblem):
            assert rules.code is RuleProblemCode.CLASH
            continue
        preset, words = format_rules(rules)
        assert parse_rules(preset, dict(word.split("=") for word in words)) == rules


@pytest.mark.parametrize(
    ("preset", "switches", "code"),
    [
        ("galt", {}, RuleProblemCode.UNKNOWN_PRESET),
        ("standard", {"jokers": "2"}, RuleProblemCode.UNKNOWN_SWITCH),
        ("standard", {"blanks": "wild"}, RuleProblemCode.UNKNOWN_VALUE),
        ("standard", {"deal": "many"}, RuleProblemCode.UNKNOWN_VALUE),
        ("standard", {"deal": "1000"}, RuleProblemCode.UNKNOWN_VALUE),
        ("standard", {"deal": "²"}, RuleProblemCode.UNKNOWN_VALUE),
        ("standard", {"marker-double": "free", "double-public": "yes"}, RuleProblemCode.CLASH),
        (
            "standard",
            {"own-train-first": "elsewhere", "mexican-from": "first-turn"},
            RuleProblemCode.CLASH,
        ),
        ("standard", {"mexican": "none", "mexican-from": "own-started"}, RuleProblemCode.CLASH),
    ],
)
def test_unknown_and_contradictory_rules_are_refused(preset, switches, code):
    """Words from people and peers become a problem that names them."""
    problem = parse_rules(preset, switches)
    assert isinstance(problem, RuleProblem)
    assert problem.code is code


def test_a_clash_names_both_switches_and_the_reason():
    """Whoever set them can see which two."""
    problem = parse_rules("standard", {"marker-double": "free", "double-public": "yes"})
    assert isinstance(problem, RuleProblem)
    facts = dict(problem.facts)
    assert (facts["one"], facts["other"]) == ("marker-double=free", "double-public=yes")
    assert facts["reason"]


def test_every_switch_stands_in_one_chapter():
    """A sheet leaves out no switch, and tells none twice."""
    told = [name for _, _, switches in CHAPTERS for name in switches]
    assert sorted(told) == sorted(SWITCHES)
    assert set(NOT_PLAYED) <= set(told)


def test_every_switch_is_told():
    """Menus have a sentence, a source and a default for each."""
    for switch in SWITCHES.values():
        assert switch.default in switch.values
        assert switch.sentence.endswith(".")
        assert switch.source


@pytest.mark.parametrize("table", DealTable)
def test_every_published_deal_can_be_dealt(table):
    """No deal table asks for more tiles than its set has, but for one, which is refused."""
    for pip_max, row in DEALS[table].items():
        for seats, hand in row.items():
            if (table, pip_max, seats) == (DealTable.FUN_2015, 9, 7):
                assert isinstance(make_spec(RuleSet(deal=table), 9, 7), SpecProblem)
                continue
            spec = make_spec(RuleSet(deal=table), pip_max, seats)
            assert isinstance(spec, TableSpec)
            assert (spec.hand, spec.rounds) == (hand, pip_max + 1)
            assert hand * seats <= deck_count(pip_max)


def test_suggested_sets_have_a_standard_deal():
    """2 to 14 seats can all play without choosing a set."""
    for seats in range(2, SEATS_MAX + 1):
        spec = make_spec(RuleSet(), None, seats)
        assert isinstance(spec, TableSpec)
        assert spec.pip_max == suggested_set(seats) in SET_SIZES
    assert [suggested_set(seats) for seats in (2, 8, 9, 12, 13, 14)] == [12, 12, 15, 15, 18, 18]


@pytest.mark.parametrize(
    ("pip_max", "seats", "rounds", "deal", "code", "switch"),
    [
        (12, 1, None, None, SpecProblemCode.SEATS_OUT_OF_RANGE, "seats"),
        (None, 15, None, None, SpecProblemCode.SEATS_OUT_OF_RANGE, "seats"),
        (7, 4, None, None, SpecProblemCode.SET_UNKNOWN, "set"),
        (12, 4, 0, None, SpecProblemCode.ROUNDS_OUT_OF_RANGE, "rounds"),
        (12, 4, 14, None, SpecProblemCode.ROUNDS_OUT_OF_RANGE, "rounds"),
        (12, 9, None, None, SpecProblemCode.DEAL_UNLISTED, "deal"),
        (6, 2, None, 14, SpecProblemCode.DEAL_OUT_OF_RANGE, "deal"),
        (6, 2, None, 0, SpecProblemCode.DEAL_OUT_OF_RANGE, "deal"),
    ],
)
def test_impossible_tables_are_refused(pip_max, seats, rounds, deal, code, switch):
    """The problem names the switch to change."""
    problem = make_spec(RuleSet(), pip_max, seats, rounds, deal)
    assert isinstance(problem, SpecProblem)
    assert (problem.code, problem.switch) == (code, switch)
    assert all(isinstance(value, int) for _, value in problem.facts)


def test_a_whole_set_may_be_dealt():
    """An empty boneyard is legal: 27 tiles of double-six for three seats."""
    spec = make_spec(RuleSet(), 6, 3, None, 9)
    assert isinstance(spec, TableSpec)
    assert (spec.hand, spec.rules.deal, spec.rounds) == (9, 9, rounds_max(spec.rules, 6))
