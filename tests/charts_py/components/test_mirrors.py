"""With mirrors, every image that the platform runs comes from one, and every chart."""

import re
from collections.abc import Callable, Iterator, Mapping

import pytest

from charts_py.argocd.project import permissions_of
from charts_py.cluster_file.gitops import Registry
from charts_py.components.chart import named_images, value_at
from charts_py.components.component import Component
from charts_py.components.registry import plan_components
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.images import images_of, pinned_images
from tests.charts_py.components.adapted_platform import HOST, SANDBOX_SECTIONS
from tests.charts_py.fixture_types import DocumentsOf, ObjectsOfAll

UPSTREAM = re.compile(
    rf"(?<!{re.escape(HOST)}/)(?<![\w.-])"
    r"(cr\.agentgateway\.dev|nvcr\.io|registry\.k8s\.io|docker\.io|ghcr\.io|quay\.io|gcr\.io|\d+\.dkr\.ecr\.[\w.-]+)/"
)
"""Whatever looks like an image, or a folder of images, of a registry on the internet."""

PUBLISHED: Mapping[str, tuple[str, str]] = {
    # Its repository has the versions that the published chart gets in its place.
    "gpu-operator": (":main-latest", ":v26.7.0"),
    # The mirrored files have that of NVIDIA's operator in its place.
    "kueue": (
        "us-central1-docker.pkg.dev/k8s-staging-images/kueue/kueue",
        "registry.k8s.io/kueue/kueue",
    ),
    "jobset": (
        "us-central1-docker.pkg.dev/k8s-staging-images/jobset/jobset",
        "registry.k8s.io/jobset/jobset",
    ),
    # Its release writes the version into the chart.
    "cert-manager": (":v0.0.0", ":v1.21.1"),
    "kai-scheduler": ("registry/local/kai-scheduler", "ghcr.io/kai-scheduler/kai-scheduler"),
    "gpu-operator-charts": ("node-feature-discovery:v0.19.0", "node-feature-discovery:v0.18.3"),
}
"""By chart, what the mirrored files name and the published chart does not."""


@pytest.fixture(scope="module")
def releases(platforms: Mapping[str, Platform]) -> tuple[Component, ...]:
    return tuple(_releases(platforms))


@pytest.fixture(scope="module")
def adapted_releases(adapted: Mapping[str, Platform]) -> tuple[Component, ...]:
    return tuple(_releases(adapted))


def _releases(platforms: Mapping[str, Platform]) -> Iterator[Component]:
    for platform in platforms.values():
        yield from (each for each in plan_components(platform) if each.helm is not None)


def test_every_image_that_is_emitted_is_in_a_mirror(adapted_objects: ObjectsOfAll) -> None:
    found = set()
    for folders in adapted_objects.values():
        for folder, documents in folders.items():
            named = {image for document in documents for image in images_of(document)}
            # What a cluster brings itself is as it brings it.
            if folder != "manifests":
                assert [image for image in named if not image.startswith(f"{HOST}/")] == []
                found |= named
    assert {image.rpartition("/")[2].partition(":")[0] for image in found} == {
        "agentgateway",
        "busybox",
        "dcgm",
        "deepspeed",
        "deepspeed-runtime",
        "device-metrics-exporter",
        "gpuplane-webhook",
        "intel-gpu-plugin",
        "jax",
        "k8s-device-plugin",
        "kubectl-delivery",
        "login",
        "mlflow",
        "mpi",
        "nccl-plugin-gib",
        "pause",
        "postgres",
        "pytorch",
        "slurmctld",
        "slurmd",
        "slurmrestd",
        "storage-initializer",
        "tcpgpudmarxd-dev",
        "torch",
        "training-operator",
    }


def test_no_object_of_a_chart_names_a_registry_that_has_a_mirror(
    adapted_releases: tuple[Component, ...],
    rendered: DocumentsOf,
    is_mirrored: Callable[[Component], bool],
) -> None:
    # What platforms have in common is one object, and is read once.
    documents = {
        id(document): (component.name, document)
        for component in filter(is_mirrored, adapted_releases)
        for document in rendered(component)
        if document["kind"] != "CustomResourceDefinition"
    }
    found = [
        (name, text)
        for name, document in documents.values()
        for text in _texts(document)
        if UPSTREAM.search(text)
    ]
    assert documents
    assert found == []


