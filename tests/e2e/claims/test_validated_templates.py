"""The API server and admission refuse the same resources in pods and in native templates."""

from typing import Any

from charts_py.objects.document import Document
from policies.workloads.registry import NATIVE_GROUPS, WORKLOAD_KINDS
from tests.e2e.control_plane.api_client import ApiClient, refusal
from tests.policies.test_resource_validation import each_row, validated

LABELS = {"app": "train"}
SELECTOR = {"selector": {"matchLabels": LABELS}}
SPECS: dict[str, Document] = {
    "CronJob": {"schedule": "0 0 * * *"},
    "DaemonSet": SELECTOR,
    "Deployment": SELECTOR,
    "ReplicaSet": SELECTOR,
    "ReplicationController": {"selector": LABELS},
    "StatefulSet": {**SELECTOR, "serviceName": "train"},
}
"""What kinds need beside a template."""
NATIVE = [each for each in WORKLOAD_KINDS if each.group in NATIVE_GROUPS]


def _objects(resources: Any) -> dict[str, Document]:
    """Return an object of every kind of Kubernetes itself that has pods."""
    container = {"name": "a", "image": "registry.example.com/a:1", "resources": resources}
    found = {}
    for known in NATIVE:
        (place,) = known.templates
        restarts = "Never" if known.group == "batch" else "Always"
        spec = {"containers": [container], "restartPolicy": restarts}
        fields: Document = {"metadata": {"labels": LABELS}, "spec": spec}
        for name in reversed(place.split("/")[1:]):
            fields = {name: fields}
        if known.kind in SPECS:
            fields["spec"] |= SPECS[known.kind]
        version = {"": "v1"}.get(known.group, f"{known.group}/v1")
        metadata = {"name": "validated", "namespace": "default"}
        found[known.kind] = {
            "apiVersion": version,
            "kind": known.kind,
            **fields,
            "metadata": metadata,
        }
    return found


@each_row("found")
def test_the_api_server_and_admission_refuse_the_same_resources(
    admin: ApiClient, resources: Any, found: list[str]
) -> None:
    refused = {
        kind: refusal(admin.create, document, dryRun="All")
        for kind, document in _objects(resources).items()
    }
    statuses = {kind: error.answer.status if error else 201 for kind, error in refused.items()}
    ours = {kind: validated(each).allowed for kind, each in _objects(resources).items()}
    assert statuses == {kind: 201 if is_allowed else 422 for kind, is_allowed in ours.items()}
    assert {*ours.values()} == {not found}
