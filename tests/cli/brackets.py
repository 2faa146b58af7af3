"""Test languages: one puts sentences in brackets, one masks their letters with dots.

Both raise AssertionError for a sentence that the program's catalogues lack.
"""

import gettext
import re
from functools import cache, cached_property

from docs.make_catalogues import template

all_sentences = cache(template)


class Strict(gettext.NullTranslations):
    """A language that brackets each sentence, and asserts that the catalogues have it."""

    @cached_property
    def known(self):
        """All sentences of the program, found by reading its whole source."""
        return all_sentences()

    def shown(self, message):
        """Return the sentence in brackets."""
        return f"⟦{message}⟧"

    def gettext(self, message):
        """Return the sentence in this language, and assert that the catalogues have it."""
        assert message in self.known, f"{message!r} is in no catalogue"
        return self.shown(message)

    def ngettext(self, msgid1, msgid2, n):
        """Return the singular or the plural, and assert that the catalogues have the singular."""
        self.gettext(msgid1)
        return self.shown(msgid1 if n == 1 else msgid2)

    def pgettext(self, context, message):
        """Return the sentence, and assert that the catalogues have it with this context."""
        assert self.known.get(message, context), f"{message!r} is in no catalogue for {context}"
        return self.shown(message)


class Masked(Strict):
    """A language of dots: on the screen, only facts and untranslated text have letters."""

    def shown(self, message):
        """Return the sentence with each letter replaced by a dot, except in `{fact}` places."""
        return re.sub(r"\{[^}]*\}|[^\W\d_]", lambda it: it[0] if len(it[0]) > 1 else ".", message)


def words(*texts):
    """Return the set of all words in the texts."""
    return set(re.findall(r"[^\W\d_]+", " ".join(texts)))


def outside(text):
    """Return a list of the words that are outside all brackets."""
    while text != (text := re.sub(r"⟦[^⟦⟧]*⟧", "", text)):
        pass
    return re.findall(r"[^\W\d_]+", text)
