"""The page in a browser: touch, keyboard, screen reader, two languages, two tabs, and sleep."""

import re

import pytest

pytestmark = pytest.mark.campaign

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
KEYBOARD_PX = 330
TURN = r"Your turn\. .*You can play: 1, (\d+)[-=](\d+) on (\w+)"


NOTES_LEASE = """
    window.lease = [];
    for (const name of ['get', 'put']) {
        const call = IDBObjectStore.prototype[name];
        IDBObjectStore.prototype[name] = function (...words) {
            if (this.name === 'lease') window.lease.push(name);
            return call.apply(this, words);
        };
    }
    addEventListener('pageshow', (event) => event.persisted && (localStorage.wasFrozen = 'yes'));
"""


NOTES_TITLES = """
    const titles = window.titles = [];
    new MutationObserver(() => titles.push(document.title))
        .observe(document.querySelector("title"), {childList: true});
"""


def tile_in_hand(tab, sentence):
    """Return the tile of the first move that a spoken sentence lists, as the screen draws it."""
    one, other, _train = re.search(TURN, sentence).groups()
    forms = (f"[{one}|{other}]", f"[{other}|{one}]")
    return next(each for each in forms if any(each in row for row in tab.rows))


def test_a_phone_plays_by_taps_and_by_its_line(opened):
    """A person on a phone plays by taps and by typed lines; a screen reader is told the moves.

    Nothing zooms, scrolls or is cut off, even while a keyboard covers part of the screen.
    """
    tab = opened("phone", color_scheme="dark", locale="en-GB", **PHONE)
    tab.reads("Whoever serves this page serves the program. Over plain http, so")
    tab.reads("What is your")
    tab.picture("name")
    tab.type("Ann")
    tab.reads("Play here against bots")
    tab.picture("menu")
    assert tab.tap("Play here against bots")
    tab.until(lambda: tab.line == "1", "the line is not the number of the row")
    assert tab.tap("Play here against bots")
    tab.reads("2 How well they play")
    assert tab.tap("1 Play")
    assert tab.tap("1 Play")

    heard, told = [], [tab.hears("Practice game: ")]
    for way in ("taps", "taps", "line"):
        turn = tab.hears("You can play: 1, ", heard)
        tab.reads("YOUR TURN, Ann")
        tab.picture(f"turn by {way}")
        heard = tab.heard
        if way == "line":
            tab.type("1")
        else:
            tile = tile_in_hand(tab, turn)
            assert tab.tap(tile)
            tab.until(lambda: tab.line, "the line is empty")
            tab.picture("tapped")
            if tab.line.endswith(" "):  # it fits in several places
                assert tab.tap(f"{re.search(TURN, turn)[3]} ")
                tab.until(lambda: not tab.line.endswith(" "), "the line is not whole")
                tile = f"{re.search(TURN, turn)[3]} "
            assert tab.tap(tile)
        tab.hears("You played ", heard)
        tab.until(lambda: not tab.line, "the line still stands")
        told += tab.heard
    for sentence in ("Ends: ", "You hold 1", "Practice game: ", "Bix played "):
        assert any(sentence in each for each in told)

    tab.hears("You can play: 1, ", heard)
    assert tab.page.title() == "Boneyard: your turn"
    tab.press("F1")
    tab.reads("PgDn, 1-")
    tab.picture("help")
    tab.stroke(600, 200)
    tab.reads_no_more("PgDn, 1-")
    tab.press("Esc")
    tab.reads_no_more("PgDn")
    tab.page.set_viewport_size({"width": 390, "height": 844 - KEYBOARD_PX})
    tab.page.wait_for_timeout(1000)
    tab.until(lambda: "YOUR TURN, Ann" in tab.rows[-1], "the status line is cut off")
    assert "R1/13" in "".join(tab.rows[:2])
    tab.picture("keyboard")
    box = tab.page.locator(".xterm-screen").bounding_box()
    keys = tab.page.locator("#hand").bounding_box()
    assert box["y"] + box["height"] <= keys["y"] + 0.5
    assert keys["y"] + keys["height"] <= 844 - KEYBOARD_PX + 0.5
    tab.page.set_viewport_size(PHONE["viewport"])
    tab.until(lambda: "YOUR TURN, Ann" in tab.rows[-1], "the status line is cut off")
    assert tab.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    assert (
        tab.page.evaluate("parseFloat(getComputedStyle(document.getElementById('line')).fontSize)")
        >= 16
    )
    assert tab.page.evaluate("document.activeElement.className") != "xterm-helper-textarea"
    assert max(map(len, tab.rows)) == 40
    tab.page.emulate_media(color_scheme="light")
    tab.page.wait_for_timeout(500)
    tab.picture("light")


def test_a_finger_scrolls_back_to_the_head_of_a_card(opened):
    """A finger scrolls a round's card, which with four seats is taller than a phone's screen."""
    from tests.tabs.games import play_until

    tab = opened("card", color_scheme="dark", locale="en-GB", **PHONE)
    tab.reads("What is your name")
    tab.type("Ann")
    tab.reads("Play here against bots")
    tab.type("play --set 6 --rounds 2 --bots 3")
    play_until((tab,), lambda: any("Press Enter for the next" in each for each in tab.heard))
    tab.reads("press Enter")
    tab.picture("end")
    assert not any("Round 1 of 2" in row for row in tab.rows)
    tab.stroke(200, 700)
    tab.reads("Round 1 of 2, engine")
    tab.picture("head")
    tab.type("")
    tab.reads("R2/2")


