"""TLS 1.3 between two identity keys: certificates that stand for a key, and what both ends set.

A certificate never changes for a key: serial number, name and dates are fixed, the dates far apart
because the clocks of laptops at a party are wrong, and Ed25519 signatures are deterministic.
"""

import datetime
import ssl
import tempfile
from pathlib import Path
from typing import Final

import trio
from trio.abc import Stream

from netgame.errors import DiskTrouble, HungUp, Malformed
from netgame.io.disk.identity import Identity
from netgame.protocol.peer.effects import PeerKey

ALPN: Final = "boneyard/1"

BUSY: Final = "the table is busy, or no table answers there. Try again in a minute"
_NO_TABLE: Final = "whatever answers there is no table: it speaks another protocol"

_FROM: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_UNTIL: Final = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
"""RFC 5280 4.1.2.5: the date that means "no expiry"."""


def client_context() -> ssl.SSLContext:
    """Return the client's side; no authority vouches for a server, its key says who it is."""
    # Slow to import, which nobody shall wait for at a door: certificates, and the proof of a code.
    from cryptography import x509  # noqa: F401
    from spake2 import ed25519_basic  # noqa: F401

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return _narrowed(context)


def server_context(identity: Identity) -> tuple[ssl.SSLContext, bytes]:
    """Return the server's side and the certificate it shows, DER. Raises `DiskTrouble`.

    The standard library reads certificate and key from a file only, so they pass through a folder
    that only this user may enter and that is gone before this returns.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization as form

    key = identity.private_key
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "boneyard")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, _FROM, _UNTIL)
    certificate = builder.sign(key, algorithm=None)
    pem = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0
    try:
        with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
            path = Path(folder, "certificate.pem")
            path.write_bytes(certificate.public_bytes(form.Encoding.PEM) + pem)
            context.load_cert_chain(path)
    except OSError as error:
        raise DiskTrouble(f"cannot write a temporary file: {error.strerror or error}") from error
    return _narrowed(context), certificate.public_bytes(form.Encoding.DER)


def _narrowed(context: ssl.SSLContext) -> ssl.SSLContext:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN])
    return context


def certificate_key(certificate: bytes) -> PeerKey:
    """Return the Ed25519 key, 32 octets, of a certificate that may be hostile, or `Malformed`.

    That its holder has the secret half, TLS 1.3 has already shown.
    """
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, UnsupportedAlgorithm) as error:
        raise Malformed(f"not a certificate: {error}") from None
    if not isinstance(key, Ed25519PublicKey):
        raise Malformed("the certificate is not for an Ed25519 key")
    return PeerKey(key.public_bytes_raw())


async def shake_hands(
    stream: Stream, context: ssl.SSLContext, *, server_side: bool = False
) -> trio.SSLStream[Stream]:
    """Do TLS over `stream`. Raises `HungUp`, and `Malformed` for another protocol."""
    tls = trio.SSLStream(stream, context, server_side=server_side, https_compatible=True)
    try:
        await tls.do_handshake()
    except (trio.BrokenResourceError, trio.ClosedResourceError, OSError) as error:
        cause = error.__cause__
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError):
            raise Malformed(_NO_TABLE) from None
        raise HungUp(BUSY) from None
    if tls.selected_alpn_protocol() != ALPN:
        raise Malformed(_NO_TABLE)
    return tls
