"""What a cluster file says of controllers that it cannot have, or that is less than they need."""

from collections.abc import Collection, Iterator
from pathlib import PurePath

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import Fault, FieldPath, Problem
from charts_py.cluster_file.quantity import bytes_of
from charts_py.components.controller_sizes import sized_controllers
from charts_py.platform.cluster_size import ClusterSize, cluster_size
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from policies.quantity import format_bytes

_FIELD = "controllers"


def check_replicas(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each number of replicas of a controller that has no other."""
    if not draft.is_whole((_FIELD,)):
        return
    for name, stated in draft.cluster.controllers.items():
        row = sized_controllers()[name]
        if stated.replicas is not None and row.replicas is None:
            path = (_FIELD, name.value, "replicas")
            yield Problem(path, f"cannot be set: {row.alone}", "none here")


def too_small_controllers(platform: Platform, installed: Collection[str]) -> Iterator[Fault]:
    """Yield a warning for what is less than a controller needs, or is of none that there is."""
    size = cluster_size(platform)
    for name, stated in platform.cluster.controllers.items():
        path: FieldPath = (_FIELD, name.value)
        if name not in installed:
            if PurePath(platform.mark(path).file).name != FLEET_FILE:
                what = "without effect: this cluster does not install it; remove this line"
                yield platform.fault(path, what)
            continue
        row = sized_controllers()[name]
        needed, replicas = row.memory_at(size), row.replicas_at(size)
        if stated.memory and bytes_of(stated.memory) < needed:
            what = f"{stated.memory} is less than it needs: {_told(size)}"
            allowed = f"{format_bytes(needed)} or more, or no line"
            yield platform.fault((*path, "memory"), what, allowed)
        if stated.replicas and stated.replicas < replicas:
            what = f"{stated.replicas}, where none takes over while it restarts"
            yield platform.fault((*path, "replicas"), what, f"{replicas} or more, or no line")


def _told(size: ClusterSize) -> str:
    held = f"{size.nodes} nodes with {size.gpus} GPUs, {size.jobs} jobs and {size.pods} pods"
    return f"the cluster can have {held}"
