"""The words of the field and the signs on the screen, explained in a sentence each.

Where the rules of a table decide, the sentence says that they do, as it knows no table.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cli.visible import folded


class Term(NamedTuple):
    """One thing that has a name or a sign."""

    english: tuple[str, ...]
    """Its words in English, or its signs; all are in lower case and without accents."""
    spanish: tuple[str, ...]
    """Its words in Spanish; empty for a sign."""
    sentence: str
    """Its meaning. `{open_end}` in it is the sign of an open train on this screen."""

    @property
    def names(self) -> tuple[str, ...]:
        """All that it can be asked for by."""
        return self.english + self.spanish


TERMS: Final = (
    Term(
        ("tile", "tiles", "domino", "dominoes", "dominos", "bone", "bones"),
        ("ficha", "fichas"),
        "A tile, or domino, has two halves with a number of pips on each: 9-4 is the same tile "
        "as 4-9.",
    ),
    Term(
        ("pip", "pips", "dot", "dots"),
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
        ("engine", "engines", "hub", "hubs"),
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
        ("mexican train", "mexican trains", "mexican"),
        ("tren mexicano", "trenes mexicanos", "mexicano"),
        "The Mexican train belongs to nobody, so everybody may play on it; the rules of the "
        "table say whether there is one, or several, and from when.",
    ),
    Term(
        ("end", "ends", "open end", "open ends", "tail"),
        ("punta", "puntas", "extremo", "extremos"),
        "An end is where a train takes its next tile, and the number which that tile must match.",
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
        ("●", "*"), (), "{open_end} before the end of a train means that the train is open to all."
    ),
    Term(("!",), (), "! behind the end of a train marks a double that must be covered."),
    Term(("+",), (), "+ behind a tile in your hand means that you can play it."),
    Term(("=",), (), "= joins the two halves of a double, such as 9=9."),
    Term(("n",), (), "n behind a tile in your hand means that it is new."),
    Term(("x",), (), "x behind the end of a train means that no tile can join it any more."),
    Term((">",), (), "> before a train marks the player whose turn it is."),
)

_BY_NAME: Final = {name: term for term in TERMS for name in term.names}


def term_named(name: str) -> Term | None:
    """Return what has this name or sign in either language; None if nothing has."""
    return _BY_NAME.get(folded(name))
