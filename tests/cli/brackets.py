"""Test languages: one puts sentences in brackets, one masks their letters with dots.

Both fail where the program's catalogues lack a sentence.
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
        """Every sentence of the program, found by reading its whole source."""
        return all_sentences()

    def shown(self, message):
        """Return the sentence in brackets."""
        return f"⟦{message}⟧"

    def gettext(self, message):
        """Return a sentence, and assert that the catalogues have it."""
        assert message in self.known, f"{message!r} is in no catalogue"
        return self.shown(message)

    def ngettext(self, msgid1, msgid2, n):
        """Return the singular or the plural."""
        self.gettext(msgid1)
        return self.shown(msgid1 if n == 1 else msgid2)

    def pgettext(self, context, message):
        """Return a sentence with a context, and assert that the catalogues have both."""
        assert self.known.get(message, context), f"{message!r} is in no catalogue for {context}"
        return self.shown(message)


class Masked(Strict):
    """A language of dots: letters remain only in facts (names, tiles) and in unmarked text."""

    def shown(self, message):
        """Replace every letter by a dot, except in facts."""
        return re.sub(r"\{[^}]*\}|[^\W\d_]", lambda it: it[0] if len(it[0]) > 1 else ".", message)


def words(*texts):
    """Return the set of words in the texts."""
    return set(re.findall(r"[^\W\d_]+", " ".join(texts)))


def outside(text):
    """Return the words outside all brackets."""
    while text != (text := re.sub(r"⟦[^⟦⟧]*⟧", "", text)):
        pass
    return re.findall(r"[^\W\d_]+", text)
