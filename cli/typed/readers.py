"""What a command is, and how the words after it are read: tiles, names, numbers.

A reader knows no table, so which tiles, trains and names there are is for `resolve` to say.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from enum import Enum
from typing import Final, TypeAlias

from cli.language import either, say
from cli.scene import Scene
from cli.typed import intent
from cli.visible import named_so
from engine.rules.ruleset import RuleSet
from engine.rules.switches.switch import Switch
from engine.table.moves import Move, WordMove
from engine.tiles import PIP_MAX

OWN_TRAIN: Final = frozenset(
    {"me", "my", "mine", "own", "my own", "mi tren", "el mío", "el mio", "mío", "mio"}
)
"""What people call their own train, in Spanish too; `mi` alone may begin a name."""

_AND: Final = frozenset({"and", "y", "&"})
"""The words between the last two names of several, in any language."""

_PAIR: Final = re.compile(r"\[?(\d{1,2})[-|/:=,.x](\d{1,2})\]?", re.ASCII)
_RUN: Final = re.compile(r"\d{1,4}", re.ASCII)


def begins_tile(word: str) -> bool:
    """Whether a tile or a number of the list starts here; all other words are commands."""
    return word[0].isdigit() or word[0] == "["


def read_pair(text: str) -> tuple[int, int] | None:
    """Two pips written with something between them, such as `9-4`, `9|4`, `[9|4]` or `9=9`."""
    found = _PAIR.fullmatch(text)
    if found is None:
        return None
    pair = int(found[1]), int(found[2])
    return pair if max(pair) <= PIP_MAX else None


def split_run(text: str) -> tuple[tuple[int, int], ...]:
    """All ways to cut a run of digits into two halves: `94` is 9-4, `112` is 1-12 or 11-2."""
    if _RUN.fullmatch(text) is None:
        return ()
    pairs = [(text[:cut], text[cut:]) for cut in range(1, len(text))]
    plain = [(a, b) for a, b in pairs if str(int(a)) == a and str(int(b)) == b]
    numbers = [(int(a), int(b)) for a, b in plain]
    return tuple(pair for pair in numbers if max(pair) <= PIP_MAX)


ORDERS: Final = ("sort", *intent.HAND_ORDERS)
"""What a hand can be put in; `sort` is the next one."""

Words: TypeAlias = Sequence[str]
Read: TypeAlias = intent.Intent | intent.UsageError
Reader: TypeAlias = Callable[[Words], Read]
Offers = list[tuple[str, str]]
"""What may be typed next, each with what it is."""
Offering: TypeAlias = Callable[[Scene | None, Words, str], Offers]
"""Offers what may follow a verb and the words behind it, and continue what is being typed."""

_NO_TILE: Final = "{word} is not a tile: write tiles as 9-4 4-12, or 94 where halves have one digit"


# ---- playing --------------------------------------------------------------------------------


def read_move(words: Words) -> intent.Play | intent.PlayChain | intent.Choose | intent.UsageError:
    """Read `9-4 ben`, `94 ben`, `9 4 b`, `9-4`, `9-7 7-5 5-5`, or a number of the list."""
    first, rest = words[0], words[1:]
    pair = read_pair(first)
    if pair is not None and rest and read_pair(rest[0]) is not None:
        return _chain(words)
    if pair is not None:
        return intent.Play((intent.TileReading(pair, read_name(rest)),))
    runs = tuple(intent.TileReading(cut, read_name(rest)) for cut in split_run(first))
    spaced = _spaced(words)
    if spaced is not None:
        return intent.Play((intent.TileReading(spaced, read_name(rest[1:])), *runs))
    if not rest and _RUN.fullmatch(first):
        return intent.Choose(int(first), intent.Play(runs) if runs else None)
    if runs:
        return intent.Play(runs)
    text = "{word} is not a tile: write a tile as 9-4, 9|4, 94 or 9 4, then the train: 9-4 ben"
    return intent.UsageError(say(text, word=first))


def _chain(words: Words, *, bullet: bool = False) -> intent.PlayChain:
    """Read tiles in their order, then a train, then `back`."""
    pairs = [read_pair(word) for word in words]
    count = [*pairs, None].index(None)
    tiles = tuple(pair for pair in pairs[:count] if pair is not None)
    rest = words[count:]
    back = bool(rest) and rest[-1].lower() == "back"
    return intent.PlayChain(tiles, read_name(rest[:-1] if back else rest), bullet=bullet, back=back)


def _spaced(words: Words) -> tuple[int, int] | None:
    """Read a tile written as two words."""
    return read_pair("-".join(words[:2])) if all(map(str.isdecimal, words[:2])) else None


def read_bullet(words: Words) -> Read:
    """Read the whole hand in its order, or nothing."""
    if words and read_pair(words[0]) is None:
        return intent.UsageError(say("type bullet alone, or with all your tiles in order"))
    return _chain(words, bullet=True)


# ---- tiles in a list ------------------------------------------------------------------------


def read_tiles(words: Words) -> tuple[tuple[int, int], ...] | intent.UsageError:
    """Read tiles as a move has them, one after the other, with or without commas between."""
    parts = [part for word in words for part in _listed(word)]
    found: list[tuple[int, int]] = []
    while parts:
        bare = [part.isascii() and part.isdigit() for part in parts]
        count = [*bare, False].index(False)
        pairs = _read_numbers(parts[:count]) if count else read_pair(parts[0])
        if isinstance(pairs, intent.UsageError):
            return pairs
        if pairs is None:
            return intent.UsageError(say(_NO_TILE, word=parts[0]))
        found += pairs if isinstance(pairs, list) else [pairs]
        parts = parts[count or 1 :]
    return tuple(found)


def _listed(word: str) -> list[str]:
    """Take a word apart at its commas; a comma within a tile, as in `9,4`, is none of them."""
    bare = word.strip(",;")
    return [bare] if read_pair(bare) else [part for part in re.split("[,;]", word) if part]


def _read_numbers(numbers: Words) -> list[tuple[int, int]] | intent.UsageError:
    """Read numbers in a row: each a tile, such as `94 53`, or each a half, such as `12 3 3 4`."""
    cuts = [split_run(number) for number in numbers]
    spaced = [_spaced(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
    halves = [pair for pair in spaced if pair is not None]
    if len(halves) == len(spaced) and not all(cuts):
        return halves
    for number, ways in zip(numbers, cuts, strict=True):
        if len(ways) != 1:
            tiles = either([f"{a}-{b}" for a, b in ways])
            text = "{word} can be {tiles}" if tiles else _NO_TILE
            return intent.UsageError(say(text, word=number, tiles=tiles))
    if len(halves) == len(spaced):
        text = (
            "{words} can be one tile or two: write tiles as 9-4 4-12, or 94 where halves have one "
            "digit"
        )
        return intent.UsageError(say(text, words=" ".join(numbers[:2])))
    return [ways[0] for ways in cuts]


# ---- single tiles, names and numbers --------------------------------------------------------


def _tile(words: Words) -> tuple[int, int] | intent.UsageError:
    """Read exactly one tile, written in any way."""
    first, cuts = words[0], split_run(words[0])
    if len(words) == 2 and (spaced := _spaced(words)) is not None:
        return spaced
    pair = cuts[0] if len(cuts) == 1 else read_pair(first)
    if pair is None:
        return intent.UsageError(say("{word} is not a tile: write it as 9-9", word=first))
    return intent.UsageError(say("one tile is enough")) if len(words) > 1 else pair


def read_hub(words: Words) -> Read:
    """Read the double for the hub, if it is named."""
    pair = _tile(words) if words else None
    return pair if isinstance(pair, intent.UsageError) else intent.HubTile(pair)


def read_discard(words: Words) -> Read:
    """Read the tile to put back."""
    pair = _tile(words)
    return pair if isinstance(pair, intent.UsageError) else intent.DiscardTile(pair)


def read_pull(words: Words) -> Read:
    """Read the number of a tile in somebody's hand; the first if none is said."""
    text = words[0] if words else "1"
    if len(words) > 1 or _RUN.fullmatch(text) is None or not 1 <= int(text) <= 999:
        return intent.UsageError(say("which tile of that hand? Give a number, such as: pull 3"))
    return intent.PullTile(int(text))


