"""How each command reads the words after it: into an intent, or a hint with its column.

A reader gets those words and the command's own (for its column); it knows no table, so which
tiles, trains and names there are is for `resolve` to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from cli.typed.intent import (
    CatchSeat,
    Choose,
    DiscardTile,
    GoOnWithout,
    Help,
    HubTile,
    Intent,
    Play,
    PlayChain,
    PullTile,
    SayText,
    ShowBoard,
    ShowHand,
    ShowRules,
    Start,
    TileReading,
    UsageError,
)
from cli.typed.tokens import Word, read_pair, split_run

Words: TypeAlias = tuple[Word, ...]

TILE_HINT: Final = "write a tile as 9-4, 9|4, 94 or 9 4, then the train: 9-4 ben"

_BACK: Final = "back"


# ---- laying ---------------------------------------------------------------------------------


def read_move(words: Words) -> Play | PlayChain | Choose | UsageError:
    """Read `9-4 ben`, `94 ben`, `9 4 b`, `9-4`, `9-7 7-5 5-5`, or a number of the list."""
    first, rest = words[0], words[1:]
    pair = read_pair(first.text)
    if pair is not None and rest and read_pair(rest[0].text) is not None:
        return read_chain(words)
    if pair is not None:
        return Play((TileReading(pair, _train_words(rest)),))
    runs = tuple(TileReading(cut, _train_words(rest)) for cut in split_run(first.text))
    if rest and _small_number(first.text) and _small_number(rest[0].text):
        spaced = int(first.text), int(rest[0].text)
        return Play((TileReading(spaced, _train_words(rest[1:])), *runs))
    if not rest and first.text.isascii() and first.text.isdigit() and len(first.text) < 5:
        return Choose(int(first.text), Play(runs) if runs else None)
    if runs:
        return Play(runs)
    return UsageError(first.column, f"{first.text} is no tile: {TILE_HINT}")


def read_chain(words: Words, *, bullet: bool = False) -> PlayChain:
    """Read tiles in their order, then a train, then `back`."""
    pairs = [read_pair(word.text) for word in words]
    count = next((at for at, pair in enumerate(pairs) if pair is None), len(pairs))
    tiles = tuple(pair for pair in pairs[:count] if pair is not None)
    rest = words[count:]
    back = bool(rest) and rest[-1].text.lower() == _BACK
    train = _train_words(rest[:-1] if back else rest)
    return PlayChain(tiles, train, bullet=bullet, back=back)


def _small_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= 18


def _train_words(words: Words) -> str | None:
    """Join the train's words, without a leading `on`; None if there are none."""
    kept = words[1:] if len(words) > 1 and words[0].text.lower() == "on" else words
    return " ".join(word.text for word in kept) or None


def read_play(words: Words, verb: Word) -> Intent | UsageError:
    """Read what to lay."""
    if not words:
        return UsageError(verb.column + len(verb.text), f"which tile? {TILE_HINT}")
    return read_move(words)


def read_bullet(words: Words, _verb: Word) -> Intent | UsageError:
    """Read the whole hand in its order, or nothing."""
    if words and read_pair(words[0].text) is None:
        return UsageError(words[0].column, "bullet stands alone, or before all tiles in order")
    return read_chain(words, bullet=True)


# ---- single tiles, names and numbers --------------------------------------------------------


def _one_tile(words: Words) -> tuple[int, int] | UsageError:
    """Read exactly one tile, written in any way."""
    first = words[0]
    pair = read_pair(first.text)
    if pair is None and len(words) == 2 and all(_small_number(word.text) for word in words):
        return int(first.text), int(words[1].text)
    cuts = split_run(first.text)
    if pair is None and len(cuts) == 1:
        pair = cuts[0]
    if pair is None:
        return UsageError(first.column, f"{first.text} is no tile: write it as 9-9")
    if len(words) > 1:
        return UsageError(words[1].column, "one tile is enough")
    return pair


def read_hub(words: Words, _verb: Word) -> Intent | UsageError:
    """Read the double for the hub, if it is named."""
    if not words:
        return HubTile(None)
    pair = _one_tile(words)
    return pair if isinstance(pair, UsageError) else HubTile(pair)


def read_discard(words: Words, verb: Word) -> Intent | UsageError:
    """Read the tile to put back."""
    if not words:
        return UsageError(verb.column + len(verb.text), "which tile? such as: discard 9-4")
    pair = _one_tile(words)
    return pair if isinstance(pair, UsageError) else DiscardTile(pair)


def read_pull(words: Words, _verb: Word) -> Intent | UsageError:
    """Read the number of a tile in somebody's hand; the first if none is said."""
    if not words:
        return PullTile(1)
    text = words[0].text
    if len(words) > 1 or not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= 999):
        return UsageError(words[0].column, "which tile of that hand? a number such as: pull 3")
    return PullTile(int(text))


def read_catch(words: Words, _verb: Word) -> Intent | UsageError:
    """Read who is caught, if it is said."""
    return CatchSeat(" ".join(word.text for word in words) or None)


def read_without(words: Words, verb: Word) -> Intent | UsageError:
    """Read who is to be given up: one name or several."""
    if not words:
        return UsageError(verb.column + len(verb.text), "without whom? such as: without ben")
    return GoOnWithout(tuple(word.text for word in words))


def read_start(words: Words, _verb: Word) -> Intent | UsageError:
    """Read `start`, and who plays first."""
    if len(words) > 1:
        return UsageError(words[1].column, "one name: who plays first")
    return Start(words[0].text if words else None)


# ---- questions and talk ---------------------------------------------------------------------


def read_say(words: Words, verb: Word) -> Intent | UsageError:
    """Read a line of talk."""
    if not words:
        return UsageError(verb.column + len(verb.text), "say what?")
    return SayText(" ".join(word.text for word in words))


def read_hand(words: Words, _verb: Word) -> Intent | UsageError:
    """Read `hand` or `hand sort`."""
    if words and not "sort".startswith(words[0].text.lower()):
        return UsageError(words[0].column, "only `hand` or `hand sort`")
    return ShowHand(sort=bool(words))


def read_help(words: Words, _verb: Word) -> Intent | UsageError:
    """Read the word to be explained, if any."""
    return Help(words[0].text.lower() if words else None)


def read_board(words: Words, _verb: Word) -> Intent | UsageError:
    """Read the train to be shown, if only one is."""
    return ShowBoard(_train_words(words))


def read_rules(words: Words, _verb: Word) -> Intent | UsageError:
    """Read the switch to be explained, if only one is."""
    return ShowRules(words[0].text.lower() if words else None)


def bare(intent: Intent) -> Callable[[Words, Word], Intent | UsageError]:
    """Make the reader of a command that takes no words."""

    def read(words: Words, verb: Word) -> Intent | UsageError:
        if words:
            return UsageError(words[0].column, f"{verb.text} stands alone")
        return intent

    return read
