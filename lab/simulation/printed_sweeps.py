"""The findings of the exhaustive sweeps of `boneyard simulate`, which leave nothing to chance."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from lab.simulation.cheats.cheat import Cheat, How
from lab.simulation.crashes import Crash, Crashed, Moment, crashes, play_crash
from lab.simulation.exposure import Row, rows
from lab.simulation.report import Digest, Failure, line


class CheatsReport:
    """Every cheat in the catalogue, each done once."""

    def __init__(self, *, real: bool) -> None:
        self.rows: list[Row] = []
        self.work = map(self.rows.append, rows(real=real))

    @property
    def failed(self) -> list[Failure]:
        """A failure for each cheat that had trouble, for example because nobody found it."""
        found = (row for row in self.rows if row.trouble)
        return [
            Failure(f"{e.cheat.name} (seed {e.seed})", e.trouble, "--cheats", {}) for e in found
        ]

    def facts(self) -> dict[str, object]:
        """Return the result in its JSON form."""
        return {"strategies": len(self.rows), "rows": [_facts(row) for row in self.rows]}

    def lines(self) -> list[str]:
        """Return the report's lines for people, without the failures."""
        lines = [f"{'strategy':<43}{'done at':<19}{'found at':<15}{'by':<16}evidence, verdicts"]
        for row in self.rows:
            lines += _line_of(row)
        outcomes = Counter(_outcome(row.cheat) for row in self.rows)
        lines += ["", f"{'strategies':<43}{len(self.rows):>5}"]
        lines += [f"{'  ' + each:<43}{outcomes[each]:>5}" for each in _OUTCOMES]
        return [*lines, f"{'failed':<43}{len(self.failed):>5}"]


_OUTCOMES: Final = (
    "convicted",
    "named by who received it",
    "gone on without, accused by nobody",
    "without effect",
)


def _outcome(cheat: Cheat) -> str:
    convicted, named, gone, idle = _OUTCOMES
    if cheat.binds:
        return convicted
    if cheat.is_silence:
        return gone
    return named if cheat.how is How.UNSIGNED else idle


def _line_of(row: Row) -> Iterator[str]:
    done = f"{row.done.kind} {row.done.step}"
    if row.found is None:
        found = "nowhere"
    elif row.found == row.done:
        found = "there"
    else:
        found = f"{row.found.kind} {row.found.step}"
    told = f"{row.evidence} in {row.files} files" if row.evidence == "false" else row.evidence
    good = {True: ", good", False: ", NOT good", None: ""}[row.accepted]
    at = f"{row.cheat.name:<43}{done:<19}{found:<15}{row.check or '-':<16}"
    yield f"{at}{told}{good}; {_verdict(row)}"


def _verdict(row: Row) -> str:
    by = [name for name, named in row.verdicts if named == row.culprit]
    word = "gone on without" if row.cheat.is_silence else "named"
    return f"{row.culprit} {word} by {len(by)} of {len(row.verdicts)}" if by else "nobody named"


def _facts(row: Row) -> dict[str, object]:
    facts = row._asdict() | {
        "done": row.done._asdict(),
        "found": row.found and row.found._asdict(),
        "log": row.log if row.log >= 0 else None,
        "verdicts": dict(row.verdicts),
    }
    del facts["cheat"]
    return {"strategy": row.cheat.name, "how": row.cheat.how.words, **facts}


class CrashesReport:
    """The two games of `crashes`, played once for each crash.

    It begins with the crash numbered `first`, and plays every n-th from there, where n is `every`.
    """

    def __init__(self, first: int, every: int) -> None:
        self.failed: list[Failure] = []
        self.work = map(self._add, map(play_crash, islice(crashes(), first, None, every)))
        self._gone = 0
        self._counts: Counter[tuple[str, Moment]] = Counter()
        self._seats: Counter[int] = Counter()
        self._digest = Digest()

    def _add(self, crashed: Crashed) -> None:
        crash = crashed.crash
        self._gone += crashed.is_gone
        self._counts[crash.kind, crash.moment] += 1
        self._seats[crash.seat] += 1
        self._digest.add(crashed.digest)
        if crashed.trouble:
            self.failed.append(_failure(crash, crashed.trouble))

    def _by_kind(self) -> dict[str, dict[str, int]]:
        """Return the number of crashes by kind of effect, and for each kind by moment."""
        kinds = sorted({kind for kind, _ in self._counts})
        return {
            kind: {moment.value: self._counts[kind, moment] for moment in Moment} for kind in kinds
        }

    def facts(self) -> dict[str, object]:
        """Return the result in its JSON form."""
        return {
            "crashes": self._seats.total(),
            "gone": self._gone,
            "seats": {str(seat): count for seat, count in sorted(self._seats.items())},
            "effects": self._by_kind(),
            "failed": [each.as_json() for each in self.failed],
            "digest": str(self._digest),
        }

    def lines(self) -> list[str]:
        """Return the report's lines for people, without the failures."""
        lines = [f"{'effect':<12}" + "".join(f"{moment.value:>37}" for moment in Moment)]
        for kind, counts in self._by_kind().items():
            lines.append(f"{kind:<12}" + "".join(f"{count:>37,}" for count in counts.values()))
        lines += ["", line("crashes", self._seats.total())]
        lines += [line(f"  seat {seat}", count) for seat, count in sorted(self._seats.items())]
        lines.append(line("  ended in the lobby", self._gone))
        return [*lines, line("failed", len(self.failed)), f"digest {self._digest}"]


def _failure(crash: Crash, trouble: Sequence[str]) -> Failure:
    facts: dict[str, object] = {"case": crash.number, "seat": crash.seat, "effect": crash.effect}
    facts |= {"kind": crash.kind, "moment": crash.moment.value}
    at = f"seat {crash.seat}, effect {crash.effect} ({crash.kind}), {crash.moment.value}"
    again = f"--crashes --from {crash.number} --every 1000000"
    return Failure(f"case {crash.number}: {at}", trouble, again, facts)
