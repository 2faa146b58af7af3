"""A language in brackets, in which nothing may be said that the catalogues lack."""

import gettext
import re
from functools import cache, cached_property

from docs.make_catalogues import template

all_sentences = cache(template)


class Strict(gettext.NullTranslations):
    """Puts brackets around what is said, and knows no sentence that the catalogues lack."""

    @cached_property
    def known(self):
        """Everything that the program says; its whole source is read for it."""
        return all_sentences()

    def shown(self, message):
        """Return a sentence in brackets."""
        return f"⟦{message}⟧"

    def gettext(self, message):
        """Return a sentence that could be translated."""
        assert message in self.known, f"{message!r} is in no catalogue"
        return self.shown(message)

    def ngettext(self, msgid1, msgid2, n):
        """Return one of two."""
        self.gettext(msgid1)
        return self.shown(msgid1 if n == 1 else msgid2)

    def pgettext(self, context, message):
        """Return a sentence of somebody."""
        assert self.known.get(message, context), f"{message!r} is in no catalogue for {context}"
        return self.shown(message)


class Masked(Strict):
    """Speaks in dots, so that letters are only in facts: names, tiles, and what was glued."""

    def shown(self, message):
        """Put dots in place of letters, but for facts."""
        return re.sub(r"\{[^}]*\}|[^\W\d_]", lambda it: it[0] if len(it[0]) > 1 else ".", message)


def words(*texts):
    """Return the words of some texts."""
    return set(re.findall(r"[^\W\d_]+", " ".join(texts)))


def outside(text):
    """Return the words that stand outside all brackets."""
    while text != (text := re.sub(r"⟦[^⟦⟧]*⟧", "", text)):
        pass
    return re.findall(r"[^\W\d_]+", text)
