"""Addresses of the link itself, which are the same on every node."""

LINK_LOCAL_IPV4 = "169.254.0.0/16"
"""Where clouds serve a node's metadata and credentials, and nodes serve cached DNS names
(https://datatracker.ietf.org/doc/html/rfc3927)."""

LINK_LOCAL_IPV6 = "fe80::/10"
"""https://datatracker.ietf.org/doc/html/rfc4291#section-2.5.6"""
