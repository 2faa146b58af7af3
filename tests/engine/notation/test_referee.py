"""The referee's verdicts, beyond what the scenarios show."""

import pytest

from engine.notation.game import GameText
from engine.notation.notation import parse
from engine.notation.referee import LineVerdictKind, judge
from engine.refusals import RefusalCode, RefusalReason

HEAD = "set: 9\nseats: Ann Bob\n"


def verdicts(text):
    """Parse a game, which must be readable, and return the verdicts on it."""
    game = parse(text)
    assert isinstance(game, GameText), game
    return judge(game)


def found(text):
    """Return the value that the referee finds for the last line, which must be an assertion."""
    return verdicts(text)[-1].found


def test_a_refused_action_changes_nothing():
    """The game continues as if the refused action had not been written."""
    assert found(HEAD + "Ann 9-5 Ann\nBob 1-2 Bob\n? ends: Ann Bob\n") == "Ann=5 Bob=9"


def test_a_refusal_with_another_code_is_wrong():
    """A `!` line with a code needs that code; one without accepts any."""
    assert [v.ok for v in verdicts(HEAD + "! Ann 1-2 Ann : train-closed\n")] == [False]
    assert [v.ok for v in verdicts(HEAD + "! Ann 1-2 Ann\n")] == [True]


def test_an_impossible_table_stops_the_game():
    """An impossible table gets one verdict for the header, and nothing is judged after it."""
    (verdict,) = verdicts("set: 7\nseats: Ann Bob\nAnn 9-5 Ann\n? turn: Bob\n")
    assert (verdict.kind, verdict.ok) == (LineVerdictKind.TABLE, False)
    assert verdict.refusal.code is RefusalCode.IMPOSSIBLE_TABLE


def test_a_possible_table_is_not_refused():
    """A `! table` line is wrong if the table is possible."""
    assert [v.ok for v in verdicts(HEAD + "! table : impossible-table\n")] == [False]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "hand Ann: 9-5 1-1\nAnn 9-5 Ann\n\nfirst: Bob\nBob 9-4 Bob\n",
            RefusalReason.ROUND_NOT_OVER,
        ),
        (
            "rounds: 1\nhand Ann: 9-5\nAnn 9-5 Ann\n\nfirst: Bob\nBob 8-4 Bob\n",
            RefusalReason.GAME_OVER,
        ),
        ("hand Ann: 9-5\nAnn 9-5 Ann\n\nengine: 9-9\nBob 8-4 Bob\n", RefusalReason.HUB_USED_BEFORE),
        ("with: deal=27\nhand Ann: 0-1\nboneyard: none\nfirst: Zoe\n", None),
        ("set: 6\n", None),
    ],
)
def test_a_further_round_needs_its_place(text, reason):
    """A round after an unfinished one, after the game, or with a used double is refused.

    The texts whose reason is None cannot even be parsed.
    """
    game = parse(HEAD + text)
    if reason is None:
        assert not isinstance(game, GameText)
        return
    verdict = judge(game)[-1]
    assert verdict.kind is LineVerdictKind.TABLE
    assert verdict.refusal.reason is reason


def test_unknown_hands_leave_scores_open():
    """The referee writes `?` for a score that depends on an unknown hand."""
    text = HEAD + "rounds: 1\nhand Ann: 9-5\nAnn 9-5 Ann\n"
    assert found(text + "? score: Ann=0\n") == "Ann=0 Bob=?"
    assert found(text + "? total: Ann=0\n") == "Ann=0 Bob=?"
    assert found(text + "? winner: -\n") == "?"
    assert found(text + "? hand Bob:\n") == " ".join("?" * 15)


def test_a_blocked_round_with_an_unknown_hand_names_no_winner():
    """Under `blocked-winner=zero`, one unknown hand leaves every score of a blocked round open."""
    text = (
        "with: blocked-winner=zero\nset: 6\nseats: Ann Bob\nhand Ann: 6-1 2-3\n"
        "boneyard: none\nAnn 6-1 Ann\nBob pass\nAnn pass\n"
    )
    assert found(text + "Bob pass\n? score: Ann=0\n") == "Ann=? Bob=?"


