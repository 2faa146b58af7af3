"""A second host at the same private address: its page never reads what the first host left.

Nor does it run a script that the first host put into the browser's cache. A tab that leaves a
finished game deletes its key.
"""

from urllib.parse import urlsplit

from netgame.io.disk.identity import KEY_FILE
from tests.lan.guests import Party, must
from tests.tabs.browsers import PHONE, Tab, browsers
from tests.tabs.games import Table, game_is_over, play_until, record_of, sit_down
from tests.tabs.hostile import Middle

_LEFT = """async () => {
    const done = (asked) => new Promise((resolve) => { asked.onsuccess = () => resolve(); });
    await done(indexedDB.open('boneyard left by the last host'));
    localStorage.setItem('script', 'window.stolen = 1');
}"""
_STORES = "async () => (await indexedDB.databases()).map(({ name }) => name)"
_LOADED = "() => performance.getEntriesByType('resource').map(({ name }) => name)"
_STOLEN = "() => window.stolen === 1"
_HAS_WORKERS = "() => 'serviceWorker' in navigator"
_WATCHED = """
    window.openedStores = [];
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (name, ...more) {
        window.openedStores.push(name);
        return open.call(this, name, ...more);
    };
"""


def another_party(held: Party) -> None:
    """Check that a second host's page reads nothing that the first host left in the browser.

    Both pages are at the same address and port. Normally the port is random, like the path, and
    differs too.
    """
    first = Table(held, "--set", "6")
    middle = Middle(held, first.url)
    with browsers(held) as made:
        browser = made.on("Zoe")
        context = browser.context(PHONE)
        zoe = browser.tab("Zoe", middle.url, context)
        sit_down(first, zoe)
        before = identity_of(zoe)
        zoe.page.evaluate(_LEFT)
        must(len(zoe.page.evaluate(_STORES)) == 2, "the first host has left nothing")
        zoe.page.close()
        held.kill("Ann")
        second = Table(held, "--set", "6", host="Bo")
        middle.leads_to(second.url)
        url = middle.at(second.url)
        context.add_init_script(_WATCHED)
        zoe = browser.tab("Zoe", url, context)
        sit_down(second, zoe)
        path = urlsplit(url).path
        opened, stores = set(zoe.page.evaluate("openedStores")), zoe.page.evaluate(_STORES)
        must(opened == {f"boneyard {path}"}, f"the page has read the stores {opened}")
        must(stores == [f"boneyard {path}"], f"the browser still has the stores {stores}")
        must(identity_of(zoe) != before, "Zoe has the key that the first host's page knew")
        elsewhere = [each for each in zoe.page.evaluate(_LOADED) if path not in each]
        must(not elsewhere, f"the page has loaded {elsewhere}")
        held.say("what the first host's page kept is gone unread; Zoe has a new key")


def over(held: Party) -> None:
    """Check that a tab that leaves a finished game deletes its key and keeps its record.

    A different host may have the same address next.
    """
    table = Table(held, "--set", "6", "--deal", "3", "--rounds", "1", "--auto")
    with browsers(held) as made:
        browser = made.on("Zoe")
        zoe = browser.tab("Zoe", table.url, browser.context(PHONE))
        sit_down(table, zoe)
        identity_of(zoe)
        table.types("start")
        play_until((zoe,), lambda: game_is_over(zoe))
        identity_of(zoe)
        zoe.type("quit")
        zoe.until(lambda: not keys_of(zoe), "her key is deleted")
        must(record_of(zoe) is not None, "the record is gone, too")
        held.say("Zoe's game is over, and her key is gone from the browser; her record is kept")


def poisoned(held: Party) -> None:
    """Check that a script that an earlier host left in the browser's cache is not run.

    A different table has a different path, so the browser never requests that script. At the same
    table the path is the same; there the hash in the page, which is never cached, keeps it out.
    """
    table = Table(held, "--set", "6")
    middle = Middle(held, table.url)
    with browsers(held) as made:
        browser = made.on("Zoe")
        context = browser.context(PHONE)
        middle.told("poison")
        mal = browser.tab("Mal", middle.url, context)
        mal.until(lambda: mal.page.evaluate(_STOLEN), "the first host's script is run")
        must(not mal.page.evaluate(_HAS_WORKERS), "a page over plain HTTP may have workers")
        mal.page.close()
        middle.told("honest")
        same = browser.tab("same", middle.url, context)
        same.until(lambda: same.complaints, "the browser complains")
        must("integrity" in same.complaints[0], f"the browser says {same.complaints}")
        must(not same.page.evaluate(_STOLEN), "a script of the first host has run")
        same.page.close()
        held.say("a script that is kept under the name of a part is not run")
        held.kill("Ann")
        second = Table(held, "--set", "6", host="Bo")
        middle.leads_to(second.url)
        zoe = browser.tab("Zoe", middle.at(second.url), context)
        sit_down(second, zoe)
        must(not zoe.page.evaluate(_STOLEN), "a script of the first host has run")
        must(not zoe.complaints, f"the browser says {zoe.complaints}")
        held.say("at another table's path nothing of it is asked for, and Zoe sits down")


def keys_of(tab: Tab) -> list[bytes]:
    """Return the secret keys that the browser keeps for a page."""
    return [octets for path, octets in tab.kept().items() if path.endswith(KEY_FILE)]


def identity_of(tab: Tab) -> bytes:
    """Return the secret key that the browser keeps for a page; fail unless there is just one."""
    (seed,) = keys_of(tab)
    return seed
