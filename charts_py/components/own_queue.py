"""Who may use which queue of a scheduler, which itself lets everybody into every one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.admission_policies.policy import Policy
from gpus.platform_names import LABEL_PREFIX

if TYPE_CHECKING:
    from charts_py.cluster_file.queue_engine import QueueEngine

_NAMED = 'object.spec.?queue.orValue("")'
_UNCHANGED = f'oldObject != null && oldObject.spec.?queue.orValue("") == {_NAMED}'


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
        rule={
            "apiGroups": [group],
            "apiVersions": ["*"],
            "operations": ["CREATE", "UPDATE"],
            "resources": ["podgroups"],
        },
        body={
            "validations": [
                {
                    "expression": f"{_UNCHANGED} || {_NAMED} == ({own})",
                    "messageExpression": f'"The queue of namespace " + request.namespace + " is "'
                    f' + ({own}) + ", not " + {_NAMED} + ". Set spec.queue to " + ({own}) + "."',
                    "reason": "Forbidden",
                }
            ]
        },
    )
