"""Sentences typed at the menu and at the choice of rules select what they name."""

import dataclasses
from functools import partial

import pytest
from msgspec.structs import replace

from cli.commands import menu
from cli.house_rules.choice import TableChoice
from cli.house_rules.menu import Hosting, answered
from cli.joining.practice import Practice, changed
from engine.rules.presets import PRESETS
from netgame.io.discovery.advert import TableAd
from tests.cli.house_rules.test_hosting import ANN, after


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("the usual", TableChoice()),
        ("normal rules please", TableChoice()),
        ("las de siempre", TableChoice()),
        ("walnut please", TableChoice("walnut")),
        ("I'd like wolf lake", TableChoice("wolf-lake")),
        ("galt", TableChoice("galt-1994")),
        ("quiero walnut", TableChoice("walnut")),
        ("walnut with 4 players", TableChoice("walnut", {"seats": "4"})),
        ("4 of us", TableChoice("roundhouse", {"seats": "4"})),
        ("double nine", TableChoice("roundhouse", {"set": "9"})),
        ("set 9", TableChoice("roundhouse", {"set": "9"})),
    ],
)
def test_a_sentence_chooses_what_it_names(line, choice, lists):
    """A sentence chooses what it names, whether or not the list is shown.

    If it names only a size, the rule set stays the same.
    """
    step = answered(Hosting(TableChoice("roundhouse"), lists=lists), line)
    assert (step.state, step.said) == (Hosting(choice), "")


@pytest.mark.parametrize("line", ["number 3", "3.", "the third one", "la tercera", "option three"])
def test_a_row_of_the_list_is_named_in_words(line):
    """A row may be named by a number with words around it, or by an ordinal."""
    assert after("list", line).state == Hosting(TableChoice([*PRESETS][2]))


@pytest.mark.parametrize("line", ["tell me about walnut", "what is walnut?", "cómo es walnut?"])
def test_a_question_after_a_rule_set_shows_its_sheet(line):
    """A question about a rule set shows its sheet, and does not choose it."""
    for state in (Hosting(), Hosting(lists=True)):
        step = answered(state, line)
        assert (step.state, step.sheet) == (state, TableChoice("walnut"))


def test_a_difference_is_told_switch_by_switch():
    """`difference` compares two rule sets, or one rule set with the chosen one.

    Without a name it shows the list of rule sets and gives an example.
    """
    step = answered(Hosting(), "what's the difference between walnut and galt?")
    assert step.said.startswith("walnut and galt-1994 differ in: deal (walnut, galt), engine (")
    assert "cover (" in step.said
    assert answered(Hosting(TableChoice("galt-1994")), "difference walnut").said == step.said
    assert answered(Hosting(), "walnut and walnut, any difference?").said
    step = answered(Hosting(), "what's the difference")
    assert step.state == Hosting(lists=True)
    assert step.said.endswith("difference walnut standard")
    assert answered(Hosting(), "difference walnut standard").said.startswith("walnut and standard")


@pytest.mark.parametrize(
    ("state", "line", "then"),
    [
        (Hosting(), "go back", None),
        (Hosting(), "quit", None),
        (Hosting(lists=True), "back please", Hosting()),
        (Hosting(asks="cover"), "never mind", Hosting()),
        (Hosting(), "what rules are there?", Hosting(lists=True)),
        (Hosting(), "show me the list", Hosting(lists=True)),
        (Hosting(), "what is cover?", Hosting(asks="cover")),
        (Hosting(asks="cover"), "the last one", Hosting(TableChoice(values={"cover": "none"}))),
        (Hosting(asks="cover"), "on double", Hosting(TableChoice(values={"cover": "on-double"}))),
        (Hosting(asks="seats"), "four", Hosting(TableChoice(values={"seats": "4"}))),
        (Hosting(asks="seats"), "we are 4", Hosting(TableChoice(values={"seats": "4"}))),
        (Hosting(asks="seats"), "4 players", Hosting(TableChoice(values={"seats": "4"}))),
        (Hosting(asks="seats"), "somos cuatro", Hosting(TableChoice(values={"seats": "4"}))),
        (Hosting(asks="seats"), "catorce", Hosting(TableChoice(values={"seats": "14"}))),
    ],
)
def test_a_sentence_goes_where_it_says(state, line, then):
    """A sentence does the same as the command that it paraphrases."""
    assert answered(state, line).state == then


