"""docs/rules.md and the code agree."""

import fnmatch
import re

import pytest

from engine.notation.game import GameText
from engine.notation.notation import parse
from engine.notation.referee import judge
from engine.refusals import RefusalCode
from engine.rules.choose import RULE_SETS, SWITCHES, parse_rules
from engine.rules.clashes import CLASHES
from engine.rules.deals import DEALS, DealTable
from tests.engine.rules.rules_page import TEXT, listed_switches, rows
from tests.tree import ROOT, SCENARIOS

SECTIONS = set(re.findall(r"^\*\*(\d+\.\d+)", TEXT, re.MULTILINE))
SECTIONS |= set(re.findall(r"^## (\d+)\.", TEXT, re.MULTILINE))


@pytest.mark.parametrize("folder", [ROOT / "engine", SCENARIOS], ids=lambda path: path.name)
def test_cited_sections_exist(folder):
    """No source file or scenario cites a section that does not exist."""
    for path in (*folder.rglob("*.py"), *folder.glob("*.txt")):
        cited = set(re.findall(r"§(\d+(?:\.\d+)?)", path.read_text(encoding="utf-8")))
        assert cited - SECTIONS == set(), path


def test_every_switch_and_value_is_listed():
    """§8.1 lists the switches in order, each with all its values, the default first."""
    listed = listed_switches()
    assert list(listed) == list(SWITCHES)
    for name, values in listed.items():
        assert values[0] == getattr(RULE_SETS["standard"], SWITCHES[name].field).value
        assert sorted(values) == sorted(SWITCHES[name].words())


def test_every_preset_is_listed_with_what_it_changes():
    """§8.4 lists every preset with the switches in which it differs from `standard`."""
    table = rows("| preset | switches |")[2:]
    listed = {row[0].strip("`"): re.findall(r"`([^`]+)`", row[1]) for row in table}
    assert list(listed) == list(RULE_SETS)
    for name, words in listed.items():
        switches = dict(word.split("=") for word in words)
        assert parse_rules("standard", switches) == RULE_SETS[name]
        assert len(words) == sum(
            getattr(RULE_SETS[name], switch.field) != getattr(RULE_SETS["standard"], switch.field)
            for switch in SWITCHES.values()
        )


def test_every_clash_is_listed():
    """§8.2 lists each pair of switches with values that exclude each other, and the reason.

    Below them are three rows that are no such pair, and nothing else.
    """
    listed = [(row[0], row[1], row[2]) for row in rows("**8.2")[2:]]
    told = [
        (
            f"`{clash.one}` {', '.join(each.value for each in clash.ones)}",
            f"`{clash.other}` {', '.join(each.value for each in clash.others)}",
            clash.reason,
        )
        for clash in CLASHES
    ]
    assert listed[: len(told)] == told
    assert [other for _, other, _ in listed[len(told) :]] == [
        "`mexican-from`, set by hand",
        "other than 4, 6 or 8 seats",
        "`engine` set-aside, holder, declared, highest-unused",
    ]


SHOWN = {path.stem for path in SCENARIOS.glob("*.txt")}


def shown():
    """Return the names of the games that §9 lists, by paragraph; a `*` stands for any text."""
    return {row[0].strip("§"): re.findall(r"`([^`]+)`", row[1]) for row in rows("## 9.")[2:]}


def test_every_paragraph_is_shown_by_a_game():
    """§9 lists every paragraph with a rule, except 7.6 and 8.3, and only existing games."""
    wanted = {section for section in SECTIONS if re.fullmatch(r"[1-8]\.\d+", section)}
    assert wanted - {"7.6", "8.3"} - set(shown()) == set()
    assert set(shown()) <= SECTIONS
    for names in shown().values():
        assert [name for name in names if not fnmatch.filter(SHOWN, name)] == []


def test_every_refusal_code_is_listed_in_order():
    """§10 lists the refusal codes in the order in which they are declared."""
    codes = [code for row in rows("## 10.")[2:] for code in re.findall(r"`([^`]+)`", row[0])]
    assert codes == [code.value for code in RefusalCode]


def spans(text):
    """Return the hand size by number of seats, from a cell such as `2-4:15 5:12` of §1.3."""
    found = {}
    for first, last, hand in re.findall(r"(\d+)(?:-(\d+))?:(\d+)", text):
        found |= dict.fromkeys(range(int(first), int(last or first) + 1), int(hand))
    return found


def test_deal_tables_are_those_of_the_page():
    """§1.3 has the same numbers as the engine's deal tables, cell by cell."""
    header, _, *body = rows("**1.3")
    sizes = [int(cell[1:]) for cell in header[1:]]
    assert [row[0].strip("`") for row in body] == [table.value for table in DealTable]
    standard = dict(zip(sizes, map(spans, body[0][1:]), strict=True))
    for row in body:
        for pip_max, cell in zip(sizes, row[1:], strict=True):
            expected = spans(cell)
            if "as `standard`" in cell:
                expected = standard[pip_max] | expected
            if row[0] == "`bauguess`":
                expected = standard[pip_max] | expected
            assert DEALS[DealTable(row[0].strip("`"))].get(pip_max, {}) == expected, row


EXAMPLES = re.findall(r"```\n(rules: .*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=["a game", "who leaves and who comes"])
def test_the_examples_of_the_page_hold(example):
    """The example games of §11 can be judged and come out as written."""
    game = parse(example)
    assert isinstance(game, GameText), game
    assert [verdict for verdict in judge(game) if not verdict.ok] == []
