"""Reviews at the table: made from the seat's record, one at a time, while the game goes on."""

from threading import Event
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from cli.session.endings.review import Reviews
from cli.session.endings.round_pause import RoundPause
from cli.session.frontend import ReviewShown
from cli.session.last_answer import LastAnswer
from cli.session.until import OnChange
from lab.simulation.computers.toys import toys
from netgame.protocol import notices
from netgame.protocol.peer.view import TableStage
from netgame.wire import messages as wire
from tests.cli.fakes import FakeFront
from tests.netgame.simtable import full_table

pytestmark = pytest.mark.usefixtures("quick_reviews")


class Screen(FakeFront):
    """A person's screen or a script's; `heard` is set when an answer has come."""

    def __init__(self, *, asks_back=True):
        super().__init__()
        self.asks_back, self.heard = asks_back, trio.Event()

    def say(self, sentence):
        """Keep a sentence, and count it as an answer unless it reports progress."""
        super().say(sentence)
        if not sentence.endswith(("…", "...")):
            self.heard.set()

    def tell(self, occasion):
        """Keep what is shown, and count it as an answer."""
        super().tell(occasion)
        self.heard.set()


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """Return the path of the record of a two-round game, played with toy cryptography."""
    path = tmp_path_factory.mktemp("reviews") / "record"
    with toys():
        table = full_table(
            ("Ann", "Ben"), wire.Settings("standard", (), 6, 2, 2, 5), seed=bytes([2]) * 32
        )
        table.run_game()
        path.write_bytes(table.sitters[0].record_octets)
        yield path


def at_table(path, *, past=2, seat=0, stage=TableStage.PLAYING):
    """Return a stand-in for a node out of turn, at a table with `past` scored rounds.

    If `past` is None, the game has not begun.
    """
    table = table_of(past) if past is not None else None
    folder = SimpleNamespace(record=SimpleNamespace(path=path))
    has_ended = stage is TableStage.OVER
    view = SimpleNamespace(table=table, seat=seat, stage=stage, has_ended=has_ended, can_move=False)
    return SimpleNamespace(view=lambda: view, folder=folder)


def table_of(past, *, opening=True):
    """Return a stand-in for a table with `past` scored rounds.

    If `opening`, the next round is in its first turn.
    """
    return SimpleNamespace(past=((1, 2),) * past, opening=opening)


def reviews_of(node, screen, nursery):
    """Return the reviews of this table, without a card on the screen."""
    return Reviews(node, screen, nursery, RoundPause(screen, reads=True), lambda: None)


async def answered(node, screen, named=None):
    """Ask for a review, and wait for the answer."""
    async with trio.open_nursery() as nursery:
        await reviews_of(node, screen, nursery).show(named)
        await screen.heard.wait()


def in_one(work):
    """Return a generator function that does all of this work in one piece."""

    def pieces(*args):
        yield
        return work(*args)

    return pieces


@pytest.mark.parametrize(("named", "number"), [(None, 2), ("1", 1)])
async def test_the_last_round_is_reviewed_or_the_one_that_is_named(record, named, number):
    """Without a number the last round is reviewed, and with a number that round.

    The person reads at once that the moves are being gone through.
    """
    screen = Screen()
    await answered(at_table(record), screen, named)
    (shown,) = screen.shown
    assert isinstance(shown, ReviewShown)
    assert (shown.review.number, shown.review.seat) == (number, 0)
    assert sorted(shown.names) == ["Ann", "Ben"]
    assert screen.said[0] == "Going through your moves…"


async def test_a_person_hears_how_far_a_review_has_come(record, monkeypatch):
    """A person reads the progress of a review; a script, where nobody waits, does not."""
    monkeypatch.setattr("cli.session.endings.review.TOLD_EVERY", 1)
    person, script = Screen(), Screen(asks_back=False)
    await answered(at_table(record), person)
    (shown,) = person.shown
    count = len(shown.review.choices)
    assert count > 1
    wanted = [f"{done} of {count} choices weighed ..." for done in range(1, count)]
    assert person.said[1:] == wanted
    await answered(at_table(record), script)
    assert script.said == []


