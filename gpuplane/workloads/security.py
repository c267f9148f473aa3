"""The security context of pods, of the strictest level that a namespace can enforce.

https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted

Where pods need a capability for their network, and their namespace allows it, they run as root: it
has no effect on other users (https://kubernetes.io/docs/tasks/configure-pod-container/security-context/).
"""

from gpuplane.workloads.network import capabilities
from gpuplane.workloads.reason import Tree, because
from gpuplane.workloads.request import Request

USER = 1000
"""No user of any image in particular: files of the image are read, and volumes written by group."""


def runs_as_root(request: Request) -> bool:
    """Return whether the pods that compute run as root."""
    return bool(capabilities(request))


def pod_security(user: int) -> Tree:
    """Return the security context of a pod whose user is not root."""
    return {
        "runAsNonRoot": because(True, "Pod Security restricted: nothing runs as root"),
        "runAsUser": because(user, "images whose user is root would not start otherwise"),
        "runAsGroup": user,
        "fsGroup": because(user, "volumes belong to this group, so that the user can write"),
        "fsGroupChangePolicy": because(
            "OnRootMismatch", "a large volume is not walked through at every start"
        ),
        "seccompProfile": because({"type": "RuntimeDefault"}, "Pod Security restricted"),
    }


def container_security() -> Tree:
    """Return the security context of a container whose user is not root."""
    return {
        "allowPrivilegeEscalation": because(False, "Pod Security restricted"),
        "capabilities": {"drop": because(["ALL"], "Pod Security restricted")},
    }


def root_security(request: Request) -> Tree:
    """Return the security context of a container that runs as root for its network."""
    added = list(capabilities(request))
    why = "the network reads from locked memory; no other user than root can have it"
    return {"capabilities": {"add": because(added, why)}}
