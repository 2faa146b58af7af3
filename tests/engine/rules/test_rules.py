"""Rule sets and tables: which are accepted, and why others are refused."""

import pytest

from engine.refusals import Refusal, RefusalReason
from engine.rules.chapters import CHAPTERS, NOT_PLAYED
from engine.rules.choose import RULE_SETS, SWITCHES, RuleSet, format_rules, parse_rules
from engine.rules.deals import DEALS, DealTable
from engine.rules.spec import TableSpec, make_spec, suggested_set
from engine.tiles import full_set


def test_a_preset_is_written_by_its_name():
    """A rule set equal to a preset is written as the preset's name, without switches."""
    for name, rules in RULE_SETS.items():
        assert format_rules(rules) == (name, ())


@pytest.mark.parametrize("name", RULE_SETS)
def test_any_switch_on_any_preset_is_read_back_or_refused(name):
    """A preset with one switch changed can be written and read back, unless it clashes."""
    for changed in [(key, value) for key in SWITCHES for value in SWITCHES[key].words()]:
        rules = parse_rules(name, dict([changed]))
        if isinstance(rules, Refusal):
            assert rules.reason is RefusalReason.CLASH, changed
            continue
        preset, words = format_rules(rules)
        assert parse_rules(preset, dict(word.split("=") for word in words)) == rules, changed


def test_every_switch_stands_in_one_chapter():
    """Each switch is in exactly one chapter of the sheet."""
    told = [name for _, _, switches in CHAPTERS for name in switches]
    assert sorted(told) == sorted(SWITCHES)
    assert set(NOT_PLAYED) <= set(told)


@pytest.mark.parametrize("table", DealTable)
def test_every_published_deal_can_be_dealt(table):
    """Every hand of every deal table makes a playable spec."""
    for pip_max, row in DEALS[table].items():
        for seats, hand in row.items():
            spec = make_spec(RuleSet(deal=table), pip_max, seats)
            assert isinstance(spec, TableSpec)
            assert (spec.hand, spec.rounds) == (hand, pip_max + 1)
            assert hand * seats < len(full_set(pip_max))


def test_suggested_sets_follow_the_text_of_the_deal():
    """§1.1: the deals of roundhouse and walnut suggest smaller sets than others for few seats.

    A deal given as a number suggests the sets of the first text.
    """
    deals = {name: rules.deal for name, rules in RULE_SETS.items()}
    assert [suggested_set(seats, deals["roundhouse"]) for seats in (3, 4, 6, 9)] == [6, 9, 12, 15]
    assert [suggested_set(seats, deals["walnut"]) for seats in (5, 6)] == [9, 12]
    assert suggested_set(3, deals["spruce"]) == 9
    assert [suggested_set(seats, 5) for seats in (8, 9, 14)] == [12, 15, 18]