def read_name(words: Words) -> str | None:
    """Join the words of a name, without a leading `on`, or `en`; None if there are none."""
    kept = words[1:] if len(words) > 1 and words[0].lower() in ("on", "en") else words
    return " ".join(kept) or None


def listed_names(words: Words, known: Sequence[str]) -> tuple[str, ...]:
    """Take names apart that are typed in one line: `eva dan`, `eva, dan and cy`, `eva y dan`.

    A word that somebody is called by stays whole, whatever it is.
    """
    parts: list[str] = []
    for word in words:
        parts += [word] if named_so(known, word) else filter(None, re.split("[,;]", word))
    ends = (0, len(parts) - 1)
    return tuple(
        part
        for at, part in enumerate(parts)
        if at in ends or part.lower() not in _AND or named_so(known, part)
    )


def read_topic(words: Words) -> str | None:
    """Read the one word that is to be explained, if there is one."""
    return words[0].lower() if words else None


def read_start(words: Words) -> Read:
    """Read who plays first, if it is said."""
    if len(words) > 1:
        return intent.UsageError(say("one name: who plays first"))
    return intent.Start(words[0] if words else None)


def read_risk(words: Words) -> Read:
    """Read what is risked, which is to be typed whole."""
    if [word.lower() for word in words] != ["my", "hand"]:
        text = "to play on though others may see your hand, type: risk my hand"
        return intent.UsageError(say(text))
    return intent.TakeRisk()


