"""Which requests the API server sends to the admission webhook."""

import base64
from typing import Any

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.components.webhook.configuration import MUTATING, VALIDATING, WEBHOOK_CONFIGURATION
from charts_py.objects.document import Document
from charts_py.platform.policy_settings import policy_settings
from policies.in_cel.match_conditions import gpu_pod_conditions, match_conditions
from policies.settings import ALWAYS_EXEMPT
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.e2e.claims.cluster import admitting

BACKSTOP, WEBHOOK_ONLY = Admission.BACKSTOP, Admission.WEBHOOK_ONLY


def _webhooks(documents: tuple[Document, ...]) -> list[dict[str, Any]]:
    return [webhook for document in documents for webhook in document["webhooks"]]


@pytest.fixture
def webhooks(example: Load, documents_of_component: DocumentsOf) -> list[dict[str, Any]]:
    (component,) = WEBHOOK_CONFIGURATION.plan(admitting(example("inference"), WEBHOOK_ONLY))
    return _webhooks(documents_of_component(component))


def test_where_the_api_server_judges_pods_the_webhook_only_fixes_them(
    example: Load, documents_of_component: DocumentsOf, webhooks: list[dict[str, Any]]
) -> None:
    (component,) = WEBHOOK_CONFIGURATION.plan(admitting(example("inference"), BACKSTOP))
    (document,) = documents_of_component(component)
    assert document["kind"] == MUTATING
    (fixing,) = document["webhooks"]
    assert fixing["clientConfig"]["service"].pop("path") == "/admit"
    assert webhooks[0]["clientConfig"]["service"].pop("path") == "/mutate"
    assert fixing == webhooks[0]


def test_pods_are_fixed_and_what_is_left_is_refused(webhooks: list[dict[str, Any]]) -> None:
    pods = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["pods"],
        "scope": "Namespaced",
    }
    debugged = {**pods, "operations": ["UPDATE"], "resources": ["pods/ephemeralcontainers"]}
    parts = {**debugged, "resources": ["pods/ephemeralcontainers", "pods/resize"]}
    assert [(each["name"], each["rules"]) for each in webhooks] == [
        ("mutate.pods.gpuplane.io", [pods, debugged]),
        ("validate.pods.gpuplane.io", [pods, parts]),
    ]


def test_a_webhook_that_does_not_answer_is_passed_over_within_two_seconds(
    webhooks: list[dict[str, Any]],
) -> None:
    fields = ("failurePolicy", "timeoutSeconds", "sideEffects", "matchPolicy")
    for each in webhooks:
        assert [each[field] for field in fields] == ["Ignore", 2, "None", "Equivalent"]
        assert each["admissionReviewVersions"] == ["v1"]
    assert [each.get("reinvocationPolicy") for each in webhooks] == ["IfNeeded", None]


def test_the_api_server_calls_the_service_by_two_paths(webhooks: list[dict[str, Any]]) -> None:
    service = {"namespace": "gpuplane-system", "name": "gpuplane-webhook", "port": 443}
    assert [each["clientConfig"] for each in webhooks] == [
        {"service": {**service, "path": "/mutate"}},
        {"service": {**service, "path": "/validate"}},
    ]


def test_exempt_namespaces_are_out_of_reach(example: Load, webhooks: list[dict[str, Any]]) -> None:
    settings = policy_settings(example("inference"))
    exempt = sorted(ALWAYS_EXEMPT.union(settings.exempt_namespaces))
    assert {"kube-system", "gpuplane-system", "gpu-operator"} <= set(exempt)
    for each in webhooks:
        assert each["namespaceSelector"] == {
            "matchExpressions": [
                {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": exempt}
            ]
        }
    conditions = [each["matchConditions"] for each in webhooks]
    assert conditions == [gpu_pod_conditions(settings), match_conditions(settings)]


@pytest.mark.parametrize(
    ("admission", "kinds"), [(BACKSTOP, (MUTATING,)), (WEBHOOK_ONLY, (MUTATING, VALIDATING))]
)
def test_cert_manager_writes_the_authority_and_argo_cd_lets_it_stand(
    example: Load, documents_of_component: DocumentsOf, admission: Admission, kinds: tuple[str, ...]
) -> None:
    (component,) = WEBHOOK_CONFIGURATION.plan(admitting(example("inference"), admission))
    documents = documents_of_component(component)
    assert [document["kind"] for document in documents] == list(kinds)
    for document in documents:
        assert document["metadata"]["annotations"] == {
            "cert-manager.io/inject-ca-from": "gpuplane-system/gpuplane-webhook"
        }
    assert component.ignore_differences == tuple(
        {
            "group": "admissionregistration.k8s.io",
            "kind": kind,
            "jqPathExpressions": [".webhooks[]?.clientConfig.caBundle"],
        }
        for kind in kinds
    )


def test_a_given_authority_stands_in_the_configurations(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    platform = admitting(example("onprem"), WEBHOOK_ONLY)
    given = platform.cluster.webhook.certificate
    assert given is not None
    (component,) = WEBHOOK_CONFIGURATION.plan(platform)
    documents = documents_of_component(component)
    bundles = [base64.b64decode(e["clientConfig"]["caBundle"]) for e in _webhooks(documents)]
    assert bundles == [given.ca_bundle.encode()] * 2
    assert [document["metadata"].get("annotations") for document in documents] == [None, None]
    assert component.ignore_differences == ()


def test_what_aks_adds_to_every_webhook_is_let_stand(example: Load) -> None:
    (component,) = WEBHOOK_CONFIGURATION.plan(admitting(example("mixed"), WEBHOOK_ONLY))
    expressions = [ignored["jqPathExpressions"] for ignored in component.ignore_differences]
    assert (
        expressions
        == [
            [
                ".webhooks[]?.clientConfig.caBundle",
                (
                    ".webhooks[]?.namespaceSelector.matchExpressions[]?"
                    ' | select(.key == "control-plane" or .key == "kubernetes.azure.com/managedby")'
                ),
            ]
        ]
        * 2
    )
