"""`boneyard` without arguments: its menu, and the choice of rules before a table is opened."""

import re
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio
from msgspec.structs import replace

from cli.choices.table import TABLE
from cli.commands import menu, menu_actions
from cli.exits import ExitCode
from cli.house_rules.choice import TableChoice
from cli.house_rules.menu import Hosting, answered, rule_sets, sheet, shown
from cli.joining.search import ask_code
from cli.program import RUN_NEXT
from cli.render.cells import Canvas, line_cells
from cli.render.menu import menu_lines
from cli.render.palette import ASCII_GLYPHS
from cli.screens.overlay import Overlay
from cli.session.verbs.reading import FOR_SHELL
from cli.settings.chosen import chosen
from cli.settings.declared import NAME
from engine.rules.presets import PRESETS
from engine.rules.revision import RULES_REVISION
from netgame.errors import Disconnected, Refused
from netgame.io.discovery.advert import TableAd
from netgame.wire.messages import Settings
from tests.cli.fakes import FakeFront
from tests.cli.scenes import written

ANN = TableAd("Ann", "ab" * 64, "eh7ddx5b", "standard", 12, 3, 8, "lobby", ("10.0.0.1",), 4747)
WIDE = Canvas(80, 24, ASCII_GLYPHS)
NARROW = Canvas(40, 24, ASCII_GLYPHS)


def after(*lines: str, state: Hosting | None = None):
    """Return the step that the last of these lines leads to, starting from `state` if given."""
    step = None
    state = state or Hosting()
    for line in lines:
        step = answered(state, line)
        assert step.state is not None
        state = step.state
    assert step is not None
    return step


@pytest.mark.parametrize("canvas", [WIDE, NARROW])
def test_every_choice_is_shown_with_its_sentence_and_fits(canvas):
    """Each choice is shown with its values and their sentences, and fits the window."""
    for name, choice in TABLE.items():
        lines = shown(Hosting(TableChoice("walnut"), name), canvas)
        assert all(line_cells(line) <= canvas.columns for line in lines)
        text = " ".join(written(lines).split())
        for part in ("(now)", *choice.kind.sentences, *choice.kind.sentences.values()):
            assert part in text, name


@pytest.mark.parametrize(
    ("line", "preset"),
    [("", "standard"), ("1", "standard"), ("6", "walnut"), ("wal", "walnut"), ("WALNUT", "walnut")],
)
def test_a_preset_is_chosen_from_the_list_by_number_name_or_start(line, preset):
    """A number, a name or its start chooses a rule set; Enter alone chooses the usual one."""
    assert after("list", line).state == Hosting(TableChoice(preset))
    if line.isalpha():
        assert after(line).state == Hosting(TableChoice(preset))


@pytest.mark.parametrize("line", ["0", str(len(PRESETS) + 1), "galtt", "s"])
def test_what_is_no_preset_is_said_and_nothing_chosen(line):
    """A wrong number or name, or a start that several names share, chooses no rule set."""
    step = after("list", line)
    assert step.state == Hosting(lists=True)
    assert step.said


def test_enter_hosts_the_usual_rules():
    """Enter alone opens a table with the usual rules, without a list of rule sets first."""
    step = answered(Hosting(), "")
    assert (step.opens, step.state) == (True, Hosting(TableChoice("standard")))
    assert "Enter opens a table with these rules" in written(shown(Hosting(), WIDE))


@pytest.mark.parametrize("canvas", [WIDE, NARROW, Canvas(40, 20, ASCII_GLYPHS)])
def test_the_list_of_rule_sets_is_on_the_screen_whole(canvas):
    """The whole list of rule sets, with its head, fits the window even in 20 rows."""
    lines = menu_lines(rule_sets(), canvas, 1)
    assert len(lines) <= canvas.rows - 2
    text = written(lines)
    assert text.startswith(" Rule sets")
    assert all(f" {name}:" in text for name in PRESETS)


@pytest.mark.parametrize("chosen", range(1, 14))
def test_of_a_list_that_has_no_room_the_rows_around_the_choice_are_shown(chosen):
    """A list without room for all rows shows its head and the rows around the choice."""
    lines = written(menu_lines(rule_sets(), Canvas(30, 10, ASCII_GLYPHS), chosen)).splitlines()
    assert len(lines) == 8
    assert lines[0] == " Rule sets"
    assert sum(line.startswith(f">{chosen:>2} ") for line in lines) == 1


