"""Questions typed at the menu's lists: they are answered, and choose nothing."""

import pytest

from cli.commands.menu_actions import host_others, practise, show_past, show_rules
from cli.joining import person
from cli.joining.answering import explains
from cli.joining.choosing import one_of
from tests.cli.fakes import FakeFront

QUESTIONS = [
    ("what is walnut?", "walnut: "),
    ("what is a marker", "marker"),
    ("what is cover?", "To cover a double"),
    ("what is set 9?", "the 55 tiles from 0-0 to 9-9"),
    ("what is opening-miss?", "If you cannot start in your first turn"),
    ("what does section 2.2 say", "2.2"),
    ("how do I leave?", "Type quit to leave."),
]


class Lists(FakeFront):
    """A person whose menus are collected in `offered`, and not added to `said`."""

    def __init__(self, *lines) -> None:
        super().__init__(*lines)
        self.offered = []

    def offer(self, menu) -> None:
        """Collect the menu in `offered`."""
        self.offered.append(menu)


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch, tmp_path):
    """Use an empty data folder, so that there are no earlier games."""
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))


@pytest.mark.parametrize(("line", "said"), QUESTIONS)
async def test_a_question_at_a_list_is_answered_and_the_list_stays(line, said):
    """After a question the list is not shown again, and the next line chooses from it."""
    front = Lists(line, "2")
    assert await one_of(front, "Games", ["one", "another"]) == 1
    assert said in " ".join(front.said)
    assert "Type a number from the list" not in " ".join(front.said)
    assert len(front.offered) == 1


@pytest.mark.parametrize(("line", "said"), QUESTIONS)
async def test_a_question_beside_a_practice_game_changes_nothing_of_it(line, said):
    """A question at the rows of a practice game is answered, and changes none of the rows."""
    front = Lists(line, "b")
    assert await practise(front) is None
    assert said in " ".join(front.said)
    first, again = (menu.rows for menu in front.offered)
    assert first == again


@pytest.mark.parametrize(
    ("line", "said"),
    [QUESTIONS[0], QUESTIONS[1], QUESTIONS[-1], ("list", ""), ("what is walnut?", "walnut: ")],
)
async def test_a_question_while_rules_are_chosen_is_answered(line, said):
    """A question typed at the choice of rules is answered, and not called an unknown choice."""
    front = Lists(line, "b", "b")
    assert await host_others(front) is None
    told = " ".join(front.said)
    assert said in told
    assert "There is no choice" not in told


async def test_a_question_while_a_value_is_chosen_is_answered():
    """A question typed in place of a value gets its answer."""
    front = Lists("cover", "what is a marker?", "b", "b")
    assert await host_others(front) is None
    assert any("shows that it is open to all" in said for said in front.said)


async def test_help_says_what_can_be_typed_in_a_list():
    """`help` in a list says how to go back, and chooses nothing."""
    for ask in (show_rules, practise):
        front = Lists("help", "b")
        assert await ask(front) is None
        assert sum("b goes back" in said for said in front.said) == 1
    assert await show_past(Lists()) is None


async def test_a_question_in_place_of_a_name_is_answered_too():
    """A question typed in place of a name is answered, and then the name is asked for again."""
    front = FakeFront("what is walnut?", "how do i play", "Zoe")
    assert await person.ask_name(front) == "Zoe"
    told = " ".join(front.said)
    assert "walnut: " in told
    assert "in five minutes" in told
    assert told.count("First, your name: type it") == 2


def test_a_word_of_the_game_is_explained_at_the_menu():
    """The menu explains a word of the game, and does not take `what is this` for one."""
    front = FakeFront()
    assert explains(front, "what is a marker?")
    assert "A marker on a train shows that it is open to all" in front.said[0]
    assert not explains(front, "what is this")
    assert not explains(front, "walnut")
