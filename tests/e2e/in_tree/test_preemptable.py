"""What runs on GPUs that others lent cannot say that it gives nothing back, where Volcano asks."""

from collections.abc import Iterator
from http import HTTPStatus

from charts_py.components.volcano.queues import PREEMPTABLE_POLICY
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from gpus.platform_names import TEAM
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied

NAMESPACE = "speech"
KEPT = {"volcano.sh/preemptable": "false"}
LABELS = {"app": "training"}
CONTAINERS = [{"name": "training", "image": "registry.example.com/training:1"}]


def _installed() -> Iterator[Document]:
    yield object_of("v1", "Namespace", ObjectMeta(NAMESPACE, labels={TEAM: "speech"}), {})
    policy = PREEMPTABLE_POLICY
    for kind, spec in (
        (policy.kind, policy.spec()),
        (f"{policy.kind}Binding", policy.binding_spec()),
    ):
        metadata = ObjectMeta(policy.name)
        yield object_of("admissionregistration.k8s.io/v1", kind, metadata, {"spec": spec})


def _kept() -> Iterator[Document]:
    annotated = ObjectMeta("kept", NAMESPACE, annotations=KEPT)
    template = {"metadata": {"labels": LABELS}, "spec": {"containers": CONTAINERS}}
    spec = {"containers": CONTAINERS}
    scaled = {"spec": {"selector": {"matchLabels": LABELS}, "template": template}}
    never = {**template, "spec": {**spec, "restartPolicy": "Never"}}
    yield object_of("v1", "Pod", ObjectMeta("kept", NAMESPACE, labels=KEPT), {"spec": spec})
    yield object_of("v1", "Pod", annotated, {"spec": spec})
    yield object_of("batch/v1", "Job", annotated, {"spec": {"template": never}})
    for kind in ("DaemonSet", "Deployment", "ReplicaSet"):
        yield object_of("apps/v1", kind, annotated, scaled)
    named = {"spec": {**scaled["spec"], "serviceName": "training"}}
    yield object_of("apps/v1", "StatefulSet", annotated, named)


def test_what_would_keep_lent_gpus_is_refused(admin: ApiClient, evidence: Evidence) -> None:
    with applied(admin, _installed()):
        refused = {
            f"{each['kind']}, {'annotation' if 'annotations' in each['metadata'] else 'label'}": (
                admin.wait_until_refused(each)
            )
            for each in _kept()
        }
    for name, error in refused.items():
        assert error.answer.status == HTTPStatus.FORBIDDEN
        assert error.message.endswith(
            f'The {name.split(", ")[1]} volcano.sh/preemptable is "false", but what runs on GPUs'
            ' that others lent gives them back. Set it to "true", or leave it out.'
        )
    evidence.show(
        "With queues of Volcano, nothing says that it keeps GPUs that others lent to it.",
        f"refused: {'; '.join(refused)}",
    )
