"""The arena: equal deals for all contenders, results from the seed alone, sound intervals."""

import sys
from math import inf
from types import SimpleNamespace

import pytest

from cli.exits import CommandFailed
from engine.bots.levels import BotLevel
from engine.rules.choose import STANDARD, parse_rules
from engine.rules.spec import make_spec
from lab.arena.matches import Contest, Match, MatchScore, match_at, play_match
from lab.arena.results import heading, read_scores, row, write_line
from lab.arena.series import in_processes, one_by_one
from lab.arena.standings import mean, ratings, standings
from lab.rounds import whole_games
from lab.rounds.whole_games import play_round

EASY, NORMAL, EXPERT = BotLevel.EASY, BotLevel.NORMAL, BotLevel.EXPERT


def contest_of(*levels, preset=STANDARD, rounds=2, seed=b"7"):
    """Return a short contest at double-six."""
    spec = make_spec(parse_rules(preset, {}), 6, len(levels), rounds, 5)
    return Contest(spec, levels, seed)


def score_of(deal, rotation, *shares):
    """Return a match score with these shares, and points that fall as shares rise."""
    return MatchScore(Match(deal, rotation), tuple(int(10 - 9 * s) for s in shares), shares)


def test_every_rotation_of_a_deal_comes_before_the_next_deal():
    """All rotations of a deal come before the next deal."""
    contest = contest_of(EASY, EASY, EASY)
    numbered = [match_at(contest, number) for number in range(4)]
    assert numbered == [Match(0, 0), Match(0, 1), Match(0, 2), Match(1, 0)]


def test_a_match_is_the_same_whenever_it_is_played():
    """Replaying a match gives the same score; a different seed gives a different game."""
    contest = contest_of(NORMAL, EASY)
    first = play_match(contest, Match(3, 1))
    assert play_match(contest, Match(3, 1)) == first
    others = [
        play_match(contest_of(NORMAL, EASY, seed=bytes([at])), Match(3, 1)) for at in range(5)
    ]
    assert any(other.points != first.points for other in others)


def test_rotations_hand_every_hand_to_every_contender(monkeypatch):
    """The decks stay the same, and in each rotation the contenders move on by one seat."""
    seen = []

    def noted(table, tiles, strategies, *rest, **more):
        seen.append((tiles, [strategy.__self__.level for strategy in strategies]))
        return play_round(table, tiles, strategies, *rest, **more)

    monkeypatch.setattr(whole_games, "play_round", noted)
    contest = contest_of(NORMAL, EASY, EASY, rounds=1)
    for rotation in range(3):
        play_match(contest, Match(4, rotation))
    assert seen[0][0] == seen[1][0] == seen[2][0]
    orders = [levels for _, levels in seen]
    assert orders == [[NORMAL, EASY, EASY], [EASY, NORMAL, EASY], [EASY, EASY, NORMAL]]


def test_contenders_that_think_on_play_the_same_match_again():
    """With rollouts between turns a match repeats exactly; without them its scores differ.

    The headings of such contests differ too.
    """
    few, more = (
        contest_of(EXPERT, EASY, rounds=1)._replace(rollouts=40, between=between)
        for between in (0, 40)
    )
    games = [Match(deal, 0) for deal in range(4)]
    scores = [play_match(more, game) for game in games]
    assert [play_match(more, game) for game in games] == scores
    assert [play_match(few, game) for game in games] != scores
    assert heading(few) != heading(more) != heading(contest_of(EXPERT, EASY, rounds=1))


def test_processes_come_to_the_same_scores():
    """The score of a match is the same, whichever process plays it."""
    contest = contest_of(NORMAL, EASY)
    numbered = [match_at(contest, number) for number in range(6)]
    with in_processes(2) as play:
        assert sorted(play(contest, numbered)) == list(one_by_one(contest, numbered))


def test_standings_count_seats_and_whole_deals_only():
    """A level's share is the mean of the shares of its seats.

    A deal counts only once all its rotations have been played.
    """
    levels = (NORMAL, EASY, EASY)
    scores = [score_of(0, rotation, 1.0, 0.0, 0.0) for rotation in range(3)]
    scores += [score_of(1, rotation, 0.0, 0.5, 0.5) for rotation in range(3)]
    scores += [score_of(2, 0, 0.0, 1.0, 0.0)]
    best, worst = standings(levels, scores)
    assert (best.level, best.seats, best.games, best.share.value) == (NORMAL, 1, 6, 0.5)
    assert (worst.level, worst.seats, worst.share.value) == (EASY, 2, 0.25)
    assert best.fair == pytest.approx(1.5)
    assert best.share.low < 0.5 < best.share.high
    assert standings(levels, scores[:2]) == []


