"""Signed entries and statements, records as frames, faults."""
