"""A read-only view of one container of a pod."""

from __future__ import annotations

import posixpath
from enum import Enum
from typing import TYPE_CHECKING

from policies.document import elements, members, shown, text
from policies.quantity import read_quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from policies.document import Json
    from policies.quantity import Quantity


_MOUNTS = (("volumeMounts", "mountPath"), ("volumeDevices", "devicePath"))


class ContainerKind(Enum):
    """When a container runs, by which its requests count."""

    APP = "containers"
    INIT = "initContainers"
    SIDECAR = "sidecars"
    """An init container with `restartPolicy: Always`, which runs on beside the app containers
    (https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/)."""
    EPHEMERAL = "ephemeralContainers"


class Container:
    """A read-only view of one container; whatever JSON it stands on, reading raises nothing."""

    __slots__ = ("field", "gpus", "index", "kind", "limits", "raw", "requests", "resources")

    def __init__(
        self,
        raw: Mapping[str, Json],
        field: str,
        index: int,
        kind: ContainerKind,
        is_gpu: Callable[[str], bool],
    ) -> None:
        self.raw = raw
        self.field = field
        """The member of the pod's spec that lists it."""
        self.index = index
        self.kind = kind
        self.resources = resources = members(raw.get("resources"))
        self.limits = limits = members(resources.get("limits"))
        self.requests = requests = members(resources.get("requests"))
        self.gpus: dict[str, Quantity | None] = {}
        """What it asks for of each GPU resource that it names; None where that is no quantity.

        The limit counts before the request, which must equal it.
        """
        for amounts in (requests, limits):
            for name in amounts:
                if "/" in name and is_gpu(name):
                    amount = amounts[name]
                    if amount is not None or name not in self.gpus:
                        self.gpus[name] = read_quantity(amount)

    @property
    def name(self) -> str:
        """Its name; empty where it has none."""
        return text(self.raw.get("name"))

    @property
    def pointer(self) -> str:
        """JSON Pointer to it."""
        return f"/spec/{self.field}/{self.index}"

    @property
    def field_path(self) -> str:
        """Where it stands, as Kubernetes names fields in its errors."""
        return f"spec.{self.field}[{self.index}]"

    @property
    def culprit(self) -> str:
        """How findings call it."""
        return f"container {shown(self.name) or self.field_path}"

    @property
    def asks_for_gpu(self) -> bool:
        """Whether it asks for a GPU resource or a claim; an amount of zero asks for nothing."""
        for amount in self.gpus.values():
            if amount != 0:
                return True
        return self.has_claims

    @property
    def has_claims(self) -> bool:
        """Whether it uses a resource claim of the pod (Dynamic Resource Allocation)."""
        return bool(elements(self.resources.get("claims")))

    def request(self, resource: str) -> Quantity:
        """Return what the scheduler counts: the request, or the limit that it defaults to.

        What is no quantity counts as zero; the API server refuses it.
        """
        if resource in self.gpus:
            return self.gpus[resource] or 0
        amounts = self.requests if self.requests.get(resource) is not None else self.limits
        return read_quantity(amounts.get(resource)) or 0

    def limit(self, resource: str) -> Quantity | None:
        """Return the limit; None where there is none, or one that is no quantity."""
        value = self.limits.get(resource)
        return None if value is None else read_quantity(value)

    def variables(self, name: str) -> Sequence[tuple[int, Mapping[str, Json]]]:
        """Return index and entry of each environment variable of that name."""
        env = elements(self.raw.get("env"))
        # Few containers set what rules ask for, and this tells it without looking at indices.
        if name not in [entry.get("name") for entry in env if type(entry) is dict]:
            return ()
        return [
            (index, entry)
            for index, entry in enumerate(env)
            if type(entry) is dict and entry.get("name") == name
        ]

    def mounts_at(self, path: str) -> bool:
        """Whether anything is mounted at the path or at a folder above it, except the root."""
        for field, key in _MOUNTS:
            for entry in elements(self.raw.get(field)):
                mounted = members(entry).get(key)
                # Almost every mount is told apart by its first letters, which is much cheaper.
                if type(mounted) is str and "/dev" in mounted and _covers(mounted, path):
                    return True
        return False


def _covers(mounted: str, path: str) -> bool:
    normal = "/" + posixpath.normpath(mounted).lstrip("/")
    return normal == path or path.startswith(f"{normal}/")
