"""The page in a browser: by fingers, by a keyboard, by ear, in two languages, twice, and asleep."""

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


def tile_in_hand(tab, sentence):
    """The tile of the first play that a sentence lists, as it lies in the hand."""
    one, other, _train = re.search(TURN, sentence).groups()
    forms = (f"[{one}|{other}]", f"[{other}|{one}]")
    return next(each for each in forms if any(each in row for row in tab.rows))


def test_a_phone_plays_by_taps_and_by_its_line(opened):
    """Nothing zooms, scrolls or is cut off, also while a keyboard takes a part of the screen."""
    tab = opened("phone", color_scheme="dark", locale="en-GB", **PHONE)
    tab.wait_to_read("#trust", "Whoever serves this page serves the program.\nOver plain http, so")
    tab.wait_for("What is your")
    tab.picture("name")
    tab.type("Ann")
    tab.wait_for("Play here against bots")
    tab.picture("menu")
    tab.tap("Play here against bots")
    assert tab.line == "1"
    tab.tap("Play here against bots")
    tab.wait_for("2 How well they play")
    tab.tap("1 Play")
    tab.tap("1 Play")

    heard = []
    for way in ("taps", "taps", "line"):
        turn = tab.wait_to_hear("You can play: 1, ", heard)
        tab.wait_for("YOUR TURN, Ann")
        tab.picture(f"turn by {way}")
        heard = tab.heard
        if way == "line":
            tab.type("1")
        else:
            tile = tile_in_hand(tab, turn)
            tab.tap(tile)
            tab.wait_until(lambda: tab.line, "the line is empty")
            tab.picture("tapped")
            if tab.line.endswith(" "):  # it fits in several places
                tab.tap(f"{re.search(TURN, turn)[3]} ")
                tab.wait_until(lambda: not tab.line.endswith(" "), "the line is not whole")
                tile = f"{re.search(TURN, turn)[3]} "
            tab.tap(tile)
        tab.wait_to_hear("You played ", heard)
        tab.wait_until(lambda: not tab.line, "the line still stands")
    told = "\n".join(tab.heard)
    for sentence in ("Ends: ", "You hold 1", "Practice game: ", "Bix played "):
        assert sentence in told

    tab.wait_to_hear("You can play: 1, ", heard)
    assert tab.page.title() == "Boneyard: your turn"
    tab.press("F1")
    tab.wait_for("PgDn, 1-")
    tab.picture("help")
    tab.stroke(600, 200)
    tab.wait_until(lambda: not any("PgDn, 1-" in row for row in tab.rows), "nothing rolled")
    tab.press("Esc")
    tab.wait_until(lambda: not any("PgDn" in row for row in tab.rows), "the help still stands")
    tab.page.set_viewport_size({"width": 390, "height": 844 - KEYBOARD_PX})
    tab.page.wait_for_timeout(1000)
    tab.wait_until(lambda: "YOUR TURN, Ann" in tab.rows[-1], "the status line is cut off")
    assert "R1/13" in "".join(tab.rows[:2])
    tab.picture("keyboard")
    box = tab.page.locator(".xterm-screen").bounding_box()
    keys = tab.page.locator("#hand").bounding_box()
    assert box["y"] + box["height"] <= keys["y"] + 0.5
    assert keys["y"] + keys["height"] <= 844 - KEYBOARD_PX + 0.5
    tab.page.set_viewport_size(PHONE["viewport"])
    tab.wait_until(lambda: "YOUR TURN, Ann" in tab.rows[-1], "the status line is cut off")
    assert tab.value("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    assert tab.value("parseFloat(getComputedStyle(document.getElementById('line')).fontSize)") >= 16
    assert tab.value("document.activeElement.className") != "xterm-helper-textarea"
    assert max(map(len, tab.rows)) == 40
    tab.page.emulate_media(color_scheme="light")
    tab.page.wait_for_timeout(500)
    tab.picture("light")


def test_a_laptop_plays_by_its_keyboard_and_a_second_tab_does_not(opened):
    """Keys go straight to the terminal; a turn is told to whoever looks at another tab."""
    tab = opened("laptop", color_scheme="dark", **LAPTOP)
    tab.wait_for("What is your name?")
    assert tab.value("document.activeElement.ariaLabel") == "Boneyard: type here"
    assert not tab.page.locator("#hand").is_visible()
    tab.page.keyboard.type("Ann\r")
    tab.wait_for("Play here against bots")
    tab.picture("menu")
    tab.page.keyboard.type("1\r")
    tab.wait_for("2 How well they play")
    hide = "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"
    tab.value(hide)
    tab.page.keyboard.type("1\r")
    tab.wait_to_hear("You can play: 1, ")
    tab.wait_until(lambda: tab.page.title() == "● Boneyard: your turn", "no mark in the title")
    tab.value("delete document.hidden")
    tab.value("document.dispatchEvent(new Event('visibilitychange'))")
    assert tab.page.title() == "Boneyard: your turn"
    tab.wait_for("YOUR TURN, Ann")
    tab.picture("turn")
    tab.page.keyboard.type("1\r")
    tab.wait_to_hear("You played ")
    tab.page.keyboard.type("say <b>hello</b>\r")
    tab.wait_to_hear("<b>hello</b>")
    assert tab.value("document.querySelectorAll('#heard :not(p)').length") == 0
    tab.page.emulate_media(color_scheme="light")
    tab.page.wait_for_timeout(500)
    tab.picture("light")

    second = opened("second", other_of=tab)
    told = "Another tab of this browser plays at this table; go on there."
    second.wait_to_read("#said", told)
    assert second.page.locator("body").inner_text().strip() == told
    second.picture("tab")


def test_who_comes_back_from_sleep_reads_how_long_it_was(opened):
    """The time of the day has gone on, and no other clock."""
    tab = opened("asleep", **LAPTOP)
    tab.wait_for("What is your name?")
    tab.page.keyboard.type("Ann\r")
    tab.wait_for("Play here against bots")
    tab.page.keyboard.type("1\r")
    tab.wait_for("2 How well they play")
    tab.page.keyboard.type("1\r")
    tab.wait_to_hear("You can play: 1, ")
    tab.value("(() => { const now = Date.now; Date.now = () => now.call(Date) + 600_000; })()")
    tab.value("document.dispatchEvent(new Event('visibilitychange'))")
    tab.wait_to_hear("This computer slept for 10 min.")


def test_a_tablet_of_a_spaniard(opened):
    """The page and the program speak as the browser does; tiles are as high as a finger."""
    tab = opened("tablet", color_scheme="light", locale="es-ES", **TABLET)
    tab.wait_to_read("#trust", "Quien sirve esta página sirve el programa.\nPor http sin cifrar")
    tab.wait_for("¿Cómo te llamas?")
    assert tab.value("document.documentElement.lang") == "es"
    tab.type("Ana")
    tab.wait_for("Jugar aquí contra bots")
    tab.picture("menu")
    tab.type("1")
    tab.wait_for("3 Bots:")
    tab.type("1")
    tab.wait_to_hear("Puedes jugar: 1, ")
    tab.wait_for("TU TURNO, Ana")
    tab.picture("turn")
    box = tab.page.locator(".xterm-screen").bounding_box()
    assert 40 <= box["height"] / len(tab.rows) <= 44


def test_a_browser_that_keeps_nothing_seats_nobody(opened):
    """As a private window of some: nothing is loaded, nothing can be signed."""
    nothing = "Object.defineProperty(globalThis, 'indexedDB', { get() { throw new Error('no') } })"
    tab = opened("private", script=nothing, **PHONE)
    tab.wait_to_read(
        "#said", "This browser keeps nothing for this page (is its window private?), so"
    )
    assert not tab.page.locator("#hand").is_visible()
    tab.picture("window")


def test_a_page_that_is_loaded_anew_has_its_lease_at_once(opened):
    """It has said as it went that it is gone; who looked elsewhere and comes back loads anew."""
    tab = opened("anew", script=NOTES_LEASE, **LAPTOP)
    for _ in range(3):
        tab.wait_until(lambda: "put" in tab.value("lease"), "it has no lease")
        assert tab.value("lease")[:2] == ["get", "put"]
        tab.page.reload(wait_until="commit")
    tab.wait_for("What is your name?")
    tab.page.goto("about:blank")
    second = opened("second", other_of=tab, script=NOTES_LEASE)
    second.wait_for("What is your name?")
    assert second.value("lease")[:2] == ["get", "put"]
    tab.page.go_back(wait_until="commit")
    tab.wait_to_read("#said", "Another tab of this browser plays at this table; go on there.")
    assert tab.value("localStorage.wasFrozen") == "yes"
