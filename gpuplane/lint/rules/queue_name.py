"""A workload waits in the queue of its namespace.

Each namespace of a team has one queue, which is taken where none is named: the LocalQueue `default`
of Kueue, and otherwise the queue of the namespace's name. A job that names another waits for ever,
or its pods are refused. What pods name is a matter of the rule `queue-scheduler`.

Volcano's own jobs that name none are in its queue `default`, by their CustomResourceDefinition, and
so are those that name it. The webhook of PodGroups puts these into the queue that the namespace's
annotation names (`createPodGroupPatch` in https://github.com/volcano-sh/volcano,
pkg/webhooks/admission/podgroups/mutate/mutate_podgroup.go at v1.15.1).
"""

from collections.abc import Iterator, Sequence

from charts_py.components.kueue.api import DEFAULT_QUEUE, PRIORITY, QUEUE_LABEL
from charts_py.components.volcano.api import DEFAULT_QUEUE as VOLCANO_DEFAULT, SCHEDULER
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding, by_kind
from policies.document import pointer, shown, value_at
from policies.operation import Operation
from policies.settings import JobKind, Settings

_POD = JobKind("", "Pod")


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    namespace = context.namespace
    if namespace not in context.settings.namespaces or not one.gpu_pods:
        return
    for field, names in _queues(context.settings, one.kind, namespace):
        named, place = value_at(one.document, field), pointer(*field)
        if named not in (None, "", *names):
            yield RuleFinding(
                place,
                f"The workload names the queue {shown(named)}, but that of its namespace "
                f"{namespace} is {names[0]}, so it never starts.",
                f"Set it to {names[0]}, or leave it out.",
                (Operation("replace", place, names[0]),),
            )


def _queues(
    settings: Settings, kind: JobKind, namespace: str
) -> Iterator[tuple[tuple[str, ...], Sequence[str]]]:
    """Yield where a workload names its queue, and the names of the only one that it can be in."""
    scheduler = settings.queue_scheduler
    if settings.queue_priority == PRIORITY:
        yield ("metadata", "labels", QUEUE_LABEL), (DEFAULT_QUEUE,)
    elif scheduler is not None and kind != _POD:
        for member, key in scheduler.queue_keys:
            yield ("metadata", member, key), (namespace,)
        field = by_kind("volcano_queue").get(kind)
        if field and scheduler.name == SCHEDULER:
            yield tuple(field), (namespace, VOLCANO_DEFAULT)


RULE = LintRule(
    "queue-name",
    "A workload with GPUs waits in the queue of its namespace.",
    check,
    LintSeverity.ERROR,
)
