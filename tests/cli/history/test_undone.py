"""Records with moves that a cut made void, and what `verify` says about players who left."""

import secrets
from functools import cache

import pytest

from cli.export.notation import notation_of
from cli.history.film import film_of
from cli.kept import summary_of_record
from cli.wording.departures import departure_text, owing_texts
from engine.notation.notation import parse
from engine.play.legal_moves import legal_moves
from engine.table.moves import LayTile
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.ledger.record import walk
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from tests.cli.running import data_of, printed, recorded
from tests.netgame.simtable import SimTable, Sitter, kill, link_all
from tests.netgame.small_games import MINUTE, come_late, is_its_turn, late_table, new_table, playing

pytestmark = pytest.mark.usefixtures("toy_group")


def can_play(sitter: Sitter) -> bool:
    """Return True if a tile in the sitter's hand can be laid."""
    moves = legal_moves(sitter.state.table, sitter.core.author.hand(sitter.state))
    return any(isinstance(move, LayTile) for move in moves)


@cache
def taken_back() -> tuple[SimTable, Sitter]:
    """Return a finished table where a move of Ben's became void, and the watcher Zoe.

    Ben vanished after a move that only Zoe had received, and the others went on without it.
    """
    table = late_table(seats=3, rounds=3)
    zoe, (ann, ben, cy) = come_late(table), table.sitters[:3]
    table.act(zoe, lambda parts: parts.joiner.look_on())
    table.run(lambda: playing(table, 1))
    table.run(lambda: is_its_turn(ben) and can_play(ben))
    for one in (ann, cy):
        for other in (ben, zoe):
            table.cut.add(frozenset((one.core.key, other.core.key)))
            table.disconnect(one, other)
    step = ben.core.state.step
    table.run(lambda: zoe.core.state.step > step)
    kill(table, ben)
    table.cut.clear()
    link_all(table)
    table.run(lambda: zoe.finished and ann.finished)
    assert zoe.core.ledger.void
    return table, zoe


def test_film_sheet_and_notation_hold_what_stands():
    """Film, sheet and notation are the same as for a record without the void moves."""
    table, zoe = taken_back()
    both = [each.record_octets for each in (zoe, table.sitters[0])]
    verdicts = [verify_record(each, secrets.token_bytes) for each in both]
    assert all(verdict.ok for verdict in verdicts)
    assert verdicts[0].head == verdicts[1].head
    assert verdicts[0].entries > verdicts[1].entries
    films = [[(frame.scene.table, frame.step) for frame in film_of(each)] for each in both]
    assert films[0] == films[1]
    texts = [frame.text for frame in film_of(both[0])]
    assert not any("taken back" in text for text in texts)
    assert any("The table goes on without Ben." in text for text in texts)
    written = [notation_of(walk(each, secrets.token_bytes)) for each in both]
    assert written[0] == written[1]
    assert parse(written[0])
    sheets = [summary_of_record(each).scores for each in both]
    assert sheets[0] == sheets[1]


def test_a_replay_line_by_line_says_that_moves_are_taken_back(tmp_path):
    """A replay that is printed line by line says once that the last moves are taken back."""
    _, zoe = taken_back()
    path = tmp_path / "zoe.record"
    path.write_bytes(zoe.record_octets)
    shown = printed("replay", path)
    assert shown.count("The last moves are taken back") == 1
    assert "Traceback" not in shown


def voted() -> SimTable:
    """Return a finished game of four: Cy vanishes, and Dee says farewell in the next round."""
    table = new_table(MINUTE)
    cy, dee = table.sitters[2:4]
    table.run(lambda: is_its_turn(cy))
    kill(table, cy)
    table.run(lambda: playing(table, 1) and is_its_turn(dee))
    table.act(dee, leave_for_good)
    table.run(lambda: all(each.finished for each in table.sitters[:2]))
    return table


def test_verify_says_of_each_who_went_by_whose_word(tmp_path):
    """`verify`, also in JSON, says of each gone seat whether it left or was voted out."""
    path = recorded(tmp_path, voted())
    said = printed("verify", path).splitlines()
    gone, left = said[1:3]
    assert gone.startswith("Cy: gone at step ")
    assert gone.endswith(" went on without Cy.")
    assert left.startswith("Dee: gone at step ")
    assert left.endswith("Dee left for good.")
    facts = data_of("verify", path)
    first, second = facts["departures"]
    assert (first["name"], first["farewell"], first["promised"]) == ("Cy", False, False)
    assert (second["name"], second["farewell"], second["named_by"]) == ("Dee", True, [])
    assert sorted([*first["named_by"], *first["not_needed"]]) == ["Ann", "Ben", "Dee"]
    assert len(first["named_by"]) > 2
    assert (first["round_number"], second["round_number"]) == (0, 1)
    assert first["text"] == gone
    assert all(each["phase"] in {phase.value for phase in Phase} for each in (first, second))
    assert not any("left while" in line for line in said)
    assert len(bytes.fromhex(first["key"])) == 32


def went(phase, *, farewell=True, owing=True, name="Mal"):
    """Return the departure of a player who left, or was voted out, in this phase."""
    named = () if farewell else ("Ann", "Cleo")
    return GoneSeat(name, name.encode(), 15, 0, farewell, named, (), False, phase, owing)


def test_a_departure_says_what_others_waited_for():
    """The text of a departure says what the others were waiting for, if the seat owed shares."""
    gone = departure_text(went(Phase.SHARES))
    assert gone.endswith("Mal left for good. Mal left while the hands were being dealt.")
    voted_off = departure_text(went(Phase.DRAWN, farewell=False))
    assert voted_off.endswith("without Mal. Mal left while somebody waited to see a tile.")
    for other in (went(Phase.PLAY), went(None), went(Phase.DRAWN, owing=False)):
        assert departure_text(other).endswith("Mal left for good.")


def test_it_is_said_how_often_somebody_went_while_shares_were_due():
    """Departures of seats that owed shares are counted for each player and phase.

    `least=2` leaves out those that happened only once.
    """
    gone = [
        went(Phase.SHARES),
        went(Phase.DRAWN, name="Eve"),
        went(Phase.SHARES),
        went(Phase.PLAY),
        went(Phase.SHARES, name="Eve"),
    ]
    twice = "Mal left while the hands were being dealt, 2 times."
    assert tuple(owing_texts(gone)) == (
        twice,
        "Eve left while the hands were being dealt.",
        "Eve left while somebody waited to see a tile.",
    )
    assert tuple(owing_texts(gone, least=2)) == (twice,)
    assert not tuple(owing_texts([]))


@pytest.mark.parametrize(
    ("named", "not_needed", "promised", "said"),
    [
        (
            ("Ann", "Cleo"),
            ("Dan",),
            True,
            "Ann and Cleo went on without Ben; Dan did not have to agree.",
        ),
        (
            ("Ann", "Cleo"),
            ("Dan", "Eve"),
            False,
            "Ann and Cleo went on without Ben; Dan and Eve did not",
        ),
        (("Ann",), (), False, "Ann went on without Ben."),
    ],
)
def test_a_departure_is_told_in_whole_sentences(named, not_needed, promised, said):
    """A departure's sentences say who went on without the player, and who did not have to agree.

    No record can show that somebody was not asked: their vote may simply have come too late.
    """
    phase = Phase.PLAY
    gone = GoneSeat("Ben", b"", 61, 0, False, named, not_needed, promised, phase, owing=False)
    assert departure_text(gone).startswith(f"Ben: gone at step 61. {said}")
