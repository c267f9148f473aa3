"""Policies of the API server by which teams only read what nodes keep.

A claim that a pod may write has the kubelet give all files to the pod's `fsGroup`: `SetUpAt` in
https://github.com/kubernetes/kubernetes, pkg/volume/local/local.go. An access mode forbids nothing
(https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes). A volume whose claim
was deleted is never bound again.
"""

from charts_py.components.admission_policy import Policy, requests, validation
from charts_py.platform.node_cache import CLAIM_PREFIX
from gpus.platform_names import LABEL_PREFIX
from policies.cel.text import quote

_PREFIX = quote(CLAIM_PREFIX)
READ_ONLY = Policy(
    name=f"node-cache-pods.{LABEL_PREFIX}",
    rule=requests("", "pods", operations=("CREATE",)),
    validations=(
        validation(
            "!has(object.spec.volumes) || object.spec.volumes.all(volume, "
            f'!volume.?persistentVolumeClaim.claimName.orValue("").startsWith({_PREFIX}) || '
            "volume.persistentVolumeClaim.?readOnly.orValue(false))",
            f"A pod mounts a claim {CLAIM_PREFIX}* with readOnly: true; other pods read the same "
            "files.",
        ),
    ),
)
KEPT = Policy(
    name=f"node-cache-claims.{LABEL_PREFIX}",
    rule=requests("", "persistentvolumeclaims", operations=("DELETE",)),
    validations=(
        validation(
            f"!oldObject.metadata.name.startsWith({_PREFIX}) || "
            'authorizer.group("").resource("persistentvolumes").check("delete").allowed()',
            f"Claims {CLAIM_PREFIX}* are the platform's, which says in its cluster file who reads "
            "which model.",
        ),
    ),
)
