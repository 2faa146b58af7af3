"""Rule sets and tables: what is accepted, what is refused and why."""

import pytest

from engine.refusals import Refusal, RefusalReason
from engine.rules.chapters import CHAPTERS, NOT_PLAYED
from engine.rules.choose import RULE_SETS, SWITCHES, RuleSet, format_rules, parse_rules
from engine.rules.deals import DEALS, DealTable
from engine.rules.spec import SEATS_MAX, TableSpec, make_spec, suggested_set
from engine.tiles import SET_SIZES, full_set


def test_a_preset_is_written_by_its_name():
    """A rule set equal to a preset needs no switches."""
    for name, rules in RULE_SETS.items():
        assert format_rules(rules) == (name, ())


@pytest.mark.parametrize("name", RULE_SETS)
def test_any_switch_on_any_preset_is_read_back_or_refused(name):
    """A preset with one switch changed is a rule set that can be written, or a clash."""
    for changed in [(key, value) for key in SWITCHES for value in SWITCHES[key].words()]:
        rules = parse_rules(name, dict([changed]))
        if isinstance(rules, Refusal):
            assert rules.reason is RefusalReason.CLASH, changed
            continue
        preset, words = format_rules(rules)
        assert parse_rules(preset, dict(word.split("=") for word in words)) == rules, changed


@pytest.mark.parametrize(
    ("preset", "switches", "reason"),
    [
        ("galt", {}, RefusalReason.UNKNOWN_PRESET),
        ("standard", {"jokers": "2"}, RefusalReason.UNKNOWN_SWITCH),
        ("standard", {"blanks": "wild"}, RefusalReason.UNKNOWN_VALUE),
    ],
)
def test_unknown_rules_are_refused(preset, switches, reason):
    """Words from people and peers become a problem that names them."""
    problem = parse_rules(preset, switches)
    assert isinstance(problem, Refusal)
    assert problem.reason is reason


def test_a_clash_names_both_switches_and_the_reason():
    """Whoever set them can see which two."""
    problem = parse_rules("standard", {"marker-double": "free", "double-public": "yes"})
    assert isinstance(problem, Refusal)
    assert problem.reason is RefusalReason.CLASH
    facts = dict(problem.facts)
    assert (facts["one"], facts["other"]) == ("marker-double=free", "double-public=yes")
    assert facts["reason"]


def test_every_switch_stands_in_one_chapter():
    """A sheet leaves out no switch, and tells none twice."""
    told = [name for _, _, switches in CHAPTERS for name in switches]
    assert sorted(told) == sorted(SWITCHES)
    assert set(NOT_PLAYED) <= set(told)


def test_every_switch_is_told():
    """Menus have a sentence, a source and a default for each, in the field that it names."""
    for switch in SWITCHES.values():
        assert isinstance(getattr(RuleSet(), switch.field), switch)
        assert switch.decides.endswith(".")
        assert switch.sources


@pytest.mark.parametrize("table", DealTable)
def test_every_published_deal_can_be_dealt(table):
    """No deal table asks for more tiles than its set has, but for one, which is refused."""
    for pip_max, row in DEALS[table].items():
        for seats, hand in row.items():
            if (table, pip_max, seats) == (DealTable.FUN_2015, 9, 7):
                assert isinstance(make_spec(RuleSet(deal=table), 9, 7), Refusal)
                continue
            spec = make_spec(RuleSet(deal=table), pip_max, seats)
            assert isinstance(spec, TableSpec)
            assert (spec.hand, spec.rounds) == (hand, pip_max + 1)
            assert hand * seats < len(full_set(pip_max))


def test_suggested_sets_have_a_standard_deal():
    """2 to 14 seats can all play without choosing a set."""
    for seats in range(2, SEATS_MAX + 1):
        spec = make_spec(RuleSet(), None, seats)
        assert isinstance(spec, TableSpec)
        assert spec.pip_max == suggested_set(seats) in SET_SIZES
    assert [suggested_set(seats) for seats in (2, 8, 9, 12, 13, 14)] == [12, 12, 15, 15, 18, 18]


def test_suggested_sets_follow_the_text_of_the_deal():
    """§1.1: roundhouse and walnut name small sets; a number takes what the first text says."""
    deals = {name: rules.deal for name, rules in RULE_SETS.items()}
    assert [suggested_set(seats, deals["roundhouse"]) for seats in (3, 4, 6, 9)] == [6, 9, 12, 15]
    assert [suggested_set(seats, deals["walnut"]) for seats in (5, 6)] == [9, 12]
    assert suggested_set(3, deals["spruce"]) == 9
    assert [suggested_set(seats, 5) for seats in (8, 9, 14)] == [12, 15, 18]


@pytest.mark.parametrize(
    ("pip_max", "seats", "rounds", "deal", "reason"),
    [
        (12, 1, None, None, RefusalReason.SEATS_OUT_OF_RANGE),
        (None, 15, None, None, RefusalReason.SEATS_OUT_OF_RANGE),
        (7, 4, None, None, RefusalReason.SET_UNKNOWN),
        (12, 4, 0, None, RefusalReason.ROUNDS_OUT_OF_RANGE),
        (12, 4, 14, None, RefusalReason.ROUNDS_OUT_OF_RANGE),
        (12, 9, None, None, RefusalReason.DEAL_UNLISTED),
        (6, 2, None, 14, RefusalReason.DEAL_OUT_OF_RANGE),
        (6, 2, None, 0, RefusalReason.DEAL_OUT_OF_RANGE),
    ],
)
def test_impossible_tables_are_refused(pip_max, seats, rounds, deal, reason):
    """The refusal gives its reason, and the numbers that say why."""
    problem = make_spec(RuleSet(), pip_max, seats, rounds, deal)
    assert isinstance(problem, Refusal)
    assert problem.reason is reason
    assert all(isinstance(value, int) for _, value in problem.facts)
