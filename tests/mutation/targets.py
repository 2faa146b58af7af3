"""The modules that are mutated, and the tests that should notice, the quickest first."""

from pathlib import Path
from typing import Final

from tests.tree import ROOT

_PAGES: Final = ("tests/netgame/wire/test_codec.py", "tests/netgame/wire/test_page.py")


def _crypto(*names: str) -> tuple[str, ...]:
    return _of("netgame/crypto", *names)


def _ledger(*names: str) -> tuple[str, ...]:
    return _of("netgame/protocol/ledger", *names)


def _door(*names: str) -> tuple[str, ...]:
    return _of("netgame/io/door", *names)


def _of(room: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tests/{room}/test_{name}.py" for name in names)


TESTS: Final = {
    "netgame.crypto.audit": _crypto("audit", "forgeries", "vectors"),
    "netgame.crypto.batch": _crypto("batch", "group"),
    "netgame.crypto.blanks": _crypto("blanks", "proofs", "forgeries", "vectors"),
    "netgame.crypto.coin": _crypto("coin", "vectors"),
    "netgame.crypto.curve": _crypto("group", "buckets", "vectors"),
    "netgame.crypto.group": _crypto("group", "masking", "buckets", "vectors"),
    "netgame.crypto.hand": _crypto("hand", "proofs", "forgeries", "vectors"),
    "netgame.crypto.handover": _crypto("handover", "proofs", "forgeries", "vectors"),
    "netgame.crypto.keys": _crypto("proofs", "forgeries", "vectors"),
    "netgame.crypto.masking": _crypto("masking", "proofs", "forgeries", "vectors"),
    "netgame.crypto.rebuild": _crypto("rebuild", "proofs", "forgeries", "vectors"),
    "netgame.crypto.sealed": _crypto("forgeries"),
    "netgame.crypto.shuffle": _crypto("shuffle", "proofs", "forgeries", "vectors"),
    "netgame.crypto.signing": _crypto("signing", "vectors"),
    "netgame.crypto.transcript": (
        *_crypto("transcript", "vectors"),
        "tests/netgame/wire/test_page_words.py",
    ),
    "netgame.wire.codec": _PAGES,
    "netgame.wire.fields": _PAGES,
    "netgame.wire.messages": _PAGES,
    "netgame.wire.payloads": _PAGES,
    "netgame.wire.statements": (*_PAGES, *_ledger("statement_vectors", "log_vectors")),
    "netgame.protocol.ledger.ledger": (
        *_ledger(
            "fork_evidence",
            "ledger",
            "intake",
            "intake_content",
            "intake_order",
            "log_vectors",
            "chain_gate",
            "two_seats",
            "record",
        ),
        *_of("netgame/protocol/state", "late_faults"),
        *_ledger("past", "poll_room", "beyond_the_wall", "what_could_stand"),
        *_of("netgame/protocol/peer", "lost_tail", "coming_and_going", "polls", "attacked"),
    ),
    "netgame.protocol.ledger.evidence": (
        *_ledger("poll_evidence", "guests_in_polls", "log_vectors"),
        *_of("netgame/protocol/peer", "hostile_polls"),
    ),
    "netgame.protocol.ledger.poll": (
        *_ledger("guests_in_polls", "poll_room", "log_vectors"),
        *_of("netgame/protocol/peer", "hostile_polls", "polls", "attacked"),
    ),
    "netgame.protocol.epochs.company": (
        *_of("netgame/protocol/epochs", "company"),
        *_ledger("ledger", "log_vectors"),
        *_of("netgame/protocol/state", "latecomers"),
    ),
    "netgame.protocol.epochs.cut": (
        *_of("netgame/protocol/epochs", "certificate", "carried"),
        *_ledger("log_vectors"),
        *_of("netgame/protocol/epochs", "cut"),
        *_of("netgame/protocol/peer", "polls"),
    ),
    "netgame.protocol.epochs.pairs": (
        *_of("netgame/protocol/epochs", "pairs"),
        *_ledger("log_vectors"),
        *_of("netgame/protocol/epochs", "cut"),
    ),
    "netgame.protocol.epochs.voter": (
        *_of("netgame/protocol/peer", "journal"),
        *_of("netgame/protocol/epochs", "cut"),
        *_of("netgame/protocol/peer", "polls", "polls_crashes"),
    ),
    "netgame.protocol.ledger.record": (
        *_ledger("fork_evidence", "verdict"),
        *_of("netgame/protocol/log", "recordfile"),
        *_ledger("record", "chain_gate", "log_vectors", "file_vectors", "other_revision"),
    ),
    "netgame.protocol.ledger.verification": (
        *_ledger("fork_evidence", "verdict", "record", "file_vectors"),
        *_ledger("log_vectors", "false_proofs"),
    ),
    "netgame.protocol.ledger.hurry": (
        *_of("cli/history", "false_proofs"),
        *_ledger("false_proofs", "record"),
    ),
    "netgame.protocol.state.revision": (
        *_ledger("other_revision"),
        *_of("netgame/protocol/peer", "other_revision"),
    ),
    "netgame.protocol.forwarding": (
        *_of("netgame/protocol", "forwarding", "forwarding_liars"),
        *_of("netgame/wire", "page_words", "page_links"),
    ),
    "netgame.crypto.noise": (*_crypto("noise"), *_door("channel")),
    "netgame.io.door.sealed": _door("sealed", "channel"),
    "netgame.io.door.channel": (
        *_door("channel", "first_contact", "both_ends"),
        *_of("netgame/io/tables", "entrance", "stranger", "stranger_refused"),
    ),
    "netgame.io.door.admission": _door("door", "first_contact"),
    "netgame.io.door.first_contact": _door("first_contact", "code_timing"),
    "netgame.io.door.pake": (*_crypto("vectors"), *_door("first_contact", "attacked_door")),
}
"""The tests of each module."""


def source_of(module: str) -> Path:
    """Return the file of a module."""
    return ROOT / (module.replace(".", "/") + ".py")
