"""Queues that a workload names, and that no scheduler of the cluster reads."""

from collections.abc import Iterator

from charts_py.components.kai_scheduler.api import KAI_SCHEDULER_NAME, QUEUE as KAI_QUEUE
from charts_py.components.kueue.api import PRIORITY, QUEUE_LABEL
from charts_py.components.volcano.api import QUEUE_NAME, SCHEDULER
from gpuplane.lint.rule import LintContext, LintObject, RuleFinding
from policies.document import pointer, text, value_at

_KUEUE = "kueue"
_FIELDS = {
    _KUEUE: ("metadata", "labels", QUEUE_LABEL),
    KAI_SCHEDULER_NAME: ("metadata", "labels", KAI_QUEUE),
    SCHEDULER: ("metadata", "annotations", QUEUE_NAME),
}
_LOCAL_QUEUE = "LocalQueue.kueue.x-k8s.io"


def unread_queues(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if context.known_namespace is None or not one.gpu_pods or _LOCAL_QUEUE in context.facts.brings:
        return
    engine = _KUEUE if context.settings.queue_priority == PRIORITY else context.scheduler
    for reader, field in _FIELDS.items():
        named = text(value_at(one.document, field))
        if named and reader != engine:
            has = f"has the queues of {engine}" if engine else "has no queues"
            yield RuleFinding(
                pointer(*field),
                f"Nothing reads {field[-1]}, since the cluster {has}: the workload waits in none "
                f"called {named}.",
                "Leave it out.",
            )
