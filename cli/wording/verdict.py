"""The findings of a check of a file, in sentences.

An accusation stays English, because evidence contains it, and computers compare evidence.
"""

from collections.abc import Mapping
from typing import Final

from cli.exits import sentence_of
from cli.language import say, translated
from netgame.protocol.ledger.verdict import RecordVerdict

_ENDED: Final[Mapping[str, str]] = {
    "left": "A good record: you left this game for good in round {number}, and your record of it "
    "ends there.",
    "over": "A good record: a game that was stopped in round {number}.",
    "demonstration": "A good record: a game from a seed that was stopped in round {number}.",
}


def verdict_text(verdict: RecordVerdict, ended: str = "") -> str:
    """Return a text on what a file is, and what was checked.

    `ended` is the word in the notes of a player's own game that ended without a result. With it,
    the text says how the game ended, not whom it waits for.
    """
    says = [*map(translated, verdict.says)]
    if ended and verdict.ok and not verdict.finished:
        says[0] = say(_ENDED[ended], number=len(verdict.scores) + 1)
    return sentence_of(" ".join(says))
