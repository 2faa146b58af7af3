"""The certificate that stands for an identity key in TLS.

It never changes for a key: serial number, name and dates are fixed, the dates far apart because
the clocks of laptops at a party are wrong, and Ed25519 signatures are deterministic.
"""

from __future__ import annotations

import datetime
import ssl
import tempfile
from pathlib import Path
from typing import Final

from netgame.errors import DiskTrouble, Malformed
from netgame.io.identity import Identity

_FROM: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_UNTIL: Final = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
"""RFC 5280 4.1.2.5: the date that means "no expiry"."""
_NAME: Final = "boneyard"


def make_certificate(identity: Identity) -> bytes:
    """Return the self-signed certificate of an identity, DER."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, _NAME)])
    builder = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=identity.private_key.public_key(),
        serial_number=1,
        not_valid_before=_FROM,
        not_valid_after=_UNTIL,
    )
    return builder.sign(identity.private_key, algorithm=None).public_bytes(Encoding.DER)


def certificate_key(certificate: bytes) -> bytes:
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
    return key.public_bytes_raw()


def load_certificate(context: ssl.SSLContext, identity: Identity) -> bytes:
    """Give `context` the identity's certificate and key; return the certificate, DER.

    The standard library reads both from a file only, so they pass through a folder that only
    this user may enter and that is gone before this returns. Raises `DiskTrouble`.
    """
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )
    from cryptography.x509 import load_der_x509_certificate

    certificate = make_certificate(identity)
    pem = load_der_x509_certificate(certificate).public_bytes(Encoding.PEM)
    key = identity.private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
            path = Path(folder, "certificate.pem")
            path.write_bytes(pem + key)
            context.load_cert_chain(path)
    except OSError as error:
        raise DiskTrouble(f"cannot write a temporary file: {error.strerror or error}") from error
    return certificate
