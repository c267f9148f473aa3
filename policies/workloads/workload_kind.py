"""What is known of one kind of workload."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from policies.document import Json
from policies.workloads.job_label import JobLabel

Read: TypeAlias = Callable[[Json], Iterator[tuple[str, Json]]]
"""Yields the pods that a part of a workload describes, each with its JSON Pointer in that part."""


class Author(Enum):
    """Who creates the objects of a kind."""

    TEAM = "team"
    """A user, in a namespace of their team."""
    PLATFORM = "platform"
    """Whoever runs the cluster: it serves all teams, limits them, has a pod on every node, or makes
    a controller act for its author with the controller's own network or rights."""
    CONTROLLER = "controller"
    """Only a controller, from another object."""


class Status(Enum):
    """What users do with the subresource `status`."""

    NONE = "none"
    """It does not exist."""
    HIDDEN = "hidden"
    """It exists, and the roles of teams do not name it."""
    READ = "read"
    WRITTEN = "written"
    """Users write it as well, through a command line client."""


@dataclass(frozen=True, slots=True)
class WorkloadKind:
    """A kind of object from which pods are created.

    Templates, parts and wrapped objects are named by their place (see `policies.workloads.place`).
    A kind has none where another object describes its pods.
    """

    group: str
    """Empty for the core group."""
    kind: str
    templates: tuple[str, ...] = ()
    """Where whole pod templates are."""
    parts: tuple[tuple[str, Read], ...] = ()
    """Where parts of a pod are described, and how they are read."""
    wrapped: tuple[str, ...] = ()
    """Where other objects are."""
    job_label: JobLabel | None = None
    """What all pods of one object have; None where no such label is known, or there is only one
    pod."""
    author: Author = Author.TEAM
    is_namespaced: bool = True
    status: Status = Status.READ
    has_scale: bool = False
    """Whether the subresource `scale` exists, in a version that is served."""
    is_in_roles: bool = True
    """Whether the roles of teams name it. The rules find its pods all the same; whoever runs its
    operator says who may create it."""

    @property
    def resource(self) -> str:
        """Its name in the paths of the API and in RBAC: the plural."""
        name = self.kind.lower()
        return f"{name}es" if name.endswith(("s", "x")) else f"{name}s"
