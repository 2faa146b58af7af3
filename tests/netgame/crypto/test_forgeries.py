"""An adaptive forgery for each equation of protocol.md 5, refused for that equation alone."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from tests.netgame.crypto import forgeries as f
from tests.netgame.crypto.oracle import Q

REVEALED = ("sG = T1 + c X_k", "s A* = T2 + c sum rho_p D_p")
OPENING = 'H("opening", ctx, said, secret)'

HONEST = {
    "5.3 key": f.honest_key,
    "5.5 shuffle": lambda: f.shuffled_with({}),
    "5.6 shares": lambda: f.revealed(x=f.X_SECRET),
    "5.7 hand": f.claimed,
    "5.9 hand-over": f.handed,
    "rebuilding 3": f.rebuilt,
    "rebuilding 4": f.blinded,
    "rebuilding 4, tokens": f.unblinded,
    "5.8 key": lambda: f.key_audit(f.X_SECRET),
    "4.5 opening": f.opening,
}
"""Each proof unforged: it must be accepted, and each of its equations needs a forgery."""


def moved(proof, forge, last=None):
    """Return a forgery for each of a proof's equations before index `last`, by default for all.

    Each moves a first message before it is hashed.
    """
    names = list(HONEST[proof]().holds)[:last]
    return {(proof, name): (lambda at=at: forge(at),) for at, name in enumerate(names)}


FORGERIES = {
    **moved("5.5 shuffle", lambda at: f.shuffled_with({at: f.OFF})),
    **moved("rebuilding 3", lambda at: f.rebuilt(move=at), -1),
    ("5.3 key", "the opening gives the commitment"): (f.late_key,),
    ("5.3 key", "sG = T + c X_k"): (f.rogue_key,),
    ("5.6 shares", REVEALED[0]): (lambda: f.revealed(x=f.TABLE.xs[0]),),
    ("5.6 shares", REVEALED[1]): tuple(
        lambda at=at: f.revealed(x=f.X_SECRET, tokens=f.false_token(at)) for at in range(3)
    ),
    ("5.7 hand", "sG = T1 + cX"): (f.hand_of_another_key,),
    ("5.7 hand", "s SA + sum s_t M_t = T2 + c SB"): (
        f.hand_without_a_tile,
        lambda: f.claimed(held=(*f.HELD[1:], f.TABLE.tiles[0])),
    ),
    ("5.9 hand-over", "sG = T1 + c X_f"): (lambda: f.handed(x=f.TABLE.xs[0]),),
    ("5.9 hand-over", "s_r G = T2 + c C1"): (lambda: f.handed(r=78),),
    ("5.9 hand-over", "s A - s_r X = T3 + c (B - C2)"): (
        lambda: f.handed(tile=f.OFF),
        lambda: f.handed(shift=f.OFF),
    ),
    ("rebuilding 3", "L2 = s_x G - c X_k"): (
        lambda: f.rebuilt(x=f.TABLE.xs[0], held=(), with_hand=False),
        lambda: f.rebuilt(move=4 * len(f.LISTED) + 1),
    ),
    ("rebuilding 3", "L3 = s_r P + s_x SA - c (S2 + SB)"): tuple(
        lambda changes=changes: f.rebuilt(**changes)
        for changes in (
            {"move": 4 * len(f.LISTED) + 2},
            {"held": f.LISTED[:1]},
            {"held": ()},
            {"held": f.LISTED},
        )
    ),
    ("rebuilding 3", "the hash gives c"): (lambda: f.rebuilt(chosen_first=True),),
    ("rebuilding 4", REVEALED[0]): (lambda: f.blinded(x=99),),
    ("rebuilding 4", REVEALED[1]): tuple(
        lambda at=at: f.blinded(tokens=f.false_token(at, f.HALVES)) for at in range(4)
    ),
    ("rebuilding 4, tokens", REVEALED[0]): (lambda: f.unblinded(x=99),),
    ("rebuilding 4, tokens", REVEALED[1]): tuple(
        lambda at=at: f.unblinded(tokens=f.false_token(at, f.BLINDED)) for at in range(2)
    ),
    ("5.8 key", "0 < x_k < q"): (lambda: f.key_audit(f.X_SECRET + Q),),
    ("5.8 key", "x_k G = X_k"): (lambda: f.key_audit(f.X_SECRET + 1),),
    ("4.5 opening", OPENING): (
        lambda: f.opening(said=b"other"),
        lambda: f.opening(secret=b"\1" * 32),
        lambda: f.opening(ctx=f.OTHER_CTX),
    ),
}

NOT_EQUATIONS = ("e_(t,1) = c - e_(t,0) mod 2^128", "X = sum X_k = O")
"""Formulas that are printed among the checks, but compute a value or say what is refused."""

CASES = [(*key, number) for key, made in FORGERIES.items() for number in range(len(made))]


@pytest.mark.parametrize("proof", HONEST)
def test_what_is_not_forged_is_accepted(proof):
    """An honest transcript is accepted; otherwise the forgeries would show nothing."""
    honest = HONEST[proof]()
    assert honest.broken == ()
    assert honest.accepted


def test_every_equation_has_its_forgery():
    """Every equation has a forgery: a new proof or equation needs a line in `FORGERIES`."""
    equations = {(proof, name) for proof, make in HONEST.items() for name in make().holds}
    assert equations == set(FORGERIES)


@pytest.mark.parametrize(("proof", "equation", "number"), CASES)
def test_a_transcript_that_breaks_one_equation_is_refused(proof, equation, number):
    """A forgery satisfies all equations but one, and is refused."""
    forged = FORGERIES[proof, equation][number]()
    assert forged.broken == (equation,)
    assert not forged.accepted


@pytest.mark.parametrize("pair", [*combinations(range(7), 2)], ids=str)
def test_errors_that_cancel_between_two_equations_are_refused(pair):
    """Errors that cancel between two equations are refused: each equation has its own factor."""
    one, other = pair
    forged = f.shuffled_with({one: f.OFF, other: f.oracle.neg(f.OFF)})
    assert len(forged.broken) == 2
    assert not forged.accepted


def test_infinity_opens_nothing():
    """O as a token, a key or half a masked tile is refused, although all equations hold."""
    tile_in_the_open = f.replaced_token_of_o()
    nobody = f.revealed(x=0, key=None, tokens=(None,) * len(f.AS))
    bare = [f.rebuilt(unmasked=at) for at in range(len(f.LISTED))]
    for forged in (tile_in_the_open, nobody, *f.handed_with_infinity(), *bare):
        assert forged.broken == ()
        assert not forged.accepted


def test_the_formulas_are_those_of_the_protocol():
    """Each formula in a Check paragraph of protocol.md 5 or of rebuilding.md has a forgery."""
    text = Path("protocol.md").read_text(encoding="utf-8")
    section = text[text.index("\n## 5. ") : text.index("\n## 6. ")]
    section += Path("docs/rebuilding.md").read_text(encoding="utf-8")
    forged = {_plain(name) for _, name in FORGERIES}
    shuffles = section[section.index("**Checking.**") : section.index("*Together.*")]
    printed = [line for line in shuffles.splitlines() if line.startswith("    t")]
    checks = re.findall(r"\bCheck: (.*?)\n\n", section, re.DOTALL)
    assert len(printed) == 6
    assert len(checks) >= 5
    for part in checks:
        printed += [code for code in re.findall(r"`([^`]*)`", part) if " = " in code]
    assert {_plain(code) for code in printed} - {*map(_plain, NOT_EQUATIONS)} <= forged


def _plain(formula):
    """Return a formula without spaces and without the suffix that says which i, tile or line."""
    cut = re.split(r", (?:i =|tile|line) | {4,}for every", formula)[0]
    return "".join(cut.split())
