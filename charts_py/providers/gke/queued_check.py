"""Pools of queued nodes that GKE would not make (sources in `queued.py`)."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.providers.provisioned_by import is_provisioned_by
from gpus.purchase import Purchase


def check_queued(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool of queued nodes that keeps nodes, or buys them otherwise."""
    for pool in draft.pools:
        if pool.spec.nodes.queued and draft.is_whole((*pool.path, "nodes")):
            yield from _provisioner(draft, pool)
            yield from _kept(pool)
            if draft.is_read((*pool.path, "purchase")):
                yield from _purchase(pool)


def _provisioner(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    if is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        what = "a ComputeClass starts nodes for pods, not for jobs that wait"
        allowed = f'false, or gke.provisioner "{GkeProvisioner.CONFIG_CONNECTOR}"'
        yield Problem((*pool.path, "nodes", "queued"), what, allowed)


def _kept(pool: DraftPool) -> Iterator[Problem]:
    nodes = pool.spec.nodes
    for field, count in (("min", nodes.min), ("warm", nodes.warm)):
        if count > 0:
            what = f"{count} where nodes start only for a job that waits"
            yield Problem((*pool.path, "nodes", field), what, "0, or queued false")


def _purchase(pool: DraftPool) -> Iterator[Problem]:
    if pool.spec.purchase is not Purchase.ON_DEMAND:
        what = f'"{pool.spec.purchase}" where nodes start only for a job that waits'
        allowed = f"{Purchase.ON_DEMAND}, or nodes.queued false"
        yield Problem((*pool.path, "purchase"), what, allowed)
