"""Who may use which queue: Volcano itself lets everybody into every one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.volcano_queues.api import DEFAULT_QUEUE, GROUP
from charts_py.objects.metadata import ObjectMeta, object_of
from gpus.platform_names import LABEL_PREFIX, TEAM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document

_API_VERSION = "admissionregistration.k8s.io/v1"
_NAME = f"own-queue.volcano.{LABEL_PREFIX}"
_OWN = (
    f'"{TEAM}" in namespaceObject.metadata.?labels.orValue({{}})'
    f' ? request.namespace : "{DEFAULT_QUEUE}"'
)
_NAMED = 'object.spec.?queue.orValue("")'
_UNCHANGED = f'oldObject != null && oldObject.spec.?queue.orValue("") == {_NAMED}'


def own_queue_policy() -> Iterator[Document]:
    """Yield the policy that keeps the jobs of a namespace in its queue, and its binding.

    It judges PodGroups, which Volcano makes of every kind of job.
    """
    groups = {
        "apiGroups": [GROUP],
        "apiVersions": ["*"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["podgroups"],
    }
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [groups]},
        "variables": [{"name": "own", "expression": _OWN}],
        "validations": [
            {
                "expression": f"{_UNCHANGED} || {_NAMED} == variables.own",
                "messageExpression": f'"The queue of namespace " + request.namespace + " is "'
                f' + variables.own + ", not " + {_NAMED} + "."',
            }
        ],
    }
    binding = {"policyName": _NAME, "validationActions": ["Deny"]}
    for kind, body in (
        ("ValidatingAdmissionPolicy", spec),
        ("ValidatingAdmissionPolicyBinding", binding),
    ):
        yield object_of(_API_VERSION, kind, ObjectMeta(_NAME), {"spec": body})
