"""From one table to the next: each row of the table "An evening" in docs/architecture.md."""

from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import get_args, get_type_hints

import pytest
import trio
from msgspec.structs import replace

from cli.exits import ExitCode
from cli.joining import evening
from cli.joining.evening import Coming, Following, Resuming, TableOpening
from cli.joining.search import CodeOfAnother
from cli.session.stay import Anew, GoTo, NextTableOffer, Rematch
from netgame.errors import Disconnected
from netgame.io.page.place import PagePlace
from netgame.io.tables.options import HostOptions
from netgame.protocol.text import long_fingerprint
from tests.cli.fakes import FakeFront, sitting_with
from tests.cli.joining.test_search import ANN
from tests.cli.render.test_sheets import SETTINGS
from tests.cli.session.test_next_table import DOOR, GameIsOver
from tests.cli.session.test_states import on_page

OWN, THEIRS = "which they open", "which somebody else opens"
LEAVES = "they leave, or no table follows"
SILENT = "nobody answers, and 15 s are not over"
OTHER = "they type the join code of another table that is there"
TABLE = HostOptions(name="Ana", settings=SETTINGS)
HOSTS, JOINS = replace(sitting_with(), seat=TABLE), sitting_with(returns=True, known=SETTINGS)
LEFT_FOR = {words: f"the table is left for another, {words}" for words in (OWN, THEIRS)}
LATER = 10_000.0
ROWS = (
    (TableOpening(HOSTS), LEFT_FOR[OWN], TableOpening),
    (Resuming(JOINS, "", is_named=False), LEFT_FOR[OWN], TableOpening),
    (Coming(JOINS, DOOR), LEFT_FOR[OWN], TableOpening),
    (Following(JOINS, DOOR, LATER), LEFT_FOR[OWN], TableOpening),
    (Resuming(JOINS, "", is_named=False), LEFT_FOR[THEIRS], Following),
    (Coming(JOINS, DOOR), LEFT_FOR[THEIRS], Following),
    (Following(JOINS, DOOR, LATER), LEFT_FOR[THEIRS], Following),
    (Following(JOINS, DOOR, LATER), SILENT, Following),
    (Coming(JOINS, DOOR), OTHER, Coming),
    (Following(JOINS, DOOR, LATER), OTHER, Coming),
    *(
        (step, LEAVES, ExitCode)
        for step in (
            TableOpening(HOSTS),
            Resuming(JOINS, "", is_named=False),
            Coming(JOINS, DOOR),
            Following(JOINS, DOOR, LATER),
        )
    ),
)


def test_the_page_has_these_rows():
    """The table in docs/architecture.md has exactly the rows that are tried below."""
    names = {(type(step).__name__, words, then.__name__) for step, words, then in ROWS}
    assert on_page("An evening") == names


@pytest.mark.parametrize(
    ("take", "steps"),
    [
        (evening._open, [TableOpening]),
        (evening._resume, [Resuming]),
        (evening._visit, [Coming, Following]),
    ],
)
def test_a_step_leads_where_its_function_says(take, steps):
    """The return type of each function allows exactly the steps that the table lists."""
    leads = {then.__name__ for then in get_args(get_type_hints(take)["return"])}
    for step in steps:
        rows = {then for at, _, then in on_page("An evening") if at == step.__name__}
        assert rows == leads


@pytest.fixture
def happens(monkeypatch):
    """Return a function that makes every table end as the words of a row describe."""

    def make(words):
        @asynccontextmanager
        async def table(*_):
            node = GameIsOver(host=words == LEFT_FOR[OWN])
            node.port, node.bots, node.pool = 4747, [], None
            yield node

        @asynccontextmanager
        async def joined(*_):
            if words == SILENT:
                raise Disconnected("nobody is there")
            if words == OTHER:
                raise CodeOfAnother(ANN, "7-otter-violin")
            async with table() as node:
                yield node, DOOR

        async def sat(*_):
            to = Rematch(4) if words == LEFT_FOR[OWN] else GoTo(DOOR, b"Ben")
            return ExitCode.OK if words == LEAVES else NextTableOffer(to)

        makes = {"host_table": table, "joined": joined, "resume_table": table, "sit": sat}
        for name, made in makes.items():
            monkeypatch.setattr(evening, name, made)
        monkeypatch.setattr(evening, "opened_again", lambda *_: TABLE)

    return make


