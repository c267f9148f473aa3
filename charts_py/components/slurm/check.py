"""Whether Slurm can have the nodes that it is given."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.slurm import Slurm
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.name_rule import NameRule, check_name
from gpus.sharing import SharingKind
from gpus.vendor import NVIDIA

_PARTITIONS = ("slurm", "partitions")
_PARTITION = NameRule("a partition", r"[a-z]([-a-z0-9]{0,28}[a-z0-9])?", 30)
_RESERVED = re.compile("all|default|slurm")
"""Slurm reads two of them as no names; the third is that of the other objects."""


def check_partitions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each partition whose pool or name is none that Slurm can have."""
    slurm = draft.cluster.slurm
    if slurm is None:
        return
    pools = {pool.name: pool for pool in draft.pools}
    for name, partition in slurm.partitions.items():
        path = (*_PARTITIONS, name)
        yield from check_name(_PARTITION, path, name)
        if _RESERVED.fullmatch(name):
            yield Problem(path, f'"{name}" has another meaning to Slurm', "another name")
        if partition.pool in pools:
            yield from _pool((*path, "pool"), pools[partition.pool])
    yield from _nodes(draft, slurm)


def _pool(path: FieldPath, pool: DraftPool) -> Iterator[Problem]:
    if pool.hardware is not None and pool.hardware.model.vendor != NVIDIA:
        what = f"Slurm finds no GPUs of pool {pool.name}, which has {pool.hardware.model.name}"
        yield Problem(path, what, "a pool of NVIDIA GPUs")
    elif pool.sharing.kind is not SharingKind.NONE:
        what = f"pool {pool.name} shares its GPUs by {pool.sharing.kind.value}"
        yield Problem(path, what, "a pool of whole GPUs: Slurm gives each to one job")


def _nodes(draft: Draft, slurm: Slurm) -> Iterator[Problem]:
    for pool in draft.pools:
        parts = {n: each.nodes for n, each in slurm.partitions.items() if each.pool == pool.name}
        most, total = pool.spec.nodes.max, sum(parts.values())
        if draft.is_read((*pool.path, "nodes", "max")) and total > most:
            listed = " + ".join(f"{nodes} ({name})" for name, nodes in parts.items())
            yield Problem(
                (*_PARTITIONS, tuple(parts)[-1], "nodes"),
                f"the partitions take {total} nodes of pool {pool.name}: {listed}",
                f"at most {most}, its nodes.max",
            )
