"""Past games added up: all of them, by rules, and by opponent."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from cli.results.summary import Summary
from engine.refusals import Refusal
from engine.rules.choose import STANDARD, by_name, parse_rules
from engine.rules.ruleset import RuleSet
from engine.scoring import best_seats

BOTS = "bots"
"""The key that stands for all bots, because the bots of each table have new keys."""


class Tally(Struct):
    """Counts of the games that the player finished, and of the scored rounds they played."""

    games: int = 0
    games_won: int = 0
    rounds: int = 0
    rounds_won: int = 0
    points: int = 0
    best: int | None = None
    """The best score of one round; None without a round."""
    worst: int | None = None
    longest: int = 0
    """The most tiles on the player's own train at the end of a round."""

    @property
    def average(self) -> float | None:
        """Points per round; None without a round."""
        return round(self.points / self.rounds, 1) if self.rounds else None

    def add(self, told: Summary, seat: int, rules: RuleSet) -> None:
        """Add one game as `seat` has played it.

        Only scored rounds that the seat has played count. An unfinished game adds its rounds, but
        does not count as a game.
        """
        self.games += told.finished
        self.games_won += told.finished and seat in told.winners
        # older summaries do not name the winners
        won = told.won or [best_seats(rules, (row,), len(row)) for row in told.scores]
        for number in told.rounds_of(seat):
            score = told.scores[number][seat]
            self.rounds += 1
            self.rounds_won += seat in won[number]
            self.points += score
            known = [each for each in (self.best, self.worst) if each is not None]
            ranked = sorted((*known, score), key=lambda each: rules.standing(each))
            self.best, self.worst = ranked[0], ranked[-1]
        self.longest = max(self.longest, *(row[seat] for row in told.longest if seat < len(row)), 0)


class Opponent(Struct):
    """The finished games with one opponent, or with all bots; `name` is the latest name."""

    name: str
    games: int = 0
    you_won: int = 0
    they_won: int = 0


class Stats(Struct):
    """All games of a player added up: in all, by rules, and by opponent."""

    total: Tally = field(default_factory=Tally)
    rules: dict[str, Tally] = field(default_factory=dict)
    """The tally for each set of rules, named by preset and switches with blanks between them."""
    opponents: dict[str, Opponent] = field(default_factory=dict)
    """The opponents by key, as 64 hex digits; the key `BOTS` is for all bots."""


def stats_of(games: Iterable[tuple[Summary, int]]) -> Stats:
    """Add up games, given oldest first, each with the player's own seat in it."""
    stats = Stats()
    for told, seat in games:
        rules = rules_of(told)
        name = " ".join((told.preset, *told.switches))
        for tally in (stats.total, stats.rules.setdefault(name, Tally())):
            tally.add(told, seat, rules)
        if told.finished:
            _meet(stats.opponents, told, seat)
    return stats


def rules_of(told: Summary) -> RuleSet:
    """Return the rules of a game, or the standard rules if its preset or a switch is not known."""
    rules = parse_rules(told.preset, by_name(told.switches))
    if isinstance(rules, Refusal):
        rules = parse_rules(STANDARD, {})
    assert not isinstance(rules, Refusal), "the standard rules are rules"
    return rules


def _meet(opponents: dict[str, Opponent], told: Summary, seat: int) -> None:
    """Count a finished game once for each other player, and once for all its bots together."""
    met: dict[str, Sequence[int]] = {}
    for at, each in enumerate(told.players):
        if at != seat:
            key = BOTS if each.bot else each.key
            met[key] = (*met.get(key, ()), at)
    for key, seats in met.items():
        name = BOTS if key == BOTS else told.players[seats[0]].name
        opponent = opponents.setdefault(key, Opponent(name))
        opponent.name = name
        opponent.games += 1
        opponent.you_won += seat in told.winners
        opponent.they_won += any(at in told.winners for at in seats)
