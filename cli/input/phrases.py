"""Answers in whole sentences to a question or a menu, and the one thing that they mean.

    line -> `bare_words` -> the row, the words or the size that it names; whether it asks or denies

Each question has its own grammar for answers, and uses this module only for lines that this grammar
does not know.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cli.choices.table import SIZES
from cli.input.lexer import COURTESIES, Words, heard, is_run, number_of, plain, without_courtesies
from cli.visible import folded


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_AROUND: Final = _set(
    "i i'm im i'll i'd we we're we'll we'd you you'll let let's lets us me my our your can "
    "could may would should will shall be is it's there's are am like love want wanna take "
    "takes go gonna going give get have choose pick use try make play to with for a an the this "
    "that these those one it of on in at by and then so well ok okay yes yeah just only now "
    "here there please maybe think number no nr row option choice item rules rule table "
    "game yo nosotros somos seremos vamos vamo quiero queremos quisiera elijo elegimos dame "
    "danos toma usa usar usamos jugar juguemos juega jugamos ser ir a al con para un una el la "
    "los las lo este esta ese esa eso de del en y pues si solo numero fila opcion reglas mesa "
    "partida por favor que hay"
)
"""Words that add nothing to the meaning of a line."""
_OF_PEOPLE: Final = frozenset({"us", "we", "we're", "we'll", "somos", "seremos", "nosotros"})
_DENYING: Final = _set(
    "not don't dont isn't never without except nor instead neither nunca sin excepto"
)
_ASKING: Final = _set(
    "what what's whats which how how's why who tell explain describe show about help difference "
    "differences que cual cuales como dime explica explicame muestra diferencia diferencias"
)
_BACK: Final = _set(
    "b back return cancel previous nevermind atras volver vuelve cancelar regresar nada"
)
_WAY_BACK: Final = _set("menu main never mind start beginning before hacia anterior")
_LEADING: Final = (
    _AROUND
    | _ASKING
    | _set(
        "do does did see look should must might when where wants put happens voy puedo puedes "
        "podemos debo ver mira ensename muestrame cuando donde"
    )
)
"""Words that may come before a command in a sentence."""
_TRAILING: Final = _AROUND | _set("turn tile that them again all something turno ficha esto eso")
_WISHING: Final = _set(
    "i i'll i'd i'm we we'll we'd let let's me us my the a like to want wanna will would can may "
    "could should please ok okay so well then just go going gonna with try choose pick quiero voy "
    "puedo con el la mi una pues por favor"
)
"""Words before a wished-for command. Talk must not pass for a wish: a play cannot be undone."""
_CORRECTING: Final = _set("wait actually espera")
"""Words that take back what was just typed, also after a `no`."""
_WONDERING: Final = _ASKING - {"tell", "show", "muestra", "dime"} | _set(
    "can could may might should must is are do does did when if puedo podemos debo cuando"
)

_ORDINALS: Final = {
    word: str(number)
    for words in (
        "first second third fourth fifth sixth seventh eighth ninth tenth",
        "primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo",
        "primera segunda tercera cuarta quinta sexta septima octava novena decima",
        "primer",
    )
    for number, word in enumerate(words.split(), 1)
}
_ORDINAL: Final = re.compile(r"(\d{1,3})(?:st|nd|rd|th|\.?[ao])", re.ASCII)
_POINTING: Final = _set("the this that last la el esta este mexican") | {*_ORDINALS}
_NOUNS: Final = _set("one una uno")
"""Words for 1 that are nouns after an ordinal, `the` and the like: `the third one`."""
_LAST: Final = frozenset({"last", "ultimo", "ultima"})

_MORE: Final = _set("many people's only sharp exactly total back dominoes")
_SIZE_NAMES: Final = {
    **dict.fromkeys(("round", "rondas", "ronda"), "rounds"),
    **dict.fromkeys(("seat", "players", "player", "people", "asientos", "asiento"), "seats"),
    **dict.fromkeys(("persons", "jugadores", "jugador", "personas"), "seats"),
    **dict.fromkeys(("tile", "fichas", "ficha"), "tiles"),
    **dict.fromkeys(("bot",), "bots"),
    **dict.fromkeys(("double", "doble"), "set"),
}
"""Other words for the sizes of a table, after which or before which a number may be said."""


def bare_words(line: str) -> list[str]:
    """Return the words of a line in lower case, without accents and without signs around them.

    Numbers in words become digits. Courtesies at either end are left out, unless the line has
    nothing else.
    """
    said = [folded(heard(word).strip("\"'()[]<>*#").rstrip(".")) for word in plain(line).split()]
    said = [word for word in said if word]
    words = [
        word if word in _NOUNS and before in _POINTING else number_of(word)
        for before, word in zip(["", *said], said, strict=False)
    ]
    while len(words) > 1 and words[0] in COURTESIES:
        words = words[1:]
    return [*words[:1], *without_courtesies(words[1:])]


def asks(line: str) -> bool:
    """Return True if a line asks for an explanation, rather than choosing something."""
    words = bare_words(line)
    return plain(line).rstrip().endswith("?") or (bool(words) and words[0] in _ASKING)


def denies(words: Words) -> bool:
    """Return True if a line denies something, as `not walnut` does."""
    return not _DENYING.isdisjoint(words)


def says_nothing(words: Iterable[str]) -> bool:
    """Return True if all these words add nothing to the meaning of a line."""
    return {*words} <= _AROUND


def leads(words: Words) -> int:
    """Return the number of words at the beginning of a sentence that may precede a command."""
    known = _LEADING | _CORRECTING
    behind = [*words[1:], ""]
    return next(
        (
            at
            for at, word in enumerate(words)
            if word not in known and not (word == "no" and behind[at] in _CORRECTING)
        ),
        len(words),
    )


def wonders(words: Words) -> bool:
    """Return True if the words before a command make it a question rather than a request."""
    return not _WONDERING.isdisjoint(words)


def wishes(words: Words) -> bool:
    """Return True if the words before a tile or command express a wish to play it, and no more."""
    corrects = not _CORRECTING.isdisjoint(words)
    return {*words} - _CORRECTING - ({"no"} if corrects else set()) <= _WISHING


def trails(words: Iterable[str]) -> bool:
    """Return True if words after a command add nothing, as in `pass my turn`."""
    return {*words} <= _TRAILING


def goes_back(words: Words) -> bool:
    """Return True if a line asks to go back: `back`, `go back to the menu`, `never mind`."""
    if list(words) == ["never", "mind"]:
        return True
    return not _BACK.isdisjoint(words) and {*words} <= _BACK | _WAY_BACK | _AROUND


def mentioned(words: Words, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known words and phrases that a line contains, in the order of the line.

    A longer phrase wins over those within it. A hyphen may be a space, as in `wolf lake`.
    """
    text = f" {' '.join(words)} ".replace("-", " ")
    found: dict[int, str] = {}
    for phrase in sorted(known, key=len, reverse=True):
        spelled = folded(phrase).replace("-", " ")
        if (at := text.find(f" {spelled} ")) >= 0:
            found[at] = phrase
            text = text.replace(f" {spelled} ", f" {'_' * len(spelled)} ")
    return tuple(found[at] for at in sorted(found))


