"""Mexican Train as an environment of PettingZoo, one agent after the other (AEC).

Needs what `requirements.txt` beside this names. An observation is that of `observation`, an action
a number of `action_numbers`; the reward is what a scored round adds to the points of a seat, as a
loss.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from engine.chance import Entropy, below
from engine.rules.choose import STANDARD
from engine.table.moves import Move
from engine.table.trains import Seat
from lab.environments.action_numbers import ActionNumbers
from lab.environments.observation import observation_size, observed
from lab.environments.open_game import OpenGame
from lab.environments.utilities import utilities
from lab.rounds.seeds import pick, seeded
from lab.rounds.spec_words import spec_of

_SEED_BYTES = 8


class MexicanTrainZoo(AECEnv[str, dict[str, Any], int]):
    """A game of any rules; agents are called `seat_0` and so on, clockwise."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "mexican_train_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        preset: str = STANDARD,
        switches: str = "",
        pip_max: int = 12,
        seats: int = 4,
        rounds: int = 1,
        render_mode: str | None = None,
    ) -> None:
        """An environment at which nothing is dealt yet.

        `switches` are words like `blanks=25-50 doubles=must`. Raises ValueError where there is no
        such game.
        """
        super().__init__()
        self.spec = spec_of(preset, switches.split(), pip_max, seats, rounds)
        self.render_mode = render_mode
        self.numbers = ActionNumbers(self.spec)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        seen = spaces.Box(0.0, 1.0, (observation_size(self.spec),), np.float32)
        mask = spaces.Box(0, 1, (self.numbers.count,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self.numbers.count) for agent in self.possible_agents
        }
        self._chance: Entropy = seeded(bytes(_SEED_BYTES))

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; the same seed deals the same tiles. `options` mean nothing."""
        if seed is not None:
            self._chance = seeded((seed % 2**64).to_bytes(_SEED_BYTES, "big"))
        self.game = OpenGame(self.spec, Seat(below(self._chance, self.spec.seats)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._to_next_decision()

    def observe(self, agent: str) -> dict[str, Any]:
        """A seat's observation and legal actions; none unless it decides now."""
        seat = Seat(self.possible_agents.index(agent))
        mask = np.zeros(self.numbers.count, np.int8)
        if seat == self.game.seat:
            mask[list(self._legal())] = 1
        seen = np.array(observed(self.game.view(seat)), np.float32)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The agent that is selected acts; an illegal action raises ValueError."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self._legal().get(-1 if action is None else int(action))
        if move is None:
            raise ValueError(f"{agent} may not do {action} now: see its action mask.")
        before = utilities(self.spec, self.game.scores)
        self._cumulative_rewards[agent] = 0.0
        self.game.decide(move)
        self._to_next_decision()
        after = utilities(self.spec, self.game.scores)
        self.rewards = {
            each: after[seat] - before[seat]
            for seat, each in enumerate(self.possible_agents)
            if each in self.agents
        }
        self._accumulate_rewards()

    def render(self) -> str:
        """The table as text: hub, trains, and how many tiles are held."""
        table = self.game.table
        lines = [f"hub {table.hub}, boneyard {len(table.boneyard)}"]
        for train in table.trains:
            name = "Mexican" if train.is_mexican else f"seat {train.id}"
            laid = " ".join(f"{lay.joined}-{lay.end}" for lay in train.lays)
            lines.append(f"{name}{' (open)' if train.marker else ''}: {laid}")
        lines.append("held " + " ".join(str(len(held)) for held in table.hands))
        return "\n".join(lines)

    def close(self) -> None:
        """Nothing is open."""

    def _legal(self) -> dict[int, Move]:
        return self.numbers.legal(self.game)

    def _to_next_decision(self) -> None:
        """Draw what chance has to draw; end everybody's game when it is over."""
        while self.game.is_chance:
            self.game.draw(pick(self._chance, self.game.outcomes()))
        seat = self.game.seat
        if seat is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[seat]
