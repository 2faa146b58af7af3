"""The game for people who train and search: one seat's observations in, numbered actions out.

`OpenGame` plays a game between decisions of seats and draws of chance; `zoo` shows it as an
environment of PettingZoo, `spiel` as a game of OpenSpiel. Both are extras: nothing else in the
laboratory needs their libraries, and the rules are those of the engine, all of them.
"""
