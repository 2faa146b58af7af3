"""The same private address at another party: what this browser kept of the last one is not read."""

from urllib.parse import urlsplit

from netgame.io.disk.identity import KEY_FILE
from tests.lan.guests import Party, must
from tests.tabs.browsers import PHONE, Tab, browsers
from tests.tabs.games import Table, sit_down
from tests.tabs.hostile import Middle

_LEFT = """async () => {
    const done = (asked) => new Promise((resolve) => { asked.onsuccess = () => resolve(); });
    await done(indexedDB.open('boneyard left by the last host'));
    localStorage.setItem('script', 'window.stolen = 1');
}"""
_STORES = "async () => (await indexedDB.databases()).map(({ name }) => name)"
_LOADED = "() => performance.getEntriesByType('resource').map(({ name }) => name)"
_WATCHED = """
    window.openedStores = [];
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (name, ...more) {
        window.openedStores.push(name);
        return open.call(this, name, ...more);
    };
"""


def another_party(held: Party) -> None:
    """At one address and port there is one host's table, and then another's with its own page.

    A random port and path come between them as well; here the port is the same, which is worse.
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


def identity_of(tab: Tab) -> bytes:
    """The secret key that a page keeps."""
    (seed,) = (octets for path, octets in tab.kept().items() if path.endswith(KEY_FILE))
    return seed
