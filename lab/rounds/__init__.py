"""Rounds and tables without peers: whole games, random rules, moves that must be refused."""