def test_a_laptop_plays_by_its_keyboard_and_a_second_tab_does_not(opened):
    """Keys go straight to the terminal; a hidden tab's title shows that it is the player's turn.

    The mark there stays until the tab is seen, whatever the program writes meanwhile. A second tab
    of the same browser shows only a sentence that points to the first one.
    """
    tab = opened("laptop", color_scheme="dark", **LAPTOP)
    tab.reads("What is your name")
    assert tab.page.evaluate("document.activeElement.ariaLabel") == "Boneyard: type here"
    assert not tab.page.locator("#hand").is_visible()
    tab.page.keyboard.type("Ann\r")
    tab.reads("Play here against bots")
    tab.picture("menu")
    tab.page.keyboard.type("1\r")
    tab.reads("2 How well they play")
    hide = "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"
    tab.page.evaluate(hide)
    tab.page.keyboard.type("1\r")
    tab.hears("You can play: 1, ")
    tab.until(lambda: tab.page.title() == "● Boneyard: your turn", "no mark in the title")
    tab.page.evaluate(NOTES_TITLES)
    tab.page.keyboard.type("1\r")
    tab.hears("You played ")
    assert all(title.startswith("● ") for title in tab.page.evaluate("titles"))
    heard = tab.heard
    tab.page.evaluate("delete document.hidden")
    tab.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert tab.page.title().startswith("Boneyard: ")
    tab.until(lambda: tab.page.title() == "Boneyard: your turn", "the turn is not in the title")
    tab.reads("YOUR TURN, Ann")
    tab.picture("turn")
    tab.page.keyboard.type("1\r")
    tab.hears("You played ", heard)
    tab.page.keyboard.type("say <b>hello</b>\r")
    tab.hears("<b>hello</b>")
    assert tab.page.evaluate("document.querySelectorAll('#heard :not(p)').length") == 0
    tab.page.emulate_media(color_scheme="light")
    tab.page.wait_for_timeout(500)
    tab.picture("light")

    second = opened("second", other_of=tab)
    told = "Another tab of this browser plays at this table; go on there."
    second.reads(told)
    assert second.page.locator("body").inner_text().strip() == told
    second.picture("tab")


def test_who_comes_back_from_sleep_reads_how_long_it_was(opened):
    """After a jump of the wall clock, the page says how long the computer slept."""
    tab = opened("asleep", **LAPTOP)
    tab.reads("What is your name")
    tab.page.keyboard.type("Ann\r")
    tab.reads("Play here against bots")
    tab.page.keyboard.type("1\r")
    tab.reads("2 How well they play")
    tab.page.keyboard.type("1\r")
    tab.hears("You can play: 1, ")
    tab.page.evaluate(
        "(() => { const now = Date.now; Date.now = () => now.call(Date) + 600_000; })()"
    )
    tab.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    tab.hears("This computer slept for 10 min.")


def test_a_tablet_of_a_spaniard(opened):
    """The page and the program use the browser's language, Spanish.

    On a tablet each row of the terminal is tall enough for a finger.
    """
    tab = opened("tablet", color_scheme="light", locale="es-ES", **TABLET)
    tab.reads("Quien sirve esta página sirve el programa. Por http sin cifrar")
    tab.reads("¿Cómo te llamas")
    assert tab.page.evaluate("document.documentElement.lang") == "es"
    tab.type("Ana")
    tab.reads("Jugar aquí contra bots")
    tab.picture("menu")
    tab.type("1")
    tab.reads("3 Bots:")
    tab.type("1")
    tab.hears("Puedes jugar: 1, ")
    tab.reads("TU TURNO, Ana")
    tab.picture("turn")
    box = tab.page.locator(".xterm-screen").bounding_box()
    assert 40 <= box["height"] / len(tab.rows) <= 44


def test_a_browser_that_keeps_nothing_seats_nobody(opened):
    """If the browser stores nothing, as in some private windows, the page says so and stops."""
    nothing = "Object.defineProperty(globalThis, 'indexedDB', { get() { throw new Error('no') } })"
    tab = opened("private", script=nothing, **PHONE)
    tab.reads(re.escape("This browser keeps nothing for this page (is its window private?), so"))
    assert not tab.page.locator("#hand").is_visible()
    tab.picture("window")


def test_a_page_that_is_loaded_anew_has_its_lease_at_once(opened):
    """A page that is reloaded, or opened after another one was left, has the lease at once.

    A page that comes back from the back/forward cache finds the lease taken, and says so.
    """
    tab = opened("anew", script=NOTES_LEASE, **LAPTOP)
    for _ in range(3):
        tab.until(lambda: "put" in tab.page.evaluate("lease"), "it has no lease")
        assert tab.page.evaluate("lease")[:2] == ["get", "put"]
        tab.page.reload(wait_until="commit")
    tab.reads("What is your name")
    tab.page.goto("about:blank")
    second = opened("second", other_of=tab, script=NOTES_LEASE)
    second.reads("What is your name")
    assert second.page.evaluate("lease")[:2] == ["get", "put"]
    tab.page.go_back(wait_until="commit")
    tab.reads("Another tab of this browser plays at this table; go on there.")
    assert tab.page.evaluate("localStorage.wasFrozen") == "yes"


def test_a_tab_tests_itself(opened):
    """In a tab, `selftest` plays a table of four and reports that everything works."""
    tab = opened("selftest", **LAPTOP)
    tab.reads("What is your name")
    tab.type("Ann")
    tab.reads("Play here against bots")
    tab.type("selftest")
    tab.reads("A table of four played a round in [0-9.]+ s, inside this program")
    tab.reads("Everything works here.")
    tab.picture("selftest")
