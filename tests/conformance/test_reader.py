"""A reader written from protocol.md alone judges every log of the vectors as they say."""

import ast
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conformance import octets
from tests.conformance.octets import VERSION
from tests.conformance.poll import statement
from tests.conformance.reader import ACCEPT, IGNORE, Reader

LOGS = Path(__file__).parents[1] / "vectors" / "logs"
BAD = ("checks", "edges", "cheats")
GOOD = sorted(path.stem for path in LOGS.glob("*.json") if path.stem not in BAD)


def halved(names):
    """Return these logs as parameters, with every second one marked for the campaign only.

    In the program's own tests (`test_log_vectors`), the others are marked.
    """
    return [
        pytest.param(name, marks=() if number % 2 else pytest.mark.campaign)
        for number, name in enumerate(sorted(names))
    ]


def read(name):
    """Return the frames of a record: kind, body and signature."""
    version, frames = octets.record((LOGS / name).read_bytes())
    assert version == VERSION
    return frames


def reader_of(frames):
    """Return a reader for the table of a log."""
    _, body, _ = frames[0]
    return Reader(octets.message(body, "Body").id)


def heard(reader, kind, body, signature):
    """Return the outcome of an entry or a statement."""
    return reader.take(body, signature) if kind == "entry" else reader.hear(body, signature)


@pytest.mark.parametrize("name", halved(GOOD))
def test_a_good_log(name):
    """Every frame counts, and ids, masks, kinds and digests equal the vector's at each step.

    Only statements of a decided poll may be ignored, because they come too late to count.
    """
    told = json.loads((LOGS / f"{name}.json").read_text())
    frames = read(f"{name}.bin")
    reader = reader_of(frames)
    steps = iter(told["steps"])
    for frame, (due_step, filled) in zip(frames, told["filled"], strict=True):
        before = (reader.fold.step, reader.fold.phase, reader.due, reader.poll.of, reader.polls)
        said = heard(reader, *frame)
        assert said == ACCEPT or (said == IGNORE and is_too_late(reader, *frame))
        assert [reader.fold.step, reader.filled.hex()] == [due_step, filled]
        if reader.polls > before[-1]:
            assert is_decision(reader, before, next(steps))
        elif reader.fold.step > before[0]:
            assert is_step(reader, before, next(steps))
    assert next(steps, None) is None
    fold = reader.fold
    assert fold.table_id.hex() == told["table"]
    assert fold.host.hex() == told["host"]
    assert [{"first_step": at, "id": sid.hex()} for at, sid in fold.sessions] == told["sessions"]
    assert [key.hex() for key in fold.seats] == told["seats"]
    assert sorted(fold.gone) == told["left"]
    past = fold.table.past if fold.table is not None else ()
    assert [list(row) for row in past] == told["scores"]
    assert (fold.phase == "over") == told["finished"]
    assert fold.head.hex() == told["head"]


def is_too_late(reader, kind, body, signature):
    """Return True for a statement of a poll that is decided."""
    return kind == "statement" and statement(body, signature).of in reader.books


def is_step(reader, before, wanted):
    """Return True if the step that was due is done as the vector says."""
    step, phase, due, _, _ = before
    found = {
        "step": step,
        "phase": phase,
        "due": due[0].hex(),
        "kinds": due[1],
        "filled": octets.mask(each.seat for each in reader.steps[-1]).hex(),
        "digest": reader.fold.head.hex(),
    }
    return found == wanted


def is_decision(reader, before, wanted):
    """Return True if the open poll was decided, and changed the log, as the vector says."""
    came_to, _, _, of, _ = before
    fold, (goes, step) = reader.fold, reader.values[-1]
    found = {
        "step": step,
        "poll": [of[0].hex(), of[1]],
        "came_to": came_to,
        "goes": sorted(goes),
        "id": fold.id.hex(),
        "phase": fold.phase,
        "digest": fold.head.hex(),
    }
    return found == wanted


