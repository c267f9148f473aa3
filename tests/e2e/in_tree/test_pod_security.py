"""The levels of Pod Security as the API server enforces them, and what becomes of a plain Job."""

import datetime as dt
import re
from collections.abc import Iterator

import pytest
import yaml
from msgspec.structs import replace

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.objects.pods import pod_security_labels
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.lint.fixes import fixed_files
from gpuplane.lint.lint_run import LintTerms
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.report import RuleSelection
from policies.settings import PodSecurity
from tests.e2e.claims.cluster import admitting, rendered
from tests.e2e.control_plane.api_client import ApiClient, refusal
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import CLUSTERS
from tests.e2e.in_tree.policies import fixing
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.policies.pod_security.judged_pods import judged_pods
from upstream.kubernetes_version import KubernetesVersion

PODS = judged_pods()
NAMESPACE = "research-training"
_CONTROLS = re.compile(r'violates PodSecurity "[^"]*": (.*)', re.DOTALL)
_DETAILS = re.compile(r" \([^()]*\)")


def _name(level: PodSecurity, minor: int) -> str:
    return f"{level.value}-{minor}"


@pytest.fixture(scope="module")
def namespaces(admin: ApiClient) -> Iterator[None]:
    """A namespace for each level of each version that pods are judged at."""
    levels = [(level, minor) for level in PodSecurity for minor in {pod.minor for pod in PODS}]
    made = []
    for level, minor in levels:
        labels = pod_security_labels(
            KubernetesVersion(f"1.{minor}"), enforced=level, reported=level
        )
        made.append(manifest("v1 Namespace", _name(level, minor), metadata={"labels": labels}))
    with applied(admin, made):
        yield


@pytest.mark.usefixtures("namespaces")
def test_the_api_server_refuses_the_same_pods_for_the_same_controls(
    admin: ApiClient, evidence: Evidence
) -> None:
    found = {}
    for pod in PODS:
        for level in PodSecurity:
            document = manifest("v1 Pod", "judged", _name(level, pod.minor), spec=pod.spec)
            found[pod.fact, level] = _controls(admin, document)
    assert found == {
        (pod.fact, level): pod.controls[level] for pod in PODS for level in PodSecurity
    }
    evidence.show(
        "The API server refuses the same pods at each Pod Security level, for the same controls.",
        f"{len(found)} verdicts on {len(PODS)} pods",
    )


def _controls(admin: ApiClient, pod: Document) -> frozenset[str]:
    """Return the controls for which the API server refuses a pod."""
    error = refusal(admin.create, pod, dryRun="All")
    if error is None:
        return frozenset()
    said = _CONTROLS.search(error.message)
    assert said is not None, error
    names = _DETAILS.sub("", said[1]).split(", ")
    # It counts profiles, where it names the control.
    return frozenset(name.replace("AppArmor profiles", "AppArmor profile") for name in names)


JOB = f"""\
apiVersion: batch/v1
kind: Job
metadata: {{name: cuda, namespace: {NAMESPACE}}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: cuda
          image: nvcr.io/nvidia/cuda:13.0.1-base-ubuntu24.04
          command: [nvidia-smi]
          resources: {{limits: {{nvidia.com/gpu: 8, cpu: 4, memory: 8Gi}}}}
"""
_LACKED = (
    "allowPrivilegeEscalation != false",
    "unrestricted capabilities",
    "runAsNonRoot != true",
    "seccompProfile",
)


OF_A_USER = JOB.replace("containers:", "securityContext: {runAsUser: 1000}\n      containers:")
A_POD = "a pod"


def test_a_plain_job_gets_no_pod_and_gets_one_once_it_is_fixed_or_by_default(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    platform = admitting(platforms["training"], Admission.IN_TREE_ONLY)
    with applied(admin, _surroundings(platform)):
        refused = _what_comes(admin, JOB)
        fixed = _what_comes(admin, _fixed(OF_A_USER))
        settings = replace(policy_settings(platform), pod_security_user=1000)
        with applied(admin, fixing(settings)):
            once_seen(lambda: _what_comes(admin, JOB) == A_POD)
    assert [control for control in _LACKED if control not in refused] == []
    assert fixed == A_POD
    evidence.show(
        "A plain CUDA Job gets no pod where its namespace enforces restricted, and gets one once "
        "`gpuplane lint --fix` has mended it, or with `policies.podSecurityDefaults`.",
        "no pod; a pod; a pod",
    )


def _surroundings(platform: Platform) -> list[Document]:
    """Return the namespace as its team has it, and the classes that pods name."""
    of_team = rendered(platform, "team-research")
    named = [one for one in of_team if one["kind"] == "Namespace"]
    return [*rendered(platform, "priority-classes"), *named]


def _fixed(job: str) -> str:
    """Return a Job as `gpuplane lint --fix` writes it."""
    source = LintSource("job.yaml", job.encode())
    clusters = loaded_clusters(CLUSTERS, ("training",))
    (file,) = fixed_files([source], clusters, LintTerms(dt.date.today()), RuleSelection())
    return file.after.decode()


def _what_comes(admin: ApiClient, job: str) -> str:
    """Return what becomes of a Job: a pod, or why it gets none; then it is gone again."""
    document = yaml.safe_load(job)
    made = admin.create(document).document
    try:
        return once_seen(lambda: _news_of(admin, made))
    finally:
        admin.delete(document)
        admin.wait_until_gone(document)


def _news_of(admin: ApiClient, job: Document) -> str:
    pods = admin.find("v1", "Pod", NAMESPACE, labelSelector="job-name=cuda")
    if any(
        each["metadata"]["ownerReferences"][0]["uid"] == job["metadata"]["uid"] for each in pods
    ):
        return A_POD
    uid = f"involvedObject.uid={job['metadata']['uid']},reason=FailedCreate"
    events = admin.find("v1", "Event", NAMESPACE, fieldSelector=uid)
    return str(events[0]["message"]) if events else ""
