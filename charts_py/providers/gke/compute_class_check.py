"""What a pool that is a ComputeClass on GKE cannot have."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.providers.provisioned_by import is_provisioned_by

_DEFAULT = "default"
"""The ComputeClass of pods that select none
(https://cloud.google.com/kubernetes-engine/docs/how-to/run-pods-default-compute-classes)."""


def check_compute_class(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each node that GKE would not keep, and for the name that it reserves."""
    if not is_provisioned_by(draft, GkeProvisioner.COMPUTE_CLASS):
        return
    for pool in draft.pools:
        if pool.name == _DEFAULT:
            what = f'"{_DEFAULT}" is the ComputeClass of all pods that select none'
            yield Problem(pool.path, what, "another name")
        yield from _kept_nodes(pool)


def _kept_nodes(pool: DraftPool) -> Iterator[Problem]:
    nodes = pool.spec.nodes
    for field, count in (("min", nodes.min), ("warm", nodes.warm)):
        if count > 0:
            what = f"{count} in a ComputeClass, which keeps no idle nodes"
            allowed = f'0, or gke.provisioner "{GkeProvisioner.CONFIG_CONNECTOR}"'
            yield Problem((*pool.path, "nodes", field), what, allowed)
