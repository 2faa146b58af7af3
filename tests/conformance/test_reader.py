"""A reader that knows protocol.md alone finds in every log of the vectors what stands beside it."""

import ast
import json
from pathlib import Path

import pytest

from tests.conformance import octets
from tests.conformance import reader as reading
from tests.conformance.octets import VERSION, seats_of
from tests.conformance.reader import ACCEPT, Reader

LOGS = Path(__file__).parents[1] / "vectors" / "logs"
GOOD = sorted(path.stem for path in LOGS.glob("*.json") if path.stem not in ("checks", "cheats"))


def halved(names):
    """Give every second log to the tests and all others to the campaign.

    The program reads the others in its own tests (`test_log_vectors`), and these as a campaign.
    """
    return [
        pytest.param(name, marks=() if number % 2 else pytest.mark.campaign)
        for number, name in enumerate(sorted(names))
    ]


def read(name):
    """Give the entries of a record, as pairs of body and signature."""
    version, signed = octets.record((LOGS / name).read_bytes())
    assert version == VERSION
    return signed


def reader_of(signed):
    """Give a reader of the table that a log is of."""
    body, _ = signed[0]
    return Reader(octets.message(body, "Body").table)


@pytest.mark.parametrize("name", halved(GOOD))
def test_a_good_log(name):
    """Every entry counts; ids, masks, kinds and digests are those of the vector, step by step."""
    told = json.loads((LOGS / f"{name}.json").read_text())
    signed = read(f"{name}.bin")
    reader = reader_of(signed)
    steps = iter(told["steps"])
    for (body, signature), (due_step, filled) in zip(signed, told["filled"], strict=True):
        fold, due = reader.fold, reader.due
        step, phase, here = fold.step, fold.phase, set(reader.slots)
        assert reader.take(body, signature) == ACCEPT
        assert [fold.step, reader.filled.hex()] == [due_step, filled]
        if fold.step > step:
            wanted = next(steps)
            entries = reader.steps[-1]
            last = octets.entry(body, signature)
            here |= {last.seat} if last.kind != "missing" else set()
            without = reader.closed_without(step)
            assert (step, phase) == (wanted["step"], wanted["phase"])
            assert (due[0].hex(), due[1]) == (wanted["due"], wanted["kinds"])
            assert octets.mask(here - without).hex() == wanted["filled"]
            assert octets.mask(without).hex() == wanted.get("without", bytes(32).hex())
            assert fold.head.hex() == wanted["digest"]
            assert entries
    assert next(steps, None) is None
    fold = reader.fold
    assert fold.table_id.hex() == told["table"]
    assert fold.host.hex() == told["host"]
    assert [{"first_step": at, "id": sid.hex()} for at, sid in fold.ids[1:]] == told["sessions"]
    assert [key.hex() for key in fold.seats] == told["seats"]
    assert sorted(fold.gone) == told["left"]
    assert [list(row) for row in fold.table.past] == told["scores"]
    assert (fold.phase == "over") == told["finished"]
    assert fold.head.hex() == told["head"]


def cases():
    """Give each log that ends in something wrong, those of one record together, shortest first."""
    found = {}
    for name in ("checks", "cheats"):
        for case in json.loads((LOGS / f"{name}.json").read_text()):
            found.setdefault(case["log"], []).append(case)
    return {log: sorted(each, key=lambda case: case["entries"]) for log, each in found.items()}


CASES = cases()


@pytest.mark.parametrize("log", halved(CASES))
def test_a_log_that_ends_in_something_wrong(log):
    """What becomes of each entry that is offered: outcome, check, step and culprit."""
    signed = read(log)
    reader, at = None, 0
    for case in CASES[log]:
        offered = [
            (bytes.fromhex(each["body"]), bytes.fromhex(each["signature"]))
            for each in case["offer"]
        ]
        if reader is None and case["entries"]:
            reader = reader_of(signed)
        for body, signature in signed[at : case["entries"]]:
            assert reader.take(body, signature) == ACCEPT, case["name"]
        at = case["entries"]
        here = reader.fork() if reader else reader_of(offered)
        assert (here.fold.step, here.fold.head.hex()) == (case["due"], case["head"])
        found = [here.take(*each) for each in offered]
        assert found == case["results"], case["name"]
        if "sender" in case:
            assert reading.testimony(here, case, *offered[-1]), case["name"]


