"""Real tabs at real tables: `python -m tests.tabs [game | secrets | hostile …] [--if-possible]`.

Each scene has a bridge of its own, with a native host, native guests, and browsers on computers of
their own, which open the page at the address of the host: 127.0.0.1 would count as secure. `game`:
a whole game of two native programs and two tabs, a laptop's and a phone's, by typed lines and taps;
one is loaded anew in mid-round, one is cut off, and the host is killed and comes back; all four
have one record. `secrets`: in mid-round nothing that a tab must keep to itself has left it, nor is
it in the server's memory, where what was planted is. `hostile`: whoever serves the page drops,
alters, repeats, reorders and delays messages, and speaks for another. `strangers`: a web site, a
page from a file, a second tab, rude words, a store that fails. `another-party`: another host's
table at the same address and port. `poisoned`: that host has had the browser keep a script under
the page's names. `over`: a tab that leaves a game that is over keeps no key. `piped`: the host
serves no page, a guest does, and a tab plays a whole game through the guest's computer, though the
host is killed and comes back. `sockets`: fifty sockets are in the way of three tabs at a table of
eight others.

Needs root, Debian's Chromium, a page that was built, and the group `browser`; `--if-possible` does
without in one sentence. Prints what it sees; exit 0 if all is well.
"""

import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from netgame.io.page.built import find_page
from page.chromium import chromium
from tests.lan.guests import Party, main_of

HOSTS = 5
AT_ONCE = 2


def missing() -> str:
    """Return a phrase about the first thing missing for the scenes, or an empty string."""
    if find_spec("playwright") is None:
        return "needs the dependency group browser: uv run --group browser python -m tests.tabs"
    if chromium() is None:
        return "needs Debian's Chromium: apt install chromium"
    if find_page() is None:
        return "needs the page: uv run --group page python -m page.build"
    return ""


def scenes() -> Mapping[str, Callable[[Party], None]]:
    """Return all scenes by name, the longest first."""
    from tests.tabs import another_party, game, hostile, leaks, piped, sockets, strangers

    return {
        "game": game.game,
        "hostile": hostile.hostile,
        "sockets": sockets.sockets,
        "strangers": strangers.strangers,
        "secrets": leaks.leaks,
        "piped": piped.piped,
        "another-party": another_party.another_party,
        "poisoned": another_party.poisoned,
        "over": another_party.over,
    }


def main() -> int:
    """Play the named scenes, or all of them, and return the exit code.

    If something is missing, say so and return 2, or 0 with `--if-possible`.
    """
    why = missing()
    if why:
        print(f"tests.tabs {why}", file=sys.stderr)
        return 0 if "--if-possible" in sys.argv else 2
    return main_of(__doc__ or "", HOSTS, scenes(), Party, at_once=AT_ONCE)


if __name__ == "__main__":
    sys.exit(main())
