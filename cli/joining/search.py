"""The search for the table that a person means, and the question for its join code."""

import argparse
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

import trio

from cli.exits import CommandFailed, ExitCode, sentence_about, sentence_of
from cli.input.lexer import plain
from cli.input.phrases import bare_words, goes_back
from cli.input.places import TABLE_NOUNS, spellings
from cli.joining.choosing import BACK_WORDS, chosen_of
from cli.language import either, say, translate
from cli.program import typed_in_shell
from cli.session.frontend import FrontEnd
from netgame.errors import Malformed, Refused
from netgame.io.discovery.advert import TableAd
from netgame.io.discovery.browse import Members, find_tables
from netgame.io.door.codes import JoinCode, code_in, looks_like_code, parse_code
from netgame.io.network.addresses import leads_nowhere_else, parse_address
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.text import read_long_fingerprint

LOOK_S: Final = 3.0
"""`tables` looks this long; a table on the same network appears within 0.2 s."""

OTHER_VERSION: Final = (
    "{name}'s table speaks version {theirs} of the protocol, and this program version {ours}: "
    "update the older"
)

_LOOKING: Final = "Looking for a table on this network ..."

JOIN_PATIENCE_S: Final = 20.0
"""A script that joins without an address waits this long for a table to open."""

_PERSON_PATIENCE_S: Final = 120.0
"""The search for a person's table goes on this long, unless they leave."""


async def find_table(
    front: FrontEnd,
    wanted: str | None,
    *,
    auto: bool,
    watches: bool = False,
    members: Members = lambda _id: (),
) -> tuple[TableAd | str, str]:
    """Return the table that a person means, an open one if possible, with a join code or "".

    The table is an advertisement or an address; the code is set if the person chose by it. If there
    is no table yet, this waits, because its host may open it a minute later. `wanted` is an
    address, a join code, or the beginning of the host's name or fingerprint. None takes the only
    table there is; of several the person chooses one, and `auto` takes the first. `members` is
    passed to `find_tables`, so that a table announced by its host and its stand-in counts once.

    Raises `Malformed` for a bad address or code, `Refused` if the network cannot be searched, and
    `CommandFailed` if no such table comes in time, the table is of another version, or nothing is
    chosen.
    """
    wanted = wanted and (code_typed(wanted) or wanted)
    if wanted is not None and ":" in wanted:  # an address needs no announcement
        parse_address(wanted)
        return wanted, ""
    front.say(say(_LOOKING))
    began = trio.current_time()
    patience = _PERSON_PATIENCE_S if front.asks_back else JOIN_PATIENCE_S
    look_s, begun = LOOK_S, watches or wanted is not None
    while True:
        found = await find_tables(look_s, at_least=1, begun=begun, members=members)
        waited = trio.current_time() - began
        # a player gets a begun game that they have not named only as a last resort
        begun = begun or waited >= LOOK_S
        fits = _fitting(found, wanted, begun=begun, watches=watches)
        if len(fits) == 1 or (fits and auto):
            return fits[0], ""
        if fits:
            return await _choose(front, fits)
        others = [ad for ad in found if ad.is_open or ad.can_watch]
        if waited >= LOOK_S:
            if wanted is not None and "." in wanted:  # perhaps the name of a computer
                return wanted, ""
            _refuse_other_version(found, wanted)
            if waited >= patience or (wanted is not None and others):
                break
            if look_s == LOOK_S:
                _say_waits(front, round(patience - waited))
            look_s = max(0.5, patience - waited)
        await trio.sleep(0.2)
    if wanted is None or auto or not (others and front.asks_back):
        raise CommandFailed(ExitCode.NOT_FOUND, _nothing_found(wanted, others))
    front.say(_not_here(wanted))
    return await _choose(front, others)


def code_typed(line: str) -> str:
    """Return the join code in a line, with dashes; empty if there is none.

    `parse_code` may still refuse it. Any sign that looks like a dash counts as one.
    """
    text = plain(line)
    return text.strip() if looks_like_code(text) else code_in(text)


def _say_waits(front: FrontEnd, seconds: int) -> None:
    """Tell a person that no table is open yet, and how long the search goes on."""
    if front.asks_back:
        text = "No table is open yet. Looking for {seconds} seconds more; Ctrl-C leaves."
        front.say(say(text, seconds=seconds))


