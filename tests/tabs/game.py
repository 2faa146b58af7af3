"""A whole game of a native host, a native guest and two tabs, with accidents."""

from tests.lan.guests import Party, must
from tests.tabs.browsers import LAPTOP, PHONE, Browsers, Tab, browsers
from tests.tabs.games import (
    Table,
    game_is_over,
    hand_shown,
    may_play,
    one_digest,
    play_until,
    save_record,
    sit_down,
)


def game(held: Party) -> None:
    """Play a whole game with accidents, and check that all four records agree.

    One tab is reloaded, the other loses its network, and the host is killed and resumed.
    """
    table = Table(held, "--set", "6", "--rounds", "2", "--auto")
    table.guest("Ben", "--auto")
    with browsers(held) as made:
        yan, zoe = (_seated(held, table, made, name) for name in ("Yan", "Zoe"))
        _rolls_an_answer(held, zoe)
        table.types("start")
        _loads_anew(held, zoe, yan)
        _is_cut_off(held, table, yan, zoe)
        _host_is_killed(held, table, yan, zoe)
        play_until((yan, zoe), lambda: all(map(game_is_over, (yan, zoe))))
        must(zoe.taps, "no move was made by taps")
        held.say(f"the game is over; {zoe.taps} moves were made by taps")
        for name in ("Ann", "Ben"):
            must(held.guests[name].process.wait(60.0) == 0, f"{name} did not end well")
        records = [held.guests[name].record for name in ("Ann", "Ben")]
        one_digest(held, *records, *(save_record(tab, held.folder) for tab in (yan, zoe)))


def _seated(held: Party, table: Table, made: Browsers, name: str) -> Tab:
    browser = made.on(name)
    size = PHONE if name == "Zoe" else LAPTOP
    tab = browser.tab(name, table.url, browser.context(size))
    sit_down(table, tab)
    held.say(f"{name} sits down in a tab of {size[0]}x{size[1]}")
    return tab


def _rolls_an_answer(held: Party, tab: Tab) -> None:
    """Check that in the lobby, too, a finger scrolls an answer that is taller than the screen."""
    tab.type("rules")
    tab.reads("PgDn, 1-")
    tab.stroke(500, 200)
    tab.reads_no_more("PgDn, 1-")
    tab.stroke(200, 600)
    tab.reads("PgDn, 1-")
    tab.press("Esc")
    tab.reads_no_more("PgDn")
    held.say(f"{tab.name} rolls an answer in the lobby by a finger")


def _loads_anew(held: Party, tab: Tab, other: Tab) -> None:
    """Check that a page reloaded during its player's turn has the same seat and hand again."""
    play_until((other,), lambda: may_play(tab))
    before = hand_shown(tab)
    tab.reload()
    tab.reads("YOUR TURN")
    tab.hears("You are back at the table")
    must(not any("Asking for a seat" in each for each in tab.heard), "it asks for a seat again")
    must(hand_shown(tab) == before, f"the hand was {before}, and is {hand_shown(tab)}")
    held.say(f"{tab.name}'s page is loaded anew, and has its seat and its {len(before)} tiles")


def _is_cut_off(held: Party, table: Table, tab: Tab, other: Tab) -> None:
    """Cut a tab's computer off during its player's turn until the host notices, then reconnect."""
    play_until((other, tab), lambda: may_play(tab))
    before = table.read
    held.net.cut(held.place(tab.name))
    # in a network of namespaces Chromium does not notice an unplugged cable by itself
    tab.page.context.set_offline(True)
    tab.reads("has no network")  # and not that all the others are gone
    table.sees(f"{tab.name}.* (has not answered|is gone)", before)
    held.net.restore(held.place(tab.name))
    tab.page.context.set_offline(False)
    table.sees(f"{tab.name}.* is back", before)
    held.say(f"{tab.name} was cut off, and is back")


def _host_is_killed(held: Party, table: Table, tab: Tab, other: Tab) -> None:
    """Kill the host and resume it; check that its page is at the same address."""
    play_until((other, tab), lambda: may_play(tab))
    before = table.read
    held.kill("Ann")
    for each in (tab, other):
        each.reads("not connected")
    held.resume("Ann")
    must(table.page_address(before) == table.url, "the page is somewhere else now")
    held.say("the host is back, with its page at the same address")
