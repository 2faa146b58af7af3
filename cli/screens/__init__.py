"""The kinds of screen and keyboard: a terminal, a wall, plain sentences, and JSON for programs."""
