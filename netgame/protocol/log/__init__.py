"""Signed entries and statements, records as frames, and faults."""
