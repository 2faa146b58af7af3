"""Rule sheets: no two sentences contradict each other, and headlines name what was changed."""

from functools import cache

import pytest

from cli.render.rule_sheet import Offer, offer_from, offer_title, sheet_of
from engine.rules.choose import RULE_SETS, SWITCHES, RuleSet, parse_rules
from engine.rules.clashes import CLASHES
from netgame.protocol.state.options import OPTIONS

_ARMS = "Nobody has a train of their own: all play on the double"

EXCLUDED = {
    # for each phrase, the phrases that may not be on the same sheet
    "A turn has one double at most.": (
        "with one tile or more",
        "Everybody plays a whole train at once",
        "you may play a whole one",
        "you may play one on the next public train",
        "If your whole hand makes one train",
        "any number of doubles",
        "You may play two doubles in a turn",
    ),
    "Until it is covered nobody may play elsewhere": (
        "any number of doubles",
        "You may play two doubles in a turn",
        "Three tiles must go on a double",
    ),
    "nobody has to cover it": (
        "the next player owes the other",
        "be covered like any other",
        "it must be covered",
        "such doubles must be covered",
        "then must be covered first",
        "the others try first",
    ),
    "nobody ever has to.": (
        "the next player owes the other",
        "be covered like any other",
        "it must be covered",
        "such doubles must be covered",
        "then must be covered first",
        "the others try first",
    ),
    "Your first turn goes to your own train.": (
        "with their first turn too",
        "may start a Mexican train with their first turn",
        "play on a public train instead",
    ),
    "There is no Mexican train.": (
        "start a Mexican train",
        "or on a Mexican train",
        "but a Mexican train",
        "Not on the Mexican train.",
        "to a Mexican train",
    ),
    _ARMS: (
        "marker goes up",
        "a marker has opened",
        "your first one on a train",
        "marker comes down",
        "your own train",
        "Mexican train, ",
        "player's train",
        "Your first turn",
    ),
    "you draw until a tile fits; if": ("you draw one tile", "you draw one and play it"),
    "The game begins with the": (
        "The highest double that anybody holds",
        "puts their highest double in the hub",
        "may declare a double",
    ),
    "If nobody has the double": (
        "The highest double that anybody holds",
        "puts their highest double in the hub",
    ),
    "If you can play nothing after your own double": (
        "no marker goes up for that",
        "A double ends your turn",
        "you may cover it at once",
    ),
    "A double that takes your": ("puts that player's marker up", "not for a double that you leave"),
    "Opposite players are partners": (
        "Pips left in your hand count against you",
        "The winner of a round scores",
    ),
    "Until your own train has a tile you play nowhere else": (
        "Anybody may start a Mexican train once",
        "After your first turn you may play on other open trains",
    ),
    "you pass and no marker goes up": ("If you have to play and cannot, your marker",),
    "somebody reaches": ("The game is over after its last round.",),
    "The winner of a round scores": (
        "everybody counts their pips",
        "count against you",
        "pays in that round",
    ),
    "A double is a tile like any other": (
        "need not be covered",
        "your own double",
        "A double that takes your",
        "must cover a double",
        "to follow your double",
        "together with its cover",
        "leave uncovered",
        "not for a double",
        "unless another double",
    ),
    "you pass, and draw nothing.": (
        "from which you draw",
        "you draw one",
        "you draw until",
        "the boneyard is empty",
        "an empty boneyard",
    ),
    "Turns go counter-clockwise": ("Turns go clockwise",),
    "The game begins with the double blank": ("the next lower one",),
    "puts any double there": (
        "If nobody has the double",
        "The game begins with the",
        "the next lower one",
    ),
    "The game has as many rounds as it takes": (
        "one round for each double",
        "The game is over after its last round.",
    ),
    "each of them gets its double": ("you play on any of them", "must cover a double"),
    "only a double may go on another one": (
        "If you cannot start in your first turn",
        "Your first turn goes to your own train.",
        "with one tile or more",
    ),
    "even one that is closed to you": ("you play nowhere else",),
    "you may do so or draw": ("If you can play anywhere, you must.",),
    "Then you cover the first": ("If you draw a double and play it, you draw again",),
    "you may play a whole one": ("nobody covers it, or draws for it",),
    # headlines
    "a double is covered at once on the double itself": (
        "nobody has to cover it",
        "nobody ever has to.",
        "A double ends your turn",
        "you may cover it at once",
        "you play one more tile on any end open to you",
    ),
    ": One tile to open": ("with one tile or more", "you may play a whole one"),
    "Whole trains to open": ("with one tile that fits the hub",),
    "one more tile anywhere after a double": (
        "on that double. Until it is covered",
        "A double ends your turn",
    ),
    "the Mexican train from the first turn": (
        "There is no Mexican train.",
        "once all have had their first turn.",
    ),
    "The engine's holder leads": ("the next player begins",),
    "Nobody draws, doubles go on any train": (
        "from which you draw",
        "Turns go clockwise",
        "count against you",
        "unless another double",
    ),
    "tap at your last tile": ("as a courtesy",),
    "three on every double": ("each of them a new end",),
}
"""By phrase, the phrases that contradict it."""