def _refuse_other_version(found: Iterable[TableAd], wanted: str | None) -> None:
    """Raise `CommandFailed` if a table that may be meant speaks a different protocol version.

    Without a name, any table may be meant.
    """
    for ad in found:
        if ad.version != PROTOCOL_VERSION and (wanted is None or _is_meant(ad, wanted)):
            raise CommandFailed(ExitCode.REFUSED, sentence_of(ad_sentence(ad)))


def _nothing_found(wanted: str | None, others: Iterable[TableAd]) -> str:
    """Return sentences saying that the table meant is not here, and which tables are here."""
    if wanted is None:
        text = "No open table was found on this network."
    else:
        tables = "; ".join(map(ad_sentence, others))
        text = "No open table {name} was found on this network."
        if tables:
            text = "{problem} There are: {tables}."
            return say(text, problem=_not_here(wanted), tables=tables)
    again, command = typed_in_shell("join"), typed_in_shell("join", "HOST:PORT")
    early = (
        "Once its host has opened it, type {again} again; or ask for its address, then: {command}"
    )
    ask = say(early, again=again, command=command)
    return f"{say(text, name=wanted)} {ask}"


def _not_here(wanted: str) -> str:
    """Return a sentence saying that no table here has this code, or this name."""
    if looks_like_code(wanted):
        text = "No table here has a join code that begins with {number}."
        return say(text, number=parse_code(wanted).number)
    return say("Nobody called {name} has a table here.", name=wanted)


def _fitting(
    found: tuple[TableAd, ...], wanted: str | None, *, begun: bool, watches: bool
) -> list[TableAd]:
    """Return the tables meant that are open or, if none is, the games that can be watched.

    Games in progress count only if `begun`. Somebody who `watches` gets open tables and games.
    Empty if none fits.
    """
    meant = [*found] if wanted is None else _meant(found, wanted)
    still_open = [ad for ad in meant if ad.is_open]
    if still_open and not watches:
        return still_open
    return [ad for ad in meant if ad.is_open or (begun and ad.can_watch)]


def _meant(found: Iterable[TableAd], wanted: str) -> list[TableAd]:
    """Return the tables meant by a code, or by a name with or without words around it."""
    tables, texts = [*found], spellings(wanted, TABLE_NOUNS)
    fits = ([ad for ad in tables if _is_meant(ad, text)] for text in texts)
    return next(filter(None, fits), [])


def _is_meant(ad: TableAd, wanted: str) -> bool:
    folded = wanted.casefold()
    if looks_like_code(wanted):
        return ad.code_number == parse_code(wanted).number
    return ad.name.casefold().startswith(folded) or ad.fingerprint.startswith(folded)


async def _choose(front: FrontEnd, fits: list[TableAd]) -> tuple[TableAd, str]:
    """Let the person choose one of several tables: by its number, its host, or its join code.

    Returns that table with the code typed, or with "". Raises `CommandFailed` if nothing is chosen.
    """

    def named(word: str) -> tuple[TableAd, str] | str:
        typed = code_typed(word)
        try:
            code = str(parse_code(typed)) if typed else ""
        except Malformed as malformed:
            return sentence_about(malformed)
        meant = _meant(fits, typed or word)
        if len(meant) != 1:
            return "" if meant else _not_here(typed or word)
        return meant[0], code

    listed = {number: (ad_sentence(ad), (ad, "")) for number, ad in enumerate(fits, 1)}
    return await chosen_of(front, say("Which table?"), listed, named)


def ad_sentence(ad: TableAd) -> str:
    """Return one line, without a full stop, with a table's offer, its state and its address.

    If the table's version of the protocol differs, the line says only that.
    """
    if ad.version != PROTOCOL_VERSION:
        return say(OTHER_VERSION, name=ad.name, theirs=ad.version, ours=PROTOCOL_VERSION)
    if ad.is_open:
        state = "asks for its join code" if ad.code_number else "open to all"
    elif ad.can_watch:
        state = "playing, can be watched"
        if ad.code_number:
            state = "playing, can be watched with its join code"
    elif ad.phase == "lobby":
        state = "full"
    else:
        state = "playing" if ad.phase == "playing" else "over"
    places = [ad, *(other for other in ad.others if other.row == ad.row)]
    addresses = [place.endpoints[0] for place in places if place.endpoints]
    address = either(addresses) or say("no address")
    if addresses and all(map(leads_nowhere_else, addresses)):
        address = say("{where} on this computer", where=address)
    text = "{name}, {rules} double-{set}, {taken} of {seats} seats taken, {state}, at {address}"
    if any(other.fingerprint != ad.fingerprint for other in ad.others):
        text = (
            "{name} (key {key}), {rules} double-{set}, {taken} of {seats} seats taken, {state}, at "
            "{address}"
        )
    return say(
        text,
        key=ad.fingerprint,
        name=ad.name,
        rules=ad.preset,
        set=ad.pip_max,
        taken=ad.seats_taken,
        seats=ad.seats_offered,
        state=say(state),
        address=address,
    )


