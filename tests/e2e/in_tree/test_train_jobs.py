"""A TrainJob runs with no more than its queue counts."""

from http import HTTPStatus

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.crds import install_unserved
from tests.e2e.releases.objects import applied

NAMESPACE = "research-training"
COMPONENTS = ("priority-classes", "team-research", "admission-policies")
JOBS, SNAPSHOTS = "train-job-resources.gpuplane.io", "runtime-snapshots.gpuplane.io"


def job(name: str, **resources: dict[str, str]) -> Document:
    trainer = {"numNodes": 4, "resourcesPerNode": resources}
    spec = {"runtimeRef": {"name": "torch-h100"}, "trainer": trainer}
    return manifest("trainer.kubeflow.org/v1alpha1 TrainJob", name, NAMESPACE, spec=spec)


def config_map(name: str) -> Document:
    return manifest("v1 ConfigMap", name, NAMESPACE, data={"runtime": ""})


def denial(policy: str) -> str:
    return f"ValidatingAdmissionPolicy '{policy}' with binding '{policy}' denied request: "


def test_neither_a_job_nor_a_snapshot_of_its_runtime_leaves_gpus_out(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    install_unserved(admin, [job("any")])
    with applied(admin, rendered(platforms["training"], *COMPONENTS)):
        uncounted = admin.wait_until_refused(job("uncounted", requests={"cpu": "96"}))
        written = admin.wait_until_refused(config_map("pretrain-runtime-snapshot"))
        admin.create(job("counted", limits={"nvidia.com/gpu": "8"}))
        admin.create(config_map("settings"))
    assert (uncounted.answer.status, written.answer.status) == (HTTPStatus.FORBIDDEN,) * 2
    assert uncounted.message == (
        f'trainjobs.trainer.kubeflow.org "uncounted" is forbidden: {denial(JOBS)}'
        "spec.trainer.resourcesPerNode states no GPUs: the queue would count none, and the job run "
        "with those of its runtime. Repeat the limit on GPUs of torch-h100 in its limits, or leave "
        "resourcesPerNode out."
    )
    assert written.message == (
        f'configmaps "pretrain-runtime-snapshot" is forbidden: {denial(SNAPSHOTS)}'
        "Kubeflow Trainer alone writes ConfigMaps NAME-runtime-snapshot, by which it runs the "
        "TrainJob NAME; name another in another way."
    )
    evidence.show(
        "A TrainJob that would run with GPUs which its queue does not count is refused.",
        f"{uncounted.answer.status} `{uncounted.message}`",
    )
    evidence.show(
        "Members of a team cannot change what Trainer runs a job by.",
        f"{written.answer.status} `{written.message}`",
    )
