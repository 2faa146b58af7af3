"""Find the topic of a question that is not a command: `am i winning`, `hwat now`.

    line -> `asked_words`   plain words: no signs, typos mended, contractions written out
         -> `topic_asked`   the topic whose keywords weigh most among the words, if it is clear

`cli.input.topics` lists the keywords, each with a weight. A topic is clear if its keywords weigh at
least `_CLEAR`, or `_HINTED` if nothing counts towards talk, and more than those of any other topic.
Talk is a topic too, and unknown words count towards it: people at a table talk about anything.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final

from cli.input.lexer import Words, heard, plain, read_pair
from cli.input.topics import (
    ASKING,
    CONTRACTIONS,
    GRAMMAR,
    KEYWORDS,
    LEFT_OUT,
    WISHING,
    Topic,
    word_set,
)
from cli.visible import folded

TILE: Final = "TILE"
NUMBER: Final = "NUMBER"
NAME: Final = "NAME"
"""Placeholders for a tile, a number and the name of a player."""

_CLEAR: Final = 3
_HINTED: Final = 2
"""The least weight of a clear topic's keywords if nothing counts towards talk."""
_MARGIN: Final = 1
_STATES: Final = 2
"""The weight towards talk of a line that asks nothing."""
_SHORT_LINE: Final = 3
_WORDS_MAX: Final = 30
"""No question is longer; a paste may have thousands of words."""
_AROUND_WORD: Final = '\u00bf\u00a1?!.,;:()"\ufeff\u2026'
_ENDINGS: Final = ("s", "es", "ed", "d", "ing", "er")
_SHORT_WORD: Final = 4
_LONG_WORD: Final = 7
"""From this many letters on, a word may have one letter wrong, or two."""


def topic_asked(line: str, names: Iterable[str] = ()) -> Topic | None:
    """Return the topic of a question, or `TALK` for talk; None if the topic is not clear.

    A line of more than `_WORDS_MAX` words and a single unknown word have no clear topic. `names`
    are the players' names.
    """
    if len(line.split()) > _WORDS_MAX:
        return None
    words = asked_words(line, names)
    if len(line.split()) == 1 and folded(heard(line.strip())) not in _known():
        return None  # for a single word with a typo, the caller suggests the nearest command
    weights = dict.fromkeys(Topic, 0)
    for topic, weight in _heaviest(words):
        weights[topic] += weight
    weights[Topic.TALK] += sum(word not in _known() for word in words)
    is_short = len(words) <= _SHORT_LINE
    is_question = is_short or plain(line).rstrip().endswith("?") or asks(words)
    weights[Topic.TALK] += 0 if is_question else _STATES
    (best, most), (_, second), *_ = sorted(weights.items(), key=lambda each: -each[1])
    is_clear = most >= (_CLEAR if weights[Topic.TALK] else _HINTED)
    return best if is_clear and most - second >= _MARGIN else None


def puts_question(line: str) -> bool:
    """Return True if a line asks something, or is nothing but a keyword.

    A line that only wishes for something is not a question, unless it ends with a question mark.
    """
    words = asked_words(" ".join(line.split()[:_WORDS_MAX]))
    is_keyword = any(phrase == words for phrase, _, _ in _phrases())
    is_asked = not (ASKING - WISHING).isdisjoint(words[:2])
    return is_keyword or is_asked or plain(line).rstrip().endswith("?")


def asks(words: Words) -> bool:
    """Return True if one of these words begins a question or a plea, such as `why` or `tell`."""
    return not ASKING.isdisjoint(asked_words(" ".join(words[:_WORDS_MAX])))


def _heaviest(words: Sequence[str]) -> list[tuple[Topic, int]]:
    """Return the topics and weights of all keywords found, except those inside a longer keyword."""
    found = [
        (range(at, at + len(phrase)), topic, weight)
        for phrase, topic, weight in _phrases()
        for at in range(len(words) - len(phrase) + 1)
        if words[at : at + len(phrase)] == phrase
    ]
    spans = {(span.start, span.stop) for span, _, _ in found}
    return [(topic, weight) for span, topic, weight in found if not _is_part(span, spans)]


def _is_part(span: range, spans: Iterable[tuple[int, int]]) -> bool:
    return any(
        start <= span.start and span.stop <= stop and stop - start > len(span)
        for start, stop in spans
    )


def asked_words(line: str, names: Iterable[str] = ()) -> list[str]:
    """Return a line's words as keywords spell them, without the words in `LEFT_OUT`.

    A word with a typo becomes the nearest known word. A tile, a number and a player's name become
    placeholders. If all words are in `LEFT_OUT`, they are kept.
    """
    known_names = {part for name in names for part in folded(name).split()}
    found: list[str] = []
    for typed in folded(plain(line)).split():
        bare = typed.strip(_AROUND_WORD)
        if read_pair(bare):
            found.append(TILE)
        elif bare.isdecimal():
            found.append(NUMBER)
        elif _is_name(bare, known_names):
            found.append(NAME)
        else:
            found += _written_out(bare)
    return [word for word in found if word not in LEFT_OUT] or found


