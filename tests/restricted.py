"""What the Pod Security level `restricted` demands of a pod and of each container."""

from policies.document import Document

POD: Document = {
    "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
}
CONTAINER: Document = {
    "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
}