def only_one(named: Sequence[str]) -> str | None:
    """Return the only item of `named`; None if there are none or several."""
    return named[0] if len(named) == 1 else None


def row_said(words: Words, count: int) -> int | None:
    """Return the number of the only row that a line names, such as `number 3` or `the third one`.

    Rows are numbered from 1. None if the line names no row, several, or one above `count`, or if it
    says anything else.
    """
    named = {_row(word, count) for word in words}
    rows = named - {None}
    is_all = all(_row(word, count) is not None or word in _AROUND for word in words)
    row = rows.pop() if len(rows) == 1 and is_all else None
    return row if row is not None and 1 <= row <= count else None


def _row(word: str, count: int) -> int | None:
    if word in _LAST:
        return count
    ordinal = _ORDINAL.fullmatch(word)
    number = ordinal[1] if ordinal else _ORDINALS.get(word, word)
    return int(number) if is_run(number) else None


def only_number(words: Words) -> str | None:
    """Return the only number in a line, as digits; None if it has none or several."""
    numbers = [word for word in words if is_run(word)]
    return numbers[0] if len(numbers) == 1 else None


def in_order(words: Words) -> Words | None:
    """Return `6 seats`, `just two rounds` or `4 of us` as `seats 6`, `rounds 2` and `seats 4`.

    None for any other line.
    """
    parts = [part for word in words for part in re.split(r"(?<=ble)-", word)]  # `double-9`
    said = [number_of(folded(part)) for part in parts]
    rest = [word for word in said if word not in _AROUND and word not in _MORE]
    if said[:1] in (["no"], ["sin"]) and [_SIZE_NAMES.get(word, word) for word in rest] == ["bots"]:
        return ["bots", "0"]
    if len(rest) == 1 and is_run(rest[0]) and not _OF_PEOPLE.isdisjoint(said):
        return ["seats", rest[0]]
    if len(rest) != 2:
        return None
    number, name = rest if is_run(rest[0]) else rest[::-1]
    name = _SIZE_NAMES.get(name, name)
    is_known = name in SIZES or name == "bots"
    return [name, number] if is_known and is_run(number) else None


