"""A read-only view of one container of a pod."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from policies.document import Json, each, elements, listed, members, shown, text
from policies.quantity import Quantity, read_quantity

HUGE_PAGES = "hugepages-"
"""https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/"""
_NO_GPUS: Mapping[str, Quantity | None] = {}
"""Shared by all containers without GPUs, which are most."""
_MOUNTS = (("volumeMounts", "mountPath"), ("volumeDevices", "devicePath"))


class ContainerKind(Enum):
    """When a container runs, which decides how its requests count."""

    APP = "containers"
    INIT = "initContainers"
    SIDECAR = "sidecars"
    """An init container with `restartPolicy: Always`, which keeps running beside the app containers
    (https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/)."""
    EPHEMERAL = "ephemeralContainers"


@dataclass(slots=True, init=False, eq=False, repr=False)
class Container:
    """A read-only view of one container; reading raises nothing, whatever JSON it is given."""

    raw: Mapping[str, Json]
    field: str
    """The member of the pod's spec that lists it."""
    index: int
    kind: ContainerKind
    limits: Mapping[str, Json]
    requests: Mapping[str, Json]
    gpus: Mapping[str, Quantity | None]
    """What it asks for of each GPU resource that it names; None where that is not a quantity.

    The limit takes precedence over the request, which must equal it.
    """
    states_whole_gpus: bool
    """Whether all amounts of GPU resources that it states are whole and not negative."""
    others: Sequence[str]
    """The other resources with a domain that it asks for, and huge pages, sorted."""
    has_claims: bool
    """Whether it uses a resource claim of the pod (Dynamic Resource Allocation)."""
    asks_for_gpu_resource: bool
    """Whether it asks for a GPU resource; an amount of zero asks for nothing, a malformed one for
    something."""
    asks_for_gpu: bool
    """Whether it asks for a GPU resource, or for a claim, which may be for anything."""

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
        self.index = index
        self.kind = kind
        self.read_resources(is_gpu)

    def read_resources(self, is_gpu: Callable[[str], bool]) -> None:
        """Read what it asks for now; many rules look at it."""
        resources = members(self.raw.get("resources"))
        self.limits = limits = members(resources.get("limits"))
        self.requests = requests = members(resources.get("requests"))
        gpus: dict[str, Quantity | None] = {}
        others: list[str] = []
        self.states_whole_gpus = True
        for amounts in (requests, limits):
            for name, value in amounts.items():
                if "/" not in name and not name.startswith(HUGE_PAGES):
                    continue
                if is_gpu(name):
                    amount = read_quantity(value)
                    if type(amount) is not int or amount < 0:
                        self.states_whole_gpus = False
                    if value is not None or name not in gpus:
                        gpus[name] = amount
                elif read_quantity(value) != 0:
                    others.append(name)
        self.others = sorted({*others}) if others else ()
        self.gpus = gpus or _NO_GPUS
        self.has_claims = "claims" in resources and bool(elements(resources["claims"]))
        self.asks_for_gpu_resource = False
        for quantity in gpus.values():
            if quantity != 0:
                self.asks_for_gpu_resource = True
        self.asks_for_gpu = self.has_claims or self.asks_for_gpu_resource

    @property
    def name(self) -> str:
        """Its name; empty where it has none."""
        return text(self.raw.get("name"))

    @property
    def image(self) -> str:
        """The name of its image; empty where it has none."""
        return text(self.raw.get("image"))

    @property
    def pointer(self) -> str:
        return f"/spec/{self.field}/{self.index}"

    @property
    def field_path(self) -> str:
        """Its place, as Kubernetes names fields in its errors."""
        return f"spec.{self.field}[{self.index}]"

    @property
    def culprit(self) -> str:
        """How findings name it."""
        return f"container {shown(self.name) or self.field_path}"

    def request(self, resource: str) -> Quantity:
        """Return what the scheduler counts: the request, or the limit that it defaults to.

        What is not a quantity counts as zero; the API server refuses it.
        """
        if resource in self.gpus:
            return self.gpus[resource] or 0
        value = self.requests.get(resource)
        return read_quantity(self.limits.get(resource) if value is None else value) or 0

    def limit(self, resource: str) -> Quantity | None:
        """Return the limit; None where there is none, or one that is not a quantity."""
        value = self.limits.get(resource)
        return None if value is None else read_quantity(value)

    def variables(self, name: str) -> Sequence[tuple[int, Mapping[str, Json]]]:
        """Return index and entry of each environment variable of that name."""
        return [
            (index, entry)
            for index, entry in enumerate(elements(self.raw.get("env")))
            if type(entry) is dict and entry.get("name") == name
        ]

    def mount_at(self, path: str) -> Mapping[str, Json]:
        """Return its mount of a volume at exactly that path; empty where it has none."""
        for mount in elements(self.raw.get("volumeMounts")):
            mounted = members(mount).get("mountPath")
            if type(mounted) is str and "/dev" in mounted and _normal(mounted) == path:
                return members(mount)
        return members(None)

    def mounts_at(self, path: str) -> bool:
        """Whether anything is mounted at the path or at a folder above it, except the root."""
        for field, key in _MOUNTS:
            if field not in self.raw:
                continue
            paths = each(elements(self.raw[field]), key)
            if path in paths:
                return True
            for mounted in paths:
                # This rules out almost every mount, and is much cheaper.
                if type(mounted) is str and "/dev" in mounted and _covers(mounted, path):
                    return True
        return False


def culprits(containers: Sequence[Container]) -> str:
    return listed([container.culprit for container in containers])


def _covers(mounted: str, path: str) -> bool:
    if ".." in mounted.split("/"):
        return True  # where that leads CEL cannot say
    normal = _normal(mounted)
    return normal == path or path.startswith(f"{normal}/")


def _normal(mounted: str) -> str:
    return "/" + posixpath.normpath(mounted).lstrip("/")
