"""Who has said which seats were missing in steps that are done, as far as it still matters."""

from __future__ import annotations

from dataclasses import dataclass, field

from netgame.limits import VOICES_PER_SEAT_MAX
from netgame.protocol.ledger.votes import Naming


@dataclass(slots=True)
class Voices:
    """What each seat has last said: a seat that says much forgets its own words, nobody else's."""

    _by_seat: dict[int, dict[tuple[int, Naming], None]] = field(default_factory=dict)

    def add(self, seat: int, step: int, naming: Naming) -> frozenset[int]:
        """Note that `seat` said so of `step`; whoever has said the same."""
        own, said = self._by_seat.setdefault(seat, {}), (step, naming)
        own.pop(said, None)
        own[said] = None
        if len(own) > VOICES_PER_SEAT_MAX:
            del own[next(iter(own))]
        return frozenset(each for each, sets in self._by_seat.items() if said in sets)

    def __len__(self) -> int:
        return sum(map(len, self._by_seat.values()))