@pytest.mark.parametrize("line", ["ok", "looks good", "let's go", "start", "yes please"])
def test_who_agrees_opens_the_table(line):
    """Agreeing opens the table, but not while the list waits for a choice."""
    assert answered(Hosting(TableChoice("walnut")), line).opens
    assert not answered(Hosting(lists=True, asks=None), "looks good").opens


def test_house_rules_are_made_of_switches_and_a_denial_chooses_nothing():
    """`house rules` lists the switches; `not walnut` gets an answer and chooses no rule set."""
    assert answered(Hosting(lists=True), "house rules").said.startswith("The switches: deal, ")
    for lists in (False, True):
        step = answered(Hosting(lists=lists), "not walnut")
        assert (step.state, bool(step.said)) == (Hosting(lists=lists), True)


def acts(line: str, *tables: TableAd) -> str:
    """Return the name and the argument of the action that a line typed at the menu leads to.

    Return "" if the line leads to no action.
    """
    shown_now = menu._Shown(menu._entries(), "head")
    shown_now.list(tables)
    action = shown_now.chosen(line)
    if action is None:
        return ""
    if isinstance(action, partial):
        return f"{action.func.__name__} {getattr(action.args[0], 'name', action.args[0])}"
    of_command = [cell.cell_contents for cell in getattr(action, "__closure__", None) or ()]
    return " ".join(*of_command) if of_command else action.__name__


@pytest.mark.parametrize(
    ("line", "does"),
    [
        ("play please", "practise"),
        ("I want to play against bots", "practise"),
        ("quiero jugar", "practise"),
        ("I'd like to host a game", "host_others"),
        ("the second one", "host_others"),
        ("2.", "host_others"),
        ("teach me", "learn"),
        ("how do I play?", "learn"),
        ("learn lesson 2", "learn 2"),
        ("show me the rules for walnut", "show_sheet walnut"),
        ("what are the rules?", "show_rules"),
        ("rules 2.2", "show_section 2.2"),
        ("what does §2.2 say?", "show_section 2.2"),
        ("call me Rosa", "take_name Rosa"),
        ("the code is 31-tiger-ladder", "join -- 31-tiger-ladder"),
        ("31 tiger ladder", "join -- 31 tiger ladder"),
        ("31–TIGER–LADDER", "join -- 31-TIGER-LADDER"),
        ("boneyard join 31-tiger-ladder", "join -- 31-tiger-ladder"),
        ("join the table", "join"),
        ("Ann", "come_to Ann"),
        ("watch Ann's table, please", "come_to Ann"),
        ("I'd like to join Ann", "come_to Ann"),
        ("quit please", "quit_menu"),
        ("don't quit", ""),
        ("learn 3", ""),
        ("I'm bored", ""),
        ("host the demo", ""),
    ],
)
def test_a_sentence_at_the_menu_means_the_one_row_that_it_names(line, does):
    """A sentence that names one row, a join code, a host or a section of the rules is understood.

    One that names two rows, or none, or says not to choose one, chooses nothing.
    """
    assert acts(line, ANN) == does


def test_a_host_may_be_called_by_a_common_word():
    """Alone or after `join`, `Will` names the host; in a sentence it is only a word."""
    will = replace(ANN, name="Will")
    assert acts("Will", will) == "come_to Will"
    assert acts("join will", will) == "join -- will"
    assert acts("I will play", will) == "practise"


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("3 bots", {"bots": "3"}),
        ("hard bots please", {"level": "hard"}),
        ("walnut rules", {"rules": "walnut"}),
        ("double nine", {"set": "9"}),
        ("just 3 rounds", {"rounds": "3"}),
        ("row 3", {"bots": "4"}),
    ],
)
def test_a_practice_game_is_changed_by_a_sentence(line, change):
    """A sentence changes the setting that it names, and one that denies a value changes nothing."""
    assert changed(Practice(), line) == dataclasses.replace(Practice(), **change)
    assert changed(Practice(), "not hard") is None