# ---- names ------------------------------------------------------------------------------------

_GREETING: Final = _set("hi hello hey hola well so oh ok okay please just the")
_NAMING: Final = _set(
    "i'm i im am is it's its name names name's nombre call called me llamo llama llaman llamame "
    "soy es"
)
"""Words before a name; an introduction has at least one of them."""
_CALLED: Final = _set("name name's nombre call called llamo llamame")
_MY: Final = _set("my mi player player's it this they people you can may everyone")
_QUOTES: Final = "\"'\u2018\u2019\u201c\u201d\u00ab\u00bb "
_BEHIND: Final = frozenset({"here", "aqui"})


def said_name(line: str) -> str:
    """Return the name that a line says, as typed: `Rosa` for `hi, I'm Rosa.`

    A line that is only a name is returned without the punctuation at its end.
    """
    return introduced(line) or plain_ends(line)


def introduced(line: str) -> str | None:
    """Return the name with which a line introduces its author; None for any other line."""
    words = plain_ends(line).split()
    told = [folded(plain(word)).strip("\"',.:;!()\u00a1\u00bf") for word in words]
    before = _GREETING | _NAMING | _MY
    count = next((at for at, word in enumerate(told) if word not in before), len(told))
    if count == len(told) or _NAMING.isdisjoint(told[:count]):
        return None
    end = len(told) - (told[-1] in _BEHIND and len(told) - count > 1)
    return plain_ends(" ".join(words[count:end]))


def renamed(line: str) -> str | None:
    """Return the name in a line that explicitly says one: `name Rosa`, `call me Rosa`.

    None for any other line, such as `I'm ready`: unless somebody asked for a name, `I'm` may begin
    anything.
    """
    is_said = not _CALLED.isdisjoint(folded(plain(line)).split())
    return introduced(line) if is_said else None


def plain_ends(text: str) -> str:
    """Return a text without courtesies at its end, and without quotes and punctuation around it.

    A text that has nothing else keeps them.
    """
    words: Sequence[str] = text.split()
    words = [*words[:1], *without_courtesies(words[1:])]
    bare = " ".join(words).strip(_QUOTES).rstrip(",;:!\u2026 ").strip(_QUOTES)
    *_, last = bare.rpartition(" ")
    bare = bare if "." in last.rstrip(".") else bare.rstrip(".")  # `J.R.` keeps its full stop
    return bare.strip(_QUOTES) if any(map(str.isalnum, bare)) else text.strip()
