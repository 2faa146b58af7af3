"""What proves keys right after TLS, before anything else [protocol.md §3.2].

A closed union of arrays `[tag, field, …]` as in `messages`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from netgame.limits import CODE_NUMBER_MAX
from netgame.wire.fields import (
    Array,
    Key,
    Octets32,
    PointOctets,
    ShortText,
    Signature,
    TableName,
    Word,
)


class ServerHello(Array, frozen=True, tag="server-hello"):
    """Server to client, first: its protocol version and a fresh nonce to sign.

    Also the table it sits at, empty if none, and the number of the join code that strangers need
    there; 0 if they need none.
    """

    version: Annotated[int, Meta(ge=0, le=65_535)]
    nonce: Octets32
    table: TableName
    number: Annotated[int, Meta(ge=0, le=CODE_NUMBER_MAX)]


class ClientProof(Array, frozen=True, tag="client-proof"):
    """Client to server: its key, and a signature over the certificate it saw and the nonce.

    `opening` is the first message of SPAKE2, or empty without a join code.
    """

    version: Annotated[int, Meta(ge=0, le=65_535)]
    key: Key
    signature: Signature
    opening: Annotated[bytes, Meta(max_length=33)]


class CodeAnswer(Array, frozen=True, tag="code-answer"):
    """Server to client: the second message of SPAKE2."""

    message: PointOctets


class CodeProof(Array, frozen=True, tag="code-proof"):
    """Client to server, then server to client: that the sender knows the join code."""

    proof: Octets32


class Verdict(Array, frozen=True, tag="verdict"):
    """Server to client: `ok`, or the code and the sentence of a refusal."""

    code: Word
    text: ShortText


ChannelMessage = ServerHello | ClientProof | CodeAnswer | CodeProof | Verdict
