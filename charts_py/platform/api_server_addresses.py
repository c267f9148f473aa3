"""Addresses that are those of an API server."""

from collections.abc import Iterable, Iterator
from ipaddress import ip_network

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.link_local import link_local_around

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
