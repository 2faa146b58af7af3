"""This computer on its network: addresses, interfaces, ports, and who counts as near.

Knows nothing of peers but their keys, and opens no link.
"""
