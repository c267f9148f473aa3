"""What runs on GPUs that others lent cannot say that it gives nothing back, where Volcano asks."""

from collections.abc import Iterator
from http import HTTPStatus

from charts_py.components.volcano.queues import PREEMPTABLE_POLICY
from charts_py.objects.document import Document
from gpus.platform_names import TEAM
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.policies import objects_of
from tests.e2e.manifest import manifest, workload
from tests.e2e.releases.objects import applied

NAMESPACE = "speech"
KEPT = {"volcano.sh/preemptable": "false"}
CONTAINERS = [{"name": "training", "image": "registry.example.com/training:1"}]


def _installed() -> Iterator[Document]:
    yield manifest("v1 Namespace", NAMESPACE, metadata={"labels": {TEAM: "speech"}})
    yield from objects_of(PREEMPTABLE_POLICY)


def _kept() -> Iterator[Document]:
    spec = {"containers": CONTAINERS}
    yield manifest("v1 Pod", "kept", NAMESPACE, {"labels": KEPT}, spec=spec)
    never = {"template": {"spec": {**spec, "restartPolicy": "Never"}}}
    scaled = [
        workload(f"apps/v1 {kind}", "kept", NAMESPACE, spec)
        for kind in ("DaemonSet", "Deployment", "ReplicaSet")
    ]
    for each in (
        manifest("v1 Pod", "kept", NAMESPACE, spec=spec),
        manifest("batch/v1 Job", "kept", NAMESPACE, spec=never),
        *scaled,
        workload("apps/v1 StatefulSet", "kept", NAMESPACE, spec, serviceName="training"),
    ):
        yield {**each, "metadata": {**each["metadata"], "annotations": KEPT}}


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
