"""protocol.md and the code say the same."""

import pytest

import netgame.limits as limits
from netgame.protocol.log.fault import CheckCode
from netgame.wire import messages as wire
from tests.netgame.wire.describe import CHANNEL, LINK, RECORD, rows
from tests.tree import ROOT

PAGE = (ROOT / "protocol.md").read_text()
PARTS = (wire.SignedEntry, wire.Body, wire.Settings, wire.JoinRequest, wire.Leave)


@pytest.mark.parametrize("row", rows((*CHANNEL, *LINK, *wire.PAYLOADS, *RECORD, *PARTS)))
def test_every_message_stands_on_the_page_as_it_is_declared(row: str) -> None:
    """Tag, fields, types and limits, row by row."""
    assert row in PAGE.splitlines()


def test_no_message_stands_on_the_page_that_is_not_declared() -> None:
    """As many rows as messages."""
    declared = set(rows((*CHANNEL, *LINK, *wire.PAYLOADS, *RECORD, *PARTS)))
    marks = (
        "`: int",
        "`: bin",
        "`: str",
        "`: list",
        "`: [",
        "`: bool",
        "(none)",
        "`: Settings",
        "`: SignedEntry",
        "`: Leave |",
    )
    found = {
        line
        for line in PAGE.splitlines()
        if line.startswith("| `") and any(mark in line for mark in marks)
    }
    assert found == declared


CONSEQUENCES = {
    CheckCode.SIZE: "drop",
    CheckCode.CANONICAL: "drop",
    CheckCode.TABLE: "ignore",
    CheckCode.AUTHOR: "ignore",
    CheckCode.SIGNATURE: "witness",
    CheckCode.LINK: "hold",
}
"""What follows where an entry proves nothing of its author."""


def test_checks_stand_in_their_order() -> None:
    """Section, code and outcome of every check of section 7."""
    written = []
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].startswith("7.") and len(cells) == 4:
            written.append((cells[0], cells[1].strip("`"), cells[3]))
    declared = [
        (f"7.{number}", code.value, CONSEQUENCES.get(code, "fault"))
        for number, code in enumerate(CheckCode, 1)
    ]
    assert written == declared


def test_limits_stand_on_the_page() -> None:
    """Every limit by name and value, and no other."""
    start = PAGE.index("## 9. Limits")
    section = PAGE[start : PAGE.index("## 10.")]
    written = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].startswith("`"):
            written[cells[0].strip("`")] = float(cells[1].replace(",", ""))
    declared = {name: float(value) for name, value in vars(limits).items() if name.isupper()}
    assert written == declared