def changed() -> list[tuple[str, dict[str, str], tuple[tuple[str, str], ...]]]:
    """Return the preset, changed switches and changed options of each offer to try.

    Each preset is tried unchanged and with every single change, but with only one of the numbers
    that a switch can take. A change that clashes with the preset is made together with a second
    one, or left out if no second one makes it possible.
    """
    found: list[tuple[str, dict[str, str], tuple[tuple[str, str], ...]]] = []
    for preset in RULE_SETS:
        found.append((preset, {}, ()))
        for name, switch in SWITCHES.items():
            words = (*switch.words(), *map(str, switch.numbers[5:6]))
            made = (with_value(preset, name, word) for word in words)
            found += [(preset, switches, ()) for switches in made if switches]
        found += [
            (preset, {}, ((name, each.value),)) for name, kind in OPTIONS.items() for each in kind
        ]
    return found


def with_value(preset: str, name: str, word: str) -> dict[str, str] | None:
    """Return the switches that give a preset this value, with a second one if two values clash.

    Return None if no second change makes the value possible.
    """
    alone = {name: word}
    pairs = [(clash.one, clash.other) for clash in CLASHES if name in (clash.one, clash.other)]
    further = [other for pair in pairs for other in pair if other != name]
    with_it = [alone | {other: value} for other in further for value in SWITCHES[other].words()]
    tries = (alone, *with_it)
    return next((each for each in tries if isinstance(parse_rules(preset, each), RuleSet)), None)


def text_of(offer: Offer) -> str:
    """Return every sentence of a sheet, beginning with its headline."""
    said = [offer_title(offer)]
    for _, always, lines in sheet_of(offer):
        said += [always, *(line.sentence for line in lines)]
    return " ".join(said)


@cache
def sheets() -> dict[str, str]:
    """Return the text of each sheet by its preset, switches and options."""
    found = {}
    for preset, switches, options in changed():
        rules = parse_rules(preset, switches)
        assert isinstance(rules, RuleSet)
        offer = offer_from(preset, rules, switches, options=options)
        found[f"{preset} {switches} {options}"] = text_of(offer)
    return found


@pytest.mark.parametrize("phrase", EXCLUDED)
def test_no_sentence_of_a_sheet_denies_another(phrase):
    """No sheet has two phrases that contradict each other.

    The sheets are those of all presets, unchanged and with any one value changed.
    """
    with_it = {what: text for what, text in sheets().items() if phrase in text}
    assert with_it, "the phrase stands on no sheet"
    for other in EXCLUDED[phrase]:
        assert any(other in text for text in sheets().values()), f"no sheet says {other!r}"
        assert [what for what, text in with_it.items() if other in text] == [], other


def test_a_changed_table_is_headed_by_what_was_changed():
    """A changed table's headline names the changes, because the preset's own may be untrue.

    A switch set to the preset's own value does not count as a change.
    """
    rules = parse_rules("standard", {"cover": "optional", "blanks": "25-50"})
    assert isinstance(rules, RuleSet)
    title = offer_title(offer_from("standard", rules, ("cover", "blanks"), pip_max=9, seats=4))
    assert title == "standard (double-9, 4 seats, 10 rounds), but with cover=optional and " \
        "blanks=25-50."  # fmt: skip
    unchanged = offer_title(offer_from("standard", RULE_SETS["standard"], ("cover",)))
    assert unchanged.endswith("a double is covered at once on the double itself.")


def test_a_change_that_makes_no_difference_is_said_to_make_none():
    """A changed switch without effect says so; an unchanged one without effect is left out."""
    rules = parse_rules("wolf-lake", {"mexican": "none", "start-double": "5"})
    assert isinstance(rules, RuleSet)
    offer = offer_from("wolf-lake", rules, ("mexican", "start-double"))
    lines = {line.switch: line for _, _, chapter in sheet_of(offer) for line in chapter}
    assert lines["start-double"].sentence == "This has no effect under these rules."
    assert "mexican-from" not in lines


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ({}, "one round for each double, or as many as the table agrees on"),
        ({"pip_max": 9}, "The game has 10 rounds."),
        ({"pip_max": 9, "rounds": 1}, "The game has 1 round."),
    ],
)
def test_a_sheet_says_how_many_rounds_there_are(size, said):
    """The sheet gives the number of rounds if the offer fixes it.

    Otherwise it says what the number depends on.
    """
    text = text_of(offer_from("roundhouse", RULE_SETS["roundhouse"], (), **size))
    assert said in text
    assert "each further round has the next lower one" in text


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("chickenfoot", "If you can play anywhere, you must."),
        ("chickenfoot", "if it does not, or the boneyard is empty, you pass"),
        ("wolf-lake", "If you can play on your own train or on a Mexican train, you must"),
        ("wolf-lake", "Then the round is over. A double that is open then must be covered first"),
        ("wolf-lake", "if you hold none, your marker goes up and the others try first"),
    ],
)
def test_a_sheet_says_when_to_play_and_when_to_pass(preset, said):
    """The sheet says when to play and when to pass, so that a beginner needs no other page."""
    assert said in text_of(offer_from(preset, RULE_SETS[preset], ()))
