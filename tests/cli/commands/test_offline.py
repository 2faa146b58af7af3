"""`judge`, `verify` and `replay`: what they print and their exit codes."""

import csv
import json
import re

import pytest

from cli.commands.verify import unmet, who_lines
from cli.kept import summary_of_record
from cli.results.standings import standings_of
from cli.results.stats import stats_of
from engine.table.moves import DrawTile
from netgame.protocol.ledger.verdict import FileFinding, RecordVerdict, Signatory
from netgame.wire import messages as wire
from tests.cli.running import boneyard_here, complaint, data_of, printed, recorded, spoken
from tests.netgame.games import played_without
from tests.netgame.simtable import full_table
from tests.netgame.small_games import come_late, late_table


def judged(text: str, tmp_path):
    """Run `judge --json` on a game; return the exit code, the objects and standard error."""
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    done = boneyard_here("judge", "--json", path)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


GAME = """
rules: standard
set: 9
seats: A B
first: A
engine: 9-9
A 4-9 A
! B 1-4 B : end-mismatch
B 1-9 B
? turn: A
"""


def test_a_game_as_it_should_be_passes(tmp_path):
    """If every line of a game is right, each object says so, and the exit code is 0."""
    code, objects, _ = judged(GAME, tmp_path)
    assert code == 0
    assert objects[0] == {"line": 7, "seat": "A", "action": "4-9 A", "ok": True}
    assert objects[1]["ok"] is True
    assert objects[1]["code"] == "end-mismatch"
    assert objects[3]["expected"] == objects[3]["found"] == "A"
    assert objects[-1] == {"passed": 4, "failed": 0}


BAD = GAME.replace("B 1-9 B", "B 1-4 B")


