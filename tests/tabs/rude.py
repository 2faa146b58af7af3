"""A rude player's program: `python -m tests.tabs.rude join …`.

`say 0` sends the first of `WORDS` to the table uncleaned, which no honest program does. The
sender's name is just as bad.
"""

import sys
from typing import Final

from cli.__main__ import main
from netgame.protocol.peer import context
from netgame.protocol.peer.people import talk

ESCAPE: Final = "\x1b"
WORDS: Final = (
    # the title; all cleared; another screen; C1
    f"1st {ESCAPE}]0;STOLEN\x07{ESCAPE}]2;STOLEN{ESCAPE}\\{ESCAPE}[2J{ESCAPE}[3J{ESCAPE}[H{ESCAPE}c"
    f"{ESCAPE}[?1049h{ESCAPE}[?25l\x9b2J\x9d0;STOLEN\x9c",
    # the clipboard; questions that a terminal answers; a link
    f'2nd {ESCAPE}]52;c;U1RPTEVO\x07{ESCAPE}P$q"p{ESCAPE}\\{ESCAPE}[6n{ESCAPE}[c'
    f"{ESCAPE}]8;;http://10.77.0.9/\x07link{ESCAPE}]8;;\x07",
    "3rd <img src=x onerror='window.stolen=1'><script>window.stolen=1</script>&lt;b&gt;",
    # both directions; four octets each; a pile of marks; line ends, and a false status row
    "4th \u202edlrow\u2066\u200f\u2069\u202c \U0001f9d9\U0001f3fd\u200d\U0001f4bb\U000e0041"
    + "a"
    + "\u0301" * 60
    + "\r\n\r\nYOUR TURN, Zoe\r\x08\x08\x7f\x00",
    "5th " + "W" * 196,
)
"""Rude texts, as many as one player may send at once."""
NAME: Final = f"{ESCAPE}]0;STOLEN\x07<b>\u202e"


def be_rude() -> None:
    """Have `say` with a number send that text of `WORDS` uncleaned, and use `NAME` as the name."""
    true = talk.clean_text

    def rude(text: str, cells_max: int) -> str:
        return WORDS[int(text)] if text.isdigit() else true(text, cells_max)

    talk.clean_text = rude  # type: ignore[attr-defined]
    context.clean_text = lambda *_: NAME  # type: ignore[attr-defined]


if __name__ == "__main__":
    be_rude()
    sys.exit(main())