def cases():
    """Return the cases of bad logs by the record that they follow, shortest first."""
    found = {}
    for name in BAD:
        for case in json.loads((LOGS / f"{name}.json").read_text()):
            found.setdefault(case["log"], []).append(case)
    return {log: sorted(each, key=lambda case: case["frames"]) for log, each in found.items()}


CASES = cases()


@pytest.mark.parametrize("log", halved(CASES))
def test_a_log_that_ends_in_something_wrong(log):
    """Each entry and statement offered gets the outcome, check, step and culprit of the vector.

    Only what fails 7.15 (`cut`) may be taken all the same; the vectors do not say what is.
    """
    frames = read(log)
    reader, at = None, 0
    for case in CASES[log]:
        offered = [
            (each["kind"], bytes.fromhex(each["body"]), bytes.fromhex(each["signature"]))
            for each in case["offer"]
        ]
        if reader is None and case["frames"]:
            reader = reader_of(frames)
        for frame in frames[at : case["frames"]]:
            assert heard(reader, *frame) in (ACCEPT, IGNORE), case["name"]
        at = case["frames"]
        here = reader.fork() if reader else reader_of(offered)
        assert (here.fold.step, here.fold.head.hex()) == (case["due"], case["head"])
        found = [{**heard(here, *each)} for each in offered]
        for each in found:
            assert not each.pop("taken", False) or each["check"] == "cut", case["name"]
        assert found == case["results"], case["name"]


def test_what_leaves_no_entry_is_said_and_is_a_message_of_a_link():
    """Each tag that a case lists under `unlogged` is that of a link message, but not `entries`."""
    page = octets.PEER_PAGE
    section = page[page.index("## 2. ") : page.index("## 3. ")]
    said = [case["unlogged"] for group in CASES.values() for case in group if "unlogged" in case]
    assert said
    for tag in {tag for each in said for tag in each}:
        assert f"\n| `{tag}` | " in section, tag
        assert tag != "entries"


def test_every_check_is_found_somewhere():
    """The logs have every outcome, and every check of section 7 that finds a fault."""
    results = [each for group in CASES.values() for case in group for each in case["results"]]
    outcomes = {each["outcome"] for each in results}
    assert outcomes == {"accept", "drop", "ignore", "hold", "fault"}
    section = octets.PAGE[octets.PAGE.index("## 7. ") : octets.PAGE.index("## 8. ")]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| 7.")]
    faults = {row[2].strip(" `") for row in rows if row[4].strip() == "fault"}
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
"""Phases that may follow but need not in these logs, depending on the tiles or on chance."""


def test_the_logs_come_to_every_phase():
    """Each phase of 4.4 is due in some good log, and is followed as the pages say."""
    rows = []
    for page in (octets.PAGE, octets.REBUILDING_PAGE):
        section = page[page.index("| phase | entry | who | next |") :]
        table = section[: section.index("\n\n")].splitlines()[2:]
        rows += [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table]
    listed = {}
    for row in rows:
        listed.setdefault(row[0], set()).update(re.findall("`([a-z-]+)`", f"`{row[3]}`"))
    seen = {}
    for name in GOOD:
        told = json.loads((LOGS / f"{name}.json").read_text())
        steps = [*told["steps"], *([{"phase": "over"}] if told["finished"] else [])]
        for each, after in pairwise(steps):
            if "goes" in each:
                continue  # 4.7 says what follows a decision
            there = seen.setdefault(each["phase"], set())
            if "goes" not in after:
                there.add(after["phase"])
            elif each["phase"] == "coin-reveal":
                there.add("coin-fallen")
    assert set(listed) == {*seen, "coin-fallen", "over"}
    for phase, following in seen.items():
        assert following <= listed[phase] <= following | SELDOM.get(phase, set()), phase


def test_the_reader_knows_nothing_of_the_program():
    """This folder and its oracles import neither `netgame` nor tests that might import it."""
    folder = Path(__file__).parent
    leaned_on = folder.parent / "netgame" / "crypto"
    free = ("tests.conformance", "tests.netgame.crypto.oracle", "tests.netgame.crypto.plain_curve")
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