@pytest.mark.parametrize(("step", "words", "then"), ROWS)
async def test_what_happens_at_a_table_leads_to_the_next_step(
    happens, autojump_clock, step, words, then
):
    """Every event leads to the step in its row, with the right seat, place and time limit."""
    happens(words)
    found = await evening.take_step(FakeFront(), step)
    assert isinstance(found, then)
    match found:
        case Following() if words == SILENT:
            assert (found.tries, found.until) == (1, LATER)
            assert trio.current_time() > 0
        case Following():
            assert (found.tries, found.where, found.sitting.seat.host) == (0, DOOR, b"Ben")
            assert 0 < found.until - trio.current_time() <= 15
        case Coming():
            assert (found.where, found.sitting.seat.code) == (ANN, "7-otter-violin")
        case TableOpening():
            assert found.sitting.seat.name == "Ana"


@pytest.mark.parametrize("step", [Coming(JOINS, DOOR), Following(JOINS, DOOR, 0.0)])
async def test_who_follows_nobody_or_has_followed_for_long_does_not_wait(
    happens, autojump_clock, step
):
    """If nobody answers, a guest who follows nobody, or whose time is up, gives up at once."""
    happens(SILENT)
    with pytest.raises(Disconnected):
        await evening.take_step(FakeFront(), step)


@pytest.mark.parametrize("seat", [TABLE, JOINS.seat])
def test_a_host_opens_its_table_anew_with_what_it_was_given(monkeypatch, seat):
    """A host that has come back to a lobby gets a host's seat before it opens the table again."""
    given = []
    monkeypatch.setattr(evening, "opened_again", lambda *_: TABLE)
    monkeypatch.setattr(evening, "opened_anew", lambda _node, *how: given.extend(how))
    evening._opened(None, seat, Anew((), None, ("Bix",)))
    assert given == [TABLE, (), None, ("Bix",)]


async def test_a_page_that_a_guest_serves_is_at_the_same_place_at_the_next_table(
    happens, monkeypatch
):
    """A page that a guest serves keeps its address at the next table, so that open tabs find it."""
    happens(LEFT_FOR[THEIRS])
    place = PagePlace(50_000, "path")
    for page in (SimpleNamespace(place=place), None):
        monkeypatch.setattr(GameIsOver, "page", page)
        for step in (Coming(JOINS, DOOR), Resuming(JOINS, "", is_named=False)):
            seat = (await evening.take_step(FakeFront(), step)).sitting.seat
            assert (seat.page, seat.page_place) == ((True, place) if page else (None, None))


async def test_whoever_comes_to_a_begun_game_reads_where_the_page_is_that_they_serve(
    happens, monkeypatch
):
    """A guest who comes to a game that has begun reads in one sentence where their own page is."""
    happens(LEFT_FOR[THEIRS])
    monkeypatch.setattr(GameIsOver, "page_address", "http://10.0.0.1:50000/path/")
    for step in (Coming(JOINS, DOOR), Resuming(JOINS, "", is_named=False)):
        front = FakeFront()
        await evening.take_step(front, step)
        said = [each for each in front.said if "http://10.0.0.1:50000/path/" in each]
        assert said == ["Phones and laptops without Boneyard: open http://10.0.0.1:50000/path/"]


async def test_whoever_opens_the_table_instead_of_its_host_is_known_by_their_key(
    happens, monkeypatch
):
    """If a guest opens the next table, that guest's key takes the place of the join code.

    The host's own next table needs no code.
    """
    happens(LEFT_FOR[THEIRS])
    for key, code in ((b"Ben", ""), (b"Cy", long_fingerprint(b"Cy"))):

        async def sat(*_, key=key):
            return NextTableOffer(GoTo(DOOR, key))

        monkeypatch.setattr(evening, "sit", sat)
        for step in (Coming(JOINS, DOOR), Resuming(JOINS, "", is_named=False)):
            found = await evening.take_step(FakeFront(), step)
            assert (found.sitting.seat.host, found.sitting.seat.code) == (key, code)
