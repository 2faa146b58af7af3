"""Valid texts to mutate: what people type, write down and keep in files."""

from typing import Final

GAMES: Final = (
    "rules: standard\nset: 9\nseats: A B\nfirst: A\nengine: 9-9\nhand A: 9-4 9-1 0-0\n"
    "A 4-9 A\n! B 1-4 B : end-mismatch\nB 1-9 B\n",
    "rules: walnut\nset: 12\nseats: Ann Ben Cy\nengine: 12-12\nAnn draw\nAnn pass\nBen 12-3 Ben\n",
    "rules: standard\nwith: blanks=25-50\nset: 6\nseats: A B\nfirst: B\n# a remark\nB 6-5 B\n",
    "set: 6\nseats: A B C\nhand A: 6-1 1-2\nboneyard: none\nA 6-1 A\nB leaves with C\n\n"
    "joins: D B\nleaves: D\nhand A: 5-1\nB 5-2 B\nA 5-1 A\n? total: B=3\n",
    "with: engine=holder\nset: 6\nseats: A B C\nleaves: A\nB none\nC leaves redeal\n? winner: B\n",
    "set: 6\nseats: A B\nA silent\nB turns 6-6\nB declares 6-6\nB discards 1-2\nA pulls 5-4 B\n"
    "A open\nB close\nA tap\nB catches A 1-1\nA bullet\nA 6-1 1-1 A/6-6\nA done\n? owed: -\n",
)

LINES: Final = (
    "play 9-4 ben", "p 94 ben", "9 4 b", "9|4", "5-5", "1", "9-6 m", "why 9-4 ben", "score",
    "board", "hand sort", "say hello", "help play", "draw", "pass", "tap", "catch Ann", "hub 9-9",
    "discard 3-4", "pull 3", "play 9-7 7-5 5-5", "bullet 9-7 7-5", "rules blanks", "quit", "",
    "[3-4] ann", "done", "silent", "look", "start",
)  # fmt: skip

NAMES: Final = (
    "Ann", "Zoë", "名前", "a b  c", "é́́́", "\u202egpj.exe", "x" * 70, "Ann\x1b]0;title\x07", "👩‍👩‍👧",
    "",
    "2-otter", "mexican", "ǅ", "\u1100\u1161\u11a8",
)  # fmt: skip

WRITTEN: Final = (
    *NAMES, "\U0001f600", "A\U0001f469\u200d\U0001f467 z", "\U00010348", "e\u0301\u0301\u0301",
    "\ud83d", "\udcff", "\ud83d\ude00", 'a"b\\c', "\u2028", "\x7f\x85", "\ufeff", "[[peer]]",
)  # fmt: skip
"""Names, and text that is hard to write to a file and read back, such as lone surrogates."""

TABLE_FILES: Final = (
    'rules = "walnut"\nset = 9\nseats = 4\nrounds = 3\ndeal = 7\nname = "Sunday"\n'
    '[with]\nblanks = "25-50"\n',
    'rules = "standard"\n# nothing else\n',
    'rules = "roundhouse"\n[with]\nlast-tile = "tap"\n',
)
