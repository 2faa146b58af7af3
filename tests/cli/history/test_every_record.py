"""Every command that reads records, run over all vector logs and over games without a score.

A game ends without a scored round if all players but one leave during a deal, in a round that is
given up, or before any deal.
"""

from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from cli.arguments.parser import COMMANDS, read_arguments
from cli.history.film import film_of
from cli.history.viewing import Viewing, view_lines
from cli.kept import evening_of, evening_until, summary_of_record
from cli.render.cells import Canvas
from cli.render.game_end import end_lines, evening_lines
from cli.render.palette import ASCII_GLYPHS, plain_text
from cli.results.standings import standings_of
from cli.results.summary import summary_of_view
from cli.scene import scene_of
from cli.screens.json_lines import facts_of
from cli.wording.game_end import GameEnd, evening_sentences, game_sentences
from engine.notation.notation import parse
from engine.notation.referee import judge
from netgame.crypto.transcript import expand
from netgame.io.disk.identity import KEY_FILE
from netgame.io.disk.store import DataFolder
from netgame.protocol.peer.view import TableView
from netgame.protocol.state import phases
from tests.cli.running import boneyard_here, complaint, data_of, printed
from tests.netgame.protocol.happenings import say_farewell
from tests.netgame.simtable import full_table
from tests.netgame.small_games import offer
from tests.tree import VECTORS

LOGS = VECTORS / "logs"
WIDE = Canvas(80, 24, ASCII_GLYPHS)

ON_RECORDS = (
    "verify", "replay", "replay --notation", "sheet", "sheet --csv", "sheet --svg", "standings",
    "review --name 1", "review --name 1 --json",
)  # fmt: skip
ON_FOLDERS = ("games", "games --json", "stats", "stats --json", "standings", "standings --json")
OF_TEXT = ("judge",)
"""Commands that read notation; they are tried on the output of `replay --notation`."""

FEW = (
    "cut-in-shares-of-two", "left-alone", "left-at-the-coin", "cut-in-shares", "cut-in-roster",
    "came-late",
)  # fmt: skip
"""The logs that are read in every run; one of these games ended without a score."""


def test_no_command_that_reads_a_record_is_missing():
    """Each command that takes a file is listed in `ON_RECORDS` or in `OF_TEXT`."""
    taking = set()
    for name in COMMANDS:
        with suppress(SystemExit):  # this command takes no word that could be a file
            taking |= {name} if hasattr(read_arguments((name, "word")), "file") else set()
    assert taking == {words.split()[0] for words in (*ON_RECORDS, *OF_TEXT)}


def logs():
    """Yield every log of the test vectors as a parameter.

    Those not listed in `FEW` are marked, so that they are read only in the campaign.
    """
    for path in sorted(LOGS.glob("*.bin")):
        marks = () if path.stem in FEW else pytest.mark.campaign
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.usefixtures("quick_reviews")
@pytest.mark.parametrize("path", tuple(logs()))
def test_every_command_reads_every_log(path, tmp_path):
    """Each command prints a result and exits with 0, or complains in one line and exits with 1.

    All moves of the notation are legal, and every frame of the replay can be drawn.
    """
    for words in ON_RECORDS:
        done = boneyard_here(*words.split(), path, data=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) in ((0, 0), (1, 1)), done
        assert done.stdout or done.returncode, done
        if done.returncode == 0 and "--notation" in words:
            assert all(verdict.ok for verdict in judge(parse(done.stdout))), done.stdout
    for frame in film_of(path.read_bytes()):
        assert view_lines(Viewing((frame,), hands=True), WIDE)


# ---- over before a round was scored -------------------------------------------------------------


class Ended(NamedTuple):
    """A game of Ann and Ben that Ben left: Ann's last view, her record and her key's secret."""

    view: TableView
    record: bytes
    secret: bytes


ENDS = {
    "in the first deal": ((), phases.Dealing),
    "before the hands are dealt": ((), phases.SharingHands),
    "in a round that is given up": (("leaver=redeal",), phases.Playing),
}
"""Options of the table, and the phase in which Ben leaves."""

BEFORE = phases.CommittingCoin
"""A phase so early that the game has not begun if Ben leaves in it."""


@cache
def left(options, phase):
    """Return a game of Ann and Ben with these options that ended because Ben left in `phase`."""
    seed = bytes(32)
    table = full_table(("Ann", "Ben"), offer(options, rounds=1, seats=2), seed=seed)
    ann, ben = table.sitters
    table.run(lambda: isinstance(ben.state.now, phase))
    say_farewell(table, ben)
    table.run(lambda: ann.finished)
    secret = expand(seed, "identity", 0)(32)
    return Ended(ann.view, ann.record_octets, secret)


def kept(folder, ended, *records):
    """Write the record of `ended`, and any `records` after it, into a new data folder of Ann's.

    Return the folder of the table that the first record belongs to.
    """
    folder.mkdir()
    (folder / KEY_FILE).write_bytes(ended.secret)
    (folder / KEY_FILE).chmod(0o600)
    for octets in (ended.record, *records):
        table = folder / "tables" / sha256(octets).hexdigest()[:32]
        table.mkdir(parents=True)
        (table / "record").write_bytes(octets)
    return DataFolder(folder).tables()[-1]


@pytest.fixture(params=ENDS)
def ended(request):
    """Return a game that was over before a round was scored."""
    return left(*ENDS[request.param])