def name_asked(line: str, names: Iterable[str]) -> str:
    """Return the name of the only player whom a line names; empty if it names none or several."""
    words = [word.strip(_AROUND_WORD) for word in folded(plain(line)).split()]
    named = [name for name in names if any(_is_name(word, {folded(name)}) for word in words)]
    return named[0] if len(named) == 1 else ""


def _is_name(word: str, names: set[str]) -> bool:
    return word in names or word.removesuffix("s").removesuffix("'") in names


def _written_out(word: str) -> list[str]:
    """Return the words that a typed word means: typos are mended, and `whats` becomes two words."""
    parts = re.split("[^a-z0-9]+", word.replace("'", ""))
    words = [_mended(part) for part in parts if part]
    return [each for word in words for each in CONTRACTIONS.get(word, word).split()]


@cache
def _phrases() -> tuple[tuple[list[str], Topic, int], ...]:
    """Return every keyword, as a list of words, with its topic and weight."""
    return tuple(
        (phrase.split(), topic, weight)
        for topic, by_weight in KEYWORDS.items()
        for weight, phrases in by_weight.items()
        for phrase in phrases.split(", ")
    )


@cache
def _known() -> frozenset[str]:
    """Return the words of all keywords, `GRAMMAR` and `LEFT_OUT`, and the placeholders."""
    words = {word for phrase, _, _ in _phrases() for word in phrase}
    return frozenset(words | GRAMMAR | LEFT_OUT | {TILE, NUMBER, NAME})


# ---- moves ----------------------------------------------------------------------------------


def move_asked(line: str) -> Words:
    """Return the words of the move that a line asks about; empty if it asks about no move."""
    words = line.split()
    rest = without_asking(words)
    if len(rest) == len(words) or heard(words[0]).lower() not in _MAY:
        return []
    behind = (folded(heard(word)) for word in rest[1:])
    return rest if all(word in _PLACES or not is_known(word) for word in behind) else []


def without_asking(words: Words) -> Words:
    """Return the words of the move in a question: `9-4` of `can i play 9-4 there`."""
    bare = [folded(heard(word)).replace("'", "") for word in words]
    first = next((at for at, word in enumerate(bare) if word not in _BEFORE), len(bare))
    last = next((at for at in range(len(bare), first, -1) if bare[at - 1] not in _BEHIND), first)
    return words[first:last]


_MAY: Final = word_set("why can could may might should must is does what puedo podria puede debo")
_BEFORE: Final = _MAY | word_set(
    "happens when if not cant cannot i you we allowed to play lay put place the a my no jugar "
    "poner la"
)
_PLACES: Final = word_set("on the el my mine own train mexican m to en mi tren mexicano")
_BEHIND: Final = word_set("fit fits there here now too next legal allowed ok yet")


# ---- typos ----------------------------------------------------------------------------------


@cache
def _mended(word: str) -> str:
    known = _known() | CONTRACTIONS.keys()
    return _stem(word, known) or nearest(word, known)


def _stem(word: str, known: AbstractSet[str]) -> str:
    """Return the known word of which `word` is a form, such as `start` for `starting`, else ""."""
    if word in known:
        return word
    forms = (word.removesuffix(ending) + more for ending in _ENDINGS for more in ("", "e"))
    return next((form for form in forms if form != word and form in known), "")


def is_known(word: str) -> bool:
    """Return True if a word is in a keyword, `GRAMMAR` or `LEFT_OUT`, or is a placeholder."""
    return word in _known()


def nearest(word: str, known: AbstractSet[str]) -> str:
    """Return the known word nearest to a word with a typo.

    The word itself is returned if it is known, is shorter than `_SHORT_WORD`, or has no known word
    near it.
    """
    if word in known or len(word) < _SHORT_WORD:
        return word
    allowed = 1 + (len(word) >= _LONG_WORD)
    near = (
        (distance(word, each), each[0] != word[0], each)
        for each in sorted(known)
        if abs(len(each) - len(word)) <= allowed and len(each) >= _SHORT_WORD - 1
        if each[0] in word[:2]  # the first letter is right, or swapped with the second
    )
    found = min(near, default=(allowed + 1, True, word))
    return found[2] if found[0] <= allowed else word


def distance(one: str, other: str) -> int:
    """Return the number of edits that turn one word into another.

    An edit inserts, deletes or replaces a letter, or swaps it with the next; no letter is edited
    twice (optimal string alignment).
    """
    before: list[int] = []
    last: list[int] = [*range(len(other) + 1)]
    for row, left in enumerate(one, 1):
        now = [row]
        for column, right in enumerate(other, 1):
            best = min(last[column] + 1, now[-1] + 1, last[column - 1] + (left != right))
            swapped = row > 1 and column > 1 and (one[row - 2], other[column - 2]) == (right, left)
            now.append(min(best, before[column - 2] + 1) if swapped else best)
        before, last = last, now
    return last[-1]
