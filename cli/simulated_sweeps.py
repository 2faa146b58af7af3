"""What `boneyard simulate` found where it goes through all there is, not by chance."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from netgame.simulation.exposure import Row, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CheatsReport"]


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
        lines = [f"{'strategy':<43}{'done at':<19}{'found at':<15}{'by':<10}evidence, verdicts"]
        for row in self.rows:
            lines += _line_of(row)
        outcomes = (
            ("convicted", [row for row in self.rows if row.cheat.binds]),
            ("named by who received it", [row for row in self.rows if row.is_witnessed]),
            ("given up, accused by nobody", [row for row in self.rows if row.cheat.is_silence]),
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
    good = {True: ", good", False: ", NOT good", None: ""}[row.accepted]
    at = f"{row.cheat.name:<43}{done:<19}{found:<15}{row.check or '-':<10}"
    yield f"{at}{row.evidence}{good}; {_verdict(row)}"


def _verdict(row: Row) -> str:
    by = [name for name, named in row.named if named == row.culprit]
    word = "given up" if row.cheat.is_silence else "named"
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
        "trouble": list(row.trouble),
    }
