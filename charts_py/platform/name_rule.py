"""Values that fields of several parts have: names by their kind, and addresses of API servers."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.other_names import respelled
from charts_py.cluster_file.text_forms import GOOGLE_APIS
from gpus.nearest import nearest
from gpus.platform_names import MAX_LABEL_VALUE

LINK_LOCAL_IPV4 = "169.254.0.0/16"
"""Where clouds serve a node's metadata and credentials, and nodes serve cached DNS names
(https://datatracker.ietf.org/doc/html/rfc3927)."""
LINK_LOCAL_IPV6 = "fe80::/10"
"""https://datatracker.ietf.org/doc/html/rfc4291#section-2.5.6"""
_EC2_METADATA_IPV6 = "fd00:ec2::/32"
"""https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html"""
_METADATA_NETWORKS = tuple(map(ip_network, (LINK_LOCAL_IPV4, LINK_LOCAL_IPV6, _EC2_METADATA_IPV6)))
"""Where nodes hand out their own credentials."""
_SMALLEST_PREFIX = {4: 16, 6: 48}
"""Prefix lengths by version of IP: the largest CIDR of a VPC on AWS, where an API server of EKS has
its addresses (https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html), and the
network of a site (https://datatracker.ietf.org/doc/html/rfc6177)."""


@dataclass(frozen=True, slots=True)
class NameRule:
    kind: str
    pattern: str
    max_length: int
    example: str

    @property
    def allowed(self) -> str:
        return f"one such as {self.example}"


CLUSTER = NameRule("a cluster", r"[a-z]([-a-z0-9]{0,28}[a-z0-9])?", 30, "training")
NAMESPACE = NameRule("a namespace", r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", 63, "research-training")
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names"""


def label_value_rule(kind: str, max_length: int = MAX_LABEL_VALUE) -> NameRule:
    pattern = rf"[a-z0-9]([-a-z0-9]{{0,{max_length - 2}}}[a-z0-9])?"
    return NameRule(kind, pattern, max_length, "h100")


def check_name(rule: NameRule, path: FieldPath, name: str) -> Iterator[Problem]:
    if re.fullmatch(rule.pattern, name):
        return
    if len(name) > rule.max_length:
        what = f'"{name}" has {len(name)} characters'
        what = f"{what}; {rule.kind} may have at most {rule.max_length}"
        yield Problem(path, what, rule.allowed)
    else:
        what = f'"{name}" is not a valid name for {rule.kind}'
        yield Problem(path, what, rule.allowed, respelled(name, rule.pattern))


def check_known(kind: str, name: str, known: Collection[str], path: FieldPath) -> Iterator[Problem]:
    if name not in known:
        allowed = ", ".join(known) or "none is defined"
        yield Problem(path, f'unknown {kind} "{name}"', allowed, nearest(name, known))


def check_addresses(path: FieldPath, cidrs: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem for each CIDR that has more than the addresses of an API server."""
    for index, cidr in enumerate(cidrs):
        network = ip_network(cidr)
        smallest = _SMALLEST_PREFIX[network.version]
        if metadata := metadata_network_around(cidr):
            what = f'"{cidr}" is where nodes answer with their own credentials'
            allowed = f"addresses of the API server, outside of {metadata}"
            yield Problem((*path, index), what, allowed)
        elif network.prefixlen < smallest:
            what = f'"{cidr}" is more than the addresses of an API server'
            allowed = f"those alone, in networks of /{smallest} at the largest"
            yield Problem((*path, index), what, allowed)


def check_destinations(path: FieldPath, cidrs: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem for each CIDR, among names with fixed addresses, of a node's metadata."""
    for index, cidr in enumerate(cidrs):
        if cidr not in GOOGLE_APIS and (metadata := metadata_network_around(cidr)):
            what = f'"{cidr}" is where nodes answer with their own credentials'
            yield Problem((*path, index), what, f"networks outside of {metadata}")


def metadata_network_around(cidr: str) -> IPv4Network | IPv6Network | None:
    """Return the network with nodes' metadata that holds all of a CIDR; None where none does."""
    return next((each for each in _METADATA_NETWORKS if _holds(each, ip_network(cidr))), None)


def metadata_networks_in(cidr: str) -> list[str]:
    """Return the networks with nodes' metadata that a CIDR holds."""
    return [str(each) for each in _METADATA_NETWORKS if _holds(ip_network(cidr), each)]


def _holds(outer: IPv4Network | IPv6Network, inner: IPv4Network | IPv6Network) -> bool:
    return outer.version == inner.version and outer.supernet_of(inner)  # type: ignore[arg-type] # same version
