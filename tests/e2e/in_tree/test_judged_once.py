"""With the webhook in the path, the API server judges only what the webhook does not vouch for.

A policy that denies all that it is asked about shows which pods those are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import JUDGED
from policies.in_cel.judged_annotation import IS_ANNOTATED, judged_by
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.gpu_pods import plain_pod
from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.registration import ServeWebhook, denial, reason_of

CLUSTER = "training"
POLICY = "admission-policies/ValidatingAdmissionPolicy.pods-denied.gpuplane.io.yaml"
ASKED = "The API server has judged it."


@pytest.fixture(scope="module", autouse=True)
def webhook(
    admin: ApiClient, render_release: RenderRelease, serve_webhook: ServeWebhook
) -> Iterator[PlatformWebhook]:
    """The webhook, and the policy behind it, which denies whatever it is asked about."""
    release = render_release(CLUSTER, Admission.BACKSTOP)
    (policy,) = from_yaml((release / POLICY).read_text())
    policy["spec"]["validations"] = [{"expression": "false", "message": ASKED}]
    with serve_webhook(release) as running:
        admin.apply(policy)
        once_seen(lambda: denial(admin, pod(hostIPC=True)), lambda reason: reason == ASKED)
        yield running


@pytest.fixture(scope="module")
def vouched(platforms: dict[str, Platform]) -> str:
    """What the webhook says of a pod that nothing is wrong with."""
    return judged_by(policy_settings(platforms[CLUSTER]))


def pod(claimed: str | None = None, memory: str | None = "32Gi", **spec: object) -> Document:
    """Return a GPU pod; claimed is what it says itself of having been judged."""
    whole = plain_pod("judged", "default")
    (container,) = whole["spec"]["containers"]
    if memory is not None:
        container["resources"]["limits"]["memory"] = memory
    if claimed is not None:
        whole["metadata"]["annotations"] = {JUDGED: claimed}
    whole["spec"].update(spec)
    return whole


def test_a_right_pod_is_judged_by_the_webhook_alone(
    admin: ApiClient, vouched: str, evidence: Evidence
) -> None:
    claims = (None, vouched, "of others")
    judged = [admin.create(pod(claimed), dryRun="All").document for claimed in claims]
    assert [each["metadata"]["annotations"][JUDGED] for each in judged] == [vouched] * len(claims)
    evidence.show(
        "A right GPU pod is judged once, by the webhook that fixes it, and what it says itself of "
        "having been judged is not heard.",
        f"{len(judged)} of {len(claims)} admitted by a policy that denies what it is asked about",
    )


@pytest.mark.parametrize("claims", [False, True], ids=["says nothing", "claims to be judged"])
@pytest.mark.parametrize(
    "wrong", [{"hostIPC": True}, {"memory": None}], ids=["refused", "warned of"]
)
def test_a_wrong_pod_is_judged_by_the_api_server_whatever_it_claims(
    admin: ApiClient, vouched: str, wrong: dict[str, Any], claims: bool
) -> None:
    assert denial(admin, pod(claimed=vouched if claims else None, **wrong)) == ASKED


OTHERS = "zz-other.example.com"
"""Comes after ours in every order of names."""


@contextmanager
def changed_afterwards(client: ApiClient) -> Iterator[None]:
    """Have somebody else take the GPU from a pod that is judged, and give it the node's IPC."""
    at = "/spec/containers/0/resources"
    paths = (f"{at}/limits/nvidia.com~1gpu", f"{at}/requests/nvidia.com~1gpu")
    operations = [
        'JSONPatch{op: "add", path: "/spec/hostIPC", value: true}',
        *(f'JSONPatch{{op: "remove", path: "{path}"}}' for path in paths),
    ]
    asks = 'has(object.spec.containers[0].resources.limits) && "nvidia.com/gpu" in object.spec'
    asks += ".containers[0].resources.limits"
    expression = f"{IS_ANNOTATED} && {asks} ? [{', '.join(operations)}] : []"
    pods = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]}
    spec = {
        "failurePolicy": "Fail",
        "reinvocationPolicy": "IfNeeded",
        "matchConstraints": {"resourceRules": [{**pods, "operations": ["CREATE"]}]},
        "mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}],
    }
    kind = "admissionregistration.k8s.io/v1 MutatingAdmissionPolicy"
    policy = manifest(kind, OTHERS, spec=spec)
    binding = manifest(f"{kind}Binding", OTHERS, spec={"policyName": OTHERS})
    with applied(client, [policy, binding]):
        yield


def test_a_pod_that_somebody_else_changes_so_that_it_asks_for_no_gpu_is_judged_all_the_same(
    admin: ApiClient,
) -> None:
    with changed_afterwards(admin):
        assert once_seen(lambda: denial(admin, pod())) == ASKED
    once_seen(lambda: denial(admin, pod()), lambda reason: reason is None)


def test_a_pod_that_is_changed_is_judged_by_the_api_server(admin: ApiClient) -> None:
    created = admin.create(pod()).document
    with pytest.raises(ApiError) as refused:
        admin.patch(created, {"metadata": {"labels": {"changed": "true"}}})
    assert reason_of(refused.value) == ASKED
    admin.delete(created)