def test_what_leaves_no_entry_is_said_and_is_a_message_of_a_link():
    """Floods: what stands under `unlogged` goes between two peers, and nothing of it is logged."""
    section = octets.PAGE[octets.PAGE.index("### 3.3 ") : octets.PAGE.index("### 3.4 ")]
    said = [case["unlogged"] for group in CASES.values() for case in group if "unlogged" in case]
    assert said
    for tag in {tag for each in said for tag in each}:
        assert f"\n| `{tag}` | " in section, tag
        assert tag != "entries"


def test_every_check_is_found_somewhere():
    """From 7.1, which ends a link, to 7.14."""
    results = [each for group in CASES.values() for case in group for each in case["results"]]
    outcomes = {each["outcome"] for each in results}
    assert outcomes == {"accept", "drop", "ignore", "hold", "witness", "fault"}
    section = octets.PAGE[octets.PAGE.index("## 7. ") : octets.PAGE.index("## 8. ")]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| 7.")]
    faults = {row[2].strip(" `") for row in rows if row[4].strip() in ("fault", "witness")}
    assert faults == {each["check"] for each in results if "check" in each}


SELDOM = {
    "deal": {"opening-commit", "play", "open", "drawn"},
    "shares": {"opening-commit"},
    "play": {"deal", "hand-over"},
    "drawn": {"open"},
    "calls": {"play", "drawn", "mix-hand"},
    "blind": {"blind"},
    "unblind": {"play", "deal", "open"},
    "score": {"drawn", "shares", "deal"},
    "audit": {"drawn", "shares", "deal", "over"},
}
"""What may follow and need not in any of these logs: it hangs on the tiles, or on chance."""


def test_the_logs_come_to_every_phase():
    """Each phase of 4.4 is due in some good log, and what follows it is what the page says."""
    section = octets.PAGE[octets.PAGE.index("| phase | entry | who | next |") :]
    table = section[: section.index("\n\n")].splitlines()[2:]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table]
    listed = {}
    for row in rows:
        listed.setdefault(row[0], set()).update(word.strip("`,") for word in row[3].split())
    seen = {}
    for name in GOOD:
        steps = json.loads((LOGS / f"{name}.json").read_text())["steps"]
        phases = [each["phase"] for each in steps] + ["over"]
        for each, following in zip(steps, phases[1:], strict=True):
            there = seen.setdefault(each["phase"], set())
            if "without" not in each:
                there.add(following)
    assert set(listed) == {*seen, "over"}
    for phase, following in seen.items():
        assert following <= listed[phase] <= following | SELDOM.get(phase, set()), phase


def test_the_reader_knows_nothing_of_the_program():
    """No module of this folder imports `netgame`, nor anything of the tests that might."""
    folder = Path(__file__).parent
    leaned_on = folder.parent / "netgame" / "crypto"
    free = ("tests.conformance", "tests.netgame.crypto.oracle")
    for path in (*folder.rglob("*.py"), *leaned_on.glob("oracle*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                named = [f"{node.module}.{one.name}" for one in node.names]
            elif isinstance(node, ast.Import):
                named = [one.name for one in node.names]
            else:
                continue
            for name in named:
                assert name.partition(".")[0] != "netgame", path.name
                assert name.partition(".")[0] != "tests" or name.startswith(free), path.name


def test_masks_are_read_as_the_page_writes_them():
    """Seat 0 is the lowest bit of the first octet."""
    assert octets.mask({0, 9}).hex() == "0102" + "00" * 30
    assert octets.mask({255}).hex() == "00" * 31 + "80"
    assert seats_of(bytes.fromhex("0102")) == {0, 9}
