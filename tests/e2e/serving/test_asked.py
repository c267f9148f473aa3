"""KEDA and Argo Rollouts ask for teams the Prometheus of the platform alone."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.components.admission_policy import policy_objects
from charts_py.components.argo_rollouts.analyses import ROLLOUTS, analysis_templates
from charts_py.components.scaled_objects import scaled_objects
from charts_py.objects.document import Document
from charts_py.platform.interceptor import SCALER_ADDRESS
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.workload import new_workload
from tests.e2e.control_plane.api_client import why_not
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import install_unserved
from tests.e2e.releases.objects import applied
from tests.e2e.serving.cluster import NAMESPACE, ServingCluster

ARGO = "argoproj.io/v1alpha1"


def _scaled(trigger: Document, **fields: Any) -> Document:
    spec = {"scaleTargetRef": {"name": "bait"}, "triggers": [trigger], **fields}
    return manifest("keda.sh/v1alpha1 ScaledObject", "attack", NAMESPACE, spec=spec)


def _template(provider: Document, **fields: Any) -> Document:
    spec = {"metrics": [{"name": "attack", "provider": provider, **fields}]}
    return manifest(f"{ARGO} AnalysisTemplate", "attack", NAMESPACE, spec=spec)


PODS: Document = {
    "selector": {"matchLabels": {"app": "bait"}},
    "template": {
        "metadata": {"labels": {"app": "bait"}},
        "spec": {"containers": [{"name": "bait", "image": "registry.example.com/bait:1"}]},
    },
}
CPU: Document = {"type": "cpu", "metadata": {"value": "80"}}
FORMULA = {"scalingModifiers": {"formula": "count(1..900000, true)", "target": "1"}}
EXPERIMENT = {"templates": [{"name": "bait", "specRef": "canary"}]}
TEMPLATES = [{"templateName": "attack"}] * 6
ASKED = {"serverAddress": "http://bait:80", "query": "up", "threshold": "1"}
PUSHED = {"scalerAddress": "bait:9090", "interceptorRoute": "chat"}
SILENCE = {"url": "http://alertmanager:9093/api/v2/silences", "method": "POST", "jsonBody": {}}


def _prometheus(url: str, **fields: Any) -> Document:
    return {"prometheus": {"address": url, "query": "up", **fields}}


def _rollout(**canary: Any) -> Document:
    spec = {**PODS, "strategy": {"canary": canary}}
    return manifest(f"{ARGO} Rollout", "attack", NAMESPACE, spec=spec)


def attacks(url: str) -> dict[str, tuple[str, Document]]:
    """Return what a team tries, by what it is, with the policy that refuses it."""
    spin = {"successCondition": "all(1..900000, all(1..900000, true))"}
    headers = [{"key": "Metadata-Flavor", "value": "Google"}]
    known = {**ASKED, "serverAddress": url}
    scaled, analysed = "scaled-objects", "analysis-templates"
    return {
        "a server of a team that answers as Prometheus": (
            scaled,
            _scaled({"type": "prometheus", "metadata": ASKED}),
        ),
        "headers for the metadata of a cloud": (
            scaled,
            _scaled({"type": "prometheus", "metadata": {**known, "customHeaders": "A=b"}}),
        ),
        "a scaler of a team": (scaled, _scaled({"type": "external-push", "metadata": PUSHED})),
        "SQL": (scaled, _scaled({"type": "postgresql", "metadata": {"query": "DROP TABLE a"}})),
        "credentials": (scaled, _scaled({**CPU, "authenticationRef": {"name": "own"}})),
        "a formula": (scaled, _scaled(CPU, advanced=FORMULA)),
        "a query each second": (scaled, _scaled(CPU, pollingInterval=1)),
        "a silence of Alertmanager": (analysed, _template({"web": SILENCE})),
        "a measurement elsewhere": (analysed, _template(_prometheus("http://169.254.169.254"))),
        "headers of a measurement": (analysed, _template(_prometheus(url, headers=headers))),
        "a condition that runs for hours": (analysed, _template(_prometheus(url), **spin)),
        "a step with an experiment": ("rollouts", _rollout(steps=[{"experiment": EXPERIMENT}])),
        "many analyses": ("rollouts", _rollout(analysis={"templates": TEMPLATES})),
    }


@pytest.fixture(scope="module")
def guarded(serving: ServingCluster) -> Iterator[ServingCluster]:
    """The cluster with the policies of KEDA and Argo Rollouts."""
    admin, url = serving.admin, _url(serving)
    tried = [document for _, document in attacks(url).values()]
    install_unserved(admin, tried)
    policies = (scaled_objects(url, SCALER_ADDRESS), analysis_templates(url), ROLLOUTS)
    with applied(admin, [*policy_objects(policies)]):
        for each in tried:
            admin.wait_until_refused(each)
        yield serving


def _url(cluster: ServingCluster) -> str:
    url = cluster.platform.cluster.addons.monitoring.prometheus_url
    assert url is not None
    return url


@pytest.mark.parametrize("what", attacks(""))
def test_the_api_server_refuses_what_would_ask_somebody_else_or_run_for_long(
    guarded: ServingCluster, evidence: Evidence, what: str
) -> None:
    policy, document = attacks(_url(guarded))[what]
    why = why_not(guarded.member.create, document, dryRun="All", fieldValidation="Strict")
    _, denied, told = why.partition(f"'{policy}.gpuplane.io' denied request: ")
    assert denied
    evidence.show(
        "KEDA and Argo Rollouts ask for teams the Prometheus of the platform alone, and compute "
        f"little: {what}.",
        f"refused: `{told}`",
    )


@pytest.mark.parametrize(
    ("fields", "judged"),
    [
        ({"replicas": 2, "canary": True}, {"ScaledObject", "AnalysisTemplate", "Rollout"}),
        ({"replicas": 0}, {"ScaledObject"}),
    ],
    ids=["a canary", "without replicas"],
)
def test_the_api_server_takes_what_is_printed(
    guarded: ServingCluster, fields: dict[str, Any], judged: set[str]
) -> None:
    asked = Asked(
        kind="llm",
        team="research",
        name="chat",
        image="registry.example.com/server:1.0",
        weights="Qwen/Qwen3-8B",
        parameters="8B",
        max_replicas=4,
        **fields,
    )
    printed = new_workload(asked, guarded.platform).documents
    taken = [each for each in printed if each["kind"] in judged]
    assert {each["kind"] for each in taken} == judged
    for each in taken:
        guarded.member.create(each, dryRun="All", fieldValidation="Strict")


@pytest.mark.parametrize("name", ["scaled-objects", "analysis-templates", "rollouts"])
def test_expressions_have_the_types_of_the_definitions(guarded: ServingCluster, name: str) -> None:
    named = ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", f"{name}.gpuplane.io")
    status = once_seen(
        lambda: guarded.admin.get(*named).get("status", {}),
        lambda status: "typeChecking" in status,
        f"the types of {name} are checked",
    )
    assert status["typeChecking"] == {}
