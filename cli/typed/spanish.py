"""The names of commands in Spanish, which are known whatever language the program speaks.

What is typed is otherwise the same in every language, so that people of two can help each other.
"""

from collections.abc import Mapping
from typing import Final

SPANISH: Final[Mapping[str, str]] = {
    "jugar": "play",
    "robar": "draw",
    "pasar": "pass",
    "listo": "done",
    "avisar": "tap",
    "pillar": "catch",
    "abrir": "open",
    "cerrar": "close",
    "estacion": "hub",
    "locomotora": "hub",
    "declarar": "declare",
    "ninguno": "none",
    "callar": "silent",
    "mirar": "look",
    "descartar": "discard",
    "sacar": "pull",
    "porque": "why",
    "tablero": "board",
    "mano": "hand",
    "pista": "hint",
    "probabilidades": "odds",
    "repasar": "review",
    "puntos": "score",
    "decir": "say",
    "quien": "who",
    "sin": "without",
    "sentarse": "sit",
    "observar": "watch",
    "reglas": "rules",
    "empezar": "start",
    "echar": "kick",
    "admitir": "allow",
    "cambiar": "change",
    "nombre": "name",
    "otra": "again",
    "ayuda": "help",
    "salir": "quit",
    "abandonar": "leave",
}
"""Commands by their Spanish word, without accents. `bullet`, `bots` and `plan` need none."""


def spanish_of(command: str) -> tuple[str, ...]:
    """Return what a command is called in Spanish."""
    return tuple(word for word, known in SPANISH.items() if known == command)
