"""Games written down: the text of tiles, deals, moves and whole games, read and written.

`parse` reads text that a person wrote. It never raises: for unreadable text it returns the place,
and the text expected there. It reads the actions of every published system; the referee decides
which of them the rules of a table allow. `parse(str(game)) == game`; comments and spacing are not
kept. docs/rules.md §11 describes the language.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from engine.notation import game as paper
from engine.refusals import RefusalCode
from engine.tiles import PIP_MAX

_NAMED_KEYS: Final = ("hand", "legal")
_GAME_KEYS: Final = ("rules", "with", "set", "seats", "rounds")
_SEAT_KEYS: Final = (paper.LEAVES, paper.JOINS)
"""Keys that may occur more than once in a header: each line is a separate step, in order."""
_ROUND_KEYS: Final = ("first", "engine", "hand", "boneyard", *_SEAT_KEYS)
_HEADER: Final = re.compile(
    rf"\s*(?:(?P<key>{'|'.join((*_GAME_KEYS, *_ROUND_KEYS))})(?:\s+(?P<name>[^\s:]+))?)\s*:"
)
_TILE: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_CODES: Final = {code.value: code for code in RefusalCode}
_MEXICAN: Final = re.compile(r"mexican[0-9]*")
_NAME_HELP: Final = "a one-word name that is not `mexican`, `table`, `-` or a tile"
_MINUS: Final = "\u2212"
"""The minus sign, which Unicode does not class as a dash."""
_TILE_HELP: Final = f"a tile such as 9-5, each half 0 to {PIP_MAX}"

_VERBS: Final = {verb.value: verb for verb in paper.Verb if verb is not paper.Verb.LAY}
_WITH_TILE: Final = frozenset(
    {
        paper.Verb.ENGINE,
        paper.Verb.DECLARES,
        paper.Verb.TURNS,
        paper.Verb.DISCARDS,
        paper.Verb.PULLS,
        paper.Verb.SHOWS,
    }
)
_WITH_SEAT: Final = frozenset({paper.Verb.PULLS, paper.Verb.CATCHES})


class _Word(NamedTuple):
    """A word of a line, with its column from 1."""

    text: str
    column: int


class _Unreadable(Exception):
    """A place where reading stopped; raised and caught only inside this module."""

    def __init__(self, column: int, expected: str) -> None:
        super().__init__(expected)
        self.column = column
        self.expected = expected


def parse_tile(text: str) -> paper.WrittenTile | None:
    """Return the tile that a word such as `9-5` names, its halves in the order written.

    Return None if the word names no tile.
    """
    match = _TILE.fullmatch(text)
    if match is None:
        return None
    first, second = int(match[1]), int(match[2])
    return paper.WrittenTile(first, second) if max(first, second) <= PIP_MAX else None


def parse(text: str) -> paper.GameText | paper.NotationProblem:
    """Return the game that a text describes, or the first place where it cannot be read.

    The text may be hostile, so nothing is raised. The game follows the language of docs/rules.md
    §11, but it may break any rules.
    """
    reader = _Reader()
    for number, body in _seats_first(text):
        try:
            reader.read(body, number)
        except _Unreadable as problem:
            expected = problem.expected + _look_alikes(body, problem.column)
            return paper.NotationProblem(number, problem.column, expected)
    game = reader.game()
    if not game.seats:
        return paper.NotationProblem(1, 1, "a header with a line `seats: NAME NAME ...`")
    return game


def _look_alikes(body: str, column: int) -> str:
    """Return a hint on each character in a word that only looks like a dash or a digit, or "".

    The word is the one at `column`. Phones and word processors insert such characters, and nobody
    sees the difference. Written games are kept and compared, so there is only one way to write a
    tile.
    """
    word = body[column - 1 :].split()[:1]
    found: list[str] = []
    for char in dict.fromkeys("".join(word)):
        plain = unicodedata.normalize("NFKC", char)
        if unicodedata.category(char) == "Pd" or char == _MINUS:
            plain = "-"
        if not char.isascii() and (plain == "-" or (plain.isascii() and plain.isdigit())):
            name = unicodedata.name(char, "a character without a name")
            found.append(f"`{plain}` and not `{char}` (U+{ord(char):04X}, {name.lower()})")
    return "".join(f"; write {each}" for each in found)


def _seats_first(text: str) -> list[tuple[int, str]]:
    """Return the lines that are not blank, without comments, with their numbers.

    The line that names the seats comes first, because the header may use a seat's name before it.
    """
    bodies = [raw.partition("#")[0].rstrip() for raw in text.splitlines()]
    lines = [(number, body) for number, body in enumerate(bodies, start=1) if body.strip()]
    for at, (_, body) in enumerate(lines):
        header = _HEADER.match(body)
        if header is None:
            break
        if header["key"] == "seats":
            return [lines[at], *lines[:at], *lines[at + 1 :]]
    return lines


class _Reader:
    """The state of `parse`: the game as far as its lines have been read."""

    def __init__(self) -> None:
        self._game = paper.GameText((), ())
        self._game_keys: dict[str, int] = {}
        self._names: tuple[str, ...] = ()
        self._done: list[paper.RoundText] = []
        self._round = paper.RoundText()
        self._round_keys: dict[str, int] = {}
        self._lines: list[paper.Line] = []

    def game(self) -> paper.GameText:
        """Close the last round, and return the game as read; call it once, after all lines."""
        self._close_round()
        lines_of = tuple(self._game_keys.items())
        return replace(self._game, rounds=tuple(self._done), lines_of=lines_of)

    def read(self, body: str, number: int) -> None:
        """Read one line that is not blank; raise `_Unreadable` if it cannot be read."""
        words = list(_words_from(body, 0))
        header = _HEADER.match(body)
        if header is not None:
            values = tuple(_words_from(body, header.end()))
            self._header(header["key"], header["name"], values, header.start("key") + 1, number)
            return
        word = body.partition(":")[0].split()[:1] if ":" in body else []
        if word and word[0] not in self._names and word[0][0].isalpha():
            near = get_close_matches(word[0].lower(), (*_GAME_KEYS, *_ROUND_KEYS), 1)
            if near:
                raise _Unreadable(words[0].column, f"a header key; did you mean `{near[0]}`?")
        if not self._game.seats:
            raise _Unreadable(words[0].column, "a header line such as `seats: Ann Bob`")
        self._lines.append(self._line(body, words, number))

    def _header(
        self, key: str, name: str | None, values: tuple[_Word, ...], column: int, number: int
    ) -> None:
        if (key == "hand") != (name is not None):
            raise _Unreadable(column, "a header key; only `hand` is followed by a name")
        if self._lines:
            if key in _GAME_KEYS:
                keys = ", ".join(_ROUND_KEYS[:-1])
                expected = f"{keys} or {paper.JOINS}: the rest stands for the whole game"
                raise _Unreadable(column, expected)
            self._close_round()
            self._round = paper.RoundText(line=number)
        if key in _SEAT_KEYS:
            self._seat_change(key, values, column, number)
            return
        unique = f"{key} {name}" if name else key
        of_game = key in _GAME_KEYS
        known = self._game_keys if of_game else self._round_keys
        if unique in known:
            raise _Unreadable(column, f"`{unique}` only once")
        known[unique] = number
        read = self._read_value(key, name, values, column)
        if of_game:
            self._game = replace(self._game, **read)
        else:
            self._round = replace(self._round, **read)

    def _read_value(  # noqa: C901 - one a key
        self, key: str, name: str | None, values: tuple[_Word, ...], column: int
    ) -> dict[str, Any]:
        """Return the field of the game or the round that a header line sets, with its value.

        `seats` also makes its names the known ones. Raise `_Unreadable` for an unreadable value.
        """
        match key:
            case "rules":
                return {"rules": _only(values, column, "one preset").text}
            case "with":
                switches = tuple(map(_switch, values))
                if len(dict(switches)) < len(values):
                    raise _Unreadable(column, "each switch only once")
                return {"switches": switches}
            case "set":
                return {"pip_max": _number(_only(values, column, "one number"))}
            case "seats":
                self._names = tuple(map(_checked_name, values))
                if len(set(self._names)) < len(values) or not values:
                    raise _Unreadable(column, "different names for all seats")
                return {"seats": self._names}
            case "rounds":
                return {"round_count": _number(_only(values, column, "one number"))}
            case "first":
                return {"first": self._seat(_only(values, column, "one seat"))}
            case "engine":
                return {"engine": _tile(_only(values, column, "one double"))}
            case "boneyard":
                if not values:
                    raise _Unreadable(column, "tiles, next to be drawn first, or `none`")
                nothing = [word.text for word in values] == ["none"]
                return {"boneyard": () if nothing else tuple(map(_tile, values))}
            case _:
                owner = self._seat(_Word(str(name), column + len("hand ")))
                if not values:
                    raise _Unreadable(column, "the tiles of the hand")
                hand = owner, tuple(map(_tile, values))
                return {"hands": (*self._round.hands, hand)}

    def _seat_change(self, key: str, values: tuple[_Word, ...], column: int, number: int) -> None:
        """Add to the round the seats that leave before it, or that join for it.

        New names become known. Raise `_Unreadable` for an empty or bad list.
        """
        joins = key == paper.JOINS
        if not values:
            raise _Unreadable(column, "names of seats")
        known = self._names
        names = tuple(
            _checked_name(word) if joins and word.text not in known else self._seat(word)
            for word in values
        )
        if len(set(names)) < len(names):
            raise _Unreadable(column, "each name only once")
        self._names = tuple(dict.fromkeys((*known, *names)))
        change = paper.SeatChange(names, joins, number)
        self._round = replace(self._round, changes=(*self._round.changes, change))

    def _close_round(self) -> None:
        lines_of = tuple(self._round_keys.items())
        self._done.append(replace(self._round, lines=tuple(self._lines), lines_of=lines_of))
        self._lines = []
        self._round_keys = {}

    def _line(self, body: str, words: list[_Word], number: int) -> paper.Line:
        mark = words[0].text[0]
        if mark not in "!?":
            return paper.WrittenDone(self._action(words), number)
        start = body.index(mark) + 1
        colon = body.find(":")
        end = colon if colon >= 0 else len(body)
        before = list(_words_from(body[:end], start))
        after = list(_words_from(body, end + 1))
        if mark == "!":
            return self._refusal(before, after, start, number)
        if colon < 0:
            raise _Unreadable(end + 1, "a colon and what must be true")
        return self._assertion(before, after, start, number)

    def _refusal(
        self, words: list[_Word], codes: list[_Word], start: int, number: int
    ) -> paper.MustRefuse:
        if not words:
            raise _Unreadable(start + 1, "an action, or `table`")
        code = _code(codes)
        if [word.text for word in words] == ["table"]:
            return paper.MustRefuse(None, code or RefusalCode.IMPOSSIBLE_TABLE, number)
        return paper.MustRefuse(self._action(words), code, number)

    def _assertion(
        self, subject: list[_Word], values: list[_Word], start: int, number: int
    ) -> paper.Assertion:
        if not subject or subject[0].text not in paper.ASSERTION_KEYS:
            column = subject[0].column if subject else start + 1
            raise _Unreadable(column, f"one of {', '.join(paper.ASSERTION_KEYS)}")
        key = subject[0].text
        named = key in _NAMED_KEYS
        if len(subject) != 1 + named:
            raise _Unreadable(subject[-1].column, f"`{key}{' NAME' if named else ''}:`")
        name = self._seat(subject[1]) if named else None
        return paper.Assertion(key, name, tuple(word.text for word in values), number)

    def _action(self, words: Sequence[_Word]) -> paper.Action:
        seat = self._seat(words[0])
        rest = words[1:]
        if not rest:
            raise _Unreadable(words[0].column + len(seat) + 1, "what the seat does")
        if parse_tile(rest[0].text) is not None or rest[0].text[0].isdigit():
            return _lay(seat, rest)
        verb = _VERBS.get(rest[0].text)
        if verb is None:
            raise _Unreadable(rest[0].column, "a tile, or draw, pass or another action")
        return self._other_action(seat, verb, rest[1:], rest[0])

    def _other_action(
        self, seat: str, verb: paper.Verb, rest: Sequence[_Word], at: _Word
    ) -> paper.Action:
        if verb is paper.Verb.LEAVES:
            return self._leaving(seat, rest, at)
        tiles = list[paper.WrittenTile]()
        other = None
        if verb in _WITH_TILE or (verb is paper.Verb.DRAW and rest):
            tile, rest = _first(rest, at, _TILE_HELP)
            tiles.append(_tile(tile))
        if verb in _WITH_SEAT:
            word, rest = _first(rest, at, "a seat")
            other = self._seat(word)
            if verb is paper.Verb.CATCHES:
                tiles = [*map(_tile, rest)]
                rest = ()
        if rest:
            raise _Unreadable(rest[0].column, "the end of the line")
        return paper.Action(seat, verb, tuple(tiles), other=other)

    def _leaving(self, seat: str, rest: Sequence[_Word], at: _Word) -> paper.Action:
        """Return the action of `leaves` or `leaves redeal`, which may go on with `with` and names.

        Raise `_Unreadable` for anything else after the verb, and for a seat named twice.
        """
        redeal = bool(rest) and rest[0].text == paper.REDEAL
        rest = rest[1:] if redeal else rest
        if not rest:
            return paper.Action(seat, paper.Verb.LEAVES, redeal=redeal)
        if rest[0].text != paper.WITH:
            expected = f"the end of the line, or `{paper.WITH}` and who leaves with {seat}"
            raise _Unreadable(rest[0].column, expected)
        _first(rest[1:], rest[0], "a seat")
        others = tuple(self._seat(word) for word in rest[1:])
        if len({seat, *others}) <= len(others):
            raise _Unreadable(rest[1].column, "each name only once")
        return paper.Action(seat, paper.Verb.LEAVES, together=others, redeal=redeal)

    def _seat(self, word: _Word) -> str:
        if word.text not in self._names:
            raise _Unreadable(word.column, f"a seat: {' '.join(self._names) or 'none named yet'}")
        return word.text


def _words_from(body: str, start: int) -> Iterator[_Word]:
    for found in re.compile(r"\S+").finditer(body, start):
        yield _Word(found[0], found.start() + 1)


def _first(words: Sequence[_Word], at: _Word, expected: str) -> tuple[_Word, Sequence[_Word]]:
    if not words:
        raise _Unreadable(at.column + len(at.text) + 1, expected)
    return words[0], words[1:]


def _only(values: Sequence[_Word], column: int, expected: str) -> _Word:
    if len(values) != 1:
        raise _Unreadable(values[1].column if values else column, expected)
    return values[0]


def _number(word: _Word) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", word.text):
        raise _Unreadable(word.column, "a number")
    return int(word.text)


def _tile(word: _Word) -> paper.WrittenTile:
    tile = parse_tile(word.text)
    if tile is None:
        raise _Unreadable(word.column, _TILE_HELP)
    return tile


def _switch(word: _Word) -> tuple[str, str]:
    name, equals, value = word.text.partition("=")
    if not (name and equals and value):
        raise _Unreadable(word.column, "switches such as blanks=25-50")
    return name, value


def _checked_name(word: _Word) -> str:
    name = word.text
    taken = name in ("table", "-") or _MEXICAN.fullmatch(name) or name[0].isdigit()
    if taken or set("/:=,@!?") & set(name):
        raise _Unreadable(word.column, _NAME_HELP)
    return name


def _code(words: Sequence[_Word]) -> RefusalCode | None:
    if not words:
        return None
    if len(words) > 1:
        raise _Unreadable(words[1].column, "one refusal code")
    if words[0].text not in _CODES:
        raise _Unreadable(words[0].column, f"a refusal code: {', '.join(_CODES)}")
    return _CODES[words[0].text]


def _lay(seat: str, words: Sequence[_Word]) -> paper.Action:
    *tiles, train = words
    if not tiles or parse_tile(train.text) is not None:
        raise _Unreadable(train.column + len(train.text) + 1, "the train it is laid on")
    name, slash, double = train.text.partition("/")
    hangs_on = _tile(_Word(double, train.column + len(name) + 1)) if slash else None
    return paper.Action(seat, paper.Verb.LAY, tuple(map(_tile, tiles)), name, hangs_on)
