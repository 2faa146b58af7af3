"""`boneyard arena`: bots against bots, to find out which of them plays better."""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, TextIO

from cli.exits import CommandFailed, ExitCode
from cli.render.grid import Column, Grid
from cli.render.palette import plain_text
from cli.wording.refusals import refusal_sentence
from engine.bots.levels import LEVELS
from engine.refusals import Refusal
from engine.rules.choose import by_name, parse_rules, spelled
from engine.rules.spec import make_spec
from lab.arena.matches import Contest, MatchScore, match_at
from lab.arena.plot import draw
from lab.arena.results import heading, read_scores, row, write_line
from lab.arena.series import Player, in_processes, on_cluster
from lab.arena.standings import LevelStanding, Mean, ratings, standings

_TOLD_EVERY: Final = 25
"""Games between two lines of progress."""


def run(options: argparse.Namespace) -> ExitCode:
    """Play the requested games, except those already in the file; print and plot the standings.

    The number of games is rounded up, so that each deal is played in all rotations. After an
    interruption, the standings are those of the games played so far.
    """
    contest = _contest(options)
    seats = contest.spec.seats
    games = -(-options.games // seats) * seats
    scores = [] if options.out is None else read_scores(options.out, contest)
    scores = [score for score in scores if score.match.deal * seats < games]
    interrupted = False
    before = len(scores)
    began = time.monotonic()
    try:
        for score in _played(options, contest, games, scores):
            scores.append(score)
            if len(scores) % _TOLD_EVERY == 0 or len(scores) == games:
                spent = time.monotonic() - began
                left = spent / (len(scores) - before) * (games - len(scores))
                print(progress(len(scores), games, left), file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
    found = standings(contest.levels, scores)
    rated = {level.value: value for level, value in ratings(contest.levels, scores).items()}
    print(_as_json(found, rated) if options.json else "\n".join(_lines(found, rated)))
    if options.plot is not None and found:
        draw(found, options.plot)
    return ExitCode.INTERRUPTED if interrupted else ExitCode.OK


def progress(played: int, games: int, left_s: float) -> str:
    """Return a line with the games played and, while some are left, the estimated time to go."""
    said = f"{played} of {games} games"
    if played == games:
        return said
    hours, minutes = divmod(max(1, round(left_s / 60)), 60)
    return f"{said}, about {f'{hours} h ' if hours else ''}{minutes} min to go"


def _contest(options: argparse.Namespace) -> Contest:
    words = options.seats.split(",")
    unknown = next((word for word in words if word not in LEVELS), None)
    if unknown is not None:
        text = f"There is no bot {unknown}; there are: {', '.join(LEVELS)}."
        raise CommandFailed(ExitCode.USAGE, text)
    rules = parse_rules(options.rules, spelled(by_name(options.switch)))
    size = options.set, len(words), options.rounds, options.deal
    spec = rules if isinstance(rules, Refusal) else make_spec(rules, *size)
    if isinstance(spec, Refusal):
        raise CommandFailed(ExitCode.USAGE, refusal_sentence(spec))
    levels = tuple(LEVELS[word] for word in words)
    return Contest(spec, levels, str(options.seed).encode(), options.rollouts, options.between)


def _played(
    options: argparse.Namespace, contest: Contest, games: int, before: list[MatchScore]
) -> Iterator[MatchScore]:
    """Play every missing match; write its score to the file, if there is one, and yield it."""
    done = {score.match for score in before}
    numbered = (match_at(contest, number) for number in range(games))
    missing = [match for match in numbered if match not in done]
    with _player(options) as play:
        if options.out is None:
            yield from play(contest, missing)
            return
        with _opened(options.out, contest) as file:
            for score in play(contest, missing):
                write_line(file, row(score))
                yield score


def _opened(path: Path, contest: Contest) -> TextIO:
    try:
        is_new = not path.exists()
        file = path.open("a", encoding="utf-8")
    except OSError as problem:
        raise CommandFailed(ExitCode.FAILED, f"{path} cannot be written: {problem}") from None
    if is_new:
        write_line(file, heading(contest))
    return file


def _player(options: argparse.Namespace) -> AbstractContextManager[Player]:
    if options.cluster is not None:
        return on_cluster(options.cluster)
    return in_processes(options.workers)


def _lines(found: list[LevelStanding], rated: dict[str, float]) -> list[str]:
    if not found:
        return ["No deal has been played in all rotations yet."]
    lines = [f"{found[0].games} games, every deal in {sum(each.seats for each in found)} rotations"]
    rows = [("level", "seats", "won by a seat, %", "times fair", "points a game", "rating")]
    for each in found:
        share = f"{100 * each.share.value:>5.1f}  {_ends(each.share, 100)}"
        points = f"{each.points.value:>7.1f}  {_ends(each.points)}"
        rating = rated.get(each.level.value)
        shown = "" if rating is None else f"{rating:.2f}"
        fair = f"{each.fair:.2f}"
        rows.append((each.level.value, str(each.seats), share, fair, points, shown))
    number, text = Column(right=True), Column()
    columns = (Column(gap=0), number, text, number, text, number)
    return [*lines, *map(plain_text, Grid(columns, rows).lines())]


def _ends(mean: Mean, times: int = 1) -> str:
    return f"{times * mean.low:.1f} to {times * mean.high:.1f}"


def _as_json(found: list[LevelStanding], rated: dict[str, float]) -> str:
    rows = [
        {
            **each._asdict(),
            "level": each.level.value,
            "share": each.share._asdict(),
            "points": each.points._asdict(),
            "rating": rated.get(each.level.value),
        }
        for each in found
    ]
    return json.dumps(rows)
