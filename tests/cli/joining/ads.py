"""The advertisement of a table, as a search of the network finds it."""

from netgame.io.discovery.advert import TableAd

ANN = TableAd(
    name="Ann",
    table_id="ab" * 64,
    fingerprint="eh7ddx5b",
    preset="standard",
    pip_max=12,
    seats_taken=3,
    seats_offered=8,
    phase="lobby",
    addresses=("10.0.0.1",),
    port=4747,
    code_number=7,
)
