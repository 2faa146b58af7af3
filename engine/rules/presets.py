"""Every preset by name: the only registry of rule sets. [docs/rules.md §8.4]

A preset is written in the words that `with:` takes, so readers can compare it with the page by eye.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

STANDARD: Final = "standard"
"""The default preset."""

_WHOLE_TRAINS: Final = "engine=holder first=engine-layer opening=whole-train opening-miss=marker"
"""Words of roundhouse, walnut and spruce: the holder lays the engine; all open whole trains."""


class Preset(NamedTuple):
    """A published rule set: the switches it changes, a sentence about it, and its source.

    House rules are not presets: they belong in a table file.
    """

    words: str
    """`switch=value` for each switch that differs from the default."""
    sentence: str
    source: str


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        STANDARD: Preset(
            "",
            "One tile to open, and a double is covered at once on the double itself.",
            "the first text: what most rule sheets agree on",
        ),
        "parsons-1994": Preset(
            "deal=parsons mexican-from=first-turn cover=anywhere-then-duty several=two-held "
            "last-tile=courtesy",
            "One tile to open, the Mexican train from the first turn, one more tile anywhere "
            "after a double.",
            "Parsons 1994 (Puremco)",
        ),
        "galt-1994": Preset(
            "deal=galt engine=first-seat engine-missing=turn-draw opening=whole-train "
            "marker-double=free",
            "Whole trains to open, on the first player's highest double.",
            "Galt 1994 (Cardinal)",
        ),
        "bauguess-2012": Preset(
            "deal=bauguess opening=whole-train several=share",
            "Whole trains to open, several doubles in a turn shared out among the players.",
            "Bauguess 2012",
        ),
        "roundhouse": Preset(
            f"{_WHOLE_TRAINS} deal=roundhouse marker-down=any-play marker-empty=pass "
            "cover=anywhere-then-duty several=chain duty-order=last-played layer-miss=draw-only "
            "last-tile=tap tap-penalty=2",
            "The engine's holder leads, whole trains to open, doubles in chains, the last one "
            "covered first; tap at your last tile.",
            "roundhouse",
        ),
        "walnut": Preset(
            f"{_WHOLE_TRAINS} deal=walnut engine-missing=turn-draw cover=anywhere-then-duty "
            "several=chain",
            "The engine's holder leads, whole trains to open, one more tile anywhere after a "
            "double, the first open double covered first.",
            "walnut",
        ),
        "wolf-lake": Preset(
            "deal=wolf-lake engine=declared first=after-layer own-train-first=always "
            "others-trains=may mexican-from=own-started marker-voluntary=yes drawn-double=no-draw "
            "last-double=must-cover branching=spur last-tile=before-play tap-penalty=1 "
            "round-end=last-plays",
            "Declared engines, spurs at doubles, markers by choice, Choo Choo, one last play each.",
            "wolf-lake",
        ),
        "fundex": Preset(
            "deal=fundex engine=highest-held first=engine-layer own-train-first=elsewhere",
            "As standard, on the highest double held; you start your own train first.",
            "Fundex 2003",
        ),
        "university": Preset(
            "deal=university cover=anywhere-then-duty blanks=25-50 wild-blanks=yes",
            "Wild blanks that cost 25 in the hand, one more tile anywhere after a double.",
            "University Games 2015",
        ),
        "spruce": Preset(
            f"{_WHOLE_TRAINS} deal=spruce engine-missing=turn-draw cover=layer-may blanks=0-50",
            "The engine's holder leads, whole trains to open, and you may cover your double.",
            "Spruce",
        ),
        "masters-of-games": Preset(
            "deal=masters-of-games engine=highest-held engine-missing=turn-draw first=engine-layer "
            "opening=whole-train opening-double=refused mexican-from=own-started "
            "marker-down=own-covered last-double=must-cover",
            "The highest double held, whole trains to open, your last double must be covered.",
            "Masters of Games",
        ),
        "good-sam": Preset(
            "deal=good-sam engine=holder first=engine-layer mexican-from=first-turn",
            "The engine's holder leads, one tile to open, the Mexican train from the first turn.",
            "Good Sam, Idaho",
        ),
        "chickenfoot": Preset(
            "deal=chickenfoot engine=holder engine-missing=next-lower first=after-layer "
            "mexican=4-arms cover=next branching=three-required last-tile=tap tap-penalty=1 "
            "blanks=0-50",
            "No trains of your own: four tiles on the hub, then three on every double, before "
            "anything else; tap at your last tile.",
            "Chicken Foot: ourpastimes.com, htfbw.com, onlinedominogames.com, Wikipedia",
        ),
        "longana": Preset(
            "deal=longana engine=last-winner engine-missing=redeal first=after-layer "
            "opening-miss=marker direction=right mexican=none cover=none double-anywhere=yes "
            "draw=none scoring=winner-takes target=100 ties=shared",
            "Nobody draws, doubles go on any train, turns go to the right, and the winner of a "
            "round scores what the others hold.",
            "Longana: gamerules.com, pagat.com",
        ),
        "private-trains": Preset(
            "deal=private-trains first=heaviest-once mexican=none",
            "No Mexican train; the heaviest tile held leads the first round.",
            "Private Trains: Wikipedia",
        ),
        "maltese-cross": Preset(
            "deal=maltese-cross engine=highest-held engine-missing=redeal first=after-layer "
            "mexican=4-arms arms-then=doubles cover=none scoring=winner-takes target=100 "
            "ties=shared",
            "No trains of your own: four tiles on the hub, then a double on each of them, before "
            "anything else; whoever wins a round takes the points of the others.",
            "Maltese Cross: gamerules.com, gambiter.com, pagat.com",
        ),
        "pagat": Preset(
            "deal=pagat engine=holder engine-missing=turn-draw first=engine-layer "
            "opening=whole-train cover=anywhere-then-duty several=chain",
            "The engine's holder leads, whole trains to open, one more tile anywhere after a "
            "double; you draw a tile if you cannot start.",
            "pagat.com, htfbw.com",
        ),
    }
)
"""Every preset by name."""
