"""The server's side of peer.md 3.2 and 3.6: a door that asks for a join code."""

import datetime
import hashlib
import hmac
import secrets
import ssl

import trio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.conformance import octets, proofs
from tests.conformance.channel import ALPN, VERSION, Channel, beat, code_proofs, public
from tests.conformance.spake import Run

DAY = datetime.datetime(1999, 12, 31, tzinfo=datetime.UTC)


def certificate_of(key):
    """Give a certificate, DER: all but the key is odd, as none of that means anything."""

    def name(text):
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    builder = x509.CertificateBuilder(
        issuer_name=name("nobody"),
        subject_name=name("elsewhere.example"),
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=DAY,
        not_valid_after=DAY + datetime.timedelta(days=1),
    )
    signer = Ed25519PrivateKey.generate()
    return builder.sign(signer, algorithm=None).public_bytes(Encoding.DER)


class Door:
    """Who comes in here shows `code`, if there is one; `table` is the id that it tells.

    `proofs` has every `client-proof` that came. `lies` are what it says that is not so.
    """

    def __init__(self, key, code, table, folder, **lies):
        self.key, self.code, self.table = key, code, table
        self.lies = {"number": int(code.partition("-")[0] or 0)} | lies
        self.proofs = []
        self.certificate = certificate_of(key)
        pem = x509.load_der_x509_certificate(self.certificate).public_bytes(Encoding.PEM)
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        path = folder / "door.pem"
        path.write_bytes(pem + secret)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(path)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.context.set_alpn_protocols([ALPN])

    async def let_in(self, tcp):
        """Prove both ends to each other; gives the channel with the client's key."""
        stream = trio.SSLStream(tcp, self.context, server_side=True, https_compatible=True)
        await stream.do_handshake()
        digest = hashlib.sha256(self.certificate).digest()
        channel = Channel(stream, public(self.key), digest)
        nonce = secrets.token_bytes(32)
        hello = (VERSION, nonce, self.table, self.lies["number"])
        await channel.send("server-hello", *hello)
        said = await channel.receive("client-proof")
        came = trio.current_time()
        self.proofs.append(said)
        assert said.version == VERSION
        where = channel.digest + nonce
        assert proofs.signed(said.key, "boneyard-client-auth-v1", where, said.signature)
        if said.opening or self.code:
            await self._hear_code(channel, said, nonce, came)
        await channel.send("verdict", "ok", "")
        channel.limit, channel.key = octets.FRAME_MAX, said.key
        return channel

    async def _hear_code(self, channel, said, nonce, came):
        """Have the join code shown, and show it."""
        run = Run("B", self.code.encode(), said.key, channel.key + channel.digest)
        theirs, ours = code_proofs(run, said.opening, nonce, self.table)
        await beat(came)
        await channel.send("code-answer", run.message)
        shown = await channel.receive("code-proof")
        assert hmac.compare_digest(shown.proof, theirs)
        await beat(came)
        await channel.send("code-proof", self.lies.get("proof", ours))
