"""Which connections give way when the page has too many visitors."""

import trio

from netgame.io.page.visits import Visits
from netgame.limits import PAGE_CONNECTIONS_MAX, PAGE_CONNECTIONS_PER_ADDRESS_MAX, PAGE_SILENT_S


def crowd(visits, count, source="mallory{}", each=PAGE_CONNECTIONS_PER_ADDRESS_MAX):
    """Admit `count` connections, `each` of them per address; return their visits."""
    return [visits.admit(source.format(at // each)) for at in range(count)]


async def test_an_address_that_has_its_share_gives_way_to_itself(autojump_clock):
    """When an address at its limit connects again, its longest idle connection is ended.

    If all of its connections are busy, the new one is refused.
    """
    visits = Visits()
    mine = crowd(visits, PAGE_CONNECTIONS_PER_ADDRESS_MAX)
    mine[0].note(is_idle=False)
    assert visits.admit("mallory0") is not None
    assert [each.scope.cancel_called for each in mine[:3]] == [False, True, False]
    for each in mine:
        each.note(is_idle=False)
    assert visits.admit("mallory0") is not None  # the newest connection is still idle
    visits = Visits()
    for each in crowd(visits, PAGE_CONNECTIONS_PER_ADDRESS_MAX):
        each.note(is_idle=False)
    assert visits.admit("mallory0") is None
    assert visits.admit("ann") is not None


async def test_when_all_places_are_taken_the_address_with_the_most_gives_way():
    """When all places are taken, the address with the most connections loses one, busy or not.

    So a few addresses cannot fill all places.
    """
    visits = Visits()
    all_of_them = crowd(visits, PAGE_CONNECTIONS_MAX)
    for each in all_of_them:
        each.note(is_idle=False)
    assert visits.admit("ann") is not None
    assert sum(each.scope.cancel_called for each in all_of_them) == 1


async def test_where_each_address_has_one_only_long_silence_gives_way(autojump_clock):
    """If each address has one connection, only one that has been silent for long gives way.

    Newcomers are refused until then.
    """
    visits = Visits()
    one_each = crowd(visits, PAGE_CONNECTIONS_MAX, each=1)
    assert visits.admit("ann") is None
    assert visits.admit("mallory3") is None
    visits.leave(one_each[0])
    assert visits.admit("ann") is not None
    assert not any(each.scope.cancel_called for each in one_each)
    await trio.sleep(PAGE_SILENT_S + 0.1)
    one_each[1].note(is_idle=False)
    assert visits.admit("ben") is not None
    gone = [at for at, each in enumerate(one_each) if each.scope.cancel_called]
    assert gone == [2]
