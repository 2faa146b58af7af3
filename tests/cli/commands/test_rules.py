"""`boneyard rules`: sheets for players to read, and the same as data for programs."""

from dataclasses import replace

import pytest

from cli.render.cells import Canvas, line_cells
from cli.render.palette import ASCII_GLYPHS
from cli.render.rule_sheet import Offer, changed_lines, offer_from, offer_lines, offer_of
from engine.rules.choose import RULE_SETS, SWITCHES, RuleSet, parse_rules, value_text
from engine.rules.sentences import value_sentences
from netgame.wire.messages import Settings
from tests.cli.running import complaint, data_of, printed
from tests.cli.scenes import written

NARROW = Canvas(40, 24, ASCII_GLYPHS)
WIDE = Canvas(80, 24, ASCII_GLYPHS)


def offered(preset: str, **switches: str) -> Offer:
    """Return an offer of a preset with these switches; `_` in a name means `-`."""
    named = {name.replace("_", "-"): value for name, value in switches.items()}
    rules = parse_rules(preset, named)
    assert isinstance(rules, RuleSet), rules
    return offer_from(preset, rules, named, pip_max=12, seats=4)


def text_of(lines) -> str:
    """Return the lines as one text with single spaces, so that line breaks do not matter."""
    return " ".join(written(lines).split())


def test_no_two_values_of_a_switch_are_told_alike():
    """No two values of a switch have the same sentence; only `deal` is left out."""
    for name, switch in SWITCHES.items():
        if name == "deal":
            continue
        sentences = [told.sentence for told in switch]
        assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize("preset", RULE_SETS)
@pytest.mark.parametrize("canvas", [NARROW, WIDE], ids=["40", "80"])
def test_a_sheet_fits_and_tells_all_that_is_not_as_in_standard(preset, canvas):
    """A sheet fits the window, and has a sentence for each value that differs from `standard`."""
    offer = offered(preset)
    lines = offer_lines(offer, canvas)
    assert all(line_cells(line) <= canvas.columns for line in lines)
    text, short = text_of(lines), text_of(changed_lines(offer, canvas))
    for name, switch in SWITCHES.items():
        value = getattr(offer.rules, switch.field)
        if name == "deal" or value == getattr(RULE_SETS["standard"], switch.field):
            continue
        told = " ".join(value_sentences(offer.rules, name))
        sentence = told.replace("{count}", str(value))  # only numbers have a {count}
        assert f"* {sentence} ({name}={value_text(offer.rules, name)})" in text
        assert sentence in short


def test_the_tiles_each_are_as_exact_as_the_offer():
    """The sheet says as exactly as the offer allows how many tiles each seat is dealt.

    That is one number if the number of seats is known, otherwise a number for each range of seats.
    If the set is open too, these numbers are listed for each set.
    """
    exact = offered("walnut")
    assert "* 15 tiles each." in text_of(offer_lines(exact, WIDE))
    open_ = replace(exact, seats=None)
    assert "Tiles each: 2-4 seats 15, 5-6 seats 12" in text_of(offer_lines(open_, WIDE))
    assert "double-9: 2-4 seats 9" in text_of(offer_lines(replace(open_, pip_max=None), WIDE))
    by_hand = offer_from("walnut", exact.rules, (), pip_max=12, hand=5)
    assert "+ 5 tiles each. (deal=5)" in text_of(offer_lines(by_hand, WIDE))


def test_what_a_table_hides_and_shows_stands_in_its_sheet():
    """The full sheet has sentences for options too; the list of changes has only unusual ones."""
    usual = offer_of(Settings("standard", (), 9, 4, 0, 0))
    assert usual is not None
    text = text_of(offer_lines(usual, WIDE))
    assert "everybody can tell when you drew it." in text
    assert "These are the usual rules, without changes." in text_of(changed_lines(usual, WIDE))
    secret = offer_of(Settings("standard", (), 9, 4, 0, 0, ("draws=hidden", "audit=keys")))
    assert secret is not None
    short = text_of(changed_lines(secret, WIDE))
    assert "+ Your hand is mixed after you draw" in short
    assert "(audit=keys)" in short
    facts = data_of("rules")
    assert list(facts["options"]) == [
        "draws",
        "audit",
        "leaver",
        "patience",
        "latecomers",
        "newcomers",
    ]


def test_an_offer_is_read_from_what_a_host_sends():
    """An offer has the set, rounds, deal and changes of the host's settings.

    There is none for a preset that does not exist.
    """
    offer = offer_of(Settings("walnut", ("blanks=25-50",), 9, 4, 3, 8))
    assert offer is not None
    assert offer.changed == {"blanks", "deal"}
    assert (offer.pip_max, offer.rounds, offer.rules.deal) == (9, 3, 8)
    assert offer_of(Settings("nonsense", (), 9, 4, 0, 0)) is None


def test_rules_are_listed_shown_explained_and_given_as_json():
    """`rules` lists rule sets and switches, shows the sheet of one rule set, or explains a switch.

    With `--json` it prints one object on one line.
    """
    listed = printed("rules")
    assert all(name in listed for name in (*RULE_SETS, *SWITCHES))
    sheet = printed("rules", "walnut", "--seats", "4", "--with", "blanks=25-50")
    assert sheet.startswith(" walnut (double-9, 4 seats, 10 rounds)")
    assert "+  Each blank half" in sheet
    assert "> 0: A blank left" in printed("rules", "blanks")
    facts = data_of("rules")
    assert facts["presets"]["standard"]["switches"]["mexican"] == "one"
    assert list(data_of("rules", "blanks")["switches"]) == ["blanks"]
    for words in ((), ("blanks",), ("walnut",)):
        assert printed("rules", *words, "--json").count("\n") == 1, "one object a line"
    one = data_of("rules", "walnut")
    assert one["switches"]["several"] == "chain"
    assert one["sheet"][0]["lines"][0]["switch"] == "deal"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("nonsense",), "no rule set and no switch nonsense"),
        (("walnt",), "did you mean walnut?"),
        (("walnut", "--with", "cover=nix"), "cover cannot be 'nix', only one of: on-double, "),
        (("walnut", "--with", "cover=on-double"), "exclude each other"),
        (("walnut", "--set", "15"), "knows no double-15"),
        (("blanks", "--write", "x.toml"), "blanks is a switch"),
    ],
)
def test_rules_that_do_not_exist_are_usage(arguments, part):
    """A rule set, switch, value or set that does not exist gets one sentence and exit code 2."""
    assert part in complaint("rules", *arguments)