def test_the_sheet_of_a_rule_set_is_shown_before_it_is_chosen():
    """`rules walnut` shows the sheet and the word that chooses it, but chooses nothing yet."""
    for before in ((), ("list",)):
        step = after(*before, "rules walnut")
        assert (step.sheet, step.said) == (TableChoice("walnut"), "Type walnut to play it.")
        assert step.state == Hosting(lists=bool(before))


def test_a_change_may_be_typed_as_at_the_table():
    """A change of the rules may be typed after `change`, as at a table, or without that word."""
    assert after("walnut", "change set 9") == after("walnut", "set 9")
    assert "The switches: deal," in after("walnut", "change switches").said
    assert "change switches lists" in after("walnut", "change zzz 9").said


@pytest.mark.parametrize(
    ("lines", "switch", "value"),
    [
        (["walnut", "blanks", "25-50"], "blanks", "25-50"),
        (["walnut", "mexican", "3"], "mexican", "many"),
        (["roundhouse", "tap-penalty", "1"], "tap-penalty", "1"),
        (["standard", "target 1"], "target", "1"),
        (["standard", "deal", "12"], "deal", "12"),
        (["standard", "tiles 10", "deal 12"], "deal", "12"),
        (["standard", "tiles 10", "deal galt"], "deal", "galt"),
    ],
)
def test_a_switch_is_changed_in_one_line_or_two(lines, switch, value):
    """A value is typed as a word or, unless the values are numbers, as its number in the list.

    Of `tiles` and `deal` only the later one counts.
    """
    assert after(*lines).state == Hosting(TableChoice(lines[0], {switch: value}))


@pytest.mark.parametrize("asks", [None, *TABLE])
def test_the_numbers_of_a_list_have_no_gaps_and_mean_what_stands_beside_them(asks):
    """In every list rows are numbered from 1, and a row's number does the same as its word."""
    state = Hosting(lists=True) if asks is None else Hosting(TableChoice("walnut"), asks)
    lines = menu_lines(rule_sets(), WIDE) if asks is None else shown(state, WIDE)
    rows = re.findall(r"^ ([ 1]\d) ([\w-]+)", written(lines), re.MULTILINE)
    assert rows or asks is not None, "rule sets have words"
    for number, row in enumerate(rows, 1):
        assert int(row[0]) == number
        assert answered(state, row[0]) == answered(state, row[1])