async def test_the_status_says_how_far_a_review_has_come(record):
    """The status line shows how far a review has come until it is done."""
    screen, told = Screen(), []
    async with trio.open_nursery() as nursery:
        pause = RoundPause(screen, reads=True)
        reviews = Reviews(
            at_table(record), screen, nursery, pause, lambda: told.append(reviews.progress)
        )
        await reviews.show(None)
    (shown,) = screen.shown
    count = len(shown.review.choices)
    assert told == [*(f"reviewing: {done} of {count}" for done in range(count)), ""]


async def test_a_script_has_its_review_before_its_next_line(record):
    """For a script, `show` returns only when the review has been shown."""
    screen = Screen(asks_back=False)
    async with trio.open_nursery() as nursery:
        await reviews_of(at_table(record), screen, nursery).show(None)
        assert len(screen.shown) == 1


async def test_one_review_at_a_time(record, monkeypatch):
    """A request during a review is refused, and the review that is being made is still shown."""
    go_on = Event()
    monkeypatch.setattr(
        "cli.session.endings.review._reviewed", in_one(lambda *_: "Done." if go_on.wait(60) else "")
    )
    screen = Screen()
    async with trio.open_nursery() as nursery:
        reviews = reviews_of(at_table(record), screen, nursery)
        await reviews.show(None)
        await trio.testing.wait_all_tasks_blocked()
        await reviews.show(None)
        assert screen.said[1].startswith("One review at a time")
        go_on.set()
    assert screen.said[2:] == ["Done."]


@pytest.mark.parametrize(
    ("past", "seat", "named", "said"),
    [
        (None, None, None, "The game has not begun yet."),
        (0, 0, "1", "No round is scored yet."),
        (1, 0, "2", "1 round is scored so far."),
        (2, 0, "9", "2 rounds are scored so far."),
        (2, None, None, "You hold no tiles here, so there is nothing of yours to review."),
    ],
)
async def test_what_cannot_be_reviewed_is_said(record, past, seat, named, said):
    """An impossible review is refused at once, in one sentence."""
    screen = Screen()
    await answered(at_table(record, past=past, seat=seat), screen, named)
    assert screen.said == [said]


async def test_a_game_that_was_over_before_a_round_was_scored_has_no_review(record):
    """If no round was scored, the answer after the game says so, without "yet"."""
    screen = Screen()
    await answered(at_table(record, past=0, stage=TableStage.OVER), screen)
    assert screen.said == ["No round of this game was scored."]


async def test_a_record_that_cannot_be_read_is_one_sentence(tmp_path):
    """If the record is damaged or missing, one sentence says that it cannot be read."""
    path = tmp_path / "record"
    for octets in (b"nothing of the kind", None):
        path.write_bytes(octets) if octets else path.unlink()
        screen = Screen()
        await answered(at_table(path), screen)
        assert screen.said[1].startswith("The record cannot be read: ")
        assert not screen.shown


async def test_who_leaves_does_not_wait_for_a_review(record, monkeypatch):
    """Leaving the table does not wait for a review that is still being made."""
    go_on = Event()
    work = in_one(lambda *_: str(go_on.wait(60)))
    monkeypatch.setattr("cli.session.endings.review._reviewed", work)
    screen = Screen()
    async with trio.open_nursery() as nursery:
        await reviews_of(at_table(record), screen, nursery).show(None)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    go_on.set()
    assert screen.said[0] == "Going through your moves…"


# ---- kept, and out of the way -------------------------------------------------------------------


class Maker:
    """A replacement for the making of reviews, which notes the number of each round.

    If it `waits`, no review is finished until `go_on` is set.
    """

    def __init__(self, monkeypatch, *, waits=False):
        self.made, self.go_on = [], Event()
        if not waits:
            self.go_on.set()
        monkeypatch.setattr("cli.session.endings.review._reviewed", in_one(self._make))

    def _make(self, _path, number, _seat, _told):
        self.made.append(number)
        assert self.go_on.wait(60)
        return SimpleNamespace(number=number)


