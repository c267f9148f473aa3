"""Which cluster a file describes, so that no two files render the nodes of the same one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, dotted
from charts_py.cluster_file.gitops import IN_CLUSTER
from charts_py.platform.platform import Platform

_NAME = "clusterName"


@dataclass(frozen=True, slots=True)
class ClusterIdentity:
    """How others call a cluster; of one that Argo CD does not sync, nothing."""

    cluster: str
    names: tuple[tuple[FieldPath, Mark, str], ...] = ()
    """Names that no other cluster has, each with the field of its file that ends it."""
    partial: tuple[Mark, str, str | None] | None = None
    """Of an EKS cluster: its name within an account, and the account if it is stated."""
    server: str | None = None
    """Its API server, where Argo CD runs elsewhere."""


def identity_of(platform: Platform) -> ClusterIdentity:
    if not platform.is_live:
        return ClusterIdentity(platform.name)
    cluster = platform.cluster
    server = None if cluster.gitops.server == IN_CLUSTER else cluster.gitops.server
    return ClusterIdentity(
        platform.name,
        tuple((path, platform.mark(path), name) for path, name in _names(cluster)),
        _partial(platform),
        server,
    )


def _names(cluster: Cluster) -> Iterator[tuple[FieldPath, str]]:
    if cluster.gitops.server != IN_CLUSTER:
        yield ("gitops", "server"), f"API server {cluster.gitops.server}"
    if gke := cluster.gke:
        yield ("gke", _NAME), f"GKE cluster {gke.project}/{gke.location}/{gke.cluster_name}"
    if aks := cluster.aks:
        # Azure does not tell capital letters from others.
        group, name = aks.resource_group.lower(), aks.cluster_name.lower()
        yield ("aks", _NAME), f"AKS cluster {aks.subscription}/{group}/{name}"
    if (eks := cluster.eks) and eks.account:
        yield ("eks", _NAME), f"EKS cluster {eks.account}/{cluster.region}/{eks.cluster_name}"


def _partial(platform: Platform) -> tuple[Mark, str, str | None] | None:
    if (eks := platform.cluster.eks) is None:
        return None
    name = f"{platform.cluster.region}/{eks.cluster_name}"
    return platform.mark(("eks", _NAME)), name, eks.account


def same_clusters(identities: Iterable[ClusterIdentity]) -> Iterator[tuple[str, Fault]]:
    """Yield the name of each cluster that another file describes before it, and its fault."""
    first: dict[str, tuple[str, Mark]] = {}
    for identity in identities:
        for path, mark, name in identity.names:
            here = identity.cluster, mark
            if (other := first.setdefault(name, here)) != here:
                what = f"{name} is that of {other[0]} ({other[1]}), too"
                allowed = f"another {dotted(path)}, or one file for each cluster"
                yield identity.cluster, Fault(mark, Problem(path, what, allowed))
                break


def alike_clusters(identities: Iterable[ClusterIdentity]) -> Iterator[tuple[str, Fault]]:
    """Yield the name of each cluster that may be that of another file, and what is to be said."""
    known: dict[str, list[ClusterIdentity]] = {}
    for identity in identities:
        if identity.partial is None:
            continue
        mark, name, _ = identity.partial
        for other in known.setdefault(name, []):
            if other.partial is not None and _may_be_one(identity, other):
                what = f"{name} may be that of {other.cluster} ({other.partial[0]}), too"
                allowed = "another eks.clusterName, or eks.account in both files"
                yield identity.cluster, Fault(mark, Problem(("eks", _NAME), what, allowed))
                break
        known[name].append(identity)


def _may_be_one(one: ClusterIdentity, other: ClusterIdentity) -> bool:
    accounts = {each.partial and each.partial[2] for each in (one, other)}
    servers = {one.server, other.server}
    return None in accounts and (None in servers or len(servers) == 1)
