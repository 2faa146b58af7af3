"""Join codes, such as `7-otter-violin`: a public number and two secret words.

The number tells the tables of a room apart. The words make 16 secret bits, which are enough because
SPAKE2 allows one guess per try and none offline [peer.md §5].
"""

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Final, NamedTuple

from netgame.errors import Malformed
from netgame.io.entropy import chosen_below
from netgame.limits import CODE_NUMBER_MAX

_SHAPE: Final = re.compile(r"\s*([0-9]{1,2})[-\s]+([A-Za-z]{3,12})[-\s]+([A-Za-z]{3,12})\s*")

_WITHIN: Final = re.compile(
    r"(?<![\w-])(?=([0-9]{1,2})(?P<sign>[-\s,./_]+)([A-Za-z]{3,12})[-\s,./_]+([A-Za-z]{3,12})(?![\w-]))"
)
"""Matches where a code begins within a sentence, and consumes nothing: codes may overlap."""


_WORDS: Final = """
acorn amber anchor apple april arrow aspen atlas autumn avenue badge bagel banjo barn basil
beetle bell bench berry bishop board bottle branch bread brick broom bubble bucket butter
cabin camel canal cargo cedar cello chalk cider circus clover cobalt coffee comet copper coral
cotton crayon crown cuckoo daisy dancer desert diner domino donkey dragon drum dune eagle
easel echo elbow elm engine envoy falcon fern fiddle fig finch fjord flag flute forest fossil
fox friday frost fudge galaxy garden geyser giant ginger glove goose guitar gull hammer harbor
hawk hazel hedge helmet heron hippo hockey honey hotel husky igloo indigo island ivory jacket
jaguar jigsaw juice jumbo jungle kayak kennel kiosk kitten kiwi koala ladder lagoon laser
lemon lilac lion lizard locket lotus lunar lynx magnet mango maple marble meadow melon meteor
mint mirror mosaic motor muffin museum napkin nectar needle nephew nickel north nugget nutmeg
oasis oboe ocean olive onion opera orange orbit orchid osprey otter oxygen oyster pajama panda
peach pebble pepper piano pickle pigeon pilot pine pirate planet plum polar poppy portal
potato prism puzzle python quail queen quiver rabbit radar raisin raven recipe reef ribbon
river robin rumba sandal saturn scarf shadow silver sketch skunk snow socks sofa soup spade
sphinx spoon squid stone summer sunday swan syrup table teapot temple tennis tiger timber
toast tomato topaz torch tuba tulip tundra turtle twig urchin valley velvet venus violin visor
waffle wagon walnut water whale wicker willow window wolf wren yacht yellow yeti yogurt yonder
zebra zenith zephyr zigzag zinnia zipper zodiac
"""

CODE_WORDS: Final = tuple(_WORDS.split())
"""256 words in alphabetical order: short, common, easy to type. The first three letters tell each
from all others, and no single typing slip turns one into another.
"""


class JoinCode(NamedTuple):
    """A number from 1 to `CODE_NUMBER_MAX` and two of `CODE_WORDS`."""

    number: int
    first: str
    second: str

    def __str__(self) -> str:
        """Return the code as people type it, such as 7-otter-violin."""
        return f"{self.number}-{self.first}-{self.second}"

    def __repr__(self) -> str:
        """Return a text with the number only, so that a code printed by accident stays secret."""
        return f"JoinCode({self.number}-…)"


def draw_code(choose: Callable[[int], int] = chosen_below) -> JoinCode:
    """Draw a fresh code; `choose(n)` returns a number below n."""
    words = len(CODE_WORDS)
    return JoinCode(
        1 + choose(CODE_NUMBER_MAX), CODE_WORDS[choose(words)], CODE_WORDS[choose(words)]
    )


def looks_like_code(text: str) -> bool:
    """Return True if `text` is a number and two words; `parse_code` may still refuse it."""
    return _SHAPE.fullmatch(text) is not None


def parse_code(text: str) -> JoinCode:
    """Read a code as people type it: any case, spaces for dashes, shortened words.

    Three letters of a word are enough. Raises `Malformed` with one sentence.
    """
    found = _SHAPE.fullmatch(text)
    if found is None or not 1 <= int(found[1]) <= CODE_NUMBER_MAX:
        raise Malformed("a join code is a number and two words, such as 7-otter-violin")
    return JoinCode(int(found[1]), _word(found[2]), _word(found[3]))


def code_in(text: str) -> str:
    """Return the first code within a sentence, with dashes; empty if there is none.

    After a number with a dash, any two words count, even if `parse_code` refuses them; after a
    number with another sign, both must be whole code words.
    """
    for found in _WITHIN.finditer(text):
        code = f"{found[1]}-{found[3]}-{found[4]}"
        if "-" in found["sign"] or {found[3].lower(), found[4].lower()} <= {*CODE_WORDS}:
            return code
    return ""


def _word(typed: str) -> str:
    """Return the code word that begins with `typed`; raises `Malformed` if there is none."""
    start = typed.lower()
    # There is one at most: three letters tell a word from all others.
    fits = [word for word in CODE_WORDS if word.startswith(start)]
    if not fits:
        begin_alike = [word for word in CODE_WORDS if word[0] == start[0]]
        near = get_close_matches(start, begin_alike, 1, 0.7)
        text = "{word!r} is not a word of any join code"
        if near:
            text = "{word!r} is not a word of any join code; did you mean {near}?"
        raise Malformed(text, word=start, near="".join(near))
    return fits[0]
