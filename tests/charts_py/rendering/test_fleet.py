import json
from typing import Any

import pytest

from charts_py.argocd.application import root_application
from charts_py.cluster_file.fault import Mark, SpecError
from charts_py.cluster_file.gitops import GitOps
from charts_py.objects.document import Document
from charts_py.rendering.fleet import FleetMember, fleet_documents, fleet_files, fleet_member
from tests.charts_py.fixture_types import Load
from tests.charts_py.managed import managed

_CLUSTER = """
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.0.0
gitops: {repository: https://git.example.com/platform.git, server: https://east.example.com}
pools:
  h200: {gpu: H200-SXM, gpus: 8, cpu: 192, memory: 2Ti, purpose: training, nodes: {max: 8}}
"""


def _member(name: str, **gitops: str) -> FleetMember:
    fields = ("server", "repository", "revision", "argocdNamespace", "argocdConfig")
    return FleetMember(
        name,
        GitOps.model_validate({"repository": "https://git.example.com/platform.git", **gitops}),
        {field: Mark(f"{name}.yaml", line) for line, field in enumerate(fields, start=2)},
    )


def _application_set(documents: tuple[Document, ...]) -> dict[str, Any]:
    (found,) = (document for document in documents if document["kind"] == "ApplicationSet")
    return found


def test_the_template_filled_with_an_element_is_the_root_application_of_that_cluster(
    platform_of: Load,
) -> None:
    platform = platform_of(_CLUSTER)
    member = fleet_member(platform)
    spec = _application_set(fleet_documents([member]))["spec"]
    (element,) = spec["generators"][0]["list"]["elements"]
    root = root_application(platform.name, platform.cluster.gitops).document()
    generated = _filled(spec["template"], element)
    assert generated == {"metadata": root["metadata"], "spec": root["spec"]}


def _filled(template: dict[str, Any], element: dict[str, str]) -> Any:
    text = json.dumps(template)
    for name, value in element.items():
        text = text.replace(f"{{{{ .{name} }}}}", value)
    return json.loads(text)


def test_the_application_set_takes_no_cluster_down() -> None:
    documents = fleet_documents([_member("east", server="https://east.example.com")])
    found = _application_set(documents)
    assert found["metadata"] == managed("fleet", "argocd")
    assert {key: found["spec"][key] for key in found["spec"].keys() - {"template"}} == {
        "goTemplate": True,
        "goTemplateOptions": ["missingkey=error"],
        "generators": [{"list": {"elements": [{"cluster": "east"}]}}],
        "syncPolicy": {"applicationsSync": "create-update", "preserveResourcesOnDeletion": True},
    }


def test_only_clusters_that_name_their_api_server_are_of_the_fleet() -> None:
    members = [
        _member("west", server="https://west.example.com"),
        _member("onprem"),
        _member("east", server="https://east.example.com"),
        _member("island", argocdNamespace="gitops"),
    ]
    generators = _application_set(fleet_documents(members))["spec"]["generators"]
    assert generators == [{"list": {"elements": [{"cluster": "east"}, {"cluster": "west"}]}}]
    assert list(fleet_files(members)) == [
        "Application.fleet-root.yaml",
        "ApplicationSet.fleet.yaml",
        "ConfigMap.argocd-cm.yaml",
    ]


def test_clusters_with_an_argo_cd_each_are_not_a_fleet() -> None:
    assert fleet_files([_member("onprem")]) == {}


@pytest.mark.parametrize(
    ("config", "followed"),
    [("synced", "{ApplicationSet,ConfigMap}.*.yaml"), ("bootstrap", "ApplicationSet.*.yaml")],
)
def test_the_fleets_own_application_follows_its_folder_without_itself(
    config: str, followed: str
) -> None:
    member = _member("east", server="https://east.example.com", argocdConfig=config)
    documents = fleet_documents([member])
    (source,) = (
        document["spec"]["source"]
        for document in documents
        if document["metadata"]["name"] == "fleet-root"
    )
    assert source == {
        "repoURL": "https://git.example.com/platform.git",
        "targetRevision": "main",
        "path": "dist/fleet",
        "directory": {"include": followed},
    }


def test_clusters_of_one_api_server_or_of_argo_cds_that_differ_are_errors() -> None:
    members = [
        _member("a", server="https://one.example.com"),
        _member("b", server="https://one.example.com", revision="next"),
        _member("c", server="https://two.example.com", argocdNamespace="gitops"),
    ]
    with pytest.raises(SpecError) as error:
        fleet_documents(members)
    shared = "https://one.example.com is the API server of 2 clusters: a, b; allowed: one for each"
    together = "with which it shares an Argo CD"
    assert str(error.value).splitlines() == [
        f"a.yaml:2: gitops.server: {shared}",
        f"b.yaml:2: gitops.server: {shared}",
        f"b.yaml:4: gitops.revision: next differs from a's in a.yaml:4, {together}; allowed: main",
        (
            f"c.yaml:5: gitops.argocdNamespace: gitops differs from a's in a.yaml:5, {together}; "
            "allowed: argocd"
        ),
    ]
