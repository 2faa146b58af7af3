"""The messages, checks and numbers in protocol.md and docs/peer.md agree with the code."""

import re

import pytest

import netgame.limits as limits
from netgame.protocol.log.fault import CheckCode, Garbage, Stray, Unlinked
from tests.conformance.octets import FIELDS_OF
from tests.netgame.protocol.ledger.test_intake_order import OUTCOMES
from tests.netgame.wire.describe import FAMILIES, rows
from tests.netgame.wire.pages import PAGES, PEER, section

LINES = [line for page in PAGES for line in page.splitlines()]
DECLARED = [row for kinds in FAMILIES.values() for row in rows(kinds)]


def test_every_message_stands_once_on_a_page_as_it_is_declared_and_no_other():
    """The pages list each message once, with its declared tag, fields, types and limits.

    They list no other message.
    """
    assert sorted(filter(re.compile(FIELDS_OF).match, LINES)) == sorted(DECLARED)


NAMED = {Garbage: "drop", Stray: "ignore", Unlinked: "hold"}
"""The page's name for each outcome that proves nothing about the entry's author."""
CONSEQUENCES = {check: NAMED[outcome] for check, outcome in OUTCOMES.items()} | {
    CheckCode.SIGNATURE: "drop"
}
"""The outcome of each check whose failure convicts nobody; `OUTCOMES` are tested on a ledger."""


def test_checks_stand_in_their_order():
    """Section 7 lists the checks in the order of `CheckCode`, each with its code and outcome."""
    written = []
    for line in section("7").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].startswith("7.") and len(cells) == 4:
            written.append((cells[0], cells[1].strip("`"), cells[3]))
    declared = [
        (f"7.{number}", code.value, CONSEQUENCES.get(code, "fault"))
        for number, code in enumerate(CheckCode, 1)
    ]
    assert written == declared


@pytest.mark.parametrize(
    "sentence",
    [
        f"owes the due step for {limits.NEWCOMER_STEP_S:.0f} s (`NEWCOMER_STEP_S`)",
        f"`seats-form` has held for {limits.NEWCOMER_S:.0f} s (`NEWCOMER_S`)",
        f"to that peer has held for {limits.SUSPECT_S:.0f} s (`SUSPECT_S`)",
        f"is `away` or owes the due step for {limits.IDLE_S:.0f} s (`IDLE_S`)",
        f"it waits first, {limits.BALLOT_PAUSE_MIN_S:.0f} s (`BALLOT_PAUSE_MIN_S`)",
        f"no counter more than {limits.BALLOT_AHEAD_MAX:,} (`BALLOT_AHEAD_MAX`)",
        f"nothing within {limits.BALLOT_PAUSE_MIN_S:.0f} s of its last promise",
        f"up to {limits.BALLOT_PAUSE_MAX_S:.0f} s (`BALLOT_PAUSE_MAX_S`)",
        f"waits for other linked voters for {limits.BALLOT_WAIT_S} s (`BALLOT_WAIT_S`)",
        f"what else it holds of this poll {limits.HEAD_S:.0f} s later",
        f"with {limits.STATEMENT_BYTES_MAX:,} octets as the limit",
    ],
)
def test_what_the_pages_say_of_polls_is_what_the_code_does(sentence):
    """Sentences about polls in protocol.md 7 and peer.md 8 give the numbers in the code."""
    assert sentence in " ".join((section("7") + section("8", PEER)).split())
