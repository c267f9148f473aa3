"""Static pods in CEL, as the API server's own conditions have them.

Anybody can give a new pod the annotation of one. The kubelet does not run it then, but until it is
deleted the scheduler counts it. No update can add the annotation.
"""

from policies.in_cel.pod_fields import ANNOTATIONS
from policies.pod import STATIC_POD
from policies.user import NODES

_IS_STATIC = f'"{STATIC_POD}" in {ANNOTATIONS}'
_IS_OF_KUBELET = f'"{NODES}" in request.userInfo.?groups.orValue([])'

IS_NO_STATIC_POD = {
    "name": "is-not-a-static-pod",
    "expression": f'!({_IS_STATIC}) || (request.operation == "CREATE" && !({_IS_OF_KUBELET}))',
}
"""A condition that every pod meets but those by which kubelets show their static ones."""
