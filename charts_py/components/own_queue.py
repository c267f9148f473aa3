"""Who may use which queue of a scheduler, which itself lets everybody into every one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.objects.metadata import ObjectMeta, object_of
from gpus.platform_names import LABEL_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.spec.queues import QueueEngine

_API_VERSION = "admissionregistration.k8s.io/v1"
_NAMED = 'object.spec.?queue.orValue("")'
_UNCHANGED = f'oldObject != null && oldObject.spec.?queue.orValue("") == {_NAMED}'


def own_queue_policy(engine: QueueEngine, group: str, own: str) -> Iterator[Document]:
    """Yield the policy that keeps the jobs of a namespace in its queue, and its binding.

    It judges the PodGroups of an API group, which the engine makes of every kind of job. `own` is
    CEL for the queue of a namespace, and no variable of the policy, by which policies can end an
    API server before Kubernetes 1.36: https://github.com/kubernetes/kubernetes/issues/135757
    """
    groups = {
        "apiGroups": [group],
        "apiVersions": ["*"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["podgroups"],
    }
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [groups]},
        "validations": [
            {
                "expression": f"{_UNCHANGED} || {_NAMED} == ({own})",
                "messageExpression": f'"The queue of namespace " + request.namespace + " is "'
                f' + ({own}) + ", not " + {_NAMED} + "."',
            }
        ],
    }
    name = ObjectMeta(f"own-queue.{engine}.{LABEL_PREFIX}")
    binding = {"policyName": name.name, "validationActions": ["Deny"]}
    for kind, body in (
        ("ValidatingAdmissionPolicy", spec),
        ("ValidatingAdmissionPolicyBinding", binding),
    ):
        yield object_of(_API_VERSION, kind, name, {"spec": body})
