"""Simulated computers: time, disks, cables, and a core on each."""
