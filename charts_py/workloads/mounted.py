"""What a pod has beyond its image."""

from dataclasses import dataclass

from charts_py.workloads.reason import Tree


@dataclass(frozen=True, slots=True)
class Mounted:
    """Volumes of a pod, where a container has them, and the variables that say so."""

    volumes: tuple[Tree, ...] = ()
    mounts: tuple[Tree, ...] = ()
    env: tuple[Tree, ...] = ()
