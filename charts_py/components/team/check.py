"""Whom the pods of a team may reach outside of their namespaces, and who may reach them."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.api_server_addresses import check_addresses
from charts_py.platform.draft import Draft
from charts_py.platform.link_local import link_local_around


def check_egress(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each CIDR at which a node answers with what is its own.

    A larger one that covers such addresses is let through: the network policy leaves them out.
    """
    for path, _, namespace in draft.namespaces():
        for index, cidr in enumerate(namespace.egress):
            if link_local := link_local_around(cidr):
                yield Problem(
                    (*path, "egress", index),
                    f'"{cidr}" is link-local, where nodes answer with their own credentials',
                    f"networks outside of {link_local}; pods reach the endpoint of the cloud's "
                    "workload identity without asking",
                )


def check_api_server_addresses(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each CIDR at which more than an API server answers."""
    yield from check_addresses(("network", "apiServer"), draft.cluster.network.api_server)


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
