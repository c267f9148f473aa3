"""The pods of a hub, and those that it makes, as admission and Pod Security judge them."""

import datetime as dt
from collections.abc import Iterator, Mapping

from charts_py.cluster_file.jupyterhub import JupyterHub
from charts_py.cluster_file.pool import Purpose
from charts_py.components.agentgateway import AGENTGATEWAY_DEFINITION
from charts_py.components.jupyterhub.definition import JUPYTERHUB_DEFINITION, hub_values
from charts_py.components.jupyterhub.profiles import profiles
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Review
from policies.engine import Engine
from policies.manifest_pod import manifest_pods
from policies.operation import copied
from policies.pod import Pod
from policies.pod_security.refusals import violations
from policies.settings import EnforcedSecurity, PodSecurity
from tests.charts_py.components.jupyterhub.spawned import spawned_pod
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith

TODAY = dt.date(2026, 12, 1)
RESTRICTED = EnforcedSecurity(PodSecurity.RESTRICTED, 36)
NOT_OF_A_NOTEBOOK = {"data-class"}
"""A custom rule without a fix."""
HUB = {
    "hostname": "notebooks.example.com",
    "identityProvider": {
        "authorizeUrl": "https://login.example.com/authorize",
        "tokenUrl": "https://login.example.com/token",
        "addresses": ["198.51.100.0/24"],
        "clientId": "notebooks",
    },
}


def _notebooks(platform: Platform, namespace: TeamNamespace) -> Iterator[Document]:
    registries = platform.mirrors.allowed(platform.cluster.policies.registries)
    image = f"{next(iter(registries), 'quay.io/')}notebooks/torch:1.4"
    values = hub_values(platform, namespace, JupyterHub.model_validate({**HUB, "image": image}))
    for profile in profiles(platform, namespace):
        yield spawned_pod(values, profile)


def _judged(platform: Platform, namespace: str, pod: Document) -> Iterator[str]:
    admission = Engine(policy_settings(platform)).admit(copied(pod), Review(namespace, TODAY))
    for outcome in admission.outcomes:
        if outcome.finding.rule not in NOT_OF_A_NOTEBOOK:
            yield str(outcome)
    names = {each.name for pool in platform.pools for each in pool.facts.resources}
    found = violations(Pod(copied(pod), lambda name: name in names), RESTRICTED)
    yield from (each.problem for each in found)


def test_admission_and_pod_security_leave_each_notebook_of_any_cluster_as_it_is(
    platforms: Mapping[str, Platform],
) -> None:
    judged = [
        (name, namespace.name, tuple(_judged(platform, namespace.name, pod)))
        for name, platform in platforms.items()
        for namespace in platform.namespaces
        if namespace.spec.purpose is not Purpose.INFERENCE
        for pod in _notebooks(platform, namespace)
    ]
    assert len(judged) > 100
    assert [each for each in judged if each[-1]] == []


def test_both_leave_hub_and_proxy_as_they_are(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    platform = platform_after("notebooks")
    (component,) = JUPYTERHUB_DEFINITION.plan(platform)
    judged = {
        each["metadata"]["name"]: [
            problem
            for pod in manifest_pods(each)
            for problem in _judged(platform, component.namespace, dict(pod.document))
        ]
        for each in rendered(component)
        if each["kind"] == "Deployment"
    }
    assert judged == {"jupyterhub-hub": [], "jupyterhub-proxy": []}


def test_a_profile_of_a_share_by_mps_has_no_memory_of_its_own(example: Load) -> None:
    platform = example("mixed")
    namespace = next(each for each in platform.namespaces if "t4spot" in each.spec.quota.pools)
    (profile,) = (
        each for each in profiles(platform, namespace) if each["slug"].startswith("t4spot")
    )
    assert "volumes" not in profile["kubespawner_override"]


def test_a_part_of_a_layout_that_the_namespace_has_none_of_is_no_choice(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("notebooks", ("slices: 8, shares", "slices: 1, shares"))
    chosen = profiles(platform, platform.namespace("research-notebooks"))
    assert [each["slug"] for each in chosen] == [
        "cpu",
        "h200-gpu",
        "slices-mig-1g-10gb",
        "shares-gpu-shared",
    ]


def test_a_hub_whose_notebooks_admission_refuses_is_warned_of(platform_after: PlatformWith) -> None:
    platform = platform_after("notebooks", ("registry.example.com/notebooks", "quay.io/notebooks"))
    (warned,) = JUPYTERHUB_DEFINITION.warnings(platform)
    assert warned.problem.what == (
        "admission refuses notebooks with GPUs: quay.io/notebooks/torch:1.4 is of no allowed "
        "registry"
    )


def test_agentgateway_heeds_routes_of_hubs_besides(platform_after: PlatformWith) -> None:
    gateway = "serving: {gateway: {domain: models.example.com, issuer: own}}\npools:\n"
    planned = AGENTGATEWAY_DEFINITION.plan(platform_after("notebooks", ("pools:\n", gateway)))
    (helm,) = (each.helm for each in planned if each.name == "agentgateway")
    assert helm is not None
    assert helm.values["discoveryNamespaceSelectors"] == [
        {"matchLabels": {"gpuplane.io/purpose": "inference"}},
        {"matchLabels": {"kubernetes.io/metadata.name": "agentgateway-system"}},
        {
            "matchExpressions": [
                {
                    "key": "kubernetes.io/metadata.name",
                    "operator": "In",
                    "values": ["research-notebooks"],
                }
            ]
        },
    ]
