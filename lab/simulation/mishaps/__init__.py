"""What goes wrong in a game, and who comes and goes."""
