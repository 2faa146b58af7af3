"""Keeps the done steps of a log, their heads, and the states to which a cut can go back."""

from collections.abc import Iterable

from netgame.protocol.log.entry import Entries, Entry, Slot
from netgame.protocol.log.steps import ReadRecord, Steps
from netgame.protocol.state.state import State


class Past:
    """The done steps of a log, and the states to which a cut can go back.

    A cut never goes back beyond a *wall*, a step that all voters have signed: they all agree on
    everything before it. States before the last wall are therefore not kept.
    """

    def __init__(self, record: ReadRecord, state: State) -> None:
        self.steps = Steps(record)
        """Older ones are read from the record."""
        self.void: dict[Slot, Entry] = {}
        """The entries that cuts have made void, by slot."""
        self._heads: list[bytes] = [state.head]
        """By step, the digest of the one before; one more than there are done steps."""
        self._states: dict[int, State] = {0: state}
        """By step, the state in which it was due; only for steps that a cut can reach."""

    def close(self, entries: Entries, after: State, *, is_wall: bool) -> None:
        """Close the due step with these entries; `after` is the state that follows.

        A step that a cut closes has no entries. With `is_wall` no later cut can go further back
        than to the state in which this step was due.
        """
        self.steps.close(entries)
        self._heads.append(after.head)
        if is_wall:
            # A cut may still make the wall itself void: not every seat need have all of its
            # entries.
            self._states = {step: s for step, s in self._states.items() if step >= after.step - 1}
        self._states[after.step] = after

    def begin_epoch(self, state: State) -> None:
        """Begin a new epoch with this state: no later cut goes back into the epoch before."""
        self._states = {state.step: state}

    def head_before(self, step: int) -> bytes:
        """Return the digest that entries of `step`, done or due, must name in `prev`.

        Raises IndexError for a later step.
        """
        return self._heads[step]

    def holds(self, step: int, head: bytes) -> bool:
        """Return True if `step` follows `head` in our log, and a cut can go back that far.

        No honest log ends before the last wall, because all voters have signed that.
        """
        return step in self._states and self._heads[step] == head

    def reaches(self, step: int) -> bool:
        """Return True if a cut can go back to the point at which this step was due."""
        return step in self._states

    def state_at(self, step: int) -> State:
        """Return the state in which `step` was due; KeyError if no cut can go back there."""
        return self._states[step]

    def cut(self, step: int, due: Iterable[Entry]) -> State:
        """Go back to the state in which `step` was due, and return it.

        All entries from that step on become void, including `due`, the entries of the due step.
        Raises KeyError, and changes nothing, for a step to which no cut can go back (`reaches`).
        """
        back = self.state_at(step)
        done = (entry for number in range(step, len(self.steps)) for entry in self.steps[number])
        for entry in (*done, *due):
            self.void[entry.slot] = entry
        self.steps.cut(step)
        # The head before `step` stays: the new epoch links to it.
        del self._heads[step + 1 :]
        return back
