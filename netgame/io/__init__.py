"""Sockets, disk and tasks: the part of a peer that acts instead of deciding.

tables      tables as a player opens them: host, join, resume; bots
node        the tasks around one core      discovery   finding tables by mDNS
door        admission of links             links       framed streams to one proved peer
disk        files that are kept            network     addresses, interfaces, ports
"""
