import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from charts_py.argocd.application import NAME as APPLICATIONS
from charts_py.argocd.applications import application_of, applications
from charts_py.argocd.project import Permissions
from charts_py.cluster_file.fault import Fault, RenderError, SpecError
from charts_py.components.metrics_server import METRICS_SERVER
from charts_py.components.registry import plan_components
from charts_py.components.training_operator.definition import TRAINING_OPERATOR_DEFINITION
from charts_py.constructs.render import render
from charts_py.extensions.patches import Patcher
from charts_py.helm.release import Renderer
from charts_py.load import load_platform
from charts_py.objects.document import Document, EmittedKind
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from charts_py.rendering.rendered_charts import ChartFolders, refused_patches
from charts_py.rendering.rendering import Rendering
from tests.binaries.pinned_program import HELM
from tests.charts_py.fixture_types import Load, PlatformWith, Sample
from tests.conftest import CLUSTERS
from tests.rows import rows_beside
from upstream.lock import UpstreamError

each_row = rows_beside(__file__, "rendered_charts.yaml")

ARGO_CD_READS_BYTES = 10_000_000
"""Of one folder: `max-combined-directory-manifests-size` in https://github.com/argoproj/argo-cd
(cmd/argocd-repo-server/commands/argocd_repo_server.go at v3.5.7)."""
REMEDY = (
    "allowed: other values, by a patch of spec.source.helm.valuesObject of Application "
    "sample-metrics-server, or gitops.charts: application"
)


class Forms(NamedTuple):
    """What the example training renders in both forms."""

    application: Rendering
    rendered: Rendering
    charts: set[str]
    """Its components that are charts, or manifests of others."""


