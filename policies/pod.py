"""A read-only view of a raw pod document, or of a pod template, which has the same fields.

Reading raises nothing, whatever JSON the document is: a value of an unexpected type counts as
absent. The API server's own validation deals with such a pod.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from policies.container import Container, ContainerKind
from policies.document import Document, Json, each, elements, members, text
from policies.limits import excess, excess_containers
from policies.operation import ALL, ENV, NOTHING, ROOT, Operation, changed_part
from policies.quantity import Quantity, read_quantity

# Looking up an enum member is slow in Python 3.11.
_APP = ContainerKind.APP
_INIT = ContainerKind.INIT
_SIDECAR = ContainerKind.SIDECAR
_EPHEMERAL = ContainerKind.EPHEMERAL

DEFAULT_NAMESPACE = "default"
"""Namespace of an object that names none
(https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/#initial-namespaces)."""
STATIC_POD = "kubernetes.io/config.mirror"
"""Annotation of a pod that mirrors a static one of its node
(https://kubernetes.io/docs/reference/labels-annotations-taints/)."""
_OS = "kubernetes.io/os"
_WINDOWS = "windows"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
"""What an affinity insists on, when a pod is placed."""
_OF_NO_POOL = ("/spec/tolerations", "/spec/volumes")
"""Fields by which no pool is found, as rules add what is missing there."""


@dataclass(slots=True, init=False, eq=False, repr=False)
class Pod:
    """A read-only view of a raw pod document.

    What rules ask for is read once; call `changed` after every change to the document.
    """

    document: Document
    metadata: Mapping[str, Json]
    spec: Mapping[str, Json]
    labels: Mapping[str, Json]
    annotations: Mapping[str, Json]
    node_selector: Mapping[str, Json]
    tolerations: Sequence[Json]
    volumes: Sequence[Json]
    has_claims: bool
    containers: tuple[Container, ...]
    """All its containers: init containers and sidecars, app containers, ephemeral ones; none where
    they are too many to be read."""
    unread_containers: int
    """How many containers it has where they are too many to be read, so that it is refused before
    any rule looks at it unless it was there before; otherwise 0."""
    gpu_containers: list[Container]
    """The containers that name a GPU resource, whatever the amount."""
    gpus: Mapping[str, Quantity]
    """How much of each GPU resource the scheduler reserves for it, where that is not zero, by name:
    what a message lists must not hang on which container asks first."""
    asks_for_gpu: bool
    """Whether it asks for a GPU resource or a claim; a malformed amount counts too.

    What is not read may ask for one, too.
    """
    claims_alone: bool
    """Whether it asks for claims and no GPU resource: what they are for is not known here, and can
    be nothing at all."""
    changes: int
    """How often anything was changed that its pools depend on, which are then found anew."""
    _is_gpu: Callable[[str], bool]
    _variables: list[Json] | None
    _requested: dict[str, Quantity]

    def __init__(self, document: Document, is_gpu: Callable[[str], bool]) -> None:
        self.document = document
        self._is_gpu = is_gpu
        self.changes = 0
        self._requested = {}
        self._read_roots()
        self._read_containers()

    def _read_roots(self) -> None:
        self.metadata = metadata = members(self.document.get("metadata"))
        self.spec = spec = members(self.document.get("spec"))
        self.labels = members(metadata.get("labels"))
        self.annotations = members(metadata.get("annotations"))
        self.node_selector = members(spec.get("nodeSelector"))
        self.tolerations = elements(spec.get("tolerations"))
        self.volumes = elements(spec.get("volumes"))
        self.has_claims = bool(elements(spec.get("resourceClaims")))

    def changed(self, operations: Sequence[Operation]) -> None:
        resources: set[str] = set()
        for operation in operations:
            if not operation.path.startswith(_OF_NO_POOL):
                self.changes += 1
                self._requested = {}
            part = changed_part(operation.path)
            if part is ALL:
                self._read_roots()
                self._read_containers()
                return
            if part is ROOT:
                self._read_roots()
            elif part is ENV:
                self._variables = None
            elif part is not NOTHING:
                resources.add(part.pointer)
        if resources:
            for container in self.containers:
                if container.pointer in resources:
                    container.read_resources(self._is_gpu)
            self._summarize()

    def namespace(self, fallback: str) -> str:
        """Return its namespace; the fallback where only the request names it."""
        return text(self.metadata.get("namespace")) or fallback

    @property
    def owner_kind(self) -> str:
        """The kind of the controller that created it; empty where none did."""
        for owner in elements(self.metadata.get("ownerReferences")):
            if members(owner).get("controller") is True:
                return text(members(owner).get("kind"))
        return ""

    @property
    def service_account(self) -> str:
        return text(self.spec.get("serviceAccountName")) or "default"

    @property
    def is_mirror(self) -> bool:
        """Whether it says that it mirrors a static pod of its node."""
        return STATIC_POD in self.annotations

    @property
    def is_windows(self) -> bool:
        """Whether it runs on Windows nodes.

        What `spec.os` says keeps it off no node: the scheduler does not read it, and only the
        kubelet refuses the pod. Source: `rejectPodAdmissionBasedOnOSField` in
        https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/kubelet/lifecycle/predicate.go
        """
        return self.node_selector.get(_OS) == _WINDOWS

    @property
    def is_ending(self) -> bool:
        return self.metadata.get("deletionTimestamp") is not None

    def _read_containers(self) -> None:
        self.unread_containers = excess_containers(self.spec)
        self.containers = () if self.unread_containers else self._all_containers()
        self._variables = None
        self._summarize()

    def _all_containers(self) -> tuple[Container, ...]:
        containers = self._read("containers", _APP)
        # Most pods have no others.
        if "initContainers" in self.spec:
            containers = [*self._read("initContainers", _INIT), *containers]
        if "ephemeralContainers" in self.spec:
            containers += self._read("ephemeralContainers", _EPHEMERAL)
        return tuple(containers)

    def _summarize(self) -> None:
        self.asks_for_gpu = self.has_claims or self.unread_containers > 0
        asks_for_resource = False
        self.gpu_containers = []
        for container in self.containers:
            if container.asks_for_gpu:
                self.asks_for_gpu = True
            if container.asks_for_gpu_resource:
                asks_for_resource = True
            if container.gpus:
                self.gpu_containers.append(container)
        asks_for_resource = asks_for_resource or self.unread_containers > 0
        self.claims_alone = self.asks_for_gpu and not asks_for_resource
        self.gpus = _effective_gpus(self.gpu_containers) if self.gpu_containers else {}

    @property
    def variables(self) -> Sequence[Json]:
        if self._variables is None:
            self._variables = []
            for container in self.containers:
                if "env" in container.raw:
                    self._variables += each(elements(container.raw["env"]), "name")
        return self._variables

    def _read(self, field: str, kind: ContainerKind) -> list[Container]:
        return [
            Container(raw, field, index, _kind(raw, kind), self._is_gpu)
            for index, raw in enumerate(elements(self.spec.get(field)))
            if type(raw) is dict
        ]

    @property
    def node_terms(self) -> Sequence[Json]:
        """The required terms of its node affinity, raw, but for too many; a node must meet one."""
        terms = self.stated_node_terms
        return () if excess(terms) else terms

    @property
    def stated_node_terms(self) -> Sequence[Json]:
        """The required terms of its node affinity, raw, however many."""
        affinity = self.spec.get("affinity")
        if type(affinity) is not dict:
            return ()
        required = members(members(affinity.get("nodeAffinity")).get(REQUIRED))
        return elements(required.get("nodeSelectorTerms"))

    def effective_request(self, resource: str) -> Quantity:
        """Return what the scheduler reserves for the pod.

        The maximum of what app containers and sidecars ask for together, and what each init
        container asks for together with the sidecars before it; plus the pod's overhead. Source:
        `PodRequests` in https://github.com/kubernetes/component-helpers/blob/master/resource/helpers.go
        A request of the pod stands for theirs. Its limit does where none of them asks for any:
        `defaultPodRequests` in
        https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/v1/defaults.go
        """
        known = self._requested.get(resource)
        if known is None:
            known = self._requested[resource] = self._effective_request(resource)
        return known

    def _effective_request(self, resource: str) -> Quantity:
        spec = self.spec
        if "overhead" not in spec and "resources" not in spec:
            return self._sum_of_requests(resource)
        resources = members(spec.get("resources"))
        request = _amount(resources.get("requests"), resource)
        if request is None:
            limit = _amount(resources.get("limits"), resource) or 0
            request = self._sum_of_requests(resource) or limit
        return request + (_amount(spec.get("overhead"), resource) or 0)

    def _sum_of_requests(self, resource: str) -> Quantity:
        sidecars: Quantity = 0
        largest_init: Quantity = 0
        apps: Quantity = 0
        for container in self.containers:
            amount = container.request(resource)
            if container.kind is _APP:
                apps += amount
            elif container.kind is _SIDECAR:
                sidecars += amount
            elif container.kind is _INIT:
                largest_init = max(largest_init, amount + sidecars)
        return max(apps + sidecars, largest_init)

    def limit_of(self, container: Container, resource: str) -> Quantity | None:
        """Return the limit that applies to the container: its own, or else the pod's."""
        own = container.limit(resource)
        if own is not None:
            return own
        return _amount(members(self.spec.get("resources")).get("limits"), resource)


def _kind(raw: Mapping[str, Json], kind: ContainerKind) -> ContainerKind:
    return _SIDECAR if kind is _INIT and raw.get("restartPolicy") == "Always" else kind


def _amount(amounts: Json, resource: str) -> Quantity | None:
    if type(amounts) is not dict or (value := amounts.get(resource)) is None:
        return None
    return read_quantity(value)


def _effective_gpus(containers: Sequence[Container]) -> dict[str, Quantity]:
    """Return the effective request of each GPU resource, all in one pass.

    One by one they would take quadratic time on a hostile pod.
    """
    if len(containers) == 1 and containers[0].kind is _APP:
        return _by_name(containers[0].gpus)
    running: dict[str, Quantity] = {}
    sidecars: dict[str, Quantity] = {}
    largest: dict[str, Quantity] = {}
    for container in containers:
        kind = container.kind
        for name, amount in container.gpus.items():
            if not amount or kind is _EPHEMERAL:
                continue
            if kind is _INIT:
                beside = sidecars.get(name, 0)
                largest[name] = max(largest.get(name, 0), amount + beside)
                continue
            running[name] = running.get(name, 0) + amount
            if kind is _SIDECAR:
                sidecars[name] = sidecars.get(name, 0) + amount
    for name, amount in largest.items():
        running[name] = max(running.get(name, 0), amount)
    return _by_name(running)


def _by_name(amounts: Mapping[str, Quantity | None]) -> dict[str, Quantity]:
    names = sorted(amounts) if len(amounts) > 1 else amounts
    return {name: amount for name in names if (amount := amounts[name])}
