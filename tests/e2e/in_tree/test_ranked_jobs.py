"""Jobs wait in queues by classes of their team, named by the API server where they name none."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.components.kueue.api import PRIORITY_LABEL
from charts_py.load import load_platform
from charts_py.objects.document import Document
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import SAMPLES
from tests.e2e.manifest import manifest, workload
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import install_unserved
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import plain_spec

NAMESPACE = "research-training"
POLICY = "job-priorities.research-batch.gpuplane.io"
SAMPLE = SAMPLES / "queues.yaml"


def pod_template(priority: str | None = None) -> Document:
    named = {} if priority is None else {"priorityClassName": priority}
    spec = {**plain_spec(), "restartPolicy": "Never", **named}
    return {"metadata": {"labels": {"app": "train"}}, "spec": spec}


def job(name: str, label: str | None = None, of_pods: str | None = None) -> Document:
    labels = {} if label is None else {"labels": {PRIORITY_LABEL: label}}
    # Nobody makes its pods.
    spec = {"suspend": True, "template": pod_template(of_pods)}
    return manifest("batch/v1 Job", name, NAMESPACE, labels, spec=spec)


@pytest.fixture(scope="module", autouse=True)
def _queues(admin: ApiClient) -> Iterator[None]:
    """The teams and the policies of a cluster with queues, without Kueue."""
    components = ("priority-classes", "team-research", "team-serving", "admission-policies")
    documents = rendered(load_platform(SAMPLE, None), *components)
    with applied(admin, [each for each in documents if each["kind"] != "LocalQueue"]):
        yield


def pod(label: str) -> Document:
    spec = pod_template()["spec"]
    # Without GPUs, for which the pod would be refused as well.
    without = [{**each, "resources": {}} for each in spec["containers"]]
    labels = {"labels": {PRIORITY_LABEL: label}}
    return manifest("v1 Pod", "pod", NAMESPACE, labels, spec={**spec, "containers": without})


def refusal(of: str, kind: str) -> str:
    """Return what is said of an object that names the class of the other team."""
    return (
        f"{of} is forbidden: ValidatingAdmissionPolicy '{POLICY}' with binding '{POLICY}' denied "
        f"request: The {kind} names priority class inference, which is not among those of its "
        "team. Use one of: training, batch."
    )


def label_of(admin: ApiClient, document: Document) -> str | None:
    made = admin.create(document, dryRun="All").document
    label: str | None = made["metadata"].get("labels", {}).get(PRIORITY_LABEL)
    return label


def test_a_job_that_names_no_class_waits_by_that_of_its_pods(
    admin: ApiClient, evidence: Evidence
) -> None:
    once_seen(lambda: label_of(admin, job("plain")), lambda label: label == "training")
    assert label_of(admin, job("named", label="batch")) == "batch"
    assert label_of(admin, job("of-pods", of_pods="batch")) is None
    pods = {**pod_template()["spec"], "restartPolicy": "Always"}
    stateful = workload("apps/v1 StatefulSet", "served", "serving", pods, serviceName="served")
    # Each namespace has a policy of its own.
    once_seen(lambda: label_of(admin, stateful), lambda label: label == "inference")
    evidence.show(
        "With queues, a job that names no priority class waits by the one that its pods get.",
        "a Job in a namespace for training: `training`; a StatefulSet in one for inference: "
        "`inference`; a Job that names `batch` for its pods keeps that",
    )


def test_a_job_names_no_class_of_others(admin: ApiClient, evidence: Evidence) -> None:
    refused = admin.wait_until_refused(job("foreign", label="inference"))
    assert refused.answer.status == HTTPStatus.FORBIDDEN
    assert refused.message == refusal('jobs.batch "foreign"', "Job")
    of_pods = admin.wait_until_refused(job("of-pods", of_pods="inference"))
    assert of_pods.message == refusal('jobs.batch "of-pods"', "Job")
    of_pod = admin.wait_until_refused(pod(label="inference"))
    assert of_pod.message == refusal('pods "pod"', "Pod")
    evidence.show(
        "A job, a pod or a pod template that names the priority class of another team is refused.",
        f"{refused.answer.status} `{refused.message}`",
    )


def test_a_job_of_several_roles_is_read_by_all_of_them(admin: ApiClient) -> None:
    install_unserved(admin, [pytorch_job()])
    # Policies that mutate objects of a new kind read of it late, and fail until then.
    once_seen(lambda: label_of_new_kind(admin, pytorch_job()), lambda label: label == "training")
    assert label_of(admin, pytorch_job("batch")) is None
    refused = admin.wait_until_refused(pytorch_job("inference"))
    assert refused.message == refusal('pytorchjobs.kubeflow.org "roles"', "PyTorchJob")


def label_of_new_kind(admin: ApiClient, document: Document) -> str | None:
    try:
        return label_of(admin, document)
    except ApiError as error:
        if error.answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
            raise
        return None


def pytorch_job(of_workers: str | None = None) -> Document:
    replicas = {
        role: {"replicas": 1, "template": pod_template(named)}
        for role, named in (("Master", None), ("Worker", of_workers))
    }
    spec = {"pytorchReplicaSpecs": replicas}
    return manifest("kubeflow.org/v1 PyTorchJob", "roles", NAMESPACE, spec=spec)


def test_a_job_keeps_its_class_and_takes_none_of_others(admin: ApiClient) -> None:
    once_seen(lambda: label_of(admin, job("kept")), lambda label: label == "training")
    admin.wait_until_refused(job("foreign", label="inference"))
    made = admin.create(job("kept")).document
    kept = admin.patch(made, labelled(None)).document
    assert kept["metadata"]["labels"][PRIORITY_LABEL] == "training"
    with pytest.raises(ApiError) as refused:
        admin.patch(made, labelled("inference"))
    assert refused.value.message == refusal('jobs.batch "kept"', "Job")
    lowered = admin.patch(made, labelled("batch")).document
    assert lowered["metadata"]["labels"][PRIORITY_LABEL] == "batch"


def labelled(label: str | None) -> Document:
    return {"metadata": {"labels": {PRIORITY_LABEL: label}}}
