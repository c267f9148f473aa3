"""What Kueue counts as part of something else, in CEL.

Of an object and all that controls it, Kueue counts the topmost that it knows, and lets the rest
start with that: `FindAncestorJobManagedByKueue` in https://github.com/kubernetes-sigs/kueue,
pkg/controller/jobframework/reconciler.go at v0.19.2. It looks through kinds that are switched off,
and through ReplicaSets.
"""

from charts_py.components.kueue.managed_kinds import MANAGED, PRIORITY
from policies.in_cel.literal import texts
from policies.settings import JobKind

_POD, _REPLICA_SET = JobKind("", "Pod"), JobKind("apps", "ReplicaSet")
_LOOKED_THROUGH = (
    _REPLICA_SET,
    JobKind("sparkoperator.k8s.io", "SparkApplication"),
    JobKind("workload.codeflare.dev", "AppWrapper"),
)
_COUNTED = (*(each.job_kind for each in MANAGED), *_LOOKED_THROUGH)
JOBS = tuple(kind for kind in _COUNTED if kind != _POD)
"""All but single pods."""
JOBS_AS_ONE = tuple(kind for kind in JOBS if kind not in (*PRIORITY.others, _REPLICA_SET))
"""Those that it counts with all their pods."""
KINDS = tuple(sorted(f"{kind.group or 'v1'}/{kind.kind}" for kind in _COUNTED))
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
