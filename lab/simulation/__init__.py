"""Whole tables in one process and in virtual time, under faults that a seed chooses."""
