"""What a pod has beyond its image."""

from dataclasses import dataclass

from gpuplane.workloads.reason import Tree


@dataclass(frozen=True, slots=True)
class Mounted:
    """Volumes of a pod, where a container has them, and the variables that say so."""

    volumes: tuple[Tree, ...] = ()
    mounts: tuple[Tree, ...] = ()
    env: tuple[Tree, ...] = ()

    def __add__(self, other: "Mounted") -> "Mounted":
        return Mounted(
            self.volumes + other.volumes, self.mounts + other.mounts, self.env + other.env
        )
