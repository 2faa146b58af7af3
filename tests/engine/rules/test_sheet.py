"""The sheet of rules agrees with the engine, and no sentence contradicts another."""

from dataclasses import replace
from itertools import product

import pytest

from engine.rules.chapters import CHAPTERS, idle_switches
from engine.rules.choose import RULE_SETS, SWITCHES, RuleSet, parse_rules, value_text
from engine.rules.sentences import chapter_sentences, value_sentences
from engine.rules.sheet_rows import ALSO, INSTEAD
from engine.rules.spec import TableSpec, make_spec
from lab.rounds.seeds import seeded
from tests.engine.rules.reading import game_lines, random_spec

OWN_ONLY = "Your first turn goes to your own train."


def sheet(preset, **switches):
    """Return all sentences on the sheet of these rules as one text."""
    rules = parse_rules(preset, {name.replace("_", "-"): to for name, to in switches.items()})
    shown = SWITCHES.keys() - idle_switches(rules)
    told = [text for name in sorted(shown) for text in value_sentences(rules, name)]
    always = [text for title, *_ in CHAPTERS for text in chapter_sentences(rules, title)]
    return " ".join((*always, *told))


@pytest.mark.parametrize(
    ("rules", "says", "denied"),
    [
        (sheet("parsons-1994"), "to your own train or to a Mexican train", OWN_ONLY),
        (sheet("good-sam"), "to your own train or to a Mexican train", OWN_ONLY),
        (sheet("standard", mexican_from="first-player"), "it may go to a Mexican train", OWN_ONLY),
        (sheet("roundhouse"), "no marker goes up for that", "have no tile for your own double"),
        (sheet("bauguess-2012"), "must go on the first of them", "after a double must go on it"),
        (sheet("standard", swan_drive="yes"), "none left out but a Mexican train", "and so on."),
        (sheet("standard", partners="yes"), "if your partner's latest turn failed", "in your hand"),
        (sheet("standard", double_public="yes"), "nor does the tile that covers it", "takes your"),
        (sheet("galt-1994"), "and begins instead", "The first player's"),
        (sheet("wolf-lake"), "If nobody declares", "goes in the hub. The player"),
        (sheet("standard", branching="three-required"), "nobody's marker goes up", "is played."),
        (
            sheet("standard", scoring="winner-takes", ties="shared"),
            "the lowest hand",
            "that nobody wins",
        ),
        (sheet("longana"), "ends when all have passed", "boneyard is empty"),
        (sheet("longana"), "only a double may go on another one", OWN_ONLY),
        (sheet("longana"), "the winner of that round scores as many tiles", "pays in that round"),
        (sheet("longana"), "it ends your turn", "be covered"),
        (sheet("standard", cover="none"), "it ends your turn", "have no tile for your own double"),
        (
            sheet("standard", cover="none", marker_down="own-covered"),
            "comes down when you play on your own train.",
            "uncovered",
        ),
        (
            sheet("standard", cover="none", round_end="last-plays"),
            "the player who drew it goes last; then",
            "its cover",
        ),
        (
            sheet("standard", draw="none", opening_miss="marker", marker_empty="pass"),
            "If you have to play and cannot, your marker",
            "If you draw",
        ),
        (sheet("standard", start_double="lowest"), "the next higher one", "lower one"),
        (
            sheet("standard", engine="last-winner", engine_missing="turn-draw"),
            "If nobody holds a double",
            "If nobody has the double",
        ),
    ],
)
def test_a_sheet_says_what_is_played_and_nothing_against_it(rules, says, denied):
    """The sheet contains the words that apply, and not the words that do not."""
    assert says in rules
    assert denied not in rules


@pytest.mark.parametrize(
    ("cover", "may_fail"),
    [("on-double", True), ("anywhere", True), ("layer-may", True), ("optional", False)],
)
def test_markers_for_an_own_double_are_told_where_one_may_fail_to_cover_it(cover, may_fail):
    """The sheet excludes doubles on others' trains if and only if a cover can be missing."""
    told = sheet("standard", cover=cover, marker_layer="own-train")
    assert ("but not for a double on somebody else's train" in told) is may_fail


def settings_for(row):
    """Yield all settings of switches under which the sheet should have this row's sentence."""
    sides = [side.split() for side in (row.about, *row.where.split(" | "))]
    chosen = [(switch, words) for switch, *words in sides if switch in SWITCHES]
    names = [name for name, _ in chosen]
    for values in product(*(words for _, words in chosen)):
        yield dict(zip(names, values, strict=True))


@pytest.mark.parametrize("row", [*INSTEAD, *ALSO], ids=lambda row: f"{row.about}, {row.where}")
def test_each_sentence_is_on_the_sheet_of_some_legal_rules(row):
    """For each row, some legal rules have its sentence on their sheet.

    So no row asks for values that clash, and none is hidden by an earlier row.
    """
    name = row.about.partition(" ")[0]
    for preset, switches in product(RULE_SETS, settings_for(row)):
        rules = parse_rules(preset, switches)
        if isinstance(rules, RuleSet) and name not in idle_switches(rules):
            tell = value_sentences if name in SWITCHES else chapter_sentences
            told = tell(rules, name if name in SWITCHES else row.about)
            if row.sentence in told or (told, row.sentence) == ((), ""):
                return
    pytest.fail("no rules have this sentence")


def same_but_idle(rules):
    """Yield each idle switch, with the rules for each other legal value that leaves it idle."""
    for name in sorted(idle_switches(rules)):
        kind = SWITCHES[name]
        for value in kind:
            other = replace(rules, **{kind.field: value})
            words = {each: value_text(other, each) for each in SWITCHES}
            if not rules.mexican.has_any:
                del words["mexican-from"]
            is_legal = isinstance(parse_rules("standard", words), RuleSet)
            if other != rules and is_legal and name in idle_switches(other):
                yield name, other


@pytest.mark.parametrize("number", [69, 323, 360, 371, 379, *range(40)])
def test_what_a_sheet_leaves_out_makes_no_difference(number):
    """A game has the same moves and scores under every value of a switch the sheet omits.

    The first numbers are games in which a switch that mattered was once left out.
    """
    spec = random_spec(seeded(f"idle {number}".encode()))
    game = game_lines(f"g{number}", spec)
    for name, rules in same_but_idle(spec.rules):
        other = make_spec(rules, spec.pip_max, spec.seats, spec.rounds)
        assert isinstance(other, TableSpec)
        assert game_lines(f"g{number}", other) == game, name