@pytest.mark.parametrize(
    ("texts", "code", "errors", "total"),
    [
        ((GAME, BAD), 1, 0, {"games": 2, "failed": 1}),
        ((GAME, "A what\n", None), 5, 2, {"games": 3, "failed": 0, "unreadable": 2}),
    ],
    ids=["wrong", "unreadable"],
)
def test_several_games_are_judged_at_once(tmp_path, texts, code, errors, total):
    """Each game gets its totals; an unreadable or missing file does not stop the others."""
    paths = [tmp_path / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        if text is not None:
            path.write_text(text, encoding="utf-8")
    done = boneyard_here("judge", "--json", *paths)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == code
    assert {"file": str(paths[0]), "passed": 4, "failed": 0} in objects
    assert sum("error" in each for each in objects) == errors
    assert objects[-1] == total


def test_a_refused_action_says_why_and_where_the_rule_is_written(tmp_path):
    """The object of a refused action says why it is refused, and where the rule is written."""
    code, objects, _ = judged(GAME + "A 3-3 A\n? turn: B\n", tmp_path)
    assert code == 1
    refused = objects[4]
    assert refused["ok"] is False
    assert refused["code"] == "end-mismatch"
    assert "takes 4" in str(refused["why"])
    assert "rules.md" in str(refused["rule"])
    assert objects[-1] == {"passed": 4, "failed": 2}


def test_a_game_that_is_no_text_says_where(tmp_path):
    """For a game that is not UTF-8, the complaint names the line and column."""
    path = tmp_path / "game.txt"
    path.write_bytes(b"rules: standard\nset: \xff\n")
    assert "line 2, column 6" in complaint("judge", path, code=5)


def test_a_game_may_come_through_a_pipe():
    """`judge -` reads a game from standard input."""
    assert spoken("judge", "-", text=GAME)


def test_a_good_record_is_one_sentence_and_who_signed_it(record):
    """`verify` has one sentence for a good record, then a line for each key that signed.

    The last line warns that a key does not stand for a person.
    """
    told = spoken("verify", record)
    first, *who, last = told.splitlines()
    assert first.startswith("A good record")
    assert len(who) == 3
    assert all(re.fullmatch(r"  \S+ +[a-z2-7]{8}  signed \d+ entries.*", line) for line in who)
    assert sum("a bot, it says" in line for line in who) == 2
    assert sum("the host" in line for line in who) == 1
    assert "not for a person" in last


def test_a_record_is_held_to_the_keys_and_the_digest_that_are_expected(record):
    """`verify` checks expected keys, fingerprints and digest; on a mismatch it exits with 1."""
    facts = data_of("verify", record)
    assert "not for a person" in facts["note"]
    assert facts["unmet"] == []
    keys = [each["key"] for each in facts["signers"]]
    prints = [each["fingerprint"].upper() for each in facts["signers"]]
    met = ["--expect", keys[0], "--expect", prints[1], "--head", facts["head"][:16]]
    printed("verify", record, *met)
    printed("verify", record, "--head", facts["head"])
    for options, part in (
        (["--expect", prints[0], "--expect", "ab" * 32], "not among the players"),
        (["--head", "0" * 16], "final digest"),
    ):
        assert part in printed("verify", record, *options, code=1).splitlines()[-1]
        facts = data_of("verify", record, *options, code=1)
        assert (facts["ok"], len(facts["unmet"])) == (False, 1)
    for options in (["--expect", "ann"], ["--expect", ""], ["--head", "ab"], ["--head", "g" * 16]):
        assert complaint("verify", record, *options)


def test_a_key_that_signed_nothing_is_said_and_not_expected():
    """A key that signed nothing is listed as such; if it is expected, that counts as unmet."""
    silent = Signatory("Cy", "ab" * 32, "aaaaaaaa", 0, host=False, bot=False, tab=True)
    chair = Signatory("", "cd" * 32, "bbbbbbbb", 1, host=True, bot=False, tab=False)
    lines = who_lines((chair, silent))
    assert lines[0].split() == ["(host)", "bbbbbbbb", "signed", "1", "entry"]
    said = "Cy aaaaaaaa signed nothing, in a browser tab, it says"
    assert " ".join(lines[1].split()) == said
    verdict = RecordVerdict(FileFinding.WHOLE_GAME, (), 1, head="00", signers=(chair, silent))
    assert "signed nothing" in unmet(verdict, ["aaaaaaaa"], None)[0]
    assert unmet(verdict, ["cd" * 32], None) == ()


@pytest.mark.parametrize("at", [0, 40, -1, None])
def test_a_changed_octet_is_found_and_placed(record, tmp_path, at):
    """`verify` finds a single wrong bit and names the octet.

    Of a record that is cut short, it says that the record breaks off.
    """
    octets = bytearray(record.read_bytes())
    if at is None:
        del octets[-3:]
    else:
        octets[at] ^= 1
    path = tmp_path / "changed"
    path.write_bytes(octets)
    done = boneyard_here("verify", path)
    assert (done.returncode, done.stderr) == (5, "")
    assert ("octet" if at is not None else "breaks off inside the frame") in done.stdout


@pytest.mark.parametrize("word", ["verify", "judge", "replay"])
def test_a_file_that_is_not_there_is_exit_3(word, tmp_path):
    """If a file is missing, the command says so and exits with 3."""
    assert "Cannot read" in complaint(word, tmp_path / "missing", code=3)


def test_a_replay_tells_every_move_and_the_scores(record):
    """A replay tells of each round once and of the winner; it has no escape sequences."""
    told = printed("replay", record)
    for text in ("Round 1 of 2 is dealt: ", "Round 2 of 2 is dealt: ", "won after 2 rounds."):
        assert told.count(text) == 1
    assert "played" in told
    assert "\x1b" not in told


def test_a_replay_as_notation_passes_the_referee_and_gives_the_same_scores(record, tmp_path):
    """The referee accepts the notation of a record, with its scores, totals and winner."""
    text, objects = written_down(record, tmp_path)
    assert "with: blanks=25-50" in text
    claims = [each["action"] for each in objects if "expected" in each]
    assert claims == ["score", "total", "score", "total", "winner"]


def written_down(record, tmp_path):
    """Return a record's notation, and the objects that `judge` prints for it.

    Assert that the referee finds every line right.
    """
    told = printed("replay", record, "--notation")
    code, objects, said = judged(told, tmp_path)
    assert code == 0, (objects, said)
    return told, objects


@pytest.mark.parametrize(
    ("preset", "switches", "hand"),
    [
        ("wolf-lake", (), 5),
        ("standard", ("opening=simultaneous", "last-tile=tap", "tap-penalty=2"), 0),
        ("standard", ("first=high-draw",), 0),
        ("fundex", (), 5),
    ],
    ids=["wolf-lake", "opening=simultaneous", "first=high-draw", "fundex"],
)
def test_a_record_of_any_rules_is_written_down_and_judged(
    preset, switches, hand, tmp_path, toy_group
):
    """The referee accepts the notation of records under rules with unusual kinds of move."""
    settings = wire.Settings(preset, switches, 9, 3, 1, hand)
    table = full_table(("Ann", "Ben", "Cy"), settings, seed=bytes([1]) * 32)
    table.run_game()
    _, objects = written_down(recorded(tmp_path, table), tmp_path)
    assert objects[-1]["passed"] > 10


@pytest.fixture
def late_record(tmp_path, toy_group):
    """Return the path of the record of a two-round game that somebody joined for round two."""
    table = late_table()
    come_late(table)
    table.run_game()
    return recorded(tmp_path, table)


def test_a_replay_says_who_came_late(late_record):
    """A replay says with how many points a latecomer starts.

    It lists the scores of two seats for the first round, and of three for the second.
    """
    told = printed("replay", late_record)
    assert re.search(r"Zoe sits down with \d+ points, the same as last place\.", told)
    first, second = re.findall(r"Points of the round: (.*?)\. ?(.*)", told)
    points = [re.findall(r"(\w+) \d+", row) for row, _ in (first, second)]
    assert sorted(points[0]) == ["Ann", "Ben"]
    assert sorted(points[1]) == ["Ann", "Ben", "Zoe"]
    assert "the game" in second[1]


def test_a_latecomer_has_not_played_the_round_before(late_record):
    """The score sheet puts the points that a latecomer starts with in brackets.

    Its data has them in a row `start`. Statistics and standings do not count them as a round.
    """
    told = summary_of_record(late_record.read_bytes())
    (first, second), zoe = told.scores, 2
    rows = [line.split() for line in printed("sheet", late_record).splitlines()]
    assert rows[1][-1] == f"({first[zoe]})"
    assert rows[2][-1] == str(second[zoe])
    assert rows[3][-1] == str(first[zoe] + second[zoe])
    data = list(csv.reader(printed("sheet", late_record, "--csv").splitlines()))
    assert [row[-1] for row in data[1:4]] == [str(first[zoe]), "", str(second[zoe])]
    assert data[1][:4] == ["start", "", "0", "0"]
    tallies = [stats_of([(told, seat)]).total for seat in range(3)]
    assert [each.rounds for each in tallies] == [2, 2, 1]
    assert [each.points for each in tallies] == [*told.totals[:zoe], second[zoe]]
    assert sum(each.rounds_won for each in tallies) == 2
    row = next(row for row in standings_of([told]) if row.name == "Zoe")
    assert (row.rounds, row.points, row.average) == (1, told.totals[zoe], second[zoe])


def test_a_replay_says_who_left(tmp_path, toy_group):
    """The replay names the player who left and mentions the reshuffle; no line is a bare number."""
    done = boneyard_here("replay", recorded(tmp_path, played_without()))
    assert done.returncode == 0, done.stderr
    assert "The table goes on without Dee." in done.stdout
    assert "everybody reshuffles it" in done.stdout
    assert not [line for line in done.stdout.splitlines() if line.strip().isdigit()]


def test_a_table_that_hides_draws_is_not_written_as_notation(tmp_path, toy_group):
    """`--notation` refuses a record of a table that hid draws; its sentence names the option."""
    settings = wire.Settings("standard", (), 6, 2, 1, 3, ("draws=hidden",))
    for seed in range(1, 20):
        table = full_table(("Ann", "Ben"), settings, seed=bytes([seed]) * 32)
        table.run_game()
        if any(isinstance(move, DrawTile) for _, move in table.sitters[0].core.state.history):
            break
    told = complaint("replay", recorded(tmp_path, table), "--notation", code=1)
    assert "this table hid when each tile was drawn (draws=hidden)" in told


def test_a_replay_of_what_is_no_record_says_so(tmp_path):
    """A file that is not a record is refused in one line, with exit code 5."""
    path = tmp_path / "x"
    path.write_text("hello there, this is not a record at all")
    assert "not a good record" in complaint("replay", path, code=5)
