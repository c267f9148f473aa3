"""The objects of a Slurm cluster."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.cluster_file.slurm import Slurm
from charts_py.components.slurm.controller import controller_documents
from charts_py.components.slurm.login_set import login_set
from charts_py.components.slurm.network_policy import network_policy
from charts_py.components.slurm.node_set import node_set
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class SlurmCluster(Construct):
    """A controller, a set of nodes for each partition, and where people log in."""

    def __init__(self, scope: Construct, id: str, platform: Platform, slurm: Slurm) -> None:
        super().__init__(scope, id)
        add_documents(self, slurm_documents(platform, slurm))


def slurm_documents(platform: Platform, slurm: Slurm) -> Iterator[Document]:
    """Yield the objects of the cluster; jobs that name no partition run in the first one."""
    yield from controller_documents(platform, slurm)
    for index, (name, partition) in enumerate(slurm.partitions.items()):
        yield node_set(platform, name, partition, is_default=index == 0)
    if slurm.login is not None:
        yield login_set(platform, slurm.login)
    collectors = platform.monitoring.namespaces
    yield network_policy(collectors, has_login=slurm.login is not None)
