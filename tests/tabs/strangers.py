"""A table resists other sites' pages, second tabs, rude messages and failing stores."""

import sys
import unicodedata
from typing import Final

from tests.lan.guests import Party, must, until
from tests.tabs.browsers import PHONE, Browsers, Chromium, Tab, browsers
from tests.tabs.games import PORT, Table, may_play, play_until, record_of, sit_down, status
from tests.tabs.hostile import nobody_is_accused
from tests.tabs.rude import WORDS

SITE_PORT: Final = 9_000
_CONNECTS: Final = """(address) => new Promise((resolve) => {
    const socket = new WebSocket(address);
    socket.onopen = () => { resolve(true); socket.close(); };
    socket.onerror = () => resolve(false);
})"""
_READS: Final = """async (address) => {
    for (const mode of ['cors', 'no-cors']) {
        try {
            if ((await (await fetch(address, { mode })).text()).length) return true;
        } catch { }
    }
    return false;
}"""
_STOLEN: Final = """() => window.stolen !== undefined
    || document.querySelector('.xterm img, .xterm script, .xterm a, #heard img') !== null"""
_STORE_FAILS: Final = """(name) => {
    const put = IDBObjectStore.prototype.put;
    window.mendStore = () => { IDBObjectStore.prototype.put = put; };
    IDBObjectStore.prototype.put = () => { throw new DOMException('a planted failure', name); };
}"""


def strangers(held: Party) -> None:
    """Check that web sites, a second tab, rude messages and a failing store do no harm."""
    table = Table(held, "--set", "6", "--rounds", "2", "--auto")
    with browsers(held) as made:
        browser = made.on("Zoe")
        context = browser.context(PHONE)
        zoe = browser.tab("Zoe", table.url, context)
        sit_down(table, zoe)
        _web_sites(held, table, made, zoe)
        _comes_rudely(held, table)
        table.types("start")
        play_until((zoe,), lambda: may_play(zoe))
        _second_tab(held, table, browser, zoe)
        _rude_words(held, zoe)
        _store_fails(held, table, zoe)
        nobody_is_accused(held, zoe)


def _web_sites(held: Party, table: Table, made: Browsers, zoe: Tab) -> None:
    """Check that pages of other origins in the host's own browser get no socket and read nothing.

    A page from a file gets a socket only while the host allows it.
    """
    folder = held.folder / "site"
    folder.mkdir()
    # http.server would report a browser that hangs up while its request for an icon fails
    (folder / "index.html").write_text('<link rel="icon" href="data:,"><title>A web site</title>')
    held.run("Mal", (sys.executable, "-m", "http.server", str(SITE_PORT), "-d", str(folder)))
    browser = made.on("Ann")
    page = table.url.partition("#")[0]
    here, sockets = page.split("/")[2], page.replace("http", "ws")
    looped = sockets.replace(here.partition(":")[0], "127.0.0.1")
    must(zoe.page.evaluate(_CONNECTS, f"{sockets}ws"), "a page that was served here gets no socket")
    site = browser.tab("site", "about:blank", browser.context())
    at = f"http://{held.net.address(held.place('Mal'))}:{SITE_PORT}/"
    until(lambda: site.opens(at), "the web site is there")
    for address in (f"{sockets}ws", f"{looped}ws", f"ws://{here}/ws"):
        must(not site.page.evaluate(_CONNECTS, address), f"a web site gets a socket at {address}")
    must(not site.page.evaluate(_READS, page), "a web site reads the page")
    held.say("a web site in the host's browser gets no socket and reads nothing")
    site.open((folder / "index.html").as_uri())
    from_file = f"ws://{here}/ws"
    must(not site.page.evaluate(_CONNECTS, from_file), "a page from a file gets a socket unasked")
    for order, told, may in (
        ("page files", "Pages opened from a file may join", True),
        ("page files off", "Pages opened from a file stay out", False),
    ):
        before = table.read
        table.types(order)
        table.sees(told, before)
        gets = site.page.evaluate(_CONNECTS, from_file)
        must(gets is may, f"after {order} a page from a file gets a socket: {gets}")
    held.say("a page from a file gets one only while the host has said so")


def _comes_rudely(held: Party, table: Table) -> None:
    """Seat a player with a rude name, whose program sends rude text uncleaned."""
    words = ("join", f"{held.net.address(0)}:{PORT}", "--code", table.url.partition("#")[2])
    rude = (sys.executable, "-m", "tests.tabs.rude")
    before = table.read
    held.come("Rik", *words, "--auto", program=rude)
    table.sees("STOLEN.* sits down", before)


def _second_tab(held: Party, table: Table, browser: Chromium, zoe: Tab) -> None:
    """Check that a second tab of the browser points to the first one and opens no socket.

    The first tab can still play.
    """
    opened: list[str] = []
    second = browser.tab("second", "about:blank", zoe.page.context)
    second.page.on("websocket", lambda socket: opened.append(socket.url))
    second.open(table.url)
    second.reads("Another tab")
    must(not opened, f"the second tab has opened {opened}")
    second.page.close()
    must(may_play(zoe), f"the first tab says {status(zoe)}")
    held.say("a second tab says so, and opens no socket")


def _rude_words(held: Party, zoe: Tab) -> None:
    """Check that rude messages stay text, which neither the terminal nor the page obeys."""
    title = zoe.page.title()
    for number, words in enumerate(WORDS):
        held.types("Rik", f"say {number}")
        zoe.reads(f": {words[:3]}")
        must(zoe.page.title() == title, f"{words!r} has changed the title")
        must(not zoe.page.evaluate(_STOLEN), f"{words!r} has become part of the page")
        drawn = zoe.screen().replace("\n", "")
        bad = {char for char in drawn if unicodedata.category(char) in ("Cc", "Cf", "Co")}
        must(not bad, f"after {words!r} there is {bad} on the screen")
        must("R1/2" in drawn and may_play(zoe), f"{words!r} has taken the board away")
    held.say(f"{len(WORDS)} rude lines are text, under a name that is")


def _store_fails(held: Party, table: Table, zoe: Tab) -> None:
    """Check that nothing is sent if the store fails after signing, and that a sentence says why.

    If the store is only full, the seat waits; otherwise it stops until the page is reloaded.
    """
    for name, sentence, mended in (
        ("QuotaExceededError", r"Your seat waits: .*? goes on by itself", _find_room),
        ("UnknownError", r"Your seat is paused: .*? then come back", Tab.reload),
    ):
        play_until((zoe,), lambda: may_play(zoe))
        found, before = record_of(zoe), table.read
        zoe.page.evaluate(_STORE_FAILS, name)
        zoe.type("1")
        zoe.reads(sentence)
        must("Zoe played" not in table.told[before:], "the table has heard of the move")
        must(record_of(zoe) == found, "the store holds more than before")
        mended(zoe)
        play_until((zoe,), lambda before=before: "Zoe played" in table.told[before:])
        held.say(f"{name}: nothing has left Zoe's page, and then she plays on")


def _find_room(tab: Tab) -> None:
    tab.page.evaluate("mendStore()")
