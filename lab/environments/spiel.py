"""Mexican Train as a game of OpenSpiel: `pyspiel.load_game("python_mexican_train")`.

Needs what `requirements.txt` beside this names. Importing the module registers the game. Its
parameters are those of `spec_of`. Chance deals and draws one tile at a time, all that
are unknown equally likely; utilities are the points of the game as a loss, so they do not sum to
any number.
"""

from typing import Any, Final

import numpy as np
import pyspiel

from engine.rules.choose import STANDARD
from engine.table.moves import Move
from engine.table.trains import Seat
from engine.tiles import TILES, full_set
from lab.environments.action_numbers import ActionNumbers
from lab.environments.observation import observation_size, observed
from lab.environments.open_game import OpenGame, deals_max
from lab.environments.utilities import utilities, utility_bound
from lab.rounds.spec_words import spec_of
from lab.rounds.whole_games import MOVES_MAX

_TYPE: Final = pyspiel.GameType(
    short_name="python_mexican_train",
    long_name="Mexican Train",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=14,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "preset": STANDARD,
        "switches": "",
        "pip_max": 12,
        "players": 4,
        "rounds": 1,
    },
)
_TILE_NUMBERS: Final = {tile: number for number, tile in enumerate(TILES)}


class MexicanTrainGame(pyspiel.Game):  # type: ignore[misc]
    """A game of any rules."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Take the parameters; ValueError where there is no such game."""
        chosen = {**_TYPE.parameter_specification, **(params or {})}
        self.spec = spec_of(
            chosen["preset"],
            chosen["switches"].split(),
            chosen["pip_max"],
            chosen["players"],
            chosen["rounds"],
        )
        self.numbers = ActionNumbers(self.spec)
        bound = utility_bound(self.spec)
        length = (MOVES_MAX + len(full_set(self.spec.pip_max))) * deals_max(self.spec)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.numbers.count,
            max_chance_outcomes=len(TILES),
            num_players=self.spec.seats,
            min_utility=-bound,
            max_utility=bound,
            max_game_length=length,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> "MexicanTrainState":
        """A game about to be dealt; seat 0 leads by rotation."""
        return MexicanTrainState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: dict[str, object] | None = None,
    ) -> "MexicanTrainObserver":
        """The maker of observations of states."""
        if params:
            raise ValueError(f"Observations have no parameters, but got {params}.")
        return MexicanTrainObserver(self, iig_obs_type)


class MexicanTrainState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game."""

    def __init__(self, game: MexicanTrainGame) -> None:
        """The first moment."""
        super().__init__(game)
        self.spec, self.numbers = game.spec, game.numbers
        self.open_game = OpenGame(game.spec, Seat(0))
        self._before = self.returns()

    def __deepcopy__(self, memo: dict[int, Any]) -> "MexicanTrainState":
        """A state of its own: what is shared never changes."""
        twin = MexicanTrainState(self.get_game())
        twin.open_game, twin._before = self.open_game.copy(), self._before
        return twin

    def current_player(self) -> int:
        """The seat that decides, chance, or the end."""
        if self.open_game.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.open_game.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._legal()) if player == self.open_game.seat else []

    def _legal(self) -> dict[int, Move]:
        return self.numbers.legal(self.open_game)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every tile that may be drawn, and how likely."""
        tiles = self.open_game.outcomes()
        return [(_TILE_NUMBERS[tile], 1 / len(tiles)) for tile in tiles]

    def _apply_action(self, action: int) -> None:
        if self.open_game.is_chance:
            self.open_game.draw(TILES[action])
        else:
            self._before = self.returns()
            self.open_game.decide(self._legal()[action])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"tile {TILES[action]}"
        move = self._legal().get(action) if player == self.open_game.seat else None
        return f"action {action}" if move is None else _text(move)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.open_game.is_over

    def returns(self) -> list[float]:
        """The worth of the rounds scored so far, to each seat."""
        return list(utilities(self.spec, self.open_game.scores))

    def rewards(self) -> list[float]:
        """The worth that a seat's last action has added; draws that follow it keep that."""
        returns = zip(self.returns(), self._before, strict=True)
        return [after - before for after, before in returns]

    def __str__(self) -> str:
        """Everything that was done, tiles that nobody has shown included."""
        game = self.open_game
        shown = " ".join(f"{seat}:{tile}" for seat, _, tile in game.glimpses)
        return f"{shown} | {' '.join(map(_text, game.moves))}"


class MexicanTrainObserver:
    """Observations of one seat, as a tensor and as text."""

    def __init__(
        self, game: MexicanTrainGame, iig_obs_type: pyspiel.IIGObservationType | None
    ) -> None:
        """Nothing observed yet."""
        self._recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = np.zeros(observation_size(game.spec), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: MexicanTrainState, player: int) -> None:
        """Put what the seat sees now into the tensor."""
        self.tensor[:] = observed(state.open_game.view(Seat(player)))

    def string_from(self, state: MexicanTrainState, player: int) -> str:
        """The moments that the seat has seen so far, in order, or this one alone."""
        game = state.open_game
        if self._recalls:
            own = " ".join(str(tile) for seat, _, tile in game.glimpses if seat == player)
            return f"seat {player} saw {own} | {' '.join(map(_text, game.moves))}"
        view = game.view(Seat(player))
        held = " ".join(str(tile) for _, tile in view.hand.tiles) if view.hand else ""
        trains = " ".join(f"{train.id}:{train.ends}:{train.marker}" for train in view.table.trains)
        counts = " ".join(str(len(each)) for each in view.table.hands)
        seen = f"{view.table.phase.value} {view.table.to_move} {view.table.turn.stage.value}"
        return f"seat {player} holds {held} | {seen} | {counts} | {trains}"


def _text(move: Move) -> str:
    """A move, short and without spaces."""
    return repr(move).replace(" ", "")


pyspiel.register_game(_TYPE, MexicanTrainGame)
