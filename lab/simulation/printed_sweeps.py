"""What `boneyard simulate` found where it goes through all there is, not by chance."""

from collections.abc import Iterator
from itertools import islice
from textwrap import wrap

from lab.simulation.crashes import Moment, Sweep, crashes, play_crash
from lab.simulation.exposure import Row, rows


class CheatsReport:
    """Every cheat there is, done once each."""

    def __init__(self, *, real: bool) -> None:
        self.rows: list[Row] = []
        self.work = map(self.rows.append, rows(real=real))

    @property
    def failed(self) -> bool:
        """Whether any came through, or was found late, or cost an honest peer its name."""
        return any(row.trouble for row in self.rows)

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""
        return {"strategies": len(self.rows), "rows": [_facts(row) for row in self.rows]}

    def lines(self) -> list[str]:
        """Give the result as a person reads it."""
        lines = [f"{'strategy':<43}{'done at':<19}{'found at':<15}{'by':<16}evidence, verdicts"]
        for row in self.rows:
            lines += _line_of(row)
        outcomes = (
            ("convicted", [row for row in self.rows if row.cheat.binds]),
            ("named by who received it", [row for row in self.rows if row.is_witnessed]),
            (
                "gone on without, accused by nobody",
                [row for row in self.rows if row.cheat.is_silence],
            ),
            ("without effect", [row for row in self.rows if row.is_idle]),
        )
        lines += ["", f"{'strategies':<43}{len(self.rows):>5}"]
        lines += [f"{'  ' + name:<43}{len(some):>5}" for name, some in outcomes]
        bad = [row for row in self.rows if row.trouble]
        lines.append(f"{'failed':<43}{len(bad):>5}")
        for row in bad:
            lines += ["", f"{row.cheat.name} (seed {row.seed}):"]
            lines += wrap("; ".join(row.trouble), 98, initial_indent="  ", subsequent_indent="  ")
        return lines


def _line_of(row: Row) -> Iterator[str]:
    done, found = f"{row.done[0]} {row.done[1]}", "nowhere"
    if row.found is not None:
        found = "there" if row.found == row.done else f"{row.found[0]} {row.found[1]}"
    told = f"{row.evidence} in {row.files} files" if row.evidence == "false" else row.evidence
    good = {True: ", good", False: ", NOT good", None: ""}[row.accepted]
    at = f"{row.cheat.name:<43}{done:<19}{found:<15}{row.check or '-':<16}"
    yield f"{at}{told}{good}; {_verdict(row)}"


def _verdict(row: Row) -> str:
    by = [name for name, named in row.named if named == row.culprit]
    word = "gone on without" if row.cheat.is_silence else "named"
    return f"{row.culprit} {word} by {len(by)} of {len(row.named)}" if by else "nobody named"


def _facts(row: Row) -> dict[str, object]:
    return {
        "strategy": row.cheat.name,
        "how": row.cheat.how.value,
        "seed": row.seed,
        "real": row.real,
        "culprit": row.culprit,
        "done": {"kind": row.done[0], "step": row.done[1]},
        "found": row.found and {"kind": row.found[0], "step": row.found[1]},
        "check": row.check,
        "log": row.log if row.log >= 0 else None,
        "evidence": row.evidence,
        "accepted": row.accepted,
        "verdicts": dict(row.named),
        "files": row.files,
        "trouble": list(row.trouble),
    }


class CrashesReport:
    """One game with a crash at each effect of each seat, or at every so-manieth."""

    def __init__(self, first: int, every: int) -> None:
        self.sweep = Sweep()
        played = map(play_crash, islice(crashes(), first, None, every))
        self.work = map(self.sweep.add, played)

    @property
    def failed(self) -> bool:
        """Whether any game did not come to the end it has without a crash."""
        return bool(self.sweep.failed)

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""
        sweep = self.sweep
        return {
            "crashes": sweep.cases,
            "gone": sweep.gone,
            "seats": {str(seat): count for seat, count in sorted(sweep.seats.items())},
            "effects": {
                kind: {moment.value: sweep.counts[kind, moment] for moment in Moment}
                for kind in sorted({kind for kind, _ in sweep.counts})
            },
            "failed": [
                {
                    "case": each.crash.number,
                    "seat": each.crash.seat,
                    "effect": each.crash.effect,
                    "kind": each.crash.kind,
                    "moment": each.crash.moment.value,
                    "what": list(each.trouble),
                    "again": _again(each.crash.number),
                }
                for each in sweep.failed
            ],
            "digest": sweep.digest,
        }

    def lines(self) -> list[str]:
        """Give the result as a person reads it."""
        sweep = self.sweep
        lines = [f"{'effect':<12}" + "".join(f"{moment.value:>37}" for moment in Moment)]
        for kind in sorted({kind for kind, _ in sweep.counts}):
            counts = (sweep.counts[kind, moment] for moment in Moment)
            lines.append(f"{kind:<12}" + "".join(f"{count:>37,}" for count in counts))
        lines += ["", f"{'crashes':<28}{sweep.cases:>12,}"]
        lines += [f"  seat {seat:<21}{n:>12,}" for seat, n in sorted(sweep.seats.items())]
        lines.append(f"{'  ended in the lobby':<28}{sweep.gone:>12,}")
        lines += [f"{'failed':<28}{len(sweep.failed):>12,}", f"digest {sweep.digest}"]
        for each in sweep.failed:
            crash = each.crash
            at = f"seat {crash.seat}, effect {crash.effect} ({crash.kind}), {crash.moment.value}"
            lines += ["", f"case {crash.number}: {at}:", *(f"  {said}" for said in each.trouble)]
            lines.append(f"  see it again: {_again(crash.number)}")
        return lines


def _again(case: int) -> str:
    return f"boneyard simulate --crashes --from {case} --every 1000000"
