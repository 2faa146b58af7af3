"""The parts that read octets which stand somewhere: records on a disk, TXT of advertisements."""

from random import Random

from lab.fuzzing.mutation import mutated
from lab.fuzzing.part import Broken, Reader
from lab.fuzzing.record_games import played
from netgame.crypto.transcript import expand
from netgame.wire.codec import encode
from netgame.wire.messages import EvidenceFrame, SignedEntry


def make_record() -> Reader:
    """A record or evidence file, spoilt in its octets or, with good checksums, in its frames."""
    from netgame.protocol.ledger.verification import verify_record
    from netgame.protocol.log.entry import frame_payload, read_frames

    game = played(0)
    evidence = encode(EvidenceFrame("fork", (SignedEntry(b"", bytes(64)),), b"", b"", b""))
    entropy = expand(bytes(32), "fuzz record")

    def record(chance: Random) -> bool:
        kept = list(game.payloads[: chance.randrange(1, 12)])
        if chance.random() < 0.5:
            octets = mutated(chance, (b"".join(map(frame_payload, kept)),))
        else:
            at = chance.randrange(len(kept) + 1)
            kept[at : at + chance.randrange(2)] = [mutated(chance, (*kept, evidence))]
            octets = b"".join(map(frame_payload, kept))
        verdict = verify_record(octets, entropy)
        payloads, _ = read_frames(octets)
        if verdict.ok and payloads != game.payloads[: len(payloads)]:
            raise Broken("a record was found good that nobody has played")
        return verdict.ok

    return record


def make_txt() -> Reader:
    """The TXT record of an advertisement."""
    from netgame.io.discovery.advert import TableAd, instance_name, parse_txt, txt_of

    ad = TableAd("Ann", "ab" * 64, "eh7ddx5b", "standard", 12, 3, 8, "lobby", ("10.0.0.1",), 4747)
    sample = {key.encode(): value.encode() for key, value in txt_of(ad).items()}
    words = tuple(sample.values())

    def txt(chance: Random) -> bool:
        spoilt: dict[bytes, bytes | None] = {**sample}
        for _ in range(chance.randrange(4)):
            key = chance.choice(tuple(sample))
            if chance.random() < 0.2:
                key = mutated(chance, (key,))
            spoilt[key] = None if chance.random() < 0.05 else mutated(chance, words)
        found = parse_txt(spoilt, ad.addresses, chance.choice((4747, 0, 65_536, -1)))
        if found is None:
            return False
        if len(instance_name(found).split(".", 1)[0].encode()) > 63:
            raise Broken("a name that is too long for a service")
        return txt_of(found) == txt_of(ad)

    return txt
