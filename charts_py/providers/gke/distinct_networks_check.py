"""Networks of GKE's node pools that stand in the file more than once."""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import GkeNetwork
from charts_py.platform.draft import Draft
from gpus.interconnect import Interconnect

_PATH = ("gke", "networks")


def check_distinct_networks(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each network that another interface of the machines is in already.

    Interfaces of gVNIC, which all of GPUDirect are, stand in a network each. Those for RDMA share
    one, which takes no gVNIC, and have a subnetwork each.
    https://docs.cloud.google.com/vpc/docs/multiple-interfaces-concepts and
    https://docs.cloud.google.com/vpc/docs/rdma-network-profiles
    """
    gke = draft.cluster.gke
    if gke is None or not draft.is_whole(_PATH):
        return
    for kind, networks in gke.networks.items():
        yield from _repeated(kind, "subnetwork", [each.subnetwork for each in networks])
        if kind is Interconnect.ROCE:
            yield from _with_the_first(networks)
        else:
            yield from _repeated(kind, "network", [each.network for each in networks])


def _repeated(kind: Interconnect, field: str, names: list[str]) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if name in names[:index]:
            what = f'"{name}" is the {field} of another interface'
            yield Problem((*_PATH, kind, index, field), what, f"a {field} for each interface")


def _with_the_first(networks: Iterable[GkeNetwork]) -> Iterator[Problem]:
    """Yield a problem for each network for RDMA that is the one of gVNIC, which comes first."""
    first, *others = [each.network for each in networks] or [""]
    for index, name in enumerate(others, start=1):
        if name == first:
            what = f'"{name}" is the network of gVNIC, which comes first'
            path = (*_PATH, Interconnect.ROCE, index, "network")
            yield Problem(path, what, "a network with an RDMA profile")
