"""A number in a switch has one spelling, in the engine, the command line and the second reader."""

import json
import re

import pytest

from cli.choices.table import TABLE
from cli.house_rules.choice import TableChoice, rules_of
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import SWITCHES, parse_rules, value_text
from engine.rules.revision import RULES_REVISION
from tests.cli.running import boneyard_here
from tests.conformance.fold import lobby
from tests.conformance.fold.state import Fold, Refused
from tests.conformance.octets import Message
from tests.engine.rules.rules_page import rows
from tests.tree import ROOT

VECTOR = json.loads((ROOT / "tests" / "vectors" / "numbers.json").read_text(encoding="ascii"))
ROWS = VECTOR["spellings"]


def companions(name, word):
    """Return the other switches that this value needs besides the defaults."""
    if name == "tap-penalty":
        return {"last-tile": "none" if word == "0" else "tap"}
    return {}


def test_every_range_stands_on_the_page_as_it_is_declared():
    """§8.1 states the range of each switch that takes a number, and of no other."""
    declared = {
        name: [switch.numbers[0], switch.numbers[-1]]
        for name, switch in SWITCHES.items()
        if switch.numbers
    }
    assert VECTOR["ranges"] == declared
    told = {}
    for name, values, _ in rows("**8.1")[2:]:
        if found := re.search(r"from (\d+) to (\d+)$", values):
            told[name.strip("`")] = [int(number) for number in found.groups()]
        else:
            assert "number" not in values
    assert told == declared


@pytest.mark.parametrize("name", {row["switch"]: None for row in ROWS})
def test_an_offer_knows_one_spelling(name):
    """An offer may spell a number in one way only; any other is refused as an unknown value."""
    for row in (row for row in ROWS if row["switch"] == name):
        word, meant = row["word"], row["offer"]
        rules = parse_rules("standard", {**companions(name, word), name: word})
        if meant is None:
            assert isinstance(rules, Refusal), word
            assert rules.reason is RefusalReason.UNKNOWN_VALUE, word
        else:
            assert not isinstance(rules, Refusal), (word, rules)
            assert value_text(rules, name) == str(meant) == word
            assert SWITCHES[name].number(word) == (meant if isinstance(meant, int) else None)


@pytest.mark.parametrize("name", {row["switch"]: None for row in ROWS})
def test_what_a_person_types_is_offered_in_it(name):
    """A number that a person types is offered in its one spelling, or refused with a sentence."""
    for row in (row for row in ROWS if row["switch"] == name):
        meant = TABLE[name].spelled(row["word"])
        choice = TableChoice(values=companions(name, row["typed"]))
        if meant is not None:
            choice = choice.with_value(name, meant)
            rules_of(choice)
        assert choice.values.get(name) == row["typed"], row
        if meant is None:
            sentence = TABLE[name].why_not(row["word"])
            assert sentence.startswith(name)
            assert sentence.isprintable()


def test_the_second_reader_convicts_hosts_of_the_same_offers():
    """The second reader accepts and refuses the same offers as the engine.

    The table has many seats; a hand that is too large for it is replaced by one of five tiles.
    """
    for row in ROWS:
        words = [f"{row['switch']}={row['word']}"]
        words += [f"{k}={v}" for k, v in companions(row["switch"], row["word"]).items()]
        playable = row["switch"] != "deal" or row["offer"] in range(1, 13)
        settings = Message("Settings", {
            "preset": "standard", "switches": tuple(words), "pip_max": 18, "seats": 14,
            "rounds": 1, "hand": 0 if playable else 5, "options": (), "revision": RULES_REVISION,
        })  # fmt: skip
        said = Message("open-table", {"host": b"", "nonce": b"", "settings": settings})
        assert _refuses(said) == (row["offer"] is None), row


def _refuses(said):
    """Return True if the second reader convicts the host of this offer under its check `rules`."""
    try:
        lobby.check_open_table(Fold.__new__(Fold), None, said)
    except Refused as refused:
        return refused.check == "rules"
    return False


def test_a_written_game_is_read_as_one_types(tmp_path):
    """A written game may have zeros in front of a number."""
    game = (ROOT / "tests" / "scenarios" / "with-deal-number.txt").read_text(encoding="utf-8")
    assert "deal=" in game
    written = tmp_path / "game.txt"
    written.write_text(game.replace("deal=", "deal=00"))
    assert boneyard_here("judge", written).returncode == 0
