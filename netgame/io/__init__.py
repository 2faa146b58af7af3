"""Sockets, disk and tasks: the part of a peer that acts instead of deciding.

tables      tables as a player opens them: host, join, resume; bots
node        the tasks around one core      discovery   finding tables by mDNS
page        the page for browsers          links       framed streams to one proved peer
door        admission of links             network     addresses, interfaces, ports
disk        files that are kept
"""