def test_values_that_are_numbers_are_not_numbered():
    """If the values of a switch are numbers, its list has no row numbers to confuse with them."""
    for switch, first in (("tap-penalty", "0"), ("target", "none")):
        lines = written(shown(Hosting(TableChoice("roundhouse"), switch), WIDE))
        assert f" 1 {first}" not in lines
    assert "a number from 1 to 999" in lines


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("rounds 14", "1 to 13 rounds"),
        ("tiles 48 set 12", "at most"),
        (f"cover {'9' * 5000}", "only one of: on-double"),
        ("zzz", "switches lists"),
        ("set 9 rounds", "Type rounds and a value: none or a whole number"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(line, part):
    """An impossible line leaves the choice as it was, and a sentence says what is possible."""
    step = after("walnut", line)
    assert part in step.said
    assert step.state is not None
    assert step.state.choice == TableChoice("walnut")


def test_back_leads_one_step_back_each_time():
    """`b` leads from a value or the list to the choice, and from there to the menu."""
    value = after("walnut", "cover").state
    assert value == Hosting(TableChoice("walnut"), "cover")
    assert answered(value, "b").state == Hosting(TableChoice("walnut"))
    listed = after("walnut", "list").state
    assert answered(listed, "back").state == Hosting(TableChoice("walnut"))
    assert answered(Hosting(TableChoice("walnut")), "b").state is None


def test_enter_opens_and_words_show_more():
    """Enter or `open` opens the table; `rules` shows the sheet, and `switches` the switches."""
    assert after("walnut", "").opens
    assert after("walnut", "open").opens
    assert after("walnut", "rules").sheet
    assert "own-train-first" in after("walnut", "switches").said
    assert "The opening" in written(sheet(TableChoice("walnut"), WIDE))


def reader(*lines: str) -> FakeFront:
    """Return a person at the menu who types these lines and then closes the input."""
    return FakeFront(*lines, None)


def heard(front: FakeFront, text: str) -> int:
    """Return how many of the sentences and pages that the person has read contain the text."""
    return sum(text in said for said in front.said)


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Return a list to which each command run by the menu adds its options and its table.

    The search of the network finds no table.
    """
    found = []

    async def remember(_front, options, offering=None):
        found.append((options, offering))
        return ExitCode.OK

    for name in ("host", "join", "resume"):
        monkeypatch.setattr(menu_actions, name, remember)
    nothing = Found((), Refused("discovery", "there is no network"))
    monkeypatch.setattr(menu, "browse", partial(there, nothing))
    monkeypatch.setenv("BONEYARD_NAME", "Ann")
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))
    return found


class Found:
    """The result of a search on a network where nothing changes."""

    def __init__(self, tables=(), trouble=None) -> None:
        self.tables, self.trouble = tables, trouble
        self.when_changed = trio.Event


@asynccontextmanager
async def there(found, _members):
    """Stand in for a search of the network; its result is `found`."""
    yield found


async def test_a_table_is_hosted_from_the_menu(opened):
    """Lines typed at the menu choose a preset, a switch and options, and then open the table."""
    sizes = ("set 9", "seats 3", "rounds 2", "tiles 8")
    options = ("draws hidden", "audit", "2")
    front = reader("h", "walnut", "nonsense", "blanks=25-50", "rules", *sizes, *options, "")
    assert await menu.menu(front) is ExitCode.OK
    (asked, offering), *_ = opened
    assert asked.command == "host"
    assert offering.settings == Settings(
        preset="walnut",
        switches=("blanks=25-50",),
        pip_max=9,
        seats=3,
        rounds=2,
        hand=8,
        options=("draws=hidden", "audit=keys"),
        revision=RULES_REVISION,
    )
    assert offering.start_at == 3
    for part in ("There is no setting 'nonsense'", "The opening", " There is no network."):
        assert heard(front, part)


async def test_a_number_that_stands_for_no_table_is_not_understood(opened, monkeypatch):
    """A number that no row has chooses nothing, even with leading zeros or thousands of digits."""
    monkeypatch.setattr(menu, "browse", partial(there, Found((ANN,))))
    await menu.menu(reader("00019", "0007" + "7" * 5000, "0", "9", "8"))
    (asked, found), *_ = opened
    assert (asked.command, found) == ("join", ANN)


@pytest.mark.parametrize("word", ["help", "?", "HELP", "ayuda"])
async def test_help_in_the_menu_says_what_can_be_typed(opened, word):
    """`help` (which F1 types), `?` and the Spanish word list what can be typed."""
    front = reader(word, "1", word, "b", "q")
    await menu.menu(front)
    assert heard(front, "join HOST:PORT") == 2
    assert opened == []


async def test_help_shows_the_choice_again(opened):
    """Help at the choice of rules shows the choice again, and leaves it unchanged."""
    front = reader("h", "walnut", "help", "b", "q")
    await menu.menu(front)
    assert heard(front, "Enter opens a table") == 3
    assert not heard(front, "There is no help")
    assert opened == []


async def test_one_practises_by_other_rules_too(opened):
    """`p RULES` starts practice with that rule set; a wrong name or an option gets one sentence."""
    front = reader("p nonsense", "p --help")
    assert await menu.menu(front) is ExitCode.OK
    assert heard(front, "only one of: standard,") == heard(front, FOR_SHELL) == 1
    assert opened == []
    await menu.menu(reader("p Walnut"))
    assert opened[0][1].settings.preset == "walnut"


@pytest.mark.parametrize(
    ("line", "command", "table"),
    [
        ("p walnut", "play", None),
        ("192.168.1.4:4747", "join", "192.168.1.4:4747"),
        ("7 Otter violin", "join", "7 Otter violin"),
        ("join", "join", None),
        ("join ann", "join", "ann"),
    ],
)
async def test_the_other_choices_of_the_menu(opened, line, command, table):
    """A line can start practice with a rule set, or join by address, code or name."""
    await menu.menu(reader("what", "", line))
    assert opened[0][0].command == command
    assert getattr(opened[0][0], "table", None) == table


async def test_what_goes_wrong_at_a_table_leads_back_to_the_menu(opened, monkeypatch):
    """After a failure at a table, or `quit` instead of a join code, the menu says what happened."""

    async def refused(front, *_):
        await ask_code(front, 7, "")

    async def gone(*_):
        raise ExceptionGroup("tables", [Disconnected("nobody answers there")])

    left = ("This table asks newcomers", "You have not joined that table.")
    for join, said in ((refused, left), (gone, ("Nobody answers",))):
        monkeypatch.setattr(menu_actions, "join", join)
        front = reader("join", *["quit"] * (join is refused), "q")
        assert await menu.menu(front) is ExitCode.OK
        assert all(heard(front, each) for each in said)


async def test_a_number_in_a_pipe_waits_for_its_table(opened, monkeypatch):
    """If a table's number comes through a pipe, the menu waits until that table appears."""
    network, changed = Found(), trio.Event()
    network.when_changed = lambda: changed
    monkeypatch.setattr(menu, "browse", partial(there, network))
    monkeypatch.setattr(menu, "_LOOK_S", 0.0)
    front = reader("8", "q")
    front.asks_back = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(menu.menu, front)
        await trio.testing.wait_all_tasks_blocked()
        assert opened == []
        network.tables = (ANN,)
        changed.set()
    assert opened[0][1] == ANN


async def test_a_twin_of_a_table_has_a_row_and_a_number_of_its_own(opened, monkeypatch):
    """A table and its twin have separate numbers, and each row shows the key that announces it."""
    twin = replace(ANN, fingerprint="twintwin", others=(ANN,))
    both = Found((replace(ANN, others=(twin,)), twin))
    monkeypatch.setattr(menu, "browse", partial(there, both))
    front = reader("8", "9", "q")
    await menu.menu(front)
    assert [found.fingerprint for _, found in opened] == [ANN.fingerprint, "twintwin"]
    assert heard(front, f"Ann (key {ANN.fingerprint})")
    assert heard(front, "Ann (key twintwin)")


async def test_a_practice_game_is_put_together_row_by_row(opened):
    """`6` moves row 6 to its next value, `-6` to the previous one, and `set 9` names a value."""
    await menu.menu(reader("1", "2", "3", "set 9", "6", "6", "-6", "nonsense", "1"))
    (asked, offering), *_ = opened
    assert asked.command == "play"
    assert [level.value for level in offering.bots] == ["hard"] * 4
    assert (offering.settings.pip_max, offering.settings.rounds) == (9, 1)


@pytest.mark.parametrize("words", [("r", "g", "q"), ("rules", "games", "quit"), ("6", "5", "7")])
async def test_one_comes_back_to_the_menu_from_what_one_looks_at(opened, words):
    """After the rules or the past games the menu is shown again, and no table is opened."""
    rules, games, leave = words
    front = reader(rules, "1", "2", "b", games, leave)
    assert await menu.menu(front) is ExitCode.OK
    assert opened == []
    assert "You have played no game yet." in front.said
    assert heard(front, "parsons-1994")


async def test_a_menu_takes_the_words_that_it_shows(opened, monkeypatch):
    """A command may be typed with its arguments and after `boneyard`; a typo gets a suggestion."""
    lessons = []

    async def learn(_front, _name, lesson):
        lessons.append(lesson)

    monkeypatch.setattr(menu_actions, "learn", learn)
    asked = ("learn 2", "boneyard learn 2", "Learn", "aprender 1", "learn 3")
    await menu.menu(reader(*(line for each in asked for line in (each, ""))))
    assert lessons == [*"2211"]
    front = reader(
        "rules walnut", "rules", "1", "wal", "walnutt", "b", "leran", "boneyard replay 1", "q"
    )
    await menu.menu(front)
    assert heard(front, "The opening") == 2
    assert heard(front, "did you mean walnut?") == heard(front, "did you mean learn?") == 1
    assert heard(front, FOR_SHELL) == 1


async def test_enter_after_a_lesson_begins_no_game(opened, monkeypatch):
    """Enter after a lesson returns to the menu, where the lessons are then the chosen row."""

    async def learn(*_):
        pass

    monkeypatch.setattr(menu_actions, "learn", learn)
    for line in ("learn 2", "learn", "3"):
        front = Chooser(line, "")
        await menu.menu(front)
        assert front.said.index("Press Enter for the menu.") < len(front.said) - 1
        assert [each.first for each in front.menus] == [0, 3]
    overlay = Overlay(lambda: None)
    overlay.offer(front.menus[-1])
    assert overlay.chosen() == 3
    overlay.offer(replace(front.menus[-1], first=1))
    assert overlay.chosen() == 3  # a table that appears does not move the choice


class Chooser(FakeFront):
    """A person at the menu who keeps the menus offered to them."""

    def __init__(self, *lines):
        super().__init__(*lines, None)
        self.menus = []

    def offer(self, menu):
        """Offer the menu, and keep it unless it is None."""
        super().offer(menu)
        self.menus += [] if menu is None else [menu]


async def test_games_that_wait_take_no_row_its_number(opened, monkeypatch):
    """Rows for waiting games come after the permanent ones."""
    waits = menu._Entry(("resume 1",), "Resume game 1", menu_actions.quit_menu)
    before, front = Chooser(), Chooser()
    await menu.menu(before)
    monkeypatch.setattr(menu, "_waiting_entries", lambda: [waits])
    await menu.menu(front)
    always = before.menus[0].rows
    assert front.menus[0].rows == (*always, (len(always) + 1, "Resume game 1"))


async def test_the_rules_begin_with_how_to_play(opened):
    """`rules` first shows a beginner how to play, and offers the rule sets after it."""
    front = reader("rules", "b", "q")
    await menu.menu(front)
    how = next(at for at, said in enumerate(front.said) if said.startswith("How to play"))
    assert "1 The rule sets, each in full" in front.said[how + 1]
    assert not heard(front, "parsons-1994")
    for word in ("engine", "Mexican train", "marker", "double", "draw", "fewest points win"):
        assert word in front.said[how]


async def test_a_name_is_asked_for_once(opened, monkeypatch):
    """The menu keeps a typed name, and refuses an impossible one in one sentence."""
    monkeypatch.delenv("BONEYARD_NAME")
    for lines, is_asked, said, kept in (
        (("boneyard review 2", "draw", "Zoe"), True, "name cannot be 'draw', only 1 to 20", "Zoe"),
        ((f"name {'x' * 70}", "name Zoé"), False, "only 1 to 20 letters", "Zoé"),
    ):
        front = reader(*lines, "q")
        await menu.menu(front)
        assert bool(heard(front, "What is your name?")) == is_asked
        assert heard(front, said)
        assert chosen(NAME) == kept


async def test_whoever_asks_for_help_or_goes_back_sees_the_menu_again(opened):
    """The menu understands a sentence that asks for help and one that asks to go back."""
    front = reader("help me please", "go back", "quit")
    assert await menu.menu(front) is ExitCode.OK
    assert heard(front, "Type a row's number, or a word") == 1
    assert not heard(front, "Type a number from the list, or an address")


def test_a_table_keeps_its_number_while_others_come_and_go():
    """A number always means the table beside which it was shown, even after others have gone."""
    ben = replace(ANN, name="Ben", table_id="cd" * 64, phase="playing")
    shown_now = menu._Shown((), "head")
    for there_now, numbers in (((ANN,), [1]), ((ANN, ben), [1, 2]), ((ben,), [2])):
        shown_now.list(there_now)
        assert [number for number, _ in shown_now.as_menu(None).rows] == numbers
    assert shown_now.chosen("1") is None
    assert shown_now.as_menu(None).rows[0][1].startswith("Watch Ben")


@pytest.mark.parametrize("line", ["boneyard verify 1", "solve 9-4 4-2", "play --bots 1"])
async def test_a_command_of_the_shell_is_run_next_where_there_is_no_shell(opened, line):
    """Without a shell, as in a browser tab, the menu ends and passes the command to its caller."""
    taken = []
    before = RUN_NEXT.set(taken.extend)
    assert await menu.menu(reader(line)) is ExitCode.OK
    RUN_NEXT.reset(before)
    assert taken == line.removeprefix("boneyard ").split()
    assert not opened
