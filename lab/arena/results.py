"""The games of an arena as lines of CSV, to look at and to resume from."""

import csv
from math import inf
from pathlib import Path
from typing import Final, TextIO

from cli.exits import CommandFailed, ExitCode
from engine.rules.choose import format_rules
from lab.arena.matches import Contest, Match, MatchScore

_SHARE_DIGITS: Final = 6


def heading(contest: Contest) -> list[str]:
    """Return the names of the columns.

    The last one describes the rules and the seed, so that no file mixes different games.
    """
    names = [f"{at}-{level.value}" for at, level in enumerate(contest.levels)]
    spec = contest.spec
    preset, words = format_rules(spec.rules)
    rules = " ".join([preset, *words])
    game = f"{rules}; set {spec.pip_max}; {spec.rounds} rounds; {spec.hand} tiles"
    seed = f"seed {contest.seed.decode(errors='replace')}"
    if contest.rollouts < inf or contest.between:
        seed = f"{contest.rollouts} rollouts, {contest.between} between; {seed}"
    points, shares = [f"points {name}" for name in names], [f"share {name}" for name in names]
    return ["deal", "rotation", *points, *shares, f"{game}; {seed}"]


def row(score: MatchScore) -> list[str]:
    """Return the line of a match, in the columns of `heading`; the last one is empty."""
    shares = [f"{share:.{_SHARE_DIGITS}g}" for share in score.shares]
    return [*map(str, score.match), *map(str, score.points), *shares, ""]


def read_scores(path: Path, contest: Contest) -> list[MatchScore]:
    """Return the scores of the matches in a file, or an empty list if there is no such file.

    Removes a truncated last line from the file. Raises `CommandFailed` if the file cannot be read,
    or that line cannot be removed, if it does not begin with the heading of this contest, or if it
    has a line that is not a match.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return []
    except (OSError, ValueError):
        raise CommandFailed(ExitCode.FAILED, f"{path} cannot be read.") from None
    whole = text[: text.rfind("\n") + 1]
    lines = list(csv.reader(whole.splitlines()))
    if not lines or lines[0] != heading(contest):
        words = f"{path} has other games, or none; name another file, or ask for the same games."
        raise CommandFailed(ExitCode.USAGE, words)
    try:
        if whole != text:
            path.write_text(whole, "utf-8")
    except OSError as problem:
        raise CommandFailed(ExitCode.FAILED, f"{path} cannot be written: {problem}") from None
    try:
        return [_score(line, len(contest.levels)) for line in lines[1:]]
    except ValueError:
        text = f"{path} has a line that is no game; take it out, or name another file."
        raise CommandFailed(ExitCode.USAGE, text) from None


def _score(line: list[str], seats: int) -> MatchScore:
    if len(line) != 2 * seats + 3:
        raise ValueError(line)
    points, shares = line[2 : 2 + seats], line[2 + seats : -1]
    match = Match(int(line[0]), int(line[1]))
    return MatchScore(match, tuple(map(int, points)), tuple(map(float, shares)))


def write_line(file: TextIO, line: list[str]) -> None:
    """Write one line of CSV to the file, and flush it."""
    csv.writer(file, lineterminator="\n").writerow(line)
    file.flush()
