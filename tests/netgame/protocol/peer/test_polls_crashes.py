"""Processes killed at each statement that they sign, while a seat may leave the game."""

from functools import partial

from netgame.protocol.log.entry import read_statement
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import in_turn, seated
from tests.netgame.simtable import SimTable, kill, link_all, revive
from tests.netgame.small_games import MINUTE, end_whole
from tests.sliced import sliced


class CrashTable(SimTable):
    """A table at which a process is killed as it writes one of its own statements to its journal.

    The first `left` statements, by any processes, are written as usual. The process that writes
    the next one is killed. If `is_synced`, its journal keeps that statement, though nobody else
    has it; otherwise it is lost. Two seconds later the process starts again.
    """

    left, is_synced = 0, True

    def do(self, sitter, effects):
        """Carry out effects in order, up to the point where the process is killed."""
        life = sitter.lives
        for effect in effects:
            if sitter.lives != life:
                return
            is_said = is_own_statement(sitter, effect)
            self.left -= is_said
            is_last = is_said and self.left == -1
            if self.is_synced or not is_last:
                self._do_one(sitter, effect)
            if is_last:
                kill(self, sitter)
                self.later(2.0, partial(self.start_again, sitter))
                return

    def start_again(self, sitter):
        """Restart the process from what it wrote to disk."""
        revive(self, sitter, f"life {sitter.lives}")
        link_all(self)


def is_own_statement(sitter, effect):
    """Return True if this effect writes one of the process's own statements to its journal."""
    if not isinstance(effect, fx.Journalled):
        return False
    frame = decode_any(effect.record, wire.JournalFrame)
    is_statement = isinstance(frame, wire.RecordStatement)
    return is_statement and read_statement(frame.statement).is_by(sitter.key)


STATEMENTS = {"nobody": 9, "farewell": 17, "vanishes": 16}
"""The least number of statements in a game of four: for the coin, and for a seat that goes."""
CASES = [
    (number, is_synced, goes)
    for goes, statements in STATEMENTS.items()
    for number in range(statements)
    for is_synced in (True, False)
]


@sliced(("number", "is_synced", "goes"), CASES, 7)
def test_a_process_killed_at_a_statement_goes_on(number, is_synced, goes):
    """A process killed as it signs a statement does not contradict itself after its restart.

    Nobody is accused, and all end with the same log. Meanwhile nobody leaves, or somebody says
    farewell, or somebody vanishes.
    """
    settings = wire.Settings("standard", (), 6, 4, 1, 3, MINUTE)
    table = CrashTable(settings, bytes([1]) * 32)
    table.left, table.is_synced = number, is_synced
    seated(table, *NAMES[:4])
    if goes != "nobody":
        leaves = in_turn(table)
        if goes == "farewell":
            table.act(leaves, leave_for_good)
            table.later(5.0, lambda: kill(table, leaves))
        else:
            kill(table, leaves)
    end_whole(table)
    assert table.left < 0, "nobody was killed"
