"""The pools that are ComputeClasses, which a check of them is about."""

from charts_py.platform.draft import Draft, DraftPool
from charts_py.spec.provider import GkeProvisioner


def compute_class_pools(draft: Draft) -> tuple[DraftPool, ...]:
    """Return the pools that are ComputeClasses; none where the provisioner could not be read."""
    gke = draft.cluster.gke
    if gke is None or gke.provisioner is not GkeProvisioner.COMPUTE_CLASS:
        return ()
    return tuple(draft.pools) if draft.is_read(("gke", "provisioner")) else ()
