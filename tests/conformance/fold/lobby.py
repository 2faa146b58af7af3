"""The lobby: the offer, requests for a seat, and admissions (3, 4.4, 4.6)."""

import re

import msgpack

from engine.refusals import Refusal
from engine.rules.choose import parse_rules
from engine.rules.revision import RULES_REVISION
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import First
from tests.conformance import proofs
from tests.conformance.fold.state import need
from tests.conformance.octets import PAGE, message
from tests.netgame.crypto.oracle import hashed

NUMBER = re.compile("0|-?[1-9][0-9]*")
"""The one spelling of a number as the value of a switch (3.1)."""


def rules_of(offer):
    """Return the rules that an offer names, or a Refusal if no such rules exist."""
    return parse_rules(offer.preset, dict(map(_word, offer.switches)))


def spec_of(fold, seats):
    """Return the spec that the offer makes for this many seats, or a Refusal."""
    offer, rules = fold.settings, rules_of(fold.settings)
    if isinstance(rules, Refusal):
        return rules
    return make_spec(rules, offer.pip_max, seats, offer.rounds or None, offer.hand or None)


def read_request(octets, signature):
    """Return a join request (4.4); raise Refused or Malformed if it is not good."""
    read = message(octets, "JoinRequest", limit=1024)
    need(proofs.is_key(read.key), "shape")
    need(proofs.signed(read.key, "boneyard/v4/join", octets, signature), "shape")
    return read


def is_for_now(fold, request):
    """Return True if a request is for the seating that is open now (4.4, 4.8).

    In the lobby, a request that has already been admitted does not count again.
    """
    since = fold.seating_since
    if fold.phase == "lobby":
        since = max(since, fold.admitted.get(request.key, -1) + 1)
    return request.table == fold.session and since <= request.step <= fold.step


def check_open_table(fold, _, said):
    """Require rules and options that exist, unless the offer has a different revision.

    `close` checks whether they make a table.
    """
    if said.settings.revision != RULES_REVISION:
        return
    for name, value in dict(map(_word, said.settings.options)).items():
        need(value in OPTIONS.get(name, ()), "rules")
    for _, value in map(_word, said.settings.switches):
        need(not value.lstrip("+-").isdigit() or NUMBER.fullmatch(value), "rules")
    need(not isinstance(rules_of(said.settings), Refusal), "rules")


def complete_open_table(fold, entries):
    """Keep the host, the offer, the chosen options and the hash of the rules."""
    said = entries[0].payload
    fold.host, fold.settings = said.host, said.settings
    chosen = {name: values[0] for name, values in OPTIONS.items()}
    fold.options = chosen | dict(map(_word, said.settings.options))
    fold.rules_hash = hashed("rules", _octets_of_settings(entries[0].body))


def check_admit(fold, _, said):
    """Require a request from somebody new, a free seat, and a lobby that is not too long."""
    request = read_request(said.request, said.signature)
    need(is_for_now(fold, request), "shape")
    need(request.key not in fold.members and len(fold.members) < fold.settings.seats, "shape")
    need(fold.step < LOBBY_STEPS_MAX, "shape")


def complete_admit(fold, entries):
    """Add the admitted member."""
    said = entries[0].payload
    key = read_request(said.request, said.signature).key
    fold.members = (*fold.members, key)
    fold.admitted = {**fold.admitted, key: fold.step}


def check_dismiss(fold, _, said):
    """Require that the key is a member's."""
    need(said.key in fold.members, "shape")


def complete_dismiss(fold, entries):
    """Remove the dismissed member."""
    gone = entries[0].payload.key
    fold.members = tuple(key for key in fold.members if key != gone)


def check_close(fold, _, said):
    """Require enough members, and a named first player exactly if the rules want one."""
    spec = spec_of(fold, len(fold.members))
    need(isinstance(spec, TableSpec), "rules")
    chosen = spec.rules.first is First.CHOSEN_ROTATE
    need(said.first in fold.members if chosen else not said.first, "rules")


def complete_close(fold, entries):
    """Fix the roster and the first player; everybody signs the roster next."""
    fold.chosen = entries[0].payload.first
    fold.roster, fold.roster_step = tuple(sorted(fold.members)), fold.step + 1
    fold.since_coin = frozenset(range(len(fold.roster)))
    fold.spec, fold.phase = spec_of(fold, len(fold.members)), "roster"


def _word(text):
    """Return the name and the value of a word `name=value`."""
    name, _, value = text.partition("=")
    return name, value


def _table_of_options():
    """Return the values of each option as 4.6 of the page lists them, the default first."""
    section = PAGE[PAGE.index("### 4.6 ") : PAGE.index("### 4.7 ")]
    found, name = {}, ""
    for line in section.splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if line.startswith("|") and line.count("|") == 4 and cells[1] not in ("value", "---"):
            name = cells[0] or name
            found.setdefault(name, []).append(cells[1])
    return found


def _octets_of_settings(body):
    """Return the octets of the offer as they are in the entry that opens the table."""
    value = msgpack.unpackb(body, raw=False)
    return msgpack.packb(value[-1][3], use_bin_type=True)


LOBBY_STEPS_MAX = 2_048
"""From this step of a lobby on, nobody else is admitted (9)."""

OPTIONS = _table_of_options()
"""The options of a table, each with its values."""
