"""The security context of pods, of the strictest level that a namespace can enforce.

https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
"""

from collections.abc import Sequence

from charts_py.workloads.reason import Tree, because

_USER = 1000
"""No user of any image in particular: files of the image are read, and volumes written by group."""


def pod_security() -> Tree:
    """Return the security context of a pod."""
    return {
        "runAsNonRoot": because(True, "Pod Security restricted: nothing runs as root"),
        "runAsUser": because(_USER, "images whose user is root would not start otherwise"),
        "runAsGroup": _USER,
        "fsGroup": because(_USER, "volumes belong to this group, so that the user can write"),
        "fsGroupChangePolicy": because(
            "OnRootMismatch", "a large volume is not walked through at every start"
        ),
        "seccompProfile": because({"type": "RuntimeDefault"}, "Pod Security restricted"),
    }


def container_security(added: Sequence[str] = ()) -> Tree:
    """Return the security context of a container with these capabilities added."""
    capabilities: dict[str, Tree] = {"drop": because(["ALL"], "Pod Security restricted")}
    if added:
        capabilities["add"] = because(list(added), "the network reads from locked memory")
    return {
        "allowPrivilegeEscalation": because(False, "Pod Security restricted"),
        "capabilities": capabilities,
    }
