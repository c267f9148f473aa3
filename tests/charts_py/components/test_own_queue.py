"""Who may use which queue of a scheduler."""

from charts_py.components.own_queue import own_queue_policy
from charts_py.spec.queues import QueueEngine


def test_the_groups_of_pods_of_a_namespace_stay_in_its_queue() -> None:
    own = "request.namespace"
    policy = own_queue_policy(QueueEngine.VOLCANO, "scheduling.volcano.sh", own)
    named = 'object.spec.?queue.orValue("")'
    assert policy.spec() == {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": {},
            "resourceRules": [
                {
                    "apiGroups": ["scheduling.volcano.sh"],
                    "apiVersions": ["*"],
                    "operations": ["CREATE", "UPDATE"],
                    "resources": ["podgroups"],
                    "scope": "Namespaced",
                }
            ],
        },
        "validations": [
            {
                "expression": "oldObject != null"
                f' && oldObject.spec.?queue.orValue("") == {named} || {named} == ({own})',
                "messageExpression": '"The queue of namespace " + request.namespace + " is "'
                f' + ({own}) + ", not " + {named} + ". Set spec.queue to " + ({own}) + "."',
                "reason": "Forbidden",
            }
        ],
    }
    assert policy.binding_spec() == {
        "policyName": "own-queue.volcano.gpuplane.io",
        "validationActions": ["Deny"],
        "matchResources": {"namespaceSelector": {}},
    }