async def test_a_review_is_made_once_and_shown_at_once_when_it_is_asked_for_again(
    record, monkeypatch
):
    """The review of a round is made once; another request shows the same review at once.

    It makes no difference whether the request names the round.
    """
    maker, screen = Maker(monkeypatch), Screen()
    async with trio.open_nursery() as nursery:
        reviews = reviews_of(at_table(record), screen, nursery)
        await reviews.show(None)
        await screen.heard.wait()
        for named in (None, "2"):
            await reviews.show(named)
        assert screen.shown == [SimpleNamespace(number=2)] * 3
        assert screen.said == ["Going through your moves…"]
        await reviews.show("1")
    assert maker.made == [2, 1]


@pytest.mark.parametrize("waits", [False, True], ids=["made", "being made"])
async def test_a_round_that_is_played_otherwise_is_reviewed_anew(record, monkeypatch, waits):
    """A review is made again after moves are taken back, but not after talk."""
    maker, screen = Maker(monkeypatch, waits=waits), Screen()
    async with trio.open_nursery() as nursery:
        reviews = reviews_of(at_table(record), screen, nursery)
        await reviews.show(None)
        await trio.testing.wait_all_tasks_blocked()
        if not waits:
            await screen.heard.wait()
        reviews.follow(notices.MovesUndone(only_draws=False))
        maker.go_on.set()
        await screen.heard.wait()
        reviews.follow(notices.ChatHeard("Ben", "well"))
        await reviews.show(None)
    assert maker.made == [2, 2]


@pytest.mark.parametrize(
    ("asked_in_turn", "made_in_turn", "covers"),
    [(False, False, True), (True, True, True), (False, True, False)],
    ids=["out of turn", "in this turn", "in a turn that has begun since"],
)
async def test_a_review_that_comes_late_covers_no_turn_that_has_begun_since(
    record, monkeypatch, asked_in_turn, made_in_turn, covers
):
    """If the player's turn has begun since the request, the review is not shown by itself.

    A sentence says that it is ready and how to read it.
    """
    maker, screen, node = Maker(monkeypatch, waits=True), Screen(), at_table(record)
    async with trio.open_nursery() as nursery:
        reviews = reviews_of(node, screen, nursery)
        node.view().can_move = asked_in_turn
        await reviews.show(None)
        await trio.testing.wait_all_tasks_blocked()
        node.view().can_move = made_in_turn
        maker.go_on.set()
        await screen.heard.wait()
        assert len(screen.shown) == covers
        said = "Your review of round 2 is ready: type review 2 to read it."
        assert (said in screen.said) is not covers
        await reviews.show("2")
    assert screen.shown[-1:] == [SimpleNamespace(number=2)]


class Standing(Screen):
    """A screen that shows an answer beside the table until the answer is closed."""

    stands = False

    def tell(self, occasion):
        """Show the answer."""
        self.stands = True
        super().tell(occasion)

    def renews(self, _closed):
        """Return True while the answer is shown."""
        return self.stands

    def show(self, lines):
        """Replace the answer with other lines, or close it if there are none."""
        self.stands = bool(lines)


@pytest.mark.parametrize("on_change", [OnChange.YIELDS, OnChange.HOLDS])
@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize("asked_in_turn", [True, False])
async def test_a_review_that_stands_makes_way_for_the_first_turn_of_a_round(
    record, monkeypatch, on_change, opening, asked_in_turn
):
    """A review on the screen is closed when the first turn of a round begins, with a sentence.

    It stays if it was asked for in that turn, or was given as an answer that `HOLDS`.
    """
    Maker(monkeypatch)
    screen, node = Standing(), at_table(record)
    async with trio.open_nursery() as nursery:
        reviews, answer = reviews_of(node, screen, nursery), LastAnswer(node, screen)
        reviews.make_way(answer)  # nothing has been asked for yet
        node.view().table = table_of(2, opening=opening)
        node.view().can_move = asked_in_turn
        await answer.give(on_change, lambda view: (view.table,), lambda: reviews.show(None))
        await screen.heard.wait()
        node.view().can_move = True
        reviews.make_way(answer)
    makes_way = on_change is OnChange.YIELDS and opening and not asked_in_turn
    assert screen.stands is not makes_way
    said = "It is your turn. Type review 2 to go on reading."
    assert (said in screen.said) is makes_way
