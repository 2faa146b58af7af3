"""The words of the game and the signs on the screen, explained in a sentence each.

The glossary is the same at every table: where the rules of a table decide, the sentence says so.
Help shows the meanings of the signs below its list, and a lesson shows them with its first board.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cli.language import capitalized, say, spoken
from cli.visible import folded
from engine.tiles import SET_SIZES, TILES


class Term(NamedTuple):
    """A word of the game, with its explanation."""

    english: tuple[str, ...]
    """Its words in English, in lower case and without accents."""
    spanish: tuple[str, ...]
    sentence: str

    @property
    def names(self) -> tuple[str, ...]:
        """All the names by which somebody can ask for it."""
        return self.english + self.spanish

    @property
    def called(self) -> str:
        """Its first name in the language spoken."""
        return self.spanish[0] if self.spanish and spoken() == "es" else self.english[0]

    def told(self, open_end: str) -> str:
        """Return its explanation; `open_end` is ignored, because only signs need it."""
        return say(self.sentence)


class Sign(NamedTuple):
    """A sign that a board or a hand shows beside tiles and names."""

    names: tuple[str, ...]
    """All the names by which somebody can ask for it, like those of a term."""
    label: str
    """The sign on the screen, in English; `{open_end}` for the sign of an open train."""
    where: str
    meaning: str

    @property
    def called(self) -> str:
        """Its first name."""
        return self.names[0]

    def told(self, open_end: str) -> str:
        """Return a sentence saying where it appears and what it means.

        `open_end` is the sign with which the screen draws an open train.
        """
        shown, where, meaning = self._shown(open_end), say(self.where), say(self.meaning)
        return f"{shown if len(shown) == 1 else capitalized(shown)} {where}: {meaning}."

    def brief(self, open_end: str) -> str:
        """Return the sign and its meaning, for a legend; `open_end` is as for `told`."""
        return f"{self._shown(open_end)} {say(self.meaning)}"

    def _shown(self, open_end: str) -> str:
        is_word = self.label.isalpha() and len(self.label) > 1
        return say(self.label) if is_word else self.label.format(open_end=open_end)


_ON_END: Final = "behind the end of a train"
_ON_TILE: Final = "behind your tile"
_ENDS: Final = (
    *("end", "ends", "open end", "open ends", "tail"),
    *("punta", "puntas", "extremo", "extremos"),
)

SIGNS: Final = (
    Sign((">",), ">", "before a train", "whose turn it is"),
    Sign(("has",), "Has", "on the board", "how many tiles a player holds"),
    Sign(("pts",), "Pts", "on the board", "points so far"),
    Sign(("●", "*"), "{open_end}", "before the end of a train", "open to all"),
    Sign(_ENDS, "End", "of a train", "the number that its next tile needs"),
    Sign(("!",), "!", _ON_END, "must be covered"),
    Sign(("x",), "x", _ON_END, "takes no tile any more"),
    Sign(("+",), "+", _ON_TILE, "you can play it"),
    Sign(("n",), "n", _ON_TILE, "new in your hand"),
    Sign(("=",), "=", "in a tile", "a double"),
    Sign(("bold", "negrita"), "bold", "on the board", "new since your turn"),
)
"""The signs in the order of the screen, from the left of the board to the hand."""

TERMS: Final = (
    Term(
        ("tile", "tiles", "domino", "dominoes", "dominos", "bone", "bones"),
        ("ficha", "fichas"),
        "A tile, or domino, has two halves with a number of pips on each: 9-4 is the same tile "
        "as 4-9.",
    ),
    Term(
        ("pip", "pips"),
        ("punto", "puntos"),
        "A pip is one dot on a tile: 9-4 has 13 pips, 9 on one half and 4 on the other.",
    ),
    Term(
        ("blank", "blanks"),
        ("blanca", "blancas"),
        "A blank is a half of a tile without pips, written 0; the rules of the table say whether "
        "it fits every number.",
    ),
    Term(
        ("double", "doubles"),
        ("doble", "dobles"),
        "A double is a tile with the same number on both halves, such as 9=9; the rules of the "
        "table say whether it must be covered.",
    ),
    Term(
        ("set", "sets"),
        ("juego de fichas", "juego", "juegos"),
        "A set is all the tiles of a game, each of them once: double-twelve has the 91 tiles "
        "from 0-0 to 12-12.",
    ),
    Term(
        ("engine", "engines", "hub", "hubs", "spinner"),
        ("locomotora", "locomotoras", "estacion"),
        "The engine, or hub, is the double in the middle of the table: every train begins with "
        "its number.",
    ),
    Term(
        ("train", "trains"),
        ("tren", "trenes"),
        "A train is a line of tiles that begins at the engine; each new tile must fit its end.",
    ),
    Term(
        ("own train", "own", "my train", "my own train"),
        ("tren propio", "mi tren", "propio"),
        "Your own train is the one with your name on it: others may play there only while it is "
        "open to all or has a double that must be covered.",
    ),
    Term(
        ("mexican train", "mexican trains", "mexican", "m"),
        ("tren mexicano", "trenes mexicanos", "mexicano"),
        "The Mexican train belongs to nobody, so everybody may play on it; the rules of the "
        "table say whether there is one, or several, and from when.",
    ),
    Term(
        ("marker", "markers", "penny"),
        ("marcador", "marcadores"),
        "A marker on a train shows that it is open to all: it usually goes up when its owner "
        "passes, and the rules of the table say when it comes down.",
    ),
    Term(
        ("private", "private train", "private trains", "closed", "closed train"),
        ("privado", "tren privado", "cerrado", "tren cerrado"),
        "A private train has no marker: only its owner, or a partner, may play there, unless it "
        "has a double that others must cover.",
    ),
    Term(
        ("open", "open train", "open trains", "open to all", "public", "public train"),
        ("abierto", "tren abierto", "trenes abiertos", "abierto a todos", "publico"),
        "An open train takes tiles from everybody: the Mexican train, and any train with its "
        "marker up.",
    ),
    Term(
        ("boneyard", "yard"),
        ("pozo",),
        "The boneyard is the tiles left face down after the deal, for players to draw from.",
    ),
    Term(
        ("hand", "hands"),
        ("mano", "manos"),
        "Your hand is the tiles you hold, which nobody else can see.",
    ),
    Term(
        ("draw", "draws", "drawing"),
        ("robar", "robo"),
        "To draw is to take a tile from the boneyard, usually because nothing you hold fits; the "
        "rules of the table say how often.",
    ),
    Term(
        ("pass", "passing"),
        ("pasar",),
        "To pass is to end your turn without a tile, when the rules of the table do not make you "
        "play or draw one.",
    ),
    Term(
        ("cover", "covers", "covering"),
        ("cubrir", "cubierto"),
        "To cover a double is to play the next tile on it; the rules of the table say who must, "
        "and when.",
    ),
    Term(
        ("owed double", "owed doubles", "owed", "open double", "open doubles"),
        ("doble sin cubrir", "dobles sin cubrir", "doble abierto", "doble pendiente"),
        "An owed double still has to be covered, as its ! shows; the rules of the table say who "
        "must cover it, and what else may be played.",
    ),
    Term(
        ("round", "rounds"),
        ("ronda", "rondas"),
        "A round is one deal of the tiles, played to its end and scored; the rules of the table "
        "say how many rounds make a game.",
    ),
    Term(
        ("plan", "plans"),
        ("planes",),
        "A plan is a row of tiles for your turns to come: type plan to make one, and Enter plays "
        "the next tile at your turn.",
    ),
    Term(
        ("dot", "dots"),
        (),
        "The dots on a tile are its pips. A dot before the end of a train means that the train is "
        "open to all.",
    ),
    Term(
        ("run", "runs"),
        ("serie", "series"),
        "A run is a row of tiles in your hand that join one another, so that you can play them one "
        "turn after the other on your train.",
    ),
    Term(
        ("tab", "tab key"),
        ("tabulador",),
        "Tab is a key: at an empty prompt it writes the tiles that are offered, so that you can "
        "change them before Enter plays them, and elsewhere it offers what can follow.",
    ),
)

EXPLAINED: Final[tuple[Term | Sign, ...]] = (*TERMS, *SIGNS)

_BY_NAME: Final = {name: each for each in EXPLAINED for name in each.names}
TERM_WORDS: Final = frozenset(word for name in _BY_NAME for word in name.split())
"""Every word in these names."""


def term_named(name: str) -> Term | Sign | None:
    """Return the term or sign with this name in either language; None if there is none."""
    return _BY_NAME.get(folded(name))


def legend(open_end: str, *names: str) -> str:
    """Return these signs, or all of them, with their meanings, without a full stop.

    `names` are the first names of signs. The screen draws an open train with the sign `open_end`.
    """
    shown = [sign for sign in SIGNS if not names or sign.called in names]
    return ", ".join(sign.brief(open_end) for sign in shown)


def set_sentence(double: int) -> str:
    """Return a sentence on the tiles of the set with this highest double.

    If there is no such set, the sentence says so and lists the sets there are.
    """
    if double not in SET_SIZES:
        sets = ", ".join(map(str, SET_SIZES))
        return say("There is no set {double}; the sets are {sets}.", double=double, sets=sets)
    count = sum(tile.high <= double for tile in TILES)
    text = "Set {double} is double-{double}: the {count} tiles from 0-0 to {double}-{double}."
    return say(text, double=double, count=count)
