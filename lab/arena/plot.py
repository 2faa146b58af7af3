"""The standings as a picture: shares with their intervals, against the fair share."""

from collections.abc import Sequence
from pathlib import Path

from cli.exits import CommandFailed, ExitCode
from lab.arena.standings import LevelStanding


def draw(standings: Sequence[LevelStanding], path: Path) -> None:
    """Write the picture in the format of the file's name, such as `.svg` or `.png`.

    Raises `CommandFailed` if matplotlib is not installed, or if the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure as Canvas
    except ModuleNotFoundError:
        text = "A plot needs matplotlib: run with --with-requirements lab/arena/requirements.txt."
        raise CommandFailed(ExitCode.USAGE, text) from None
    figure = Canvas(figsize=(6, 0.6 * len(standings) + 1.4), layout="constrained")
    axes = figure.subplots()
    names = [f"{each.level.value} ({each.seats})" for each in standings]
    shares = [100 * each.share.value for each in standings]
    reach = [100 * (each.share.high - each.share.value) for each in standings]
    axes.errorbar(shares, names, xerr=reach, fmt="o", capsize=4, color="black")
    fair = 100 / sum(each.seats for each in standings)
    axes.axvline(fair, linestyle="--", linewidth=1, color="grey", label="fair share")
    axes.set_xlabel("games won by one seat of the level, %, with 95 % intervals")
    axes.set_xlim(left=0)
    axes.invert_yaxis()
    axes.margins(y=0.3)
    axes.legend(loc="lower right")
    try:
        figure.savefig(path)
    except (OSError, ValueError) as problem:
        raise CommandFailed(ExitCode.FAILED, f"The plot cannot be written: {problem}") from None
