"""The objects of a Slurm cluster: its controller, its partitions, and a machine to log in to."""

from collections.abc import Iterable, Iterator
from typing import Any

from charts_py.cluster_file.queues import Login, Partition, Slurm
from charts_py.components.network_rules import from_namespaces, network_policy_of, tcp
from charts_py.components.object_table import read_objects
from charts_py.components.slurm.api import (
    API_VERSION,
    CLUSTER,
    CONTROLLER_PORT,
    JWT_KEY,
    JWT_KEY_SECRET,
    LOGIN,
    OPERATOR_NAMESPACE,
    REST_PORT,
    SLURM_KEY,
    SLURM_KEY_SECRET,
    SLURM_NAMESPACE,
    SLURMCTLD,
    SLURMD,
    SLURMRESTD,
    SSH_PORT,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pods import secret_references, tolerations_of
from charts_py.platform.fabric import fabric, node_share
from charts_py.platform.platform import Platform, PlatformPool
from gpus.model import GpuModel
from gpus.platform_names import POOL


def controller_documents(platform: Platform, slurm: Slurm) -> Iterator[Document]:
    return _read(
        platform,
        "controller",
        files="slurm-files",
        slurm_key_secret=SLURM_KEY_SECRET,
        slurm_key=SLURM_KEY,
        jwt_key_secret=JWT_KEY_SECRET,
        jwt_key=JWT_KEY,
        slurmctld=platform.mirrors.of(SLURMCTLD),
        slurmrestd=platform.mirrors.of(SLURMRESTD),
        storage_class=slurm.storage.class_name or None,
        storage_size=slurm.storage.size,
    )


def login_set(platform: Platform, login: Login) -> Iterator[Document]:
    image = platform.mirrors.of(LOGIN)
    return _read(platform, "login_set", sssd_secret=login.sssd_secret, login=image)


def node_set(
    platform: Platform, name: str, partition: Partition, *, is_default: bool
) -> Iterator[Document]:
    pool = platform.pool(partition.pool)
    return _read(
        platform,
        "node_set",
        partition=name,
        selector={POOL: pool.name},
        nodes=partition.nodes,
        slurmd=platform.mirrors.of(SLURMD),
        limits=_limits(platform, pool),
        gres_type=gres_type(pool.facts.model),
        gpus=pool.hardware.gpus,
        is_default="YES" if is_default else "NO",
        tolerations=tolerations_of(pool.facts.taints),
    )


def _read(platform: Platform, table: str, **values: object) -> Iterator[Document]:
    return read_objects(
        __package__,
        table,
        api_version=API_VERSION,
        cluster=CLUSTER,
        namespace=SLURM_NAMESPACE,
        pull_secrets=secret_references(platform.cluster.pull_secret_names),
        priority_class=platform.cluster.platform_priority,
        **values,
    )


def gres_type(model: GpuModel) -> str:
    """Return the type by which jobs ask for a GPU: the family of its model.

    slurmd takes any part of the name that the driver has, with `_` between its words
    (https://slurm.schedmd.com/gres.conf.html).
    """
    return model.family.replace("-", "_")


def _limits(platform: Platform, pool: PlatformPool) -> dict[str, str]:
    """Return all that a pod can have of a node, its devices of the network among it."""
    (gpus,) = pool.facts.resources
    share = node_share(pool, pool.hardware.gpus)
    devices = {gpus.name: gpus.per_node, **fabric(platform, pool).resources}
    return {
        "cpu": str(share.cpu),
        "memory": f"{share.memory_gib}Gi",
        **{name: str(count) for name, count in devices.items()},
    }


def network_policy(collectors: Iterable[str], *, has_login: bool) -> Document:
    """Return a NetworkPolicy that lets in the pods of Slurm themselves, and few others.

    `srun` listens on any port, and so do the processes of a job. The controller shows its metrics
    to whoever reaches its port; the API wants a token, and SSH a login.
    """
    rules: list[dict[str, Any]] = [
        {"from": [{"podSelector": {}}]},
        from_namespaces([OPERATOR_NAMESPACE], REST_PORT),
        from_namespaces(collectors, CONTROLLER_PORT),
    ]
    if has_login:
        rules.append({"ports": tcp([SSH_PORT])})
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": rules}
    metadata = ObjectMeta("slurm", SLURM_NAMESPACE)
    return network_policy_of(metadata, spec)
