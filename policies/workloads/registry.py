"""All kinds of workloads that are known."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files

from policies.workloads.job_label import JOB_LABELS, JobLabel
from policies.workloads.parts import READERS
from policies.workloads.place import Read


class Author(Enum):
    """Who creates the objects of a kind."""

    TEAM = "team"
    """A user, in a namespace of their team."""
    PLATFORM = "platform"
    """Whoever runs the cluster: it serves all teams, limits them, has a pod on every node, or makes
    a controller act for its author with the controller's own network or rights."""
    CONTROLLER = "controller"
    """Only a controller makes it, from another object."""


class Status(Enum):
    """What users do with the subresource `status`."""

    NONE = "none"
    HIDDEN = "hidden"
    """It exists, and the roles of teams do not name it."""
    READ = "read"
    WRITTEN = "written"
    """Users write it as well, through a command line client."""


NATIVE_GROUPS = ("", "apps", "batch")
"""The API groups of Kubernetes itself."""


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
    parts: tuple[tuple[str, Read], ...] = ()
    """Where parts of a pod are described, and how they are read."""
    wrapped: tuple[str, ...] = ()
    job_label: JobLabel | None = None
    """What all pods of one object have; None where no such label is known, or there is only one
    pod."""
    author: Author = Author.TEAM
    is_namespaced: bool = True
    status: Status = Status.READ
    has_scale: bool = False
    """Whether the subresource `scale` exists, in a version that is served."""
    native: str = ""
    """The kind of Kubernetes itself that its controller makes of the templates; empty where it
    makes pods."""
    is_in_roles: bool = True
    """Whether the roles of teams name it. The rules find its pods all the same; whoever runs its
    operator says who may create it."""

    @property
    def validated_in(self) -> str:
        """The kind in which the API server validates a template, before there is a pod of it."""
        is_pod = (self.group, self.kind) == ("", "Pod")
        return self.kind if self.group in NATIVE_GROUPS and not is_pod else self.native

    @property
    def resource(self) -> str:
        """Its name in the paths of the API and in RBAC: the plural."""
        name = self.kind.lower()
        return f"{name}es" if name.endswith(("s", "x")) else f"{name}s"


def _read_kinds() -> Iterator[WorkloadKind]:
    # The playground reads it from an archive.
    table = tomllib.loads((files("policies.workloads") / "kinds.toml").read_text(encoding="utf-8"))
    for group, kinds in table.items():
        for kind, row in kinds.items():
            parts = row.pop("parts", {}).items()
            label = row.pop("job_label", None)
            yield WorkloadKind(
                group,
                kind,
                tuple(row.pop("templates", ())),
                tuple((place, READERS[reader]) for reader, places in parts for place in places),
                tuple(row.pop("wrapped", ())),
                JOB_LABELS[label] if label else None,
                Author(row.pop("author", Author.TEAM)),
                status=Status(row.pop("status", Status.READ)),
                **row,
            )


WORKLOAD_KINDS = tuple(sorted(_read_kinds(), key=lambda known: (known.group, known.kind)))

_BY_NAME = {(known.group, known.kind): known for known in WORKLOAD_KINDS}


def workload_kind(group: str, kind: str) -> WorkloadKind | None:
    return _BY_NAME.get((group, kind))