def test_hands_need_no_number_in_the_deal_table():
    """A written game may give hands that the deal table does not provide for.

    That table has no entry for five seats with double-six.
    """
    text = "set: 6\nseats: A B C D E\nhand A: 6-1 1-2\nhand B: 6-2 2-3\n"
    assert found(text + "? boneyard:\n") == "17"
    assert found(text + "? hand C:\n") == "? ?"


def test_tiles_in_no_line_belong_to_the_unknown_hands():
    """If the boneyard is written down, the unknown hands share all other tiles evenly.

    If all hands are known too, the other tiles are out of play.
    """
    text = "set: 6\nseats: Ann Bob Cy\nhand Ann: 6-1 1-2\nboneyard: 3-3\n"
    assert found(text + "? hand Bob:\n") == " ".join("?" * 12)
    assert found(text + "? boneyard:\n") == "1"
    both = "set: 6\nseats: Ann Bob\nhand Ann: 6-1 1-2\nhand Bob: 6-2\nboneyard: 3-3\n"
    told = verdicts(both + "! Ann 6-5 Ann : not-your-tile\n? boneyard: 1\n")
    assert [v.ok for v in told] == [True, True]


def test_more_tiles_than_the_set_has_are_refused():
    """A table is refused if its hands need more tiles than there are.

    Here one hand needs 21 and the other 13, but only 27 are left without the hub.
    """
    first = " ".join(f"{a}-{b}" for a in range(6) for b in range(a, 6))
    text = f"set: 6\nwith: deal=13\nseats: Ann Bob\nhand Ann: {first}\n"
    verdict = verdicts(text + "? turn: Ann\n")[0]
    assert verdict.refusal.reason is RefusalReason.TOO_FEW_TILES


def test_a_further_round_may_be_of_any_unused_double():
    """The second round of a written game may name any unused double as its hub.

    Otherwise it has the next lower one. A used one is refused.
    """
    text = HEAD + "rounds: 2\nengine: 2-2\nhand Ann: 2-5\nAnn 2-5 Ann\n\n"
    for line, hub in (("", 1), *((f"engine: {pip}-{pip}\n", pip) for pip in (0, 1, 3, 8, 9))):
        assert found(f"{text}{line}hand Bob: 1-6\n? ends: Ann={hub}\n") == f"Ann={hub}"
    (_, verdict) = verdicts(text + "engine: 2-2\n? ends: Ann=2\n")
    assert verdict.refusal.reason is RefusalReason.HUB_USED_BEFORE


def test_legal_lays_of_an_unknown_hand_are_all_it_may_hold():
    """The legal moves of an unknown hand are a lay of each unseen tile that fits, and a draw.

    A seat that is not to move has no legal moves.
    """
    assert found("set: 6\nseats: Ann Bob\nhand Bob: 6-1\n? legal Ann:\n") == (
        "0-6@Ann 2-6@Ann 3-6@Ann 4-6@Ann 5-6@Ann draw"
    )
    assert found("set: 6\nseats: Ann Bob\n? legal Bob:\n") == "-"


def test_an_unknown_hand_lays_what_the_rules_let_fit_and_nothing_else():
    """An unknown hand may lay any unseen tile that fits under the rules, and no other.

    The cases are wild blanks, a simultaneous opening, and the tiles after a double.
    """
    head = "seats: Ann Bob\nhand Bob: 6-1 1-2 3-3\n"
    fits = "2-6@Ann 3-6@Ann 4-6@Ann 5-6@Ann draw"
    blanks = " ".join(f"0-{pip}@Ann" for pip in range(7))
    asked = head + "? legal Ann:\n"
    assert found("set: 6\nwith: wild-blanks=yes\n" + asked) == f"{blanks} {fits}"
    assert found("set: 6\nwith: opening=simultaneous\n" + asked) == f"0-6@Ann {fits}"
    text = "Ann 6-4 Ann\nBob 6-1 Bob\nAnn 4-5 Ann\nBob 1-2 Bob\nAnn 5-5 Ann\n? legal Ann:\n"
    assert found("set: 6\nwith: several=until-covered\n" + head + text) == (
        "0-5@Ann 1-5@Ann 2-5@Ann 3-5@Ann 5-6@Ann draw"
    )


def test_ends_of_a_train_that_is_not_there_are_unknown():
    """An assertion about a train that does not exist fails."""
    assert [v.ok for v in verdicts("with: mexican=none\n" + HEAD + "? ends: mexican=9\n")] == [
        False
    ]
