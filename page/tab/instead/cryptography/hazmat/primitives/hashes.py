"""SHA-256, the only hash function that the tab's libraries take from `cryptography`."""


class SHA256:
    """SHA-256, described by its name in `hashlib` and the size of its digest."""

    name = "sha256"
    digest_size = 32
