"""Who makes the nodes of a cluster file, which the checks of one provisioner ask."""

from charts_py.cluster_file.provider import EksProvisioner, GkeProvisioner
from charts_py.platform.draft import Draft


def is_provisioned_by(draft: Draft, provisioner: EksProvisioner | GkeProvisioner) -> bool:
    """Return whether it makes the nodes; False where the provisioner could not be read."""
    block = draft.provider.name.value
    settings = getattr(draft.cluster, block)
    is_named = settings is not None and settings.provisioner is provisioner
    return is_named and draft.is_read((block, "provisioner"))
