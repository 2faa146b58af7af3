"""What a sheet of rules says, held to what the engine does: no sentence denies another."""

import pytest

from engine.rules.chapters import idle_switches
from engine.rules.choose import SWITCHES, parse_rules

OWN_ONLY = "Your first turn goes to your own train."


def sheet(preset, **switches):
    """Every sentence that the sheet of these rules has."""
    rules = parse_rules(preset, {name.replace("_", "-"): to for name, to in switches.items()})
    shown = SWITCHES.keys() - idle_switches(rules)
    values = (getattr(rules, SWITCHES[name].field) for name in shown - {"deal"})
    return " ".join(value.sentence for value in values)


@pytest.mark.parametrize(
    ("rules", "says", "denied"),
    [
        (sheet("parsons-1994"), "first turn may go to it instead of your own train", OWN_ONLY),
        (sheet("good-sam"), "first turn may go to it instead of your own train", OWN_ONLY),
        (sheet("standard", mexican_from="first-player"), "instead of their own", OWN_ONLY),
        (sheet("roundhouse"), "the one failure for which no marker goes up", "; no marker goes"),
        (sheet("standard", swan_drive="yes"), "none left out but a Mexican train", "and so on."),
        (sheet("standard", partners="yes"), "open to all only once both have failed", "one score;"),
        (sheet("standard", double_public="yes"), "not by the cover", "from then on."),
        (sheet("galt-1994"), "who then begins", "The first player's"),
        (sheet("wolf-lake"), "If nobody declares", "goes in the hub. The player"),
        (sheet("standard", branching="three-required"), "nobody's marker goes up", "is played."),
        (
            sheet("standard", scoring="winner-takes", ties="shared"),
            "the lowest hand",
            "that nobody wins",
        ),
    ],
)
def test_a_sheet_says_what_is_played_and_nothing_against_it(rules, says, denied):
    """The exception stands beside the rule; what no longer holds is not said."""
    assert says in rules
    assert denied not in rules


@pytest.mark.parametrize(
    ("cover", "may_fail"),
    [("on-double", True), ("anywhere", True), ("layer-may", True), ("optional", False)],
)
def test_markers_for_an_own_double_are_told_where_one_may_fail_to_cover_it(cover, may_fail):
    """Also where the double need not be covered at once, and comes back to whoever laid it."""
    told = sheet("standard", cover=cover, marker_layer="own-train")
    assert ("but not for a double on somebody else's train" in told) is may_fail
