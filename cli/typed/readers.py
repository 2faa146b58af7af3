"""How the words of a typed line are read: tiles in the many ways people write them, names, numbers.

A reader knows no table, so which tiles, trains and names there are is for `resolve` to say.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from cli.typed import intent
from engine.tiles import PIP_MAX

_DIGITS_MAX: Final = 4
_PAIR: Final = re.compile(r"\[?(\d{1,2})[-|/:=,.x](\d{1,2})\]?", re.ASCII)
_RUN: Final = re.compile(r"\d+", re.ASCII)
_WORD: Final = re.compile(r"\S+")


class Word(NamedTuple):
    """A word and where it starts, in characters from 0."""

    text: str
    column: int


def split_words(line: str) -> tuple[Word, ...]:
    """Return the words of a line, in order."""
    return tuple(Word(found.group(), found.start()) for found in _WORD.finditer(line))


def begins_tile(word: Word) -> bool:
    """Whether a tile or a number of the list starts here; all other words are commands."""
    return word.text[0].isdigit() or word.text[0] == "["


def small_number(text: str) -> int | None:
    """Half a tile that stands alone, or None."""
    plain = text.isascii() and text.isdigit() and len(text) < 3
    return int(text) if plain and int(text) <= PIP_MAX else None


def read_pair(text: str) -> tuple[int, int] | None:
    """Two pips written with something between them, such as `9-4`, `9|4`, `[9|4]` or `9=9`."""
    found = _PAIR.fullmatch(text)
    if found is None:
        return None
    pair = int(found.group(1)), int(found.group(2))
    return pair if max(pair) <= PIP_MAX else None


def split_run(text: str) -> tuple[tuple[int, int], ...]:
    """All ways to cut a run of digits into two halves: `94` is 9-4, `112` is 1-12 or 11-2."""
    if _RUN.fullmatch(text) is None or len(text) > _DIGITS_MAX:
        return ()
    pairs = [(text[:cut], text[cut:]) for cut in range(1, len(text))]
    plain = [(a, b) for a, b in pairs if str(int(a)) == a and str(int(b)) == b]
    numbers = [(int(a), int(b)) for a, b in plain]
    return tuple(pair for pair in numbers if max(pair) <= PIP_MAX)


Words: TypeAlias = tuple[Word, ...]
Reader: TypeAlias = Callable[[Words], intent.Intent | intent.UsageError]

TILE_HINT: Final = "write a tile as 9-4, 9|4, 94 or 9 4, then the train: 9-4 ben"


# ---- playing --------------------------------------------------------------------------------


def read_move(words: Words) -> intent.Play | intent.PlayChain | intent.Choose | intent.UsageError:
    """Read `9-4 ben`, `94 ben`, `9 4 b`, `9-4`, `9-7 7-5 5-5`, or a number of the list."""
    first, rest = words[0], words[1:]
    pair = read_pair(first.text)
    if pair is not None and rest and read_pair(rest[0].text) is not None:
        return _chain(words)
    if pair is not None:
        return intent.Play((intent.TileReading(pair, _name(rest)),))
    runs = tuple(intent.TileReading(cut, _name(rest)) for cut in split_run(first.text))
    spaced = _spaced(words)
    if spaced is not None:
        return intent.Play((intent.TileReading(spaced, _name(rest[1:])), *runs))
    if not rest and first.text.isascii() and first.text.isdigit() and len(first.text) < 5:
        return intent.Choose(int(first.text), intent.Play(runs) if runs else None)
    if runs:
        return intent.Play(runs)
    return intent.UsageError(first.column, f"{first.text} is no tile: {TILE_HINT}")


def _chain(words: Words, *, bullet: bool = False) -> intent.PlayChain:
    """Read tiles in their order, then a train, then `back`."""
    pairs = [read_pair(word.text) for word in words]
    count = next((at for at, pair in enumerate(pairs) if pair is None), len(pairs))
    tiles = tuple(pair for pair in pairs[:count] if pair is not None)
    rest = words[count:]
    back = bool(rest) and rest[-1].text.lower() == "back"
    return intent.PlayChain(tiles, _name(rest[:-1] if back else rest), bullet=bullet, back=back)


def _spaced(words: Words) -> tuple[int, int] | None:
    """Read a tile written as two words."""
    if len(words) < 2:
        return None
    one, two = small_number(words[0].text), small_number(words[1].text)
    return None if one is None or two is None else (one, two)


def _name(words: Words) -> str | None:
    """Join the words of a name, without a leading `on`; None if there are none."""
    kept = words[1:] if len(words) > 1 and words[0].text.lower() == "on" else words
    return " ".join(word.text for word in kept) or None


def read_bullet(words: Words) -> intent.Intent | intent.UsageError:
    """Read the whole hand in its order, or nothing."""
    if words and read_pair(words[0].text) is None:
        return intent.UsageError(
            words[0].column, "type bullet alone, or with all your tiles in order"
        )
    return _chain(words, bullet=True)


# ---- single tiles, names and numbers --------------------------------------------------------


def _tile(words: Words) -> tuple[int, int] | intent.UsageError:
    """Read exactly one tile, written in any way."""
    first, cuts = words[0], split_run(words[0].text)
    if len(words) == 2 and (spaced := _spaced(words)) is not None:
        return spaced
    pair = cuts[0] if len(cuts) == 1 else read_pair(first.text)
    if pair is None:
        return intent.UsageError(first.column, f"{first.text} is no tile: write it as 9-9")
    return intent.UsageError(words[1].column, "one tile is enough") if len(words) > 1 else pair


def read_hub(words: Words) -> intent.Intent | intent.UsageError:
    """Read the double for the hub, if it is named."""
    pair = _tile(words) if words else None
    return pair if isinstance(pair, intent.UsageError) else intent.HubTile(pair)


def read_discard(words: Words) -> intent.Intent | intent.UsageError:
    """Read the tile to put back."""
    pair = _tile(words)
    return pair if isinstance(pair, intent.UsageError) else intent.DiscardTile(pair)


def read_pull(words: Words) -> intent.Intent | intent.UsageError:
    """Read the number of a tile in somebody's hand; the first if none is said."""
    if not words:
        return intent.PullTile(1)
    text = words[0].text
    if len(words) > 1 or not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= 999):
        return intent.UsageError(
            words[0].column, "which tile of that hand? a number such as: pull 3"
        )
    return intent.PullTile(int(text))


def name_of(make: Callable[[str | None], intent.Intent]) -> Reader:
    """Read who or which train is meant, if that is said."""
    return lambda words: make(_name(words))


def topic_of(make: Callable[[str | None], intent.Intent]) -> Reader:
    """Read the one word that is to be explained, if there is one."""
    return lambda words: make(words[0].text.lower() if words else None)


def read_without(words: Words) -> intent.Intent:
    """Read who is to be given up: one name or several."""
    return intent.GoOnWithout(tuple(word.text for word in words))


def read_start(words: Words) -> intent.Intent | intent.UsageError:
    """Read who plays first, if it is said."""
    if len(words) > 1:
        return intent.UsageError(words[1].column, "one name: who plays first")
    return intent.Start(words[0].text if words else None)


def read_say(words: Words) -> intent.Intent:
    """Read a line of talk."""
    return intent.SayText(" ".join(word.text for word in words))


def read_hand(words: Words) -> intent.Intent | intent.UsageError:
    """Read `hand` or `hand sort`."""
    if words and not "sort".startswith(words[0].text.lower()):
        return intent.UsageError(words[0].column, "type hand or hand sort")
    return intent.ShowHand(sort=bool(words))
