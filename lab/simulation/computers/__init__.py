"""Simulated computers: their time, disks and cables, and the peer core that runs on each."""