@pytest.fixture(scope="module")
def helm() -> Iterator[None]:
    """Put the pinned Helm on PATH."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([str(HELM.build().parent), os.environ["PATH"]]))
        yield


@pytest.fixture(scope="module")
def forms(
    mirror: Path,
    helm: None,  # noqa: ARG001 # puts Helm on PATH
    tmp_path_factory: pytest.TempPathFactory,
) -> Forms:
    folder = tmp_path_factory.mktemp("forms")
    text = (CLUSTERS / "training.yaml").read_text("utf-8")
    application, rendered = (
        _load(folder / name / "training.yaml", f"{text}\ngitops:\n  charts: {name}\n")
        for name in ("application", "rendered")
    )
    charts = {each.name for each in plan_components(application) if each.helm or each.manifests}
    return Forms(render(application), render(rendered, mirror=mirror), charts)


def _load(file: Path, text: str) -> Platform:
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    return load_platform(file, CLUSTERS / "fleet.yaml")


def _applications(rendering: Rendering) -> Mapping[str, Document]:
    documents = rendering.folders[APPLICATIONS]
    return {each["metadata"]["name"]: each for each in documents if each["kind"] == "Application"}


def test_an_application_differs_in_its_source_alone(forms: Forms) -> None:
    before, after = _applications(forms.application), _applications(forms.rendered)
    assert list(before) == list(after)
    for name, application in before.items():
        component = name.removeprefix("training-")
        assert after[name]["spec"]["source"] == {
            "repoURL": "https://github.com/example/gpu-platform.git",
            "targetRevision": "main",
            "path": f"dist/training/{forms.rendered.version}/{component}",
        }
        kept = {**after[name]["spec"], "source": application["spec"]["source"]}
        assert {**after[name], "spec": kept} == application


def test_every_chart_has_a_folder_that_argo_cd_reads(forms: Forms) -> None:
    added = forms.rendered.folders.keys() - forms.application.folders.keys()
    assert added == forms.charts
    sizes = {
        name: sum(len(to_yaml(each).encode()) for each in forms.rendered.folders[name])
        for name in added
    }
    assert {name: size for name, size in sizes.items() if size > ARGO_CD_READS_BYTES} == {}


def test_everything_else_is_rendered_as_before(forms: Forms) -> None:
    assert {
        name: documents
        for name, documents in forms.rendered.folders.items()
        if name not in {*forms.charts, APPLICATIONS}
    } == {
        name: documents
        for name, documents in forms.application.folders.items()
        if name != APPLICATIONS
    }
    assert forms.rendered.charts == forms.application.charts


def test_argo_cd_may_do_what_the_objects_need_and_read_this_repository_alone(forms: Forms) -> None:
    before, after = forms.application.permissions, forms.rendered.permissions
    repositories = frozenset({"https://github.com/example/gpu-platform.git"})
    assert after == Permissions(repositories, before.destinations, before.cluster_kinds)
    assert EmittedKind("nvidia.com", "ClusterPolicy", namespaced=False) in after.cluster_kinds


GITOPS = "gitops: {repository: https://github.com/example/platform.git}"
RENDERED = GITOPS.replace("}", ", charts: rendered}")


@pytest.fixture
def platform_of_sample(sample: Sample, platform_of: Load) -> Load:
    """Return the function that loads the sample nvl72 with its charts rendered, and more text."""
    return lambda more: platform_of(sample("nvl72", (GITOPS, RENDERED)) + more)


@pytest.fixture
def rendered_sample(platform_of_sample: Load, mirror: Path) -> Callable[[str], Rendering]:
    """Return the function that renders the same."""
    return lambda more: render(platform_of_sample(more), mirror=mirror)


def _patched(*patches: str) -> str:
    return "\n".join(["extensions:", "  patches:", *patches]) + "\n"


def _patch(kind: str, name: str, path: str, value: str) -> str:
    operation = f"{{op: add, path: {path}, value: {value}}}"
    return f"    - {{kind: {kind}, name: {name}, operations: [{operation}]}}"


def _of_application(path: str, value: str) -> str:
    return _patch("Application", "sample-metrics-server", f"/spec/source/{path}", value)


@pytest.mark.usefixtures("helm")
def test_patches_of_values_and_of_what_they_render_apply(
    rendered_sample: Callable[[str], Rendering],
) -> None:
    of_values = _of_application("helm/valuesObject", "{replicas: 2}")
    of_object = _patch("Deployment", "metrics-server", "/spec/paused", "true")
    folder = rendered_sample(_patched(of_values, of_object)).folders["metrics-server"]
    (deployment,) = (each for each in folder if each["kind"] == "Deployment")
    assert (deployment["spec"]["replicas"], deployment["spec"]["paused"]) == (2, True)


@pytest.mark.usefixtures("helm")
def test_what_cannot_be_rendered_is_told_with_ways_out(
    platform_of_sample: Load, mirror: Path
) -> None:
    patch = _of_application("helm/valuesObject", "{tls: {type: helm}}")
    platform = platform_of_sample(_patched(patch))
    components = tuple(METRICS_SERVER.plan(platform))
    synced = Patcher(platform).apply(applications(platform, components))
    with pytest.raises(RenderError) as refused:
        ChartFolders(platform, components, mirror).objects(synced)
    assert str(refused.value) == (
        "sample: metrics-server: the chart metrics-server 3.13.1 cannot be rendered into dist/: "
        f"templates/apiservice.yaml:6: lookup reads the cluster; {REMEDY}"
    )


def test_a_patch_that_cannot_be_applied_when_rendering_is_a_fault(platform_of_sample: Load) -> None:
    patch = _of_application("targetRevision", "3.0.0")
    with pytest.raises(SpecError, match="cannot be applied when rendering"):
        render(platform_of_sample(_patched(patch)))


def _secret(*_: object) -> tuple[Document, ...]:
    metadata = {"name": "a", "namespace": "b"}
    return ({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": {"a": "eA=="}},)


@pytest.mark.usefixtures("helm")
def test_a_secret_that_a_chart_renders_is_refused(
    rendered_sample: Callable[[str], Rendering], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Renderer, "objects", _secret)
    with pytest.raises(RenderError) as refused:
        rendered_sample("")
    rule = "Secret b/a holds data, and dist/ is in git; use an ExternalSecret or SealedSecret"
    assert str(refused.value).splitlines() == [
        f"sample: {name}: {rule}" for name in ("gpu-operator", "compute-domains", "metrics-server")
    ]


def test_without_a_folder_of_charts_nothing_is_rendered(platform_of_sample: Load) -> None:
    with pytest.raises(UpstreamError) as refused:
        render(platform_of_sample(""))
    assert str(refused.value) == "sample: gitops.charts: rendered needs a folder of pinned charts"


@pytest.mark.usefixtures("helm")
def test_manifests_of_others_have_a_folder_too(platform_after: PlatformWith, mirror: Path) -> None:
    gitops = "gitops: {repository: https://github.com/example/gpu-platform.git}"
    rendered = (gitops, gitops.replace("}", ", charts: rendered}"))
    platform = platform_after("operators", rendered)
    components = tuple(TRAINING_OPERATOR_DEFINITION.plan(platform))
    folders = ChartFolders(platform, components, mirror)
    synced = tuple(applications(platform, components))
    ((name, documents),) = folders.objects(synced).items()
    assert (name, {each["kind"] for each in documents}) == (
        "training-operator-definitions",
        {"CustomResourceDefinition"},
    )
    sources = {each["spec"]["source"]["path"] for each in folders.synced(synced) if "spec" in each}
    assert sources == {f"dist/sample/1.0.0/{each.name}" for each in components}


NAME = "sample-metrics-server"
RELEASE_NAME = "spec.source.helm.releaseName"
VALUES = "spec.source.helm.valuesObject"
APPLIES = "{op: add, path: /spec/source/helm/valuesObject, value: {replicas: 2}}"


@pytest.fixture
def loaded(sample: Sample, platform_of: Load) -> Load:
    """Return the function that loads a cluster whose second patch has a second operation."""

    def load(operation: str) -> Platform:
        patches = [
            f"    - {{kind: Application, name: {name}, operations: [{operations}]}}"
            for name, operations in (
                ("sample-gpu-operator", APPLIES),
                (NAME, f"{APPLIES}, {operation}"),
                (NAME, "{op: test, path: /spec/project, value: sample-platform}"),
            )
        ]
        return platform_of("\n".join([sample("nvl72"), "extensions:", "  patches:", *patches, ""]))

    return load


def _refused(platform: Platform) -> Iterator[Fault]:
    (component,) = METRICS_SERVER.plan(platform)
    documents = Patcher(platform).apply(applications(platform, (component,)))
    (application,) = (each for each in documents if each["metadata"]["name"] == NAME)
    return refused_patches(platform, application_of(platform, component).spec, application)


@each_row("passed_on")
def test_what_helm_is_told_of_may_change(loaded: Load, operation: str) -> None:
    assert list(_refused(loaded(operation))) == []


@each_row("not_passed_on")
def test_what_helm_cannot_be_told_of_is_a_fault_of_the_operation(
    loaded: Load, operation: str, fields: str
) -> None:
    platform = loaded(operation)
    place = ("extensions", "patches", 1, "operations", 1)
    what = f"changes {fields} of Application argocd/{NAME}, which cannot be applied when rendering"
    allowed = (
        f"a text in spec.destination.namespace, a text in {RELEASE_NAME}, a mapping in {VALUES}, "
        "true or false in spec.source.helm.skipCrds, or gitops.charts: application"
    )
    assert list(_refused(platform)) == [platform.fault(place, what, allowed)]
