"""Addresses of an API server, and of the link itself, which are the same on every node."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from charts_py.cluster_file.fault import FieldPath, Problem

LINK_LOCAL_IPV4 = "169.254.0.0/16"
"""Where clouds serve a node's metadata and credentials, and nodes serve cached DNS names
(https://datatracker.ietf.org/doc/html/rfc3927)."""
LINK_LOCAL_IPV6 = "fe80::/10"
"""https://datatracker.ietf.org/doc/html/rfc4291#section-2.5.6"""
_LINK_LOCAL = {4: ip_network(LINK_LOCAL_IPV4), 6: ip_network(LINK_LOCAL_IPV6)}
"""By version of IP."""
_SMALLEST_PREFIX = {4: 16, 6: 48}
"""By version of IP: the largest CIDR of a VPC on AWS, where an API server of EKS has its addresses
(https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html), and the network of a site
(https://datatracker.ietf.org/doc/html/rfc6177)."""


def check_addresses(path: FieldPath, cidrs: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem for each CIDR that has more than the addresses of an API server."""
    for index, cidr in enumerate(cidrs):
        network = ip_network(cidr)
        smallest = _SMALLEST_PREFIX[network.version]
        if link_local := link_local_around(cidr):
            what = f'"{cidr}" is link-local, where nodes answer with their own credentials'
            allowed = f"addresses of the API server, outside of {link_local}"
            yield Problem((*path, index), what, allowed)
        elif network.prefixlen < smallest:
            what = f'"{cidr}" is more than the addresses of an API server'
            allowed = f"those alone, in networks of /{smallest} at the largest"
            yield Problem((*path, index), what, allowed)


def link_local_around(cidr: str) -> IPv4Network | IPv6Network | None:
    """Return the link-local network that holds all of a CIDR; None where none does."""
    network = ip_network(cidr)
    link_local = _LINK_LOCAL[network.version]
    inside = network.subnet_of(link_local)  # type: ignore[arg-type] # same version as above
    return link_local if inside else None
