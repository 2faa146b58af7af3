"""Entries and statements of others: judged, kept for later, asked for."""
