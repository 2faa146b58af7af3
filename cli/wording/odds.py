"""Likelihoods in a few characters, and the sentences below the table of odds."""

from collections.abc import Iterator

from cli.language import say
from engine.bots.odds import Likelihood, TableOdds


def likelihood_text(chance: Likelihood) -> str:
    """Return a chance in percent, with `~` before an estimate.

    An exact chance is `0%` or `100%` only if the tile is impossible or certain. A chance that would
    round to these is `<1%` or `>99%`.
    """
    percent = f"{chance.likely:.0%}"
    if not chance.is_exact:
        return f"~{percent}"
    if percent == "0%" and chance.likely > 0:
        return "<1%"
    return ">99%" if percent == "100%" and chance.likely < 1 else percent


def odds_sentences(odds: TableOdds) -> Iterator[str]:
    """Yield sentences on what the table means, whether its odds are exact, and the next draw."""
    text = (
        "How likely each player is to hold a tile for the end, if they play at random; - marks a "
        "train closed to them."
    )
    yield say(text)
    found = [chance for end in odds.ends for chance in (*end.seats.values(), end.next_tile)]
    if any(chance is not None and not chance.is_exact for chance in found):
        yield say("~ is estimated from sampled deals, the rest is counted.")
    else:
        yield say("All of it is counted exactly.")
    if odds.next_fits is None:
        yield say("The boneyard is empty.")
    else:
        likely = likelihood_text(odds.next_fits)
        yield say("The next tile of the boneyard fits an end of yours: {likely}.", likely=likely)
