"""Sockets, disk and tasks: the part of a peer that does things instead of deciding them.

tables      tables as a person opens them: host one, join one, come back to one; bots
node        the tasks around one core      discovery   tables found by mDNS
door        who may come in                links       framed streams to one proved peer
disk        what is kept                   network     addresses, interfaces, ports
"""
