"""No pod of a team starts past its queue.

Kueue gates pods, and trusts what stands on them: what controls them, the labels and annotations
that it sets itself, and that nobody else takes its gates off. A team may write all of that on its
pods. https://github.com/kubernetes-sigs/kueue, pkg/controller/jobs/pod, statefulset and
leaderworkerset at v0.19.2
"""

from collections.abc import Iterator

from charts_py.components.admission_policy import Policy, requests
from charts_py.components.kueue.api import GROUP, PREBUILT_WORKLOAD, SUSPENDING_PARENT
from charts_py.components.kueue.queue_policies import (
    CONTROLLERS,
    CONTROLLERS_BEFORE,
    COUNTED,
    IS_CONTROLLER,
    KIND,
    MAY_ADMIT,
    NO_PREBUILT_WORKLOAD,
    refused_unless,
)
from gpus.platform_names import LABEL_PREFIX
from policies.cel.pod import ANNOTATIONS, IS_CREATED, LABELS
from policies.cel.text import lines, quote, texts
from policies.in_cel.match_conditions import gpu_pod_conditions
from policies.settings import Settings

_MANAGED = f"{GROUP}/managed"
"""A label, and a finalizer of the same name."""
_GROUP_NAME = f"{GROUP}/pod-group-name"
"""A label, or an annotation of the same name; PREBUILT_WORKLOAD alike."""
_ROLE_HASH = f"{GROUP}/role-hash"
_LEADER_WORKER_SET = "leaderworkerset.sigs.k8s.io/name"

_SET_LABELS = (_MANAGED, _GROUP_NAME, PREBUILT_WORKLOAD, _LEADER_WORKER_SET)
_SET_ANNOTATIONS = (_GROUP_NAME, PREBUILT_WORKLOAD, _ROLE_HASH, SUSPENDING_PARENT)
_CONTROLLED_BY = {
    "deployment": "apps/ReplicaSet",
    "leaderworkerset.x-k8s.io/leaderworkerset": "apps/StatefulSet",
    "statefulset": "apps/StatefulSet",
}
"""What controls the pods of a parent, which Kueue names by its integration."""
_FOREIGN_GROUPS = ("leaderworkerset-", "statefulset-")
"""What the names of groups begin with that Kueue makes of other objects' pods."""

_LABELS_BEFORE = "oldObject.metadata.?labels.orValue({})"
_EITHER = f"[{LABELS}, {ANNOTATIONS}]"
_GIVEN = (
    "size(object.metadata.?managedFields.orValue([])) == 0"
    " || object.metadata.managedFields.exists(fields, fields.?fieldsV1"
    f'[?"f:metadata"][?"f:annotations"][?"f:{_ROLE_HASH}"].hasValue())'
)
"""Whether a pod came with the annotation, whoever made it, and from whatever template.

The API server notes who sets which field before it calls webhooks, where that of Kueue adds its
own; it notes nothing of a pod that it cannot merge (https://github.com/kubernetes/kubernetes,
staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go at v1.37.1).
"""


def queued_pods(settings: Settings) -> Policy:
    (asks_for_gpus,) = (
        each["expression"]
        for each in gpu_pod_conditions(settings)
        if each["name"] == "may-ask-for-gpus"
    )
    asks = f"({asks_for_gpus})"
    return Policy(
        name=f"queued-pods.{LABEL_PREFIX}",
        rule=requests("", "pods"),
        validations=(*_as_they_come(asks), *_unchanged_parts(asks)),
    )


