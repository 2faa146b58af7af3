"""Bytes to messages and back; knows neither the rules nor the group."""
