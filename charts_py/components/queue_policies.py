"""Policies keep a team's jobs in its own queue, and its pods in the groups that are counted.

The schedulers let everybody into every queue, and count a pod with the group that its metadata
names. Of one that names another, or none, they take GPUs to be free that it holds.
"""

from dataclasses import dataclass

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policy import Policy, requests, validation
from gpus.platform_names import LABEL_PREFIX
from policies.cel.pod import IS_CREATED
from policies.cel.text import quote, texts

_OWNERS = "metadata.?ownerReferences"
MAY_PATCH_PODS = 'authorizer.group("").resource("pods").check("patch").allowed()'
"""Whether who asks may change the pods of every namespace, as what controls pods and the garbage
collector may (https://github.com/kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac at
v1.37.1)."""
_NAMED = 'object.spec.?queue.orValue("")'
_UNCHANGED = f'oldObject != null && oldObject.spec.?queue.orValue("") == {_NAMED}'


@dataclass(frozen=True, slots=True)
class Grouping:
    """How the pods of an engine name their group."""

    engine: QueueEngine
    group: str
    """The API group of its PodGroups."""
    name: str
    """The annotation that names the group."""
    annotations: tuple[str, ...] = ()
    """What else places a pod in it, as `labels` do."""
    labels: tuple[str, ...] = ()

    @property
    def may_group(self) -> str:
        """Return CEL for whether who asks may make groups of pods in every namespace."""
        resource = f"authorizer.group({quote(self.group)}).resource({quote('podgroups')})"
        return f"{resource}.check({quote('create')}).allowed()"


def own_queue_policy(engine: QueueEngine, group: str, own: str) -> Policy:
    """Return the policy that keeps the jobs of every namespace in its queue.

    It judges the PodGroups of an API group, which the engine makes of every kind of job. `own` is
    CEL for the queue of a namespace, and no variable of the policy, by which policies can end an
    API server before Kubernetes 1.36: https://github.com/kubernetes/kubernetes/issues/135757
    """
    return Policy(
        name=f"own-queue.{engine}.{LABEL_PREFIX}",
        # Those of no team use no queue of one.
        namespaces={},
        rule=requests(group, "podgroups", version="*"),
        validations=(
            validation(
                f"{_UNCHANGED} || {_NAMED} == ({own})",
                computed=f'"The queue of namespace " + request.namespace + " is " + ({own})'
                f' + ", not " + {_NAMED} + ". Set spec.queue to " + ({own}) + "."',
            ),
        ),
    )


def own_group_policy(grouping: Grouping) -> Policy:
    """Return the policy that keeps pods in the group that the engine of the queues puts them in."""
    return Policy(
        name=f"own-group.{grouping.engine}.{LABEL_PREFIX}",
        rule=requests("", "pods"),
        validations=(_kept_group(grouping), _kept_owners(grouping)),
    )


def _kept_group(grouping: Grouping) -> dict[str, str]:
    annotations = (grouping.name, *grouping.annotations)
    kept = [_unchanged("annotations", annotations)]
    if grouping.labels:
        kept.append(_unchanged("labels", grouping.labels))
    keys = ", ".join((*annotations, *grouping.labels))
    return validation(
        f"{' && '.join(kept)} || {grouping.may_group}",
        f"A pod is counted with its group ({keys}), which controllers of the scheduler set; leave "
        "it as it is, and out of templates.",
    )


def _unchanged(field: str, keys: tuple[str, ...]) -> str:
    now, before = (f"{each}.metadata.?{field}[?key]" for each in ("object", "oldObject"))
    return f"{texts(keys)}.all(key, {IS_CREATED} ? !{now}.hasValue() : {now} == {before})"


def _kept_owners(grouping: Grouping) -> dict[str, str]:
    """Return what keeps a pod from outliving its group, which is gone with the pod's owners."""
    named = f"oldObject.metadata.?annotations[?{quote(grouping.name)}]"
    return validation(
        f"{IS_CREATED} || !{named}.hasValue()"
        f" || object.{_OWNERS} == oldObject.{_OWNERS} || {MAY_PATCH_PODS}",
        "A pod is counted in a group that is gone with its owners; leave its "
        "metadata.ownerReferences.",
    )
