"""The pools whose nodes Karpenter makes, which a check of them is about."""

from charts_py.platform.draft import Draft, DraftPool
from charts_py.spec.provider import EksProvisioner


def karpenter_pools(draft: Draft) -> tuple[DraftPool, ...]:
    """Return the pools that Karpenter serves; none where the provisioner could not be read."""
    eks = draft.cluster.eks
    if eks is None or eks.provisioner is not EksProvisioner.KARPENTER:
        return ()
    return tuple(draft.pools) if draft.is_read(("eks", "provisioner")) else ()
