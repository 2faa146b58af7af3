"""A guest serves the page: the tab's octets reach the host through the guest's computer."""

from tests.lan.guests import Party, must
from tests.tabs.browsers import PHONE, browsers
from tests.tabs.games import (
    Table,
    game_is_over,
    may_play,
    one_digest,
    play_until,
    save_record,
    sit_down,
)


def piped(held: Party) -> None:
    """Check that a tab can play a whole game through a guest that serves the page.

    The host serves no page, and is killed and resumed during the game.
    """
    table = Table(held, "--no-page", "--set", "6", "--rounds", "1", "--auto", page_by="Ben")
    at = held.net.address(held.place("Ben"))
    must(f"//{at}:" in table.url, f"the page is not at Ben's computer: {table.url}")
    must("#" in table.url, "Ben does not show the code by which he came in")
    must("http://" not in table.told, "the host has told of a page")
    with browsers(held) as made:
        browser = made.on("Zoe")
        zoe = browser.tab("Zoe", table.url, browser.context(PHONE))
        sit_down(table, zoe)
        held.say("Zoe sits down by the link that Ben shows, with the host's code")
        table.types("start")
        play_until((zoe,), lambda: may_play(zoe))
        held.kill("Ann")
        zoe.reads("not connected")
        yan = browser.tab("Yan", table.url, browser.context(PHONE))
        yan.reads("name")
        yan.type("Yan")
        yan.reads("[Ww]hoever serves this page does not answer")
        yan.page.close()
        held.say("the host is away, which another tab reads at once")
        held.resume("Ann")
        zoe.reads(r"\| 3\b")  # connected; a small screen may have no room for the word
        held.say("the host was away, and Zoe is back by the same link")
        play_until((zoe,), lambda: game_is_over(zoe))
        for name in ("Ann", "Ben"):
            must(held.guests[name].process.wait(60.0) == 0, f"{name} did not end well")
        records = [held.guests[name].record for name in ("Ann", "Ben")]
        one_digest(held, *records, save_record(zoe, held.folder))
