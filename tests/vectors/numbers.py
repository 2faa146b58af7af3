"""Spellings of values of switches, and the meaning of each: protocol.md 3, docs/rules.md 8.1.

This second implementation of those sections imports nothing from the program. It reads the words
and ranges from docs/rules.md, and examines a word character by character.
"""

import re

from tests.tree import ROOT

PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
DIGITS = "0123456789"
SPACES = " \t\n"
SWITCHES = ("deal", "start-double", "target", "tap-penalty", "blanks", "mexican")
SPELLINGS = (
    *("0", "1", "2", "3", "7", "18", "19", "25", "50", "95", "99", "100", "190", "999", "1000"),
    *("07", "007", "00", "000", "0000", "0999", "01", "0018", "00000000000000000007", "9" * 50),
    *("+7", "+0", "-0", "-1", "-7", "--7", "7-", "- 7", "−7"),
    *("", " ", " 7", "7 ", " 07 ", "\t7", "7\n", "1 8", "0 7"),
    *("７", "０７", "٧", "۷", "७", "²", "Ⅶ", "①", "1８"),
    *("7.0", "7.", ".7", "7,0", "1e1", "0x7", "0b1", "0o7", "7_0", "1_8", "7L", "seven", "None"),
    *("25-50", "025-050", "25-050", "0-50", "00-50", "0-25", "25 - 50", "25–50", "-50", "25-"),
    *("none", "NONE", "one", "highest", "standard", "many"),
)


def values():
    """Return each switch's words and the range of its numbers, as docs/rules.md lists them.

    The range is empty if the switch takes no numbers.
    """
    found = {}
    for name, cell in re.findall(r"(?m)^\| `([a-z-]+)` \| (.*?) \| §", PAGE):
        span = re.search(r"a number of \w+ from (\d+) to (\d+)", cell)
        numbers = range(int(span[1]), int(span[2]) + 1) if span else range(0)
        found.setdefault(name, (re.findall(r"`([^`]+)`", cell), numbers))
    table = PAGE[PAGE.index("**1.3") : PAGE.index("**1.4")]
    found["deal"] = (re.findall(r"(?m)^\| `([a-z0-9-]+)` \|", table), found["deal"][1])
    return found


def offered(word, words, numbers):
    """Return the meaning of a word in an offer: a number, a word, or None if it has none."""
    if word in words:
        return word
    digits = word[1:] if word[:1] == "-" else word
    is_plain = digits != "" and all(each in DIGITS for each in digits)
    if not is_plain or (digits[0] == "0" and word != "0") or len(digits) > 6:
        return None
    number = 0
    for each in digits:
        number = 10 * number + DIGITS.index(each)
    number = -number if word[0] == "-" else number
    return number if number in numbers else None


def typed(word, words, numbers):
    """Return the word that an offer uses for what a person typed, or None if there is none."""
    while word and word[0] in SPACES:
        word = word[1:]
    while word and word[-1] in SPACES:
        word = word[:-1]
    number = word
    if word and all(each in DIGITS for each in word):
        while len(number) > 1 and number[0] == "0":
            number = number[1:]
    if offered(number, words, numbers) is not None:
        return number
    folded = word.lower()
    begun = [each for each in words if folded and each.startswith(folded)]
    return folded if folded in words else begun[0] if len(begun) == 1 else None


def numbers():
    """Return each of `SPELLINGS` for each of `SWITCHES`, with its meanings."""
    known = values()
    return {
        "about": "protocol.md 3: what a spelling means in an offer, how a typed one is offered",
        "ranges": {name: [span[0], span[-1]] for name, (_, span) in known.items() if len(span) > 0},
        "spellings": [
            {
                "switch": name,
                "word": word,
                "offer": offered(word, *known[name]),
                "typed": typed(word, *known[name]),
            }
            for name in SWITCHES
            for word in SPELLINGS
        ],
    }
