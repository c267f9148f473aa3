"""Addresses of the link itself, which are the same on every node."""

from ipaddress import IPv4Network, IPv6Network, ip_network

LINK_LOCAL_IPV4 = "169.254.0.0/16"
"""Where clouds serve a node's metadata and credentials, and nodes serve cached DNS names
(https://datatracker.ietf.org/doc/html/rfc3927)."""

LINK_LOCAL_IPV6 = "fe80::/10"
"""https://datatracker.ietf.org/doc/html/rfc4291#section-2.5.6"""

_LINK_LOCAL = {4: ip_network(LINK_LOCAL_IPV4), 6: ip_network(LINK_LOCAL_IPV6)}
"""By version of IP."""


def link_local_around(cidr: str) -> IPv4Network | IPv6Network | None:
    """Return the link-local network that holds all of a CIDR; None where none does."""
    network = ip_network(cidr)
    link_local = _LINK_LOCAL[network.version]
    inside = network.subnet_of(link_local)  # type: ignore[arg-type] # same version as above
    return link_local if inside else None
