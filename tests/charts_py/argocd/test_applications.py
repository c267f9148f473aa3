from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from charts_py.argocd.applications import applications
from charts_py.cluster_file.fault import RenderError
from charts_py.components.component import Component, HelmRelease
from charts_py.objects.document import Document, EmittedKind
from charts_py.platform.wave import Wave
from tests.charts_py.fixture_types import Load

_CLUSTER = """
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.1.0
live: 1.0.0
gitops: {{repository: https://git.example.com/platform.git{server}}}
pools:
  h200:
    gpu: H200-SXM
    gpus: 8
    cpu: 192
    memory: 2Ti
    purpose: training
    nodes: {{max: 8}}
"""
_DRIFT = {"group": "nvidia.com", "kind": "ClusterPolicy", "jsonPointers": ["/spec/cdi/default"]}
_OPERATOR = HelmRelease(
    repository="https://charts.example.com",
    chart="gpu-operator",
    version="v26.7.0",
    values={"driver": {"enabled": False}},
    kinds=(EmittedKind("apps", "Deployment", namespaced=True),),
    ignore_differences=(_DRIFT,),
)
_COMPONENTS = (
    Component("priority-classes", Wave.CLASSES, "default"),
    Component("gpu-operator", Wave.OPERATORS, "gpu-operator", helm=_OPERATOR),
    Component("node-features", Wave.NODE_FEATURES, "gpu-operator"),
    Component("eksctl", Wave.NODES, "default", is_synced=False),
)


@pytest.fixture
def emitted(platform_of: Load) -> Callable[[str], dict[tuple[str, str], Document]]:
    """Return the function that emits Argo CD's objects, by kind and name."""

    def emit(server: str) -> dict[tuple[str, str], Document]:
        platform = platform_of(_CLUSTER.format(server=server))
        documents = applications(platform, _COMPONENTS)
        return {(d["kind"], d["metadata"]["name"]): d for d in documents}

    return emit


_Emit = Callable[[str], Mapping[tuple[str, str], Document]]


def test_there_is_an_application_for_each_synced_component(emitted: _Emit) -> None:
    assert list(emitted("")) == [
        ("ConfigMap", "argocd-cm"),
        ("Application", "sample-priority-classes"),
        ("Application", "sample-gpu-operator"),
        ("Application", "sample-node-features"),
    ]


def test_an_argo_cd_whose_configuration_has_another_owner_syncs_no_health_check(
    emitted: _Emit,
) -> None:
    kinds = [kind for kind, _ in emitted(", argocdConfig: bootstrap")]
    assert kinds == ["Application", "Application", "Application"]


def test_the_health_check_comes_before_the_first_component(emitted: _Emit) -> None:
    waves = [
        int(document["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"])
        for document in emitted("").values()
    ]
    assert waves == [Wave.BEFORE_ALL, Wave.CLASSES, Wave.OPERATORS, Wave.NODE_FEATURES]


def test_an_argo_cd_that_serves_several_clusters_has_its_health_check_elsewhere(
    emitted: _Emit,
) -> None:
    kinds = [kind for kind, _ in emitted(", server: https://sample.example.com")]
    assert kinds == ["Application", "Application", "Application"]


def test_everything_is_applied_to_the_clusters_own_api_server(emitted: _Emit) -> None:
    documents = emitted(", server: https://sample.example.com")
    servers = {name: each["spec"]["destination"]["server"] for (_, name), each in documents.items()}
    assert servers == {
        "sample-priority-classes": "https://sample.example.com",
        "sample-gpu-operator": "https://sample.example.com",
        "sample-node-features": "https://sample.example.com",
    }


def test_a_component_of_files_is_synced_from_its_own_version_whichever_is_live(
    emitted: _Emit,
) -> None:
    spec = emitted("")["Application", "sample-priority-classes"]["spec"]
    assert spec["source"] == {
        "repoURL": "https://git.example.com/platform.git",
        "targetRevision": "main",
        "path": "dist/sample/1.1.0/priority-classes",
    }
    assert spec["project"] == "sample-platform"


def test_a_helm_release_is_synced_from_its_pinned_chart(emitted: _Emit) -> None:
    spec = emitted("")["Application", "sample-gpu-operator"]["spec"]
    assert spec["source"] == {
        "repoURL": "https://charts.example.com",
        "chart": "gpu-operator",
        "targetRevision": "v26.7.0",
        "helm": {"releaseName": "gpu-operator", "valuesObject": {"driver": {"enabled": False}}},
    }
    assert spec["ignoreDifferences"] == [_DRIFT]


def test_what_needs_an_operators_kinds_is_planned_before_they_exist(emitted: _Emit) -> None:
    options = {
        name: document["spec"]["syncPolicy"]["syncOptions"]
        for (kind, name), document in emitted("").items()
        if kind == "Application"
    }
    assert options == {
        "sample-priority-classes": ["ServerSideApply=true", "PruneLast=true"],
        "sample-gpu-operator": [
            "ServerSideApply=true",
            "RespectIgnoreDifferences=true",
            "PruneLast=true",
        ],
        "sample-node-features": [
            "ServerSideApply=true",
            "PruneLast=true",
            "SkipDryRunOnMissingResource=true",
        ],
    }


def test_what_waits_for_a_person_when_it_is_removed_is_removed_last(platform_of: Load) -> None:
    component = Component("team-a", Wave.TEAMS, "a", is_removed_last=True)
    (_, application) = applications(platform_of(_CLUSTER.format(server="")), (component,))
    assert application["metadata"]["annotations"] == {
        "argocd.argoproj.io/sync-options": "PruneLast=true",
        "argocd.argoproj.io/sync-wave": str(Wave.TEAMS),
    }


def test_two_components_of_one_name_are_an_error(platform_of: Load) -> None:
    platform = platform_of(_CLUSTER.format(server=""))
    components = tuple(
        Component(name, Wave.EXTENSIONS, "default")
        for name in ("manifests", "root", "manifests", "queues")
    )
    with pytest.raises(RenderError) as error:
        list(applications(platform, components))
    assert str(error.value) == (
        'sample: two components are named "manifests"\nsample: two components are named "root"'
    )


def test_a_chart_in_git_is_synced_from_its_folder_at_the_pinned_tag(platform_of: Load) -> None:
    release = replace(_OPERATOR, path="charts/gpu-operator")
    component = Component("gpu-operator", Wave.OPERATORS, "gpu-operator", helm=release)
    (_, application) = applications(platform_of(_CLUSTER.format(server="")), (component,))
    assert application["spec"]["source"] == {
        "repoURL": "https://charts.example.com",
        "path": "charts/gpu-operator",
        "targetRevision": _OPERATOR.version,
        "helm": {"releaseName": "gpu-operator", "valuesObject": dict(_OPERATOR.values)},
    }
