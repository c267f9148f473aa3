"""With the webhook stopped, the API server refuses each wrong pod and admits each right one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.components.admission_policies.pods import KEPT_POLICY
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import FIXED, JUDGED
from policies.admission import Review, today
from policies.engine import Engine
from policies.in_cel.judged_annotation import judged_by
from policies.manifest_pod import manifest_pods
from tests.e2e.attacks import test_visible_devices, test_volumes_and_runtimes
from tests.e2e.attacks.test_unreadable_objects import FOREIGN_IMAGE_CHANGE
from tests.e2e.attacks.written_objects import CONTENT_TYPE as PROTOBUF, said
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import JSON_PATCH, MERGE_PATCH, ApiClient, why_not
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import EXAMPLES
from tests.e2e.in_tree.decision import without_expression
from tests.e2e.in_tree.test_cost import RIGHT as LARGE_AND_RIGHT
from tests.e2e.in_tree.wrong_pods import (
    ELSEWHERE,
    FOREIGN_REFUSED,
    VOID_WANTED,
    WrongPod,
    wrong_pods,
)
from tests.e2e.manifest import runtime_class
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import plain_pod, required
from tests.e2e.webhook.platform_webhook import write_webhook_files
from tests.e2e.webhook.policy_problems import fixed_of
from tests.e2e.webhook.registration import DENIED, registered
from tests.e2e.webhook.test_examples import DENIED_BY, whole_pod

CLUSTER = "training"
NOBODY = "https://127.0.0.1:1"
"""Where no webhook answers."""
NAMESPACES = ("unreadable", "large", "foreign", ELSEWHERE)
"""Those of the wrong pods that belong to no team."""


@pytest.fixture(scope="module", autouse=True)
def _without_a_webhook(
    admin: ApiClient,
    render_release: RenderRelease,
    platforms: dict[str, Platform],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """What is rendered of webhook and policies, in namespaces without Pod Security."""
    release = render_release(CLUSTER, Admission.BACKSTOP)
    files = write_webhook_files(release, tmp_path_factory.mktemp("webhook"))
    spaces = (*policy_settings(platforms[CLUSTER]).namespaces, *NAMESPACES)
    objects = [
        *map(namespace, spaces),
        *map(runtime_class, test_volumes_and_runtimes.CLASSES),
        *read_release(release, "priority-classes", "admission-policies"),
    ]
    first = next(wrong_pods())
    with applied(admin, objects), registered(admin, release, NOBODY, files):
        once_seen(lambda: tried(admin, first))
        yield


def tried(client: ApiClient, pod: WrongPod) -> str:
    """Return why a pod is refused, without creating it; empty where it is not."""
    path = client.path("v1", "Pod", pod.namespace)
    return said(client, "POST", f"{path}?dryRun=All", pod.body, pod.content_type)


def reason(message: str) -> str:
    """Return why a pod is forbidden, without its name, and without the CEL that was too much."""
    why = message.partition(" is forbidden: ")[2] or message
    if not why.startswith(DENIED):
        return why
    return DENIED + without_expression(why.removeprefix(DENIED))


def test_each_wrong_pod_is_refused(admin: ApiClient, evidence: Evidence) -> None:
    pods = [*wrong_pods()]
    refused = {pod.attempt: reason(tried(admin, pod)) for pod in pods}
    assert refused == {pod.attempt: DENIED + pod.reason for pod in pods}
    evidence.show(
        "With the webhook stopped, the API server refuses the pods of the attacks by itself, in "
        "the words of the rules.",
        f"{len(refused)} of {len(pods)}: {'; '.join(refused)}",
    )


def test_no_pod_is_spared_that_says_itself_that_the_webhook_has_judged_it(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    claimed = judged_by(policy_settings(platforms[CLUSTER]))
    pods = [claiming(pod, claimed) for pod in wrong_pods() if can_claim(pod)]
    refused = {pod.attempt: reason(tried(admin, pod)) for pod in pods}
    assert refused == {pod.attempt: DENIED + pod.reason for pod in pods}
    right = plain(**WITHOUT_GPU["nginx"]["spec"])
    right["metadata"]["annotations"] = {JUDGED: claimed, "own": "kept"}
    admitted = admin.create(right, dryRun="All").document
    assert admitted["metadata"]["annotations"] == {"own": "kept"}
    evidence.show(
        "No pod is spared by the API server that says of itself what only the webhook may say, "
        "that nothing is wrong with it.",
        f"{len(refused)} of {len(pods)} of the same, and one as it is created and then changed, "
        "are refused; from a right one the annotation is taken",
    )


def can_claim(pod: WrongPod) -> bool:
    """Whether it is written so that an annotation can be put into it, and soon read."""
    return pod.content_type != PROTOBUF and len(pod.body) <= MAX_CLAIMING and pod.body.isascii()


MAX_CLAIMING = 5_000
"""Bytes; those above it are some that Python cannot read."""


def claiming(pod: WrongPod, claimed: str) -> WrongPod:
    """Return a pod that says of itself that the webhook has judged it.

    Of fields that are stated twice, the API server takes the last.
    """
    stated = json.dumps({JUDGED: claimed, **annotations_of(pod)}).encode()
    return replace(pod, body=pod.body.replace(NAMED, b'"annotations": %s, %s' % (stated, NAMED), 1))


def annotations_of(pod: WrongPod) -> Document:
    annotations: Document = json.loads(pod.body)["metadata"].get("annotations", {})
    return annotations


NAMED = b'"name": '
"""The first is in the metadata."""


DEBUGGER = {"name": "debugger", "image": test_visible_devices.IMAGE}
CHANGES: dict[str, tuple[str, str, Any, str]] = {
    "an ephemeral container with a CUDA image": (
        "ephemeralcontainers",
        MERGE_PATCH,
        {"spec": {"ephemeralContainers": [DEBUGGER]}},
        VOID_WANTED.format("debugger", ""),
    ),
    "an image of another registry": ("", JSON_PATCH, FOREIGN_IMAGE_CHANGE, FOREIGN_REFUSED),
}
"""Changes of a GPU pod: the subresource, how it is written, what it is, and why it is denied."""


def test_each_wrong_change_is_refused(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    claimed = judged_by(policy_settings(platforms[CLUSTER]))
    refused = {}
    with created(admin, plain_pod("changed", ELSEWHERE)) as pod:
        admin.patch(pod, {"metadata": {"annotations": {JUDGED: claimed}}})
        for name, (subresource, kind, change, _) in CHANGES.items():
            refused[name] = reason(why_not(admin.patch, pod, change, subresource, kind))
    assert refused == {name: DENIED + text for name, (*_, text) in CHANGES.items()}
    evidence.show(
        "So it does with changes of pods that are there.",
        f"{len(refused)} of {len(CHANGES)}: {'; '.join(refused)}",
    )


def test_nobody_can_change_which_rules_fixed_a_pod(admin: ApiClient, evidence: Evidence) -> None:
    forged = {"metadata": {"annotations": {FIXED: "shared-memory"}}}
    with created(admin, plain_pod("forged", ELSEWHERE)) as pod:
        refused = reason(why_not(admin.patch, pod, forged))
        admin.patch(pod, {"metadata": {"annotations": {"own": "stays free"}}})
    assert refused == (
        f"ValidatingAdmissionPolicy '{KEPT_POLICY}' with binding '{KEPT_POLICY}' denied request: "
        f"The annotation {FIXED} names the rules that fixed the pod, and admission writes it. "
        "Leave it as it is."
    )
    evidence.show("Nobody can change which rules a pod says that fixed it.", f"`{refused}`")


@contextmanager
def created(client: ApiClient, pod: Document) -> Iterator[Document]:
    """Create a pod; in the end it is gone."""
    yield client.create(pod).document
    client.delete(pod)


def plain(**spec: Any) -> Document:
    """Return a pod without GPU."""
    pod = test_volumes_and_runtimes.pod_without_gpu(**spec)
    return {**pod, "metadata": {"name": "plain", "namespace": ELSEWHERE}}


def containing(**fields: Any) -> Document:
    """Return a pod without GPU whose container says more."""
    return plain(containers=[{"name": "main", "image": "nginx:1.29.4", **fields}])


ITS_NODE = {"key": "metadata.name", "operator": "In", "values": ["training-h100-0"]}
WITHOUT_GPU = {
    "nginx": containing(),
    "of a DaemonSet": plain(affinity=required([{"matchFields": [ITS_NODE]}])),
    "privileged": containing(securityContext={"privileged": True}),
    "of the IPC of its node": plain(hostIPC=True),
    "of variables of a ConfigMap": containing(envFrom=test_visible_devices.SOMETHING),
    "of a preloaded library": containing(env=[{"name": "LD_PRELOAD", "value": "/lib/own.so"}]),
    "of an image volume": plain(volumes=[{"name": "a", "image": {"reference": "docker.io/a:1"}}]),
    "that tolerates others": plain(tolerations=[{"key": "example.com/own", "operator": "Exists"}]),
    **{path: test_volumes_and_runtimes.mounting(path) for path in test_volumes_and_runtimes.HONEST},
}


def test_each_right_pod_is_admitted(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    engine = Engine(policy_settings(platforms[CLUSTER]))
    right = [*WITHOUT_GPU.values(), *LARGE_AND_RIGHT.values()]
    assert [why_not(admin.create, pod, dryRun="All") for pod in right] == [""] * len(right)
    examples = {file.stem: sorted(reasons(admin, engine, file)) for file in FILES}
    assert examples == {file.stem: DENIED_BY.get(file.stem, []) for file in FILES}
    unfixed = admin.create(plain_pod("unfixed", ELSEWHERE), dryRun="All").document
    assert fixed_of(unfixed) is None
    evidence.show(
        "With the webhook stopped, it admits each right pod, as it is.",
        f"{len(WITHOUT_GPU)} without GPU, {len(LARGE_AND_RIGHT)} of many parts, and those of "
        f"{len(FILES)} files of examples/ as the webhook fixes them, where it denies none",
    )


FILES = sorted(EXAMPLES.glob("*.yaml"))


def reasons(client: ApiClient, engine: Engine, file: Path) -> Iterator[str]:
    """Yield the rules by which the pods of a file are denied once the webhook has fixed them."""
    for document in from_yaml(file.read_text()):
        for pod in manifest_pods(document):
            # As the webhook fixes it.
            review = Review(pod.namespace, today())
            whole = engine.admit(whole_pod(pod, file.stem), review).document
            if message := reason(why_not(client.create, whole, dryRun="All")):
                yield message.removeprefix(DENIED).partition(": ")[0]
