"""A partition: nodes of a pool, each with one pod that holds all of it."""

from typing import Any

from charts_py.cluster_file.slurm import Partition
from charts_py.components.slurm.api import CLUSTER, slinky_object
from charts_py.components.slurm.images import SLURMD
from charts_py.components.slurm.pod import log_reader, template
from charts_py.objects.document import Document
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.fabric import fabric, node_share
from charts_py.platform.platform import Platform, PlatformPool
from gpus.model import GpuModel
from gpus.platform_names import POOL


def node_set(platform: Platform, name: str, partition: Partition, *, is_default: bool) -> Document:
    """Return the NodeSet of a partition."""
    pool = platform.pool(partition.pool)
    spec = {
        "controllerRef": {"name": CLUSTER},
        "replicas": partition.nodes,
        "slurmd": _slurmd(platform, pool),
        "logfile": log_reader(platform, SLURMD),
        "extraConf": f"Gres=gpu:{gres_type(pool.facts.model)}:{pool.hardware.gpus}",
        "partition": {"enabled": True, "config": _partition(is_default=is_default)},
        "template": template(platform, _pod(pool)),
    }
    return slinky_object("NodeSet", name, spec)


def gres_type(model: GpuModel) -> str:
    """Return the type by which jobs ask for a GPU: the family of its model.

    slurmd takes any part of the name that the driver has, with `_` between its words
    (https://slurm.schedmd.com/gres.conf.html).
    """
    return model.family.replace("-", "_")


def _partition(*, is_default: bool) -> str:
    return f"State=UP MaxTime=UNLIMITED Default={'YES' if is_default else 'NO'}"


def _slurmd(platform: Platform, pool: PlatformPool) -> dict[str, Any]:
    return {
        "image": platform.mirrors.of(SLURMD),
        "resources": {"limits": _limits(platform, pool)},
    }


def _limits(platform: Platform, pool: PlatformPool) -> dict[str, str]:
    """Return all that a pod can have of a node, its devices of the network among it.

    slurmd is privileged, so that it lacks no capability for them.
    """
    (gpus,) = pool.facts.resources
    share = node_share(pool, pool.hardware.gpus)
    devices = {gpus.name: gpus.per_node, **fabric(platform, pool).resources}
    return {
        "cpu": str(share.cpu),
        "memory": f"{share.memory_gib}Gi",
        **{name: str(count) for name, count in devices.items()},
    }


def _pod(pool: PlatformPool) -> dict[str, Any]:
    return {
        "nodeSelector": {POOL: pool.name},
        "tolerations": tolerations_of(pool.facts.taints),
    }
