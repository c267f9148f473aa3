"""A read-only view of a raw pod document, or of a pod template, which has the same fields.

Whatever JSON the document is made of, reading raises nothing: what has an unexpected kind counts
as absent. Such a pod is left to the API server's own validation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from policies.container import Container, ContainerKind
from policies.document import elements, members, text
from policies.quantity import read_quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from policies.document import Document, Json
    from policies.operation import Operation
    from policies.quantity import Quantity

_NOT_KEPT = (
    "/metadata",
    "/spec/affinity",
    "/spec/preemptionPolicy",
    "/spec/priority",
    "/spec/runtimeClassName",
    "/spec/tolerations",
    "/spec/volumes",
)
"""Places that are read anew each time."""
_IN_CONTAINER = re.compile(r"/spec/\w+/\d+/(env|volumeMounts)(/|$)")
"""Places in a container that are read anew each time."""

_MIRROR = "kubernetes.io/config.mirror"
"""Annotation of a pod that stands for a static one of its node
(https://kubernetes.io/docs/reference/labels-annotations-taints/)."""
_OS = "kubernetes.io/os"
_WINDOWS = "windows"


class Pod:
    """A read-only view of a raw pod document.

    What many rules ask for is read once; `changed` must be told of every change to the document.
    """

    __slots__ = ("_is_gpu", "containers", "document", "gpus", "metadata", "spec")

    containers: tuple[Container, ...]
    """All its containers: init containers and sidecars, app containers, ephemeral ones."""
    gpus: Mapping[str, Quantity]
    """How much of each GPU resource the scheduler reserves for it, where that is not zero."""

    def __init__(self, document: Document, is_gpu: Callable[[str], bool]) -> None:
        self.document = document
        self._is_gpu = is_gpu
        self._read_roots()
        self._read_containers()

    def _read_roots(self) -> None:
        self.metadata = members(self.document.get("metadata"))
        self.spec = members(self.document.get("spec"))

    def changed(self, operations: Iterable[Operation]) -> None:
        """Forget what these operations on the document have changed."""
        for operation in operations:
            path = operation.path
            if not path.startswith(_NOT_KEPT) and not _IN_CONTAINER.match(path):
                self._read_roots()
                self._read_containers()
                return
        self._read_roots()

    @property
    def labels(self) -> Mapping[str, Json]:
        """Its labels."""
        return members(self.metadata.get("labels"))

    @property
    def annotations(self) -> Mapping[str, Json]:
        """Its annotations."""
        return members(self.metadata.get("annotations"))

    def namespace(self, fallback: str) -> str:
        """Return its namespace; the fallback where it names none, as only the request may."""
        return text(self.metadata.get("namespace")) or fallback

    @property
    def owner_kind(self) -> str:
        """The kind of the controller that made it; empty where none did."""
        for owner in elements(self.metadata.get("ownerReferences")):
            if members(owner).get("controller") is True:
                return text(members(owner).get("kind"))
        return ""

    @property
    def service_account(self) -> str:
        """The name of its service account."""
        return text(self.spec.get("serviceAccountName")) or "default"

    @property
    def is_mirror(self) -> bool:
        """Whether it stands for a static pod, which nobody but its node can change."""
        return _MIRROR in self.annotations

    @property
    def is_windows(self) -> bool:
        """Whether it runs on Windows nodes."""
        if members(self.spec.get("os")).get("name") == _WINDOWS:
            return True
        return self.node_selector.get(_OS) == _WINDOWS

    @property
    def is_ending(self) -> bool:
        """Whether it is being deleted."""
        return self.metadata.get("deletionTimestamp") is not None

    def _read_containers(self) -> None:
        self.containers = (
            *self._read("initContainers", ContainerKind.INIT),
            *self._read("containers", ContainerKind.APP),
            *self._read("ephemeralContainers", ContainerKind.EPHEMERAL),
        )
        self.gpus = _effective_gpus(self.containers)

    def _read(self, field: str, kind: ContainerKind) -> list[Container]:
        return [
            Container(raw, field, index, _kind(raw, kind), self._is_gpu)
            for index, raw in enumerate(elements(self.spec.get(field)))
            if type(raw) is dict
        ]

    @property
    def asks_for_gpu(self) -> bool:
        """Whether it asks for a GPU resource or a claim, be it a malformed amount."""
        for container in self.containers:
            if container.asks_for_gpu:
                return True
        return self.has_claims

    @property
    def has_claims(self) -> bool:
        """Whether it holds resource claims (Dynamic Resource Allocation)."""
        return bool(elements(self.spec.get("resourceClaims")))

    @property
    def tolerations(self) -> Sequence[Json]:
        """Its tolerations, raw."""
        return elements(self.spec.get("tolerations"))

    @property
    def volumes(self) -> Sequence[Json]:
        """Its volumes, raw."""
        return elements(self.spec.get("volumes"))

    @property
    def node_selector(self) -> Mapping[str, Json]:
        """The labels that its node must have."""
        return members(self.spec.get("nodeSelector"))

    @property
    def node_terms(self) -> Sequence[Json]:
        """The required terms of its node affinity, raw; a node must meet one of them."""
        affinity = members(members(self.spec.get("affinity")).get("nodeAffinity"))
        required = members(affinity.get("requiredDuringSchedulingIgnoredDuringExecution"))
        return elements(required.get("nodeSelectorTerms"))

    def effective_request(self, resource: str) -> Quantity:
        """Return what the scheduler reserves for the pod.

        The larger of what app containers and sidecars ask for together, and what each init
        container asks for together with the sidecars before it; plus the pod's overhead. Source:
        `PodRequests` in https://github.com/kubernetes/component-helpers/blob/master/resource/helpers.go
        """
        overhead = _amount(self.spec.get("overhead"), resource) or 0
        stated = self._stated(resource) if "resources" in self.spec else None
        return overhead + (self._sum_of_requests(resource) if stated is None else stated)

    def _stated(self, resource: str) -> Quantity | None:
        resources = members(self.spec.get("resources"))
        request = _amount(resources.get("requests"), resource)
        return _amount(resources.get("limits"), resource) if request is None else request

    def _sum_of_requests(self, resource: str) -> Quantity:
        sidecars: Quantity = 0
        largest_init: Quantity = 0
        apps: Quantity = 0
        for container in self.containers:
            amount = container.request(resource)
            if container.kind is ContainerKind.SIDECAR:
                sidecars += amount
            elif container.kind is ContainerKind.INIT:
                largest_init = max(largest_init, amount + sidecars)
            elif container.kind is ContainerKind.APP:
                apps += amount
        return max(apps + sidecars, largest_init)

    def limit_of(self, container: Container, resource: str) -> Quantity | None:
        """Return the limit that binds the container: its own, or else the pod's."""
        own = container.limit(resource)
        if own is not None:
            return own
        return _amount(members(self.spec.get("resources")).get("limits"), resource)


def _kind(raw: Mapping[str, Json], kind: ContainerKind) -> ContainerKind:
    if kind is ContainerKind.INIT and raw.get("restartPolicy") == "Always":
        return ContainerKind.SIDECAR
    return kind


def _amount(amounts: Json, resource: str) -> Quantity | None:
    if type(amounts) is not dict or (value := amounts.get(resource)) is None:
        return None
    return read_quantity(value)


def _effective_gpus(containers: tuple[Container, ...]) -> dict[str, Quantity]:
    """Return the effective request of each GPU resource, all in one pass.

    One by one they would take the square of a hostile pod's length.
    """
    running: dict[str, Quantity] = {}
    sidecars: dict[str, Quantity] = {}
    largest: dict[str, Quantity] = {}
    for container in containers:
        for name, amount in container.gpus.items():
            if not amount or container.kind is ContainerKind.EPHEMERAL:
                continue
            if container.kind is ContainerKind.INIT:
                beside = sidecars.get(name, 0)
                largest[name] = max(largest.get(name, 0), amount + beside)
                continue
            running[name] = running.get(name, 0) + amount
            if container.kind is ContainerKind.SIDECAR:
                sidecars[name] = sidecars.get(name, 0) + amount
    for name, amount in largest.items():
        running[name] = max(running.get(name, 0), amount)
    return {name: amount for name, amount in running.items() if amount}