def _texts(value: object) -> Iterator[str]:
    """Yield every string of a document, the names of its fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(key)
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def test_the_images_of_a_chart_are_those_that_it_renders(
    releases: tuple[Component, ...],
    adapted_releases: tuple[Component, ...],
    rendered: DocumentsOf,
    is_mirrored: Callable[[Component], bool],
) -> None:
    for component in filter(is_mirrored, (*releases, *adapted_releases)):
        assert component.helm is not None
        chart = component.helm.chart
        listed = {name for _, name in named_images(component.helm.values, pinned_images()[chart])}
        written = {
            name.replace(*PUBLISHED.get(chart, ("", "")))
            for document in rendered(component)
            for name in images_of(_without_sandboxes(document))
        }
        assert (component.name, listed) == (component.name, written)


def _without_sandboxes(document: Document) -> Document:
    if document["kind"] != "ClusterPolicy":
        return document
    spec = document["spec"]
    assert spec["sandboxWorkloads"]["enabled"] is False
    return {**document, "spec": {k: v for k, v in spec.items() if k not in SANDBOX_SECTIONS}}


@pytest.mark.parametrize("chart", pinned_images())
def test_what_a_chart_says_of_an_image_is_what_the_pinned_one_says(
    chart: str, pinned_values: Callable[[str], Document]
) -> None:
    values = pinned_values(chart)
    for image in pinned_images()[chart]:
        if not image.section.startswith("node-feature-discovery."):
            section = value_at(values, image.section, {})
            said = {
                key: section[key].replace(*PUBLISHED.get(chart, ("", "")))
                for key in image.split(image.repository)
            }
            name = value_at(values, image.name_path, None)
            # What is empty the chart puts together itself, which the rendered chart has.
            split = image.split(image.repository)
            filled = {key: each or split[key] for key, each in said.items()}
            assert (filled, name) in ((split, image.name), (split, None))
            # Without one it is the version of the application, which the rendered chart has; the
            # last one is what chartpress replaces when it publishes a chart.
            said_tag = section.get(image.tag_key)
            assert said_tag in (image.tag, None, "", "set-by-chartpress")
        switches = {path: value_at(values, path, None) for path in image.runs_where}
        assert switches == dict(image.runs_where)


def test_every_section_of_values_that_names_a_repository_is_listed(
    pinned_values: Callable[[str], Document],
) -> None:
    left_out = {
        chart: sorted(
            set(_repositories(pinned_values(chart)))
            - {".".join(image.repository_path) for image in images}
        )
        for chart, images in pinned_images().items()
    }
    assert {chart: paths for chart, paths in left_out.items() if paths} == {
        # That of proxies, which an object of their own names.
        "agentgateway": ["proxy.image.repository"],
        # That of a dashboard which is off.
        "argo-rollouts": ["dashboard.image.repository"],
        # That of a check which is off.
        "cert-manager": ["startupapicheck.image.repository"],
        # That of a kind which the chart does not make here, and one that the chart leaves empty.
        "gpu-operator": ["draDriver.repository", "vgpuManager.repository"],
        # Those of a cache that is off, and of runtimes that are left out with their installer.
        "kubeflow-trainer": [
            "dataCache.cacheImage.repository",
            "runtimes.deepspeedDistributed.image.repository",
            "runtimes.installer.image.repository",
            "runtimes.mlxDistributed.image.repository",
            "runtimes.torchtuneDistributed.image.repository",
            "runtimes.xgboostDistributed.image.repository",
        ],
        # Those of a dashboard that is off.
        "kueue": ["kueueViz.backend.image.repository", "kueueViz.frontend.image.repository"],
        "metrics-server": ["addonResizer.image.repository"],
        # That of a webhook that is off.
        "slurm-operator": ["webhook.image.repository"],
        # That of tests which are off.
        "topograph": ["tests.image.repository"],
    }


def _repositories(values: Mapping[str, object], parents: tuple[str, ...] = ()) -> Iterator[str]:
    for key, value in values.items():
        if key == "repository" and isinstance(value, str):
            yield ".".join((*parents, key))
        if isinstance(value, dict):
            yield from _repositories(value, (*parents, key))


def test_every_chart_comes_from_the_mirror_in_the_same_version(
    releases: tuple[Component, ...], adapted_releases: tuple[Component, ...]
) -> None:
    for one, other in zip(releases, adapted_releases, strict=True):
        assert one.helm is not None
        assert other.helm is not None
        assert (other.helm.chart, other.helm.version) == (one.helm.chart, one.helm.version)
        assert (other.helm.repository, other.helm.path) == ("mirror.example.com/charts", None)


def test_the_project_allows_the_mirror_of_charts_and_no_other_repository_of_any(
    adapted: Mapping[str, Platform],
) -> None:
    for platform in adapted.values():
        gitops = platform.cluster.gitops
        allowed = permissions_of(plan_components(platform), {}, gitops).repositories
        # What no chart brings is refused beside a mirror, unless it is rendered.
        manifests = {
            "https://github.com/kubeflow/trainer",
            "https://github.com/kubernetes-sigs/gateway-api",
            "https://github.com/kubernetes-sigs/gateway-api-inference-extension",
        }
        assert allowed - manifests <= {gitops.repository, "mirror.example.com/charts"}


def test_secrets_of_mirrors_come_after_those_of_the_cluster(
    platforms: Mapping[str, Platform],
) -> None:
    changed = platforms["sample-intel"].cluster.model_copy(
        update={
            "image_pull_secrets": ("both", "first"),
            "registries": {
                "nvcr.io": Registry.model_validate(
                    {"mirror": "a.example.com", "pullSecrets": ["last", "both"]}
                )
            },
        }
    )
    assert changed.pull_secret_names == ("both", "first", "last")
