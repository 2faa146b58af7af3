"""A process that is killed at any statement it signs, and owners that die with their ballots."""

from functools import partial

from netgame.protocol.log.entry import read_statement
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.netgame.protocol.happenings import in_turn, seated
from tests.netgame.protocol.peer.test_polls import SIX
from tests.netgame.simtable import SimTable, kill, link_all, revive
from tests.netgame.small_games import MINUTE, end_whole
from tests.sliced import sliced


class CrashTable(SimTable):
    """A table at which a process is killed where it writes a statement of its own to its journal.

    `crashes` says at which; with `is_synced` the journal has it by then, though nobody else does.
    A process that `comes_back` is started again after a `pause` in seconds.
    """

    crashes = staticmethod(lambda *_: False)
    is_synced = True
    comes_back = True
    pause = 2.0

    def do(self, sitter, effects):
        """Carry out effects in order, up to where the process is killed."""
        life = sitter.lives
        for effect in effects:
            if sitter.lives != life:
                return
            statement = own_statement(sitter, effect)
            if statement is None or not self.crashes(sitter, statement):
                self._do_one(sitter, effect)
                continue
            if self.is_synced:
                self._do_one(sitter, effect)
            kill(self, sitter)
            if self.comes_back:
                self.later(self.pause, partial(self.start_again, sitter))
            return

    def start_again(self, sitter):
        """From what it wrote down."""
        revive(self, sitter, f"life {sitter.lives}")
        link_all(self)


def own_statement(sitter, effect):
    """What a process says in a poll, where it writes that to its journal."""
    if not isinstance(effect, fx.Journalled):
        return None
    frame = decode_any(effect.record, wire.JournalFrame)
    if not isinstance(frame, wire.RecordStatement):
        return None
    said = read_statement(frame.statement)
    return said.statement if said.is_by(sitter.key) else None


class Nth:
    """Crashes at the n-th statement that is written, by whomever, once."""

    def __init__(self, number):
        self.left = number

    def __call__(self, _, __):
        """Whether it is this one."""
        self.left -= 1
        return self.left == -1


STATEMENTS = {"nobody": 9, "farewell": 17, "vanishes": 16}
"""What a coin takes of a table of four, and a coin and one seat that goes, at the least."""
CASES = [
    (number, is_synced, goes)
    for goes, statements in STATEMENTS.items()
    for number in range(statements)
    for is_synced in (True, False)
]


@sliced(("number", "is_synced", "goes"), CASES, 7)
def test_a_process_killed_at_a_statement_goes_on(number, is_synced, goes):
    """Nothing is forgotten that left, so nobody is accused, and the table ends with one log.

    Meanwhile nobody goes, or somebody says farewell, or somebody vanishes.
    """
    settings = wire.Settings("standard", (), 6, 4, 1, 3, MINUTE)
    table = CrashTable(settings, bytes([1]) * 32)
    seated(table, *SIX[:4])
    nth = table.crashes = Nth(number)
    table.is_synced = is_synced
    if goes != "nobody":
        leaves = in_turn(table)
        if goes == "farewell":
            table.act(leaves, leave_for_good)
            table.later(5.0, lambda: kill(table, leaves))
        else:
            kill(table, leaves)
    end_whole(table)
    assert nth.left < 0, "nobody was killed"
