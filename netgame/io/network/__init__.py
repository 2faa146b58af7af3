"""This computer's network: addresses, interfaces, ports, and which addresses are near.

This package knows nothing of peers but their keys, and opens no links.
"""
