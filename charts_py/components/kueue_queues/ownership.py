"""What Kueue counts as part of something else, in CEL.

Of an object and all that controls it, Kueue counts the topmost that it knows, and lets the rest
start with that: `FindAncestorJobManagedByKueue` in https://github.com/kubernetes-sigs/kueue,
pkg/controller/jobframework/reconciler.go at v0.19.2. It looks through kinds that are switched off,
and through ReplicaSets.
"""

from charts_py.components.kueue.managed_kinds import MANAGED
from policies.in_cel.literal import texts

POD = "v1/Pod"
_LOOKED_THROUGH = (
    "apps/ReplicaSet",
    "sparkoperator.k8s.io/SparkApplication",
    "workload.codeflare.dev/AppWrapper",
)
KINDS = tuple(
    sorted((*(f"{each.group or 'v1'}/{each.kind}" for each in MANAGED), *_LOOKED_THROUGH))
)
"""By the API group, or the version of the core, and the kind."""

KIND = 'owner.apiVersion.split("/")[0] + "/" + owner.kind'
"""That of an `owner`, as `KINDS` has them."""
COUNTED = f"{KIND} in {texts(KINDS)}"
"""Whether Kueue knows an `owner`."""


def _controllers(of: str) -> str:
    return (
        f"{of}.metadata.?ownerReferences.orValue([]).filter(owner,"
        " owner.?controller.orValue(false))"
    )


CONTROLLERS = _controllers("object")
"""The owners that control an object, of which there is one at most."""
CONTROLLERS_BEFORE = f'(request.operation == "CREATE" ? [] : {_controllers("oldObject")})'
"""Those that did before."""