def _as_they_come(asks: str) -> Iterator[dict[str, str]]:
    """Yield what holds of new pods; the first of changed ones, too."""
    yield refused_unless(
        f"!{asks} || !{CONTROLLERS}.exists(owner, {COUNTED})"
        f" || {CONTROLLERS} == {CONTROLLERS_BEFORE}",
        f"{IS_CONTROLLER} || {MAY_ADMIT}",
        "a GPU pod that another job or pod controls waits in no queue, so that only controllers"
        " make such; leave `controller: true` out of its metadata.ownerReferences.",
    )
    yield refused_unless(
        f"!{IS_CREATED} || !({quote(SUSPENDING_PARENT)} in {ANNOTATIONS})"
        f" || {CONTROLLERS}.exists(owner, {KIND} == {lines(_CONTROLLED_BY)}"
        f'[?{ANNOTATIONS}[{quote(SUSPENDING_PARENT)}]].orValue(""))',
        MAY_ADMIT,
        f"only pods of Deployments, StatefulSets and LeaderWorkerSets have {SUSPENDING_PARENT};"
        " leave this annotation out.",
    )
    yield refused_unless(
        f"!{IS_CREATED} || !{_EITHER}.exists(given, {quote(_GROUP_NAME)} in given) || !({_GIVEN})",
        MAY_ADMIT,
        f"Kueue sets {_ROLE_HASH} itself, by which it counts the GPUs of a pod group; leave this"
        " annotation out.",
    )
    yield refused_unless(
        f"!{IS_CREATED} || {_EITHER}.all(given, !{texts(_FOREIGN_GROUPS)}.exists(start,"
        f' given[?{quote(_GROUP_NAME)}].orValue("").startsWith(start)))',
        MAY_ADMIT,
        f"in {_GROUP_NAME}, what begins with leaderworkerset- or statefulset- is the group of such"
        " an object; name yours otherwise.",
    )
    yield refused_unless(
        f"!{IS_CREATED} || {_EITHER}.all(given, !({quote(PREBUILT_WORKLOAD)} in given))",
        MAY_ADMIT,
        NO_PREBUILT_WORKLOAD,
    )


def _unchanged_parts(asks: str) -> Iterator[dict[str, str]]:
    yield refused_unless(
        f"{IS_CREATED} || oldObject.spec.?schedulingGates.orValue([]).all(gate,"
        f" !gate.name.startsWith({quote(f'{GROUP}/')}) || object.spec.?schedulingGates.orValue([])"
        ".exists(kept, kept.name == gate.name))",
        MAY_ADMIT,
        "Kueue takes its scheduling gates off a pod once its queue has room for it; `kubectl"
        " describe workload` says what it waits for.",
    )
    keys = sorted({*_SET_LABELS, *_SET_ANNOTATIONS})
    yield refused_unless(
        f"{IS_CREATED} || {_unchanged('labels', _SET_LABELS)}"
        f" && {_unchanged('annotations', _SET_ANNOTATIONS)}",
        MAY_ADMIT,
        f"Kueue counts a pod by {', '.join(keys)}; leave these labels and annotations as they are.",
    )
    yield refused_unless(
        f"{IS_CREATED} || !({quote(_MANAGED)} in oldObject.metadata.?finalizers.orValue([]))"
        f" || {quote(_MANAGED)} in object.metadata.?finalizers.orValue([])",
        MAY_ADMIT,
        f"Kueue takes the finalizer {_MANAGED} off a pod that has ended; leave it.",
    )
    yield refused_unless(
        f"{IS_CREATED} || {CONTROLLERS_BEFORE}.all(owner, {CONTROLLERS}.exists(kept,"
        " kept.uid == owner.uid))",
        f"{IS_CONTROLLER} || {MAY_ADMIT}",
        "Kueue counts a pod with what controls it; leave its metadata.ownerReferences.",
    )
    # Who controls pods lets go of those whose labels it no longer selects, and makes others.
    yield refused_unless(
        f"{IS_CREATED} || {_LABELS_BEFORE}.all(key, object.metadata.?labels[?key]"
        f" == oldObject.metadata.?labels[?key]) || {quote(_MANAGED)} in {_LABELS_BEFORE}"
        f" || !{CONTROLLERS_BEFORE}.exists(owner, {COUNTED}) || !{asks}",
        f"{IS_CONTROLLER} || {MAY_ADMIT}",
        "Kueue counts a GPU pod with what controls it, which knows it by its labels; leave these as"
        " they are.",
    )


def _unchanged(field: str, keys: tuple[str, ...]) -> str:
    before = f"oldObject.metadata.?{field}[?key]"
    return f"{texts(keys)}.all(key, object.metadata.?{field}[?key] == {before})"
