"""What proves keys right after TLS, before anything else [protocol.md §3.2].

A closed union of arrays `[tag, field, …]` as in `messages`.
"""

from typing import Annotated

from msgspec import Meta

from netgame.limits import CODE_NUMBER_MAX
from netgame.wire import fields


class ServerHello(fields.Array, frozen=True, tag="server-hello"):
    """Server to client, first: its protocol version and a fresh nonce to sign.

    Also the table it sits at, empty if none, and the number of the join code that strangers need
    there; 0 if they need none.
    """

    version: Annotated[int, Meta(ge=0, le=65_535)]
    nonce: fields.Octets32
    table: fields.TableName
    number: Annotated[int, Meta(ge=0, le=CODE_NUMBER_MAX)]


class ClientProof(fields.Array, frozen=True, tag="client-proof"):
    """Client to server: its key, and a signature over the certificate it saw and the nonce.

    `opening` is the first message of SPAKE2, or empty without a join code.
    """

    version: Annotated[int, Meta(ge=0, le=65_535)]
    key: fields.Key
    signature: fields.Signature
    opening: Annotated[bytes, Meta(max_length=33)]


class CodeAnswer(fields.Array, frozen=True, tag="code-answer"):
    """Server to client: the second message of SPAKE2."""

    message: fields.PointOctets


class CodeProof(fields.Array, frozen=True, tag="code-proof"):
    """Client to server, then server to client: that the sender knows the join code."""

    proof: fields.Octets32


class Verdict(fields.Array, frozen=True, tag="verdict"):
    """Server to client: `ok`, or the code and the sentence of a refusal."""

    code: fields.Word
    text: fields.ShortText


ChannelMessage = ServerHello | ClientProof | CodeAnswer | CodeProof | Verdict