def code_of(options: argparse.Namespace, where: str | TableAd, typed: str = "") -> str:
    """Return the join code `typed`, or given as `--code` or in place of a table; empty if none was.

    `--code` may also be the long fingerprint of the table's announcer. If an advertised table has a
    different number, the result is empty, so that the person is asked for the code. A table without
    a number, or an address, takes any code. Raises `Malformed` for a bad code.
    """
    table = options.table or ""
    given = typed or options.code or code_typed(table)
    if not given or read_long_fingerprint(given):
        return given
    code = parse_code(code_typed(given) or given)
    known = where.code_number if isinstance(where, TableAd) else code.number
    return str(code) if known in (code.number, 0) else ""


class CodeOfAnother(Exception):
    """The join code that a person typed belongs to another open `table`."""

    def __init__(self, table: TableAd, code: str) -> None:
        super().__init__(table.name)
        self.table, self.code = table, code


async def ask_code(front: FrontEnd, number: int, trouble: str) -> str | None:
    """Ask the person at `front` for a code that begins with `number`, and return it in full.

    The long fingerprint of the table's announcer is accepted too. If `number` is 0, any number is
    accepted. `trouble` says what was wrong with the last code, or is empty. A code with a different
    number is returned if no open table has that number; if one has, `CodeOfAnother` is raised.

    None if nobody can be asked, or the input ends. Raises `CommandFailed` if the person would
    rather leave.
    """
    if not front.asks_back:
        return None
    front.scene_is(None, say("join code"))
    text = (
        "This table asks newcomers for its join code: ask whoever announces it, and type it, or "
        "quit."
    )
    if number:
        text = (
            "This table asks newcomers for its join code, {number} and two words: ask whoever "
            "announces it, and type it, or quit."
        )
    again = "{problem} Type the join code again, or quit."
    if number:
        again = "{problem} Type the join code again, {number} and two words, or quit."
    problem = sentence_of(translate(trouble)) if trouble else ""
    front.say(say(again if problem else text, problem=problem, number=number))
    while (line := await front.next_line(BACK_WORDS[0])) is not None:
        if line.strip().lower() in BACK_WORDS or goes_back(bare_words(line)):
            raise CommandFailed(ExitCode.REFUSED, say("You have not joined that table."))
        try:
            return read_long_fingerprint(line) or await _code_typed(front, line, number)
        except Malformed as malformed:
            front.say(say(again, problem=sentence_about(malformed), number=number))
    return None


async def _code_typed(front: FrontEnd, line: str, number: int) -> str:
    """Return the code in this line; raises `Malformed` if there is none.

    Raises `CodeOfAnother` as `ask_code` does.
    """
    code = parse_code(code_typed(line) or line)
    if number not in (0, code.number) and (table := await _table_of(front, code)) is not None:
        raise CodeOfAnother(table, str(code))
    return str(code)


def key_teller(front: FrontEnd) -> Callable[[str], None]:
    """Return a function that tells a person their key, once.

    With the key, the table's announcer can let them in without a code. Further calls do nothing.
    """
    told: list[str] = []

    def tell(key: str) -> None:
        text = (
            "Your key is {key}. Whoever announces the table can let you in without the join code: "
            "they type allow {key}, and you type the key that they read then."
        )
        if not told:
            front.say(say(text, key=key))
        told.append(key)

    return tell


async def _table_of(front: FrontEnd, code: JoinCode) -> TableAd | None:
    """Return the open table whose code has this number; None after 3 s, or if the search fails."""
    front.say(say(_LOOKING))
    deadline = trio.current_time() + LOOK_S
    with suppress(Refused):  # the network cannot be searched: no table is found
        while (left := deadline - trio.current_time()) > 0:
            found = await find_tables(left, at_least=1)
            for ad in found:
                if ad.is_open and ad.code_number == code.number:
                    return ad
            await trio.sleep(0.2)
    return None