def read_hand(words: Words) -> Read:
    """Read `hand`, an order, or tiles in groups: `hand 9-4 > 4-8 | 3-3`."""
    if not words:
        return intent.Show(intent.Topic.HAND)
    found = [word for word in ORDERS if word.startswith(words[0].lower())]
    if len(words) == 1 and len(found) == 1:
        return intent.ArrangeHand(found[0])
    text = "name an order ({orders}), or tiles: hand 9-4 > 4-8 | 3-3"
    usage = intent.UsageError(say(text, orders=", ".join(ORDERS)))
    groups: list[tuple[tuple[int, int], ...]] = [()]
    for word in (part for each in words for part in each.split(">") if part):
        pair = read_pair(word)
        if word in ("|", "/"):
            groups.append(())
        elif pair is None:
            return usage
        else:
            groups[-1] += (pair,)
    kept = tuple(group for group in groups if group)
    if not kept:
        return usage
    tiles = [tuple(sorted(pair)) for group in kept for pair in group]
    if len(set(tiles)) < len(tiles):
        return intent.UsageError(say("name each tile once"))
    return intent.ArrangeHand(groups=kept)


def read_plan(words: Words) -> Read:
    """Read `plan`, `plan none`, or `plan` and tiles in their order, on whichever train."""
    if not words:
        return intent.MakePlan()
    if len(words) == 1 and words[0].lower() in ("none", "off"):
        return intent.MakePlan(drops=True)
    if read_pair(words[0]) is None:
        return intent.UsageError(say("type plan, plan none, or tiles: plan 9-7 7-5 5-5"))
    return intent.MakePlan(_chain(words))


def read_hint(words: Words) -> Read:
    """Read `hint` or `hint train`."""
    if words and not "train".startswith(words[0].lower()):
        return intent.UsageError(say("type hint or hint train"))
    return intent.Show(intent.Topic.HINT, "train" if words else None)


def read_review(words: Words) -> Read:
    """Read `review` or `review 3`."""
    if words and (_RUN.fullmatch(words[0]) is None or not int(words[0])):
        return intent.UsageError(say("type review, or review and the number of a round"))
    return intent.Show(intent.Topic.REVIEW, words[0] if words else None)


# ---- a command ------------------------------------------------------------------------------


class Where(Enum):
    """When a command means something."""

    LOBBY = "before the game"
    HOST = "before the game, for its host"
    GAME = "during the game"
    ALWAYS = "at any time"
    DOUBT = "when nobody knows what this seat has signed"
    """Its words stand in the sentence that tells so, and nowhere else."""

    def is_now(self, *, playing: bool, hosts: bool = True) -> bool:
        """Whether help and completion name the command now, to somebody who `hosts` or does not."""
        if self is Where.HOST:
            return hosts and not playing
        return self is Where.ALWAYS or self is (Where.GAME if playing else Where.LOBBY)


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its word and what it takes, as help writes them, and a sentence.

    It `means` one thing, or what its reader makes of the words after it; if it cannot do without
    them, `missing` is the question back. `makes` are the moves it can mean: completion offers it
    only while one of them is legal. Rules with none of the values it `needs` have no use for it,
    and `help` leaves it out. Tab gets what it `offers`.
    """

    syntax: str
    sentence: str
    means: intent.Intent | Reader
    missing: str = ""
    short: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    where: Where = Where.GAME
    makes: tuple[type[Move], ...] = ()
    needs: frozenset[Switch] = frozenset()
    offers: Offering = lambda _scene, _before, _typing: []

    @property
    def word(self) -> str:
        """What is typed first."""
        return self.syntax.partition(" ")[0]

    @property
    def takes(self) -> str:
        """What is typed after it, as help writes it."""
        return self.syntax.partition(" ")[2]

    @property
    def usage(self) -> str:
        """How it is typed, with what it takes in the language that is spoken."""
        return f"{self.word} {say(self.takes)}" if self.takes.isupper() else self.syntax

    def known(self, rules: RuleSet) -> bool:
        """Whether these rules have any use for it."""
        return not self.needs or not self.needs.isdisjoint(astuple(rules))

    def read(self, words: Words, verb: str) -> Read:
        """Read the words after this command's own, which is `verb`."""
        if words and not self.takes:
            return intent.UsageError(say("type {word} alone", word=verb))
        if not words and self.missing:
            return intent.UsageError(say(self.missing), orders=self.where is Where.HOST)
        return self.means(words) if callable(self.means) else self.means


def says(
    kind: type[WordMove],
    sentence: str,
    needs: frozenset[Switch] = frozenset(),
    short: tuple[str, ...] = (),
) -> Command:
    """Make a command that is one word of the game."""
    said = intent.Speak(kind)
    return Command(kind.word, sentence, said, short=short, makes=(kind,), needs=needs)
