"""A pod that would need an enormous patch gets none, and one that needs little is not denied."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from gpus.platform_names import FIXED
from policies.fix import MAX_ANNOTATIONS_SIZE
from policies.limits import MAX_CONTAINERS, MAX_EXPRESSIONS, MAX_NODE_SELECTOR_TERMS
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import plain_spec, required, terms_of
from tests.e2e.webhook.registration import DENIED_BY_WEBHOOK, MAX_TIMEOUT_SECONDS, ServeWebhook

TEAM = "research-training"
MODEL = "gpuplane.io/gpu-model"
GPU_CONTAINERS, OTHERS = 800, 250


@pytest.fixture(scope="module", autouse=True)
def _team_and_webhook(
    admin: ApiClient, render_release: RenderRelease, serve_webhook: ServeWebhook
) -> Iterator[None]:
    release = render_release("training", Admission.WEBHOOK_ONLY)
    objects = [*read_release(release, "priority-classes"), namespace(TEAM)]
    with applied(admin, objects), serve_webhook(release, MAX_TIMEOUT_SECONDS):
        yield


def gpu_pod(annotations: dict[str, str] | None = None, **spec: Any) -> Document:
    """Return a pod with one GPU, and what it says besides."""
    metadata = {"annotations": annotations or {}}
    return manifest("v1 Pod", "large", TEAM, metadata, spec=plain_spec() | spec)


def affinity(terms: int, expressions: int) -> Document:
    """Return that many terms, of as many expressions that any node of a cloud meets."""
    zones = [
        {"key": "topology.kubernetes.io/zone", "operator": "NotIn", "values": [f"z{number}"]}
        for number in range(expressions)
    ]
    return required([{"matchExpressions": zones}] * terms)


def test_a_pod_that_needs_too_many_fixes_is_denied_whole(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = gpu_pod()
    (asking,) = pod["spec"]["containers"]
    silent = {key: value for key, value in asking.items() if key != "resources"}
    # One after the other, so that all of them together ask for one GPU.
    pod["spec"]["initContainers"] = [
        *({**asking, "name": f"gpu-{number}"} for number in range(GPU_CONTAINERS)),
        *({**silent, "name": f"none-{number}"} for number in range(OTHERS)),
    ]
    with pytest.raises(ApiError) as refused:
        admin.create(pod, dryRun="All")
    count = GPU_CONTAINERS + OTHERS + 1
    said = f"The pod has {count} containers; allowed: {MAX_CONTAINERS}. Make several pods of it."
    assert refused.value.message.startswith(f"{DENIED_BY_WEBHOOK}granted-pools: {said}")
    evidence.show(
        "A pod that would need thousands of operations to be fixed is denied, and gets no patch.",
        f"{GPU_CONTAINERS} init containers with a GPU and {OTHERS} without",
    )


def test_a_pod_is_not_denied_for_what_rules_have_added(
    admin: ApiClient, evidence: Evidence
) -> None:
    pod = gpu_pod({MODEL: "h100"}, affinity=affinity(1, MAX_EXPRESSIONS))
    (term,) = terms_of(admin.create(pod, dryRun="All").document)
    added = [each["key"] for each in term["matchExpressions"][MAX_EXPRESSIONS:]]
    assert added == ["gpuplane.io/pool", MODEL]
    evidence.show(
        "A pod whose node affinity is as long as may be is not denied for what rules have added.",
        f"a term of {MAX_EXPRESSIONS} expressions gets {len(added)} more",
    )


def test_a_pod_is_not_refused_for_an_annotation_that_it_never_had(
    admin: ApiClient, evidence: Evidence
) -> None:
    room = MAX_ANNOTATIONS_SIZE - len("a")
    admitted = admin.create(gpu_pod({"a": "x" * room}), dryRun="All").document
    assert FIXED not in admitted["metadata"]["annotations"]
    assert "nvidia.com/gpu" in [each["key"] for each in admitted["spec"]["tolerations"]]
    evidence.show(
        "A pod with as many annotations as may be is not refused for one that it never had.",
        f"beside annotations of {MAX_ANNOTATIONS_SIZE // 1024} KiB it is fixed, and {FIXED} left "
        "out",
    )


def test_a_long_annotation_adds_each_value_once(admin: ApiClient, evidence: Evidence) -> None:
    values = ",".join(["h100"] * 50_000)
    pod = gpu_pod({MODEL: values}, affinity=affinity(MAX_NODE_SELECTOR_TERMS, 1))
    admitted = terms_of(admin.create(pod, dryRun="All").document)
    added = [term["matchExpressions"][-1] for term in admitted]
    held = {"key": MODEL, "operator": "In", "values": ["h100"]}
    assert added == [held] * MAX_NODE_SELECTOR_TERMS
    evidence.show(
        "An annotation that names a model 50,000 times adds it once to each of 64 node terms.",
        f"{len(added)} terms, 1 value each",
    )
