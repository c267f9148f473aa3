"""Whom the pods of a team may reach outside of their namespaces, and who may reach them."""

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from charts_py.platform.draft import Draft
from charts_py.platform.link_local import LINK_LOCAL_IPV4, LINK_LOCAL_IPV6
from charts_py.spec.fault import Problem

_LINK_LOCAL = {4: ip_network(LINK_LOCAL_IPV4), 6: ip_network(LINK_LOCAL_IPV6)}
"""By version of IP."""


_SMALLEST_PREFIX = {4: 16, 6: 48}
"""By version of IP: the largest CIDR of a VPC on AWS, where an API server of EKS has its addresses
(https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html), and the network of a site
(https://datatracker.ietf.org/doc/html/rfc6177)."""


def check_egress(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each CIDR at which a node answers with what is its own.

    A larger one that covers such addresses is let through: the network policy leaves them out.
    """
    for path, _, namespace in draft.namespaces():
        for index, cidr in enumerate(namespace.egress):
            if link_local := _link_local_around(cidr):
                yield Problem(
                    (*path, "egress", index),
                    f'"{cidr}" is link-local, where nodes answer with their own credentials',
                    f"networks outside of {link_local}; pods reach the endpoint of the cloud's "
                    "workload identity without asking",
                )


def check_api_server_addresses(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each CIDR at which more than an API server answers."""
    for index, cidr in enumerate(draft.cluster.network.api_server):
        path, network = ("network", "apiServer", index), ip_network(cidr)
        smallest = _SMALLEST_PREFIX[network.version]
        if link_local := _link_local_around(cidr):
            what = f'"{cidr}" is link-local, where nodes answer with their own credentials'
            yield Problem(path, what, f"addresses of the API server, outside of {link_local}")
        elif network.prefixlen < smallest:
            what = f'"{cidr}" is more than the addresses of an API server'
            yield Problem(path, what, f"those alone, in networks of /{smallest} at the largest")


def _link_local_around(cidr: str) -> IPv4Network | IPv6Network | None:
    """Return the link-local network that holds all of a CIDR; None where none does."""
    network = ip_network(cidr)
    link_local = _LINK_LOCAL[network.version]
    inside = network.subnet_of(link_local)  # type: ignore[arg-type] # same version as above
    return link_local if inside else None


def check_api_server(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each namespace that may reach what has no address."""
    if draft.cluster.network.api_server or not draft.is_read(("network", "apiServer")):
        return
    for path, _, namespace in draft.namespaces():
        if namespace.api_server:
            yield Problem(
                (*path, "apiServer"),
                "the cluster file does not say where the API server is",
                "true where `network.apiServer` lists its addresses",
            )


def check_load_balancers(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each namespace that may have load balancers, and says of no node ports.

    The quota counts the ports of a load balancer as ports of nodes, unless the Service says that
    it takes none: kubernetes v1.37.1, pkg/quota/v1/evaluator/core/services.go
    """
    for path, _, namespace in draft.namespaces():
        quota = namespace.quota
        if quota.load_balancers > 0 and "node_ports" not in quota.model_fields_set:
            yield Problem(
                (*path, "quota", "loadBalancers"),
                f"{quota.load_balancers}; without node ports none of them is admitted",
                "only with nodePorts, 0 where Services set allocateLoadBalancerNodePorts: false",
            )
