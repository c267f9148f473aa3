"""Pod templates: one of pods that compute, one of those that start or lead them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpuplane.workloads.compute import gpu_compute, gpu_resources, launcher_resources
from gpuplane.workloads.lifetime import GRACE_PERIOD
from gpuplane.workloads.metadata import pod_metadata
from gpuplane.workloads.mounted import Mounted, stored
from gpuplane.workloads.network import (
    capabilities,
    interfaces,
    network,
    network_containers,
    variables,
)
from gpuplane.workloads.nvlink_domain import placed, pod_claims
from gpuplane.workloads.placement import (
    leader_scheduler,
    placement,
    priority,
    undisturbed,
    undisturbed_on_pool,
)
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import LAUNCHER, Request
from gpus.sharing import SharingKind
from policies.quantity import format_bytes
from policies.rules.shared_memory import PATH, share_of_memory

_USER_ID = 1000
"""No user of any image in particular: files of the image are read, and volumes written by group."""
_VOLUME = "shm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """The container of a pod, as far as kinds differ in it."""

    name: str = "main"
    command: Sequence[Tree] = ()
    env: Sequence[Tree] = ()
    fields: Mapping[str, Tree] = field(default_factory=dict)
    """Others, such as ports."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of the pod, besides the team's."""
    has_home: bool = False
    """Whether its image has a home for the user."""
    user: int = _USER_ID
    """Who runs it, unless root does."""
    why_root: str | None = None
    """Why root runs it, if it does."""
    disk: str | None = None
    """What it writes on the disk of its node, at most; None where that is not known."""
    beside: Sequence[Tree] = ()
    """Containers that start before it, and end with it."""


_NOTHING = Mounted()
CONTAINER_SECURITY: Tree = {
    "allowPrivilegeEscalation": Because(False, "Pod Security restricted"),
    "capabilities": {"drop": Because(["ALL"], "Pod Security restricted")},
}
"""The security context of a container whose user is not root."""
_USER = (
    Because(
        {"name": "HOME", "value": "/tmp"},  # noqa: S108 # of the container alone
        "the user has no home in the image, and compilers and libraries keep caches there",
    ),
    Because(
        {"name": "USER", "value": "user"}, "PyTorch asks for the name of whom it keeps caches for"
    ),
)


def gpu_pod(
    request: Request,
    container: Container,
    fields: Mapping[str, Tree],
    mounted: Mounted | None = None,
    *,
    is_undisturbed: bool = True,
) -> Tree:
    """Return the template of pods that compute; `fields` are those of the kind's own.

    What is mounted is what is stored by default.
    """
    needed = network(request)
    reached = Mounted(needed.volumes, needed.mounts, tuple(variables(request)))
    given = _gpu_shared_memory(request) + reached
    given += stored(request) if mounted is None else mounted
    where = {**fields, **placement(request), **pod_claims(request), **GRACE_PERIOD, **fields}
    undisturbed = undisturbed_on_pool(request) if is_undisturbed else {}
    annotations = {**undisturbed, **placed(request), **interfaces(request)}
    container = replace(container, beside=[*network_containers(request), *container.beside])
    metadata = pod_metadata(request, annotations, container.labels)
    resources = gpu_resources(request, container.disk)
    spec = _pod_spec(request, container, where, given, resources, capabilities(request))
    return {"metadata": metadata, "spec": spec}


def launcher_pod(
    request: Request,
    container: Container,
    fields: Mapping[str, Tree],
    mounted: Mounted = _NOTHING,
    *,
    is_leader: bool = True,
) -> Tree:
    """Return the template of a pod that asks for no GPU; nothing is mounted by default.

    A leader is one of the pods that start together.
    """
    scheduler = leader_scheduler(request) if is_leader else {}
    where = {**fields, **priority(request), **scheduler}
    metadata = pod_metadata(request, undisturbed(request), container.labels)
    spec = _pod_spec(request, container, where, mounted, launcher_resources(LAUNCHER))
    return {"metadata": metadata, "spec": spec}


def _pod_spec(
    request: Request,
    container: Container,
    fields: Mapping[str, Tree],
    mounted: Mounted,
    resources: Tree,
    capabilities: Sequence[str] = (),
) -> Tree:
    """Return the spec of a pod; with capabilities, its container runs as root."""
    is_root = bool(capabilities) or container.why_root is not None
    env = [*(() if container.has_home or is_root else _USER), *container.env, *mounted.env]
    main = {
        "name": container.name,
        "image": request.image,
        **({"command": list(container.command)} if container.command else {}),
        **container.fields,
        **({"env": env} if env else {}),
        "resources": resources,
        "securityContext": _root_security(container, capabilities)
        if is_root
        else CONTAINER_SECURITY,
        **({"volumeMounts": list(mounted.mounts)} if mounted.mounts else {}),
    }
    return {
        **fields,
        "automountServiceAccountToken": Because(
            False, "the program asks nothing of the API server"
        ),
        **({} if is_root else {"securityContext": _pod_security(container.user)}),
        **({"initContainers": list(container.beside)} if container.beside else {}),
        "containers": [main],
        **({"volumes": list(mounted.volumes)} if mounted.volumes else {}),
    }


def _pod_security(user: int) -> Tree:
    return {
        "runAsNonRoot": Because(True, "Pod Security restricted: nothing runs as root"),
        "runAsUser": Because(user, "images whose user is root would not start otherwise"),
        "runAsGroup": user,
        "fsGroup": Because(user, "volumes belong to this group, so that the user can write"),
        "fsGroupChangePolicy": Because(
            "OnRootMismatch", "a large volume is not walked through at every start"
        ),
        "seccompProfile": Because({"type": "RuntimeDefault"}, "Pod Security restricted"),
    }


def _root_security(container: Container, capabilities: Sequence[str]) -> Tree:
    user: Tree = {}
    if container.why_root is not None:
        user = {"runAsUser": Because(0, container.why_root)}
    if not capabilities:
        return user
    why = "the network reads from locked memory; no other user than root can have it"
    return {**user, "capabilities": {"add": Because(list(capabilities), why)}}


def _gpu_shared_memory(request: Request) -> Mounted:
    """Return memory at `/dev/shm`; nothing for MPS, whose own memory it would hide."""
    if request.pool.facts.sharing.kind is SharingKind.MPS:
        return Mounted()
    why = "data loaders and NCCL need more than the 64 MiB of the runtime"
    return shared_memory(request, gpu_compute(request).memory, why)


def shared_memory(request: Request, memory: int, why: str) -> Mounted:
    """Return memory at `/dev/shm`, for a container with that limit in bytes."""
    size = format_bytes(share_of_memory(memory, request.settings.shared_memory))
    volume = {"name": _VOLUME, "emptyDir": {"medium": "Memory", "sizeLimit": size}}
    mount = {"name": _VOLUME, "mountPath": PATH}
    return Mounted((Because(volume, why),), (mount,))
