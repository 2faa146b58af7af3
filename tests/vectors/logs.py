"""Rewrite the logs of protocol.md 9: `python -m tests.vectors.logs`.

First come good logs, each with a file of octets and one of its meaning. Then come logs that end in
something wrong: a few records, and cases in `checks.json`, `edges.json` and `cheats.json`. A case
says how far it follows one of the records, what is offered next, and the outcome. Last come files,
good and bad (`record_files`). Everything comes from fixed seeds.
"""

import json
from pathlib import Path

from netgame.wire import messages as wire
from tests.vectors import bad_logs, edge_logs, record_files
from tests.vectors.edge_logs import FOLLOWED
from tests.vectors.good_logs import GOOD
from tests.vectors.log_cases import Replay, described, frames_of, record, signed_in
from tests.vectors.writing import text

FOLDER = Path(__file__).parent / "logs"
APART_MOST, APART_OCTETS_MOST = 6, 20_000
"""A case lists up to this many frames and octets itself if no record has them."""


def common(one, other):
    """Return the number of entries and statements at the start that two logs have in common."""
    for at, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            return at
    return min(len(one), len(other))


def shared(cases, name, known):
    """Return new records by file name, and the cases, each with the record it follows longest.

    That record may also be one of `known`, which exist already. A case lists only the entries that
    its record lacks. The dictionaries in `cases` lose their `so_far` and `offer`.
    """
    records = list(known.values())
    for each in sorted(cases, key=lambda each: -len(each["so_far"])):
        best = max(records, key=lambda entries: common(entries, each["so_far"]), default=[])
        apart = each["so_far"][common(best, each["so_far"]) :]
        if len(apart) > APART_MOST or sum(len(entry.body) for entry in apart) > APART_OCTETS_MOST:
            records.append(each["so_far"])
    new = records[len(known) :]
    files = {f"{name}-{number:02}.bin": entries for number, entries in enumerate(new, 1)}
    return files, [_placed(each, {**known, **files}) for each in cases]


def _placed(each, files):
    so_far = each.pop("so_far")
    best = max(files, key=lambda name: common(files[name], so_far))
    entries = common(files[best], so_far)
    offered = [*so_far[entries:], *each.pop("offer")]
    return {**each, "log": best, "frames": entries, "offer": offered}


def judged(each, files):
    """Return a case with the outcome of each offer, and the due step and head before them."""
    entries = files[each["log"]][: each["frames"]]
    replay = Replay(bad_logs.table_of([*entries, *each["offer"]]))
    for signed in entries:
        assert replay.offer(signed) in (None, {"outcome": "ignore"}), each["name"]
    due, head = replay.ledger.state.step, replay.ledger.state.head
    results = [replay.offer(signed) or {"outcome": "accept"} for signed in each["offer"]]
    return {
        **each,
        "offer": list(map(_offered, each["offer"])),
        "results": results,
        "due": due,
        "head": head,
    }


def _offered(signed):
    kind = "entry" if isinstance(signed, wire.SignedEntry) else "statement"
    return {"kind": kind, "body": signed.body, "signature": signed.signature}


def documents():
    """Return the content of each file by name, in octets."""
    made, good = {}, {name: play().record_octets for name, play in GOOD.items()}
    for name, octets in good.items():
        about = " ".join(GOOD[name].__doc__.split())
        made[f"{name}.bin"] = octets
        made[f"{name}.json"] = _json({"about": about, **described(octets)})
    for name, (cases, known) in _cases(good).items():
        files, placed = shared(cases, name, known)
        made |= {file: record(entries) for file, entries in files.items()}
        made[f"{name}.json"] = _json([judged(each, {**known, **files}) for each in placed])
    return made


def _cases(good):
    """Return the cases of each file, with the records of good logs that they follow."""
    edges = edge_logs.edges(good)
    followed = {f"{name}.bin": list(map(signed_in, frames_of(good[name]))) for name in FOLLOWED}
    return {
        "checks": (list(bad_logs.checks()), {}),
        "edges": (edges, followed),
        "cheats": (bad_logs.cheats(), {}),
    }


def _json(value):
    return (json.dumps(text(value), indent=1) + "\n").encode("ascii")


def write(folder, made):
    """Write the files of a folder, and delete all others in it."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        if old.name not in made:
            old.unlink()
    for file_name, content in made.items():
        (folder / file_name).write_bytes(content)
        print(f"{file_name}: {len(content):,} octets")


if __name__ == "__main__":
    write(FOLDER, documents())
    write(record_files.FOLDER, record_files.documents())
