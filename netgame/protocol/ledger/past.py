"""What a log has behind it: done steps, their heads, and the states to which a cut can go back."""

from collections.abc import Iterable

from netgame.protocol.fold.state import State
from netgame.protocol.log.entry import Entries, Entry, Slot
from netgame.protocol.log.steps import Shelf, Steps


class Past:
    """The done steps, the older ones as the record has them, and what cuts have made `void`.

    A cut goes back to a step that all who decide have signed, a *wall*, at the most: what is behind
    that has stood for all of them. So the states before the last wall are not kept.
    """

    def __init__(self, record: Shelf, state: State) -> None:
        self.steps = Steps(record)
        self.void: dict[Slot, Entry] = {}
        self._heads: list[bytes] = [state.head]
        self._states: dict[int, State] = {0: state}

    def close(self, entries: Entries, after: State, *, is_wall: bool) -> None:
        """A step is done, with these entries, and the state behind it is this."""
        self.steps.close(entries)
        self._heads.append(after.head)
        if is_wall:
            self._states = {step: s for step, s in self._states.items() if step >= after.step - 1}
        self._states[after.step] = after

    def begin_epoch(self, state: State) -> None:
        """Another epoch begins with this state: no cut goes back to the one before."""
        self._states = {state.step: state}

    def head_before(self, step: int) -> bytes:
        """The digest that entries of `step`, which is done or due, must name."""
        return self._heads[step]

    def holds(self, step: int, head: bytes) -> bool:
        """Whether this log comes to `step` with this head, and a cut can go back to there.

        No honest log ends before the last wall, as all who decide have signed that.
        """
        return step in self._states and self._heads[step] == head

    def cut(self, step: int, due: Iterable[Entry]) -> State:
        """Go back to where `step` was due; it is void from there on, with all of the `due` step."""
        done = (entry for number in range(step, len(self.steps)) for entry in self.steps[number])
        for entry in (*done, *due):
            self.void[entry.slot] = entry
        self.steps.cut(step)
        del self._heads[step + 1 :]
        return self._states[step]
