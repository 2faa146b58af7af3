"""The language in which the program speaks: English as in the code, or a catalogue beside it.

A sentence is written whole in the call that says it, with its facts in braces, because other
languages order them differently. `docs/make_catalogues.py` collects the texts from these calls: a
literal, a name assigned in the same function or module, or a table of texts. That script lists the
tables that are in other modules.

Each task has a language, which the tasks and threads it starts inherit. So one process can speak to
several people, each in their own language.
"""

import gettext
import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Final
from unicodedata import normalize

from netgame.errors import NetgameError
from netgame.saying import Saying

FOLDER: Final = Path(__file__).parent / "catalogues"
DOMAIN: Final = "boneyard"
ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "es")
"""All languages, by the codes of ISO 639-1."""

AS_SYSTEM: Final = "auto"
"""The value of the setting that means the system's language."""

YOU, ANOTHER = "you", "another"
"""The catalogue's contexts of a sentence: about the reader, or about somebody else."""
TYPED = "typed"
"""The catalogue's context of words that somebody may type."""

_AS_WRITTEN: Final = gettext.NullTranslations()
_catalogue: Final[ContextVar[gettext.NullTranslations]] = ContextVar(
    "catalogue", default=_AS_WRITTEN
)


def speak(language: str, catalogue: gettext.NullTranslations | None = None) -> None:
    """Speak a language from now on, in this task and in all that it starts.

    A `catalogue` replaces the one in the files, whatever the `language`. Raises `OSError` if there
    is no such catalogue.
    """
    if catalogue is None and language != ENGLISH:
        catalogue = gettext.translation(DOMAIN, FOLDER, [language])
    _catalogue.set(catalogue or _AS_WRITTEN)


def tell_argparse(language: str) -> None:
    """Make argparse say its own sentences in a language, or in English if it has no catalogue.

    Sets `LANGUAGE` in the environment of this process, and its gettext domain.
    """
    os.environ["LANGUAGE"] = language
    gettext.bindtextdomain(DOMAIN, FOLDER)
    gettext.textdomain(DOMAIN)


def spoken() -> str:
    """Return the language spoken now, by its code."""
    return _catalogue.get().info().get("language", ENGLISH)


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language of somebody's system, if the program speaks it; else English.

    Only the first of `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty counts. If it
    lists several languages, separated by colons, the first that the program speaks is returned.
    """
    places = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    locale = next(filter(None, map(environment.get, places)), "")
    spoken = (each.partition("_")[0].partition(".")[0] for each in locale.split(":"))
    return next((each for each in spoken if each in LANGUAGES), ENGLISH)


def say(text: str, /, **facts: object) -> str:
    """Return a text in the language spoken, its facts filled in; empty for an empty text.

    Raises `KeyError` if a fact that the text names is not given.
    """
    return _catalogue.get().gettext(text).format(**facts) if text else ""


def translate(text: str, /, **facts: object) -> str:
    """Translate English text from elsewhere, if the catalogue has it, and fill in its facts.

    Without facts, braces in it are kept, because the text may come from anybody.
    """
    said = _catalogue.get().gettext(text) if text else ""
    return said.format(**facts) if facts else said


def translated(said: Saying) -> str:
    """Return a text and its facts in the language spoken, each as far as the catalogue has it."""
    return translate(said.text, **{name: _in_words(fact) for name, fact in said.facts.items()})


def _in_words(fact: object) -> object:
    match fact:
        case Saying():
            return translated(fact)
        case NetgameError():
            return translated(fact.said)
        case tuple() if type(fact) is tuple:  # an address is one, too, and not a list of names
            return joined([str(_in_words(each)) for each in fact])
        case _:
            return fact


def say_count(one: str, many: str, count: int, /, **facts: object) -> str:
    """Return `one` or `many` in the language spoken, whichever that language uses for `count`.

    The facts are filled in, and `count` is one of them.
    """
    return _catalogue.get().ngettext(one, many, count).format(count=count, **facts)


def say_to(you: bool, text: str, /, **facts: object) -> str:  # noqa: FBT001 - as in a sentence
    """Return a sentence about the reader if `you`, else about somebody else.

    In languages other than English its verb depends on that.
    """
    return _catalogue.get().pgettext(YOU if you else ANOTHER, text).format(**facts)


def say_typed(text: str, /, **facts: object) -> str:
    """Return words to type: a command in the language spoken, with what follows it."""
    return _catalogue.get().pgettext(TYPED, text).format(**facts)


_YES: Final = frozenset({"yes", "yep", "yeah", "yup", "sure", "ok", "okay", "claro", "vale"})
_OF_COURSE: Final = ("of course", "por supuesto", "go ahead")


def means_yes(word: str) -> bool:
    """Return True if a line says yes, in English or in the language spoken.

    The line must be in lower case. Accents may be missing, and the first letter alone is enough.
    `sure`, `ok` and the like also mean yes. Up to three words may follow, and any number after `of
    course`. An empty line does not mean yes.
    """
    yes = say("yes")
    bare = normalize("NFD", yes).encode("ascii", "ignore").decode()
    text = word.strip(" .,!")
    first, *more = text.replace(",", " ").split() or [""]
    return (
        text in ("y", yes, bare, bare[:1])
        or any(text == each or text.startswith((f"{each} ", f"{each},")) for each in _OF_COURSE)
        or (first in {*_YES, yes, bare} and len(more) < 4)
    )


def capitalized(text: str) -> str:
    """Return a text with a capital first letter, as in a sentence."""
    return text[:1].upper() + text[1:]


def joined(names: Sequence[str]) -> str:
    """Return names joined as prose: `Ann`, `Ann and Bob`, `Ann, Bob and Cy`; empty for nobody."""
    if len(names) < 2:
        return "".join(names)
    return say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])


def either(names: Sequence[str]) -> str:
    """Return choices joined as prose: `Ann`, `Ann or Bob`, `Ann or Bob or Cy`; empty for none."""
    said = "".join(names[:1])
    for name in names[1:]:
        said = say("{names} or {last}", names=said, last=name)
    return said