def test_an_interval_narrows_with_the_deals():
    """Ten times as many values narrow the interval; a single value has an infinite one."""
    assert mean([0.5]) == (0.5, -inf, inf)
    few, many = mean([0.0, 1.0] * 5), mean([0.0, 1.0] * 50)
    assert few.value == many.value == 0.5
    assert few.high - few.low > 3 * (many.high - many.low)
    assert many.high == pytest.approx(0.5 + 1.96 * 0.5025 / 10, abs=1e-3)


class EloLike:
    """A stand-in for OpenSkill's model: a team's rating moves by what its score is above a half."""

    def rating(self, mu=25.0, sigma=8.0):
        """Return a rating with these numbers."""
        return SimpleNamespace(mu=mu, sigma=sigma, ordinal=lambda: mu - 3 * sigma)

    def rate(self, teams, scores):
        """Return the teams with new ratings."""
        pairs = zip(teams, scores, strict=True)
        return [[self.rating(one.mu + score - 0.5, one.sigma)] for (one,), score in pairs]


def test_better_play_is_rated_higher(monkeypatch):
    """The winner of every game has the higher rating, and two seats of a level have one rating."""
    library = SimpleNamespace(PlackettLuce=EloLike)
    monkeypatch.setitem(sys.modules, "openskill", SimpleNamespace(models=library))
    monkeypatch.setitem(sys.modules, "openskill.models", library)
    levels = (NORMAL, EASY, EASY)
    scores = [score_of(deal, turn, 1.0, 0.5, 0.0) for deal in range(10) for turn in range(3)]
    assert ratings(levels, scores) == {NORMAL: 25 + 15 - 24, EASY: 25 - 7.5 - 24}


def test_without_the_library_nobody_is_rated(monkeypatch):
    """The ratings are left out if OpenSkill is not installed."""
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert ratings((NORMAL, EASY), [score_of(0, 0, 1.0, 0.0)]) == {}


def test_a_file_is_gone_on_from(tmp_path):
    """An arena reads the scores in an existing file, and removes a last line cut off by a crash."""
    contest = contest_of(NORMAL, EASY)
    path = tmp_path / "games.csv"
    assert read_scores(path, contest) == []
    scores = [play_match(contest, Match(0, rotation)) for rotation in (0, 1)]
    with path.open("a") as file:
        write_line(file, heading(contest))
        for score in scores:
            write_line(file, row(score))
        file.write("1,0,3")
    whole = path.read_text().removesuffix("1,0,3")
    assert read_scores(path, contest) == scores
    assert path.read_text() == whole


def test_a_cut_off_line_that_cannot_be_removed_is_one_sentence(tmp_path, monkeypatch):
    """If the file can be read but not written, the arena says so in one sentence."""
    contest = contest_of(NORMAL, EASY)
    path = tmp_path / "games.csv"
    with path.open("a") as file:
        write_line(file, heading(contest))
        file.write("1,0,3")

    def refuse(*_args):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.write_text", refuse)
    with pytest.raises(CommandFailed, match=r"games\.csv cannot be written: .*denied"):
        read_scores(path, contest)


def test_a_file_of_other_games_is_refused(tmp_path):
    """A whole file is refused by a contest with another level, seed, rule or number of rounds."""
    contest = contest_of(NORMAL, EASY)
    path = tmp_path / "games.csv"
    with path.open("w") as file:
        write_line(file, heading(contest))
        write_line(file, row(play_match(contest, Match(0, 0))))
    text = path.read_text()
    for other in (
        contest_of(NORMAL, NORMAL),
        contest_of(NORMAL, EASY, seed=b"8"),
        contest_of(NORMAL, EASY, preset="parsons-1994"),
        contest_of(NORMAL, EASY, rounds=3),
    ):
        with pytest.raises(CommandFailed) as refused:
            read_scores(path, other)
        assert "has other games" in refused.value.sentence
    assert path.read_text() == text
    assert len(read_scores(path, contest)) == 1


@pytest.mark.parametrize(
    "spoilt", ["", "something else\n", "{heading}\n1,2\n", "{heading}\n1,x,1,1,1,0,\n"]
)
def test_a_file_of_anything_else_is_refused(tmp_path, spoilt):
    """A file with no heading, a different heading or broken lines is refused and left as it was."""
    contest = contest_of(NORMAL, EASY)
    path = tmp_path / "games.csv"
    with path.open("w") as file:
        file.write(spoilt.format(heading=",".join(heading(contest))))
    text = path.read_text()
    with pytest.raises(CommandFailed):
        read_scores(path, contest)
    assert path.read_text() == text