def test_who_stays_has_won_in_every_command(ended, tmp_path):
    """If Ben leaves before a round is scored, every command shows Ann as the winner.

    Commands that need a scored round say that there is none.
    """
    path = tmp_path / "game"
    path.write_bytes(ended.record)
    told = summary_of_record(ended.record)
    ann = next(at for at, each in enumerate(told.players) if each.name == "Ann")
    assert (told.finished, told.scores, told.winners) == (True, (), (ann,))
    assert [told.places[ann], told.places[1 - ann]] == [1, None]
    verified = data_of("verify", path)
    assert verified["winners"] == ["Ann"]
    assert "between" in verified["sentence"]
    assert "which ended before a round was scored" in verified["sentence"]
    won = "Ann won before a round was scored"
    assert won in printed("sheet", path)
    assert printed("sheet", "--csv", path).splitlines()[1:] == ['"total","","0","0"']
    assert "nothing to plot" in complaint("sheet", "--svg", path, code=1)
    assert "No round in this record is scored." in complaint("review", path, code=1)
    replayed = printed("replay", path)
    assert "Ann wins the game." in replayed
    assert f"{won}." in replayed
    written = parse(printed("replay", "--notation", path))
    assert [(each.action, each.ok) for each in judge(written)][-1] == ("winner", True)
    assert [plain_text(line) for line in view_lines(Viewing(film_of(ended.record)[-1:]), WIDE)][1:]
    rows = data_of("standings", path)["standings"]
    assert [(row["name"], row["place"], row["won"], row["average"]) for row in rows] == [
        ("Ann", 1, 1, None), ("Ben", 2, 0, None),
    ]  # fmt: skip
    assert "1. Ann      1    1           1.00               -" in printed("standings", path)


def test_it_counts_in_a_folder_with_others(ended, tmp_path):
    """A game without a scored round counts as one that Ann won, and does not disturb the totals."""
    other = (LOGS / "two-seats.bin").read_bytes()
    table = kept(tmp_path / "ann", ended, other)
    for words in ON_FOLDERS:
        assert printed(*words.split(), data=tmp_path / "ann"), words
    listed = printed("games", data=tmp_path / "ann")
    assert "0 rounds, with Ben: you won" in listed
    facts = data_of("stats", data=tmp_path / "ann")
    assert (facts["total"]["games"], facts["total"]["games_won"]) == (1, 1)
    assert (facts["total"]["rounds"], facts["total"]["average"]) == (0, None)
    told = printed("stats", data=tmp_path / "ann")
    assert "1 finished, 1 won (100%)" in told
    assert "None" not in told
    facts = data_of("standings", data=tmp_path / "ann")
    assert (facts["games"], len(facts["standings"])) == (2, 4)
    assert len(evening_until(table)) == 1


def test_the_table_itself_shows_its_end(ended, tmp_path):
    """The screen, sentences, JSON and the list of the evening's games all show that Ann won."""
    scene, told = scene_of(ended.view), summary_of_view(ended.view)
    end = GameEnd(scene, told)
    drawn = [plain_text(line).split() for line in end_lines(end, WIDE)]
    assert drawn[1][1:-1] == ["You", "win", "the", "game."]
    assert drawn[3:5] == [["1", "Ann", "0"], ["-", "Ben", "0"]]
    assert "1. Ann, 0 points." in game_sentences(end)
    kind, facts = facts_of(end)
    assert (kind, facts["winners"]) == ("result", ["Ann"])
    assert sorted((each["name"], each["place"]) for each in facts["seats"]) == [
        ("Ann", 1), ("Ben", None),
    ]  # fmt: skip
    table = kept(tmp_path / "ann", ended)
    games = evening_of(table, told.players, is_over=True)
    assert [game.winners for game in games] == [told.winners]
    assert evening_lines(games, WIDE)
    assert "1. Ann: won 1, 0 points" in "\n".join(evening_sentences(games))


def test_a_game_that_never_began_is_no_bad_record(tmp_path):
    """Commands that read many games leave out a game that never began, and do not fail.

    `sheet`, which reads only this one, says that the game never began.
    """
    never = left((), BEFORE)
    path = tmp_path / "never"
    path.write_bytes(never.record)
    done = boneyard_here("standings", path, LOGS / "two-seats.bin")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 game counted." in done.stdout
    assert f"{path.name} is a record of a game that never began" in done.stdout
    assert complaint("sheet", path, code=1) == "The game never began.\n"
    kept(tmp_path / "ann", never)
    for words in ON_FOLDERS:
        done = boneyard_here(*words.split(), data=tmp_path / "ann")
        assert done.returncode == 0, done
    listed = printed("games", data=tmp_path / "ann")
    assert "The game never began." in listed
    assert "damaged" not in listed


def test_notes_of_before_do_not_hide_who_won(ended, tmp_path):
    """If an old summary lacks the winners and places, they are read from the record.

    Standings made from such a summary alone still rank the winner first.
    """
    table = kept(tmp_path / "ann", ended)
    told = summary_of_record(ended.record)
    before = replace(told, version=4, winners=(), places=())
    (table / "summary.json").write_bytes(msgspec.json.encode(before))
    assert "you won" in printed("games", data=tmp_path / "ann")
    assert evening_sentences(evening_until(table))
    # If only another program can fold a record, its summary is all there is.
    rows = standings_of([replace(told, places=())])
    assert [(row.name, row.place, row.won) for row in rows] == [("Ann", 1, 1), ("Ben", 2, 0)]
