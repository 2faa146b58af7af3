"""Coming to sit, going away again, and being told no."""

from __future__ import annotations

from engine.spec import SpecProblem
from netgame.protocol import notices
from netgame.protocol.state import Phase
from netgame.protocol.view import Stage
from tests.netgame.simtable import SimTable, full_table, standard


def told(sitter, kind):
    """What a sitter was told of one kind."""
    return [each for each in sitter.told if isinstance(each, kind)]


def settle(table: SimTable, seconds: float = 0.5) -> None:
    """Let a little time pass."""
    end = table.now + seconds
    table.later(seconds, lambda: None)
    table.run(lambda: table.now >= end)


def names(sitter) -> list[str]:
    """Who sits, as this sitter sees it."""
    return [seat.name for seat in sitter.core.view().seats]


def test_all_see_the_same_people_in_the_order_they_came() -> None:
    """And the rules, before they sit down."""
    table = SimTable(standard(9, 4))
    for name in ("Ann", "Ben", "Cy"):
        table.seat(name)
    settle(table)
    for sitter in table.sitters:
        view = sitter.core.view()
        assert names(sitter) == ["Ann", "Ben", "Cy"]
        assert view.stage is Stage.LOBBY
        assert view.settings == standard(9, 4)
        assert view.seats_offered == 4
    assert [sitter.core.view().is_host for sitter in table.sitters] == [True, False, False]


def test_two_of_one_name_are_told_apart() -> None:
    """Labels are made unique; `mexican` is nobody's name."""
    table = SimTable(standard(9, 6))
    for name in ("Ann", "ann", "Ann", "mexican", "Ann Lee"):
        table.seat(name)
    settle(table)
    assert names(table.sitters[0]) == ["Ann", "ann-2", "Ann-3", "mexican-2", "Ann_Lee"]


def test_a_name_full_of_escape_codes_loses_them() -> None:
    """Nothing that steers a terminal gets into the log's names."""
    table = SimTable(standard(9, 4))
    table.seat("Ann")
    table.seat("\x1b[2J\u202eEve\x07")
    table.seat("\u200b")
    settle(table)
    assert names(table.sitters[0]) == ["Ann", "[2JEve", "player"]


def test_a_full_table_says_so() -> None:
    """The third at a table for two is told why."""
    table = SimTable(standard(9, 2))
    for name in ("Ann", "Ben", "Cy"):
        table.seat(name)
    settle(table)
    (refused,) = told(table.sitters[2], notices.Refused)
    assert refused.code == "full"
    assert names(table.sitters[0]) == ["Ann", "Ben"]


def test_who_comes_after_the_start_is_told_so() -> None:
    """A stranger gets no entry of a game that has begun."""
    table = full_table(("Ann", "Ben"), standard(6, 4))
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    late = table.seat("Cy")
    settle(table)
    assert [each.code for each in told(late, notices.Refused)] == ["started"]
    assert late.core.state.step == 0
    late.alive = False
    table.run_game()
    assert not table.sitters[0].faults()


def test_who_leaves_the_lobby_gives_the_seat_free_and_may_come_back() -> None:
    """A broken link frees the seat; the same key may take one again."""
    table = SimTable(standard(9, 3))
    ann, ben, cy = (table.seat(name) for name in ("Ann", "Ben", "Cy"))
    settle(table)
    table.cut.add(frozenset((ann.core.key, ben.core.key)))
    table.disconnect(ben, ann)
    settle(table)
    assert names(ann) == names(cy) == ["Ann", "Cy"]
    table.cut.clear()
    table.connect(ben, ann)
    settle(table, 2.0)
    assert names(ann) == ["Ann", "Cy", "Ben"]


def test_a_table_whose_host_leaves_before_the_start_is_gone() -> None:
    """Told once, after the links have had their chance."""
    table = SimTable(standard(9, 3))
    ann, ben = table.seat("Ann"), table.seat("Ben")
    settle(table)
    ann.alive = False
    table.disconnect(ann, ben)
    settle(table, 30.0)
    assert len(told(ben, notices.TableClosed)) == 1
    assert ben.finished


def test_a_host_that_closes_its_table_says_so_at_once() -> None:
    """Guests need not wait for a link that is gone."""
    table = SimTable(standard(9, 3))
    ann, ben = table.seat("Ann"), table.seat("Ben")
    settle(table)
    table.do(ann, ann.core.leave(table.now))
    settle(table, 0.1)
    (closed,) = told(ben, notices.TableClosed)
    assert "closed" in closed.reason
    assert ben.finished


def test_links_of_members_are_told_when_they_come_and_go() -> None:
    """The host's too."""
    table = SimTable(standard(9, 3))
    ann, ben = table.seat("Ann"), table.seat("Ben")
    settle(table)
    table.cut.add(frozenset((ann.core.key, ben.core.key)))
    table.disconnect(ann, ben)
    settle(table)
    assert [(each.name, each.up) for each in told(ben, notices.LinkChanged)] == [
        ("Ann", True),
        ("Ann", False),
    ]


def test_one_alone_cannot_begin() -> None:
    """The rules say how many make a table; a refusal changes nothing."""
    table = SimTable(standard(9, 3))
    ann = table.seat("Ann")
    problem = ann.core.begin(table.now)
    assert isinstance(problem, SpecProblem)
    assert ann.core.state.phase is Phase.LOBBY


def test_begin_starts_with_who_sits() -> None:
    """Three of six seats taken: a game of three."""
    table = SimTable(standard(6, 4, 1))
    for name in ("Ann", "Ben", "Cy"):
        table.seat(name)
    settle(table)
    effects = table.sitters[0].core.begin(table.now)
    assert isinstance(effects, tuple)
    table.do(table.sitters[0], effects)
    table.run_game()
    assert len(table.sitters[0].core.state.seats) == 3


def test_talk_reaches_all_and_is_bounded() -> None:
    """Clean lines, under the name at the table; a chatterbox is heard five times."""
    table = SimTable(standard(6, 4, 1))
    ann, ben, cy = (table.seat(name) for name in ("Ann", "Ben", "Cy"))
    settle(table, 3.0)
    for number in range(20):
        table.do(ben, ben.core.chat(f"\x1b[31mline {number}", table.now))
    settle(table)
    for sitter in (ann, cy):
        heard = told(sitter, notices.ChatHeard)
        assert [each.text for each in heard] == [f"[31mline {number}" for number in range(5)]
        assert {each.name for each in heard} == {"Ben"}
