"""Platforms from text, documents from constructs, and how the tests run."""

from __future__ import annotations

import datetime as dt
import gc
import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from charts_py.cluster_file.cluster_files import ClusterFiles
from charts_py.cluster_file.fault import SpecError
from charts_py.cluster_file.parse import parse
from charts_py.cluster_file.source import read_source
from charts_py.components.registry import component_namespaces
from charts_py.load import load_platform, load_platforms
from charts_py.objects.bundled_node import use_bundled_node
from charts_py.platform.draft import draft_cluster
from charts_py.providers.registry import PROVIDERS
from gpus.purchase import PriceList
from tests.pinned_definitions import PinnedDefinitions, read_definitions
from tests.rendered_once import RenderedOnce
from tests.written_once import written_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from constructs import Construct

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.draft import Draft
    from charts_py.platform.platform import Platform
    from tests.charts_py.fixture_types import Load, PlatformWith, Sample

CLUSTERS = Path(__file__).parents[1] / "clusters"
"""The example clusters."""

SAMPLES = Path(__file__).parent / "charts_py" / "samples"
"""Small clusters, one a provider, that tests break piece by piece."""


# The same examples on every run: what fails in a pull request fails on the author's machine too.
settings.register_profile("repeatable", max_examples=20, derandomize=True, deadline=None)
# New examples on every run, and many: `make fuzz`.
settings.register_profile(
    "fuzz", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_configure() -> None:
    """Have Python look for garbage rarely: otherwise that takes a sixth of the tests' time."""
    gc.set_threshold(100_000, 50, 100)
    use_bundled_node()


def pytest_collection_finish() -> None:
    """Keep the collector from what is imported."""
    gc.freeze()


@pytest.fixture(scope="session")
def folder_of_run(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder that all processes share that run these tests at the same time."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def rendered_once(tmp_path_factory: pytest.TempPathFactory, folder_of_run: Path) -> RenderedOnce:
    """Return the function that renders platforms, equal ones once in a run."""
    return RenderedOnce(folder_of_run / "renderings", tmp_path_factory.mktemp("own-renderings"))


@pytest.fixture(scope="session")
def versions_rendered_once(rendered_once: RenderedOnce) -> Iterator[None]:
    """Have the commands render equal clusters once in a run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpuplane.versions.rendering.render", rendered_once)
        yield


@pytest.fixture(scope="session")
def pinned_definitions(
    tmp_path_factory: pytest.TempPathFactory, folder_of_run: Path
) -> PinnedDefinitions:
    """Return the definitions of the mirror, read once in a run; skip where there is no mirror."""
    if (mirror := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    file, own = folder_of_run / "definitions.pickle", tmp_path_factory.mktemp("definitions")
    read = written_once(file, own, lambda: pickle.dumps(read_definitions(Path(mirror))))
    found: PinnedDefinitions = pickle.loads(read)  # noqa: S301 # this run's own
    return found


@pytest.fixture(scope="session")
def mirror() -> Path:
    """Return the folder of pinned upstream files; skip the test where there is none."""
    folder = os.environ.get("GPUPLANE_MIRROR")
    if folder is None:
        pytest.skip("GPUPLANE_MIRROR names no folder with upstream files")
    return Path(folder)


@pytest.fixture(scope="session")
def example() -> Callable[[str], Platform]:
    """Return the function that loads one of the example clusters by its name."""

    def load(name: str) -> Platform:
        return load_platform(CLUSTERS / f"{name}.yaml", CLUSTERS / "fleet.yaml")

    return load


@pytest.fixture
def platform_of(tmp_path: Path) -> Callable[[str], Platform]:
    """Return the function that loads a Platform from the text of a cluster file named `sample`."""

    def load(text: str) -> Platform:
        file = tmp_path / "sample.yaml"
        file.write_text(text, encoding="utf-8")
        return load_platform(file, None)

    return load


@pytest.fixture
def faults_of(tmp_path: Path) -> Callable[..., str]:
    """Return the function that reads the file `sample.yaml` and returns its faults, line by line.

    A fleet's text stands in `fleet.yaml`.
    """

    def read(text: str, fleet: str | None = None) -> str:
        file, fleet_file = tmp_path / "sample.yaml", tmp_path / "fleet.yaml"
        file.write_text(text, encoding="utf-8")
        if fleet is not None:
            fleet_file.write_text(fleet, encoding="utf-8")
        with pytest.raises(SpecError) as caught:
            load_platform(file, fleet_file if fleet is not None else None)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return read


@pytest.fixture
def fixed_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have EKS list these prices, from which amounts in tests follow, whatever its table says."""
    hours = {"p5.48xlarge": 55.04, "p4de.24xlarge": 27.4471, "g5.12xlarge": 5.672}
    listed = PriceList(dt.date(2026, 7, 20), {"us-east-1": hours})
    monkeypatch.setattr("charts_py.platform.pool_price.load_price_list", lambda _: listed)


@pytest.fixture(scope="session")
def sample() -> Callable[..., str]:
    """Return the function that returns a sample's text with pieces of it replaced."""

    def changed(name: str, *replacements: tuple[str, str]) -> str:
        text = (SAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
        for old, new in replacements:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}.yaml"
            text = text.replace(old, new)
        return text

    return changed


@pytest.fixture
def platform_after(platform_of: Load, sample: Sample) -> PlatformWith:
    """Return the function that loads the platform of a sample with pieces of it replaced."""

    def load(name: str, *replacements: tuple[str, str]) -> Platform:
        return platform_of(sample(name, *replacements))

    return load


@pytest.fixture(scope="session")
def drafted() -> Callable[[str], Draft]:
    """Return the function that drafts a sample."""

    def draft(name: str) -> Draft:
        file = SAMPLES / f"{name}.yaml"
        content = read_source(file, file.name).content
        assert content is not None
        parsed = parse(content)
        provider = PROVIDERS[parsed.cluster.provider]
        return draft_cluster(file, content, parsed, provider, component_namespaces())

    return draft


@pytest.fixture
def faults_after(sample: Callable[..., str], faults_of: Callable[..., str]) -> Callable[..., str]:
    """Return the function that returns the faults of a sample with pieces of it replaced."""

    def read(name: str, *replacements: tuple[str, str]) -> str:
        return faults_of(sample(name, *replacements))

    return read


@pytest.fixture
def faults_of_both(tmp_path: Path, sample: Callable[..., str]) -> Callable[..., str]:
    """Return the function that returns the faults of a manager and its worker, line by line.

    Pieces of the samples of either are replaced, or of what they have in common.
    """

    def read(
        *both: tuple[str, str],
        manager: tuple[tuple[str, str], ...] = (),
        worker: tuple[tuple[str, str], ...] = (),
    ) -> str:
        changes = {"multikueue-manager": (*both, *manager), "multikueue-worker": (*both, *worker)}
        files = tuple(tmp_path / f"{name}.yaml" for name in changes)
        for file in files:
            file.write_text(sample(file.stem, *changes[file.stem]), encoding="utf-8")
        with pytest.raises(SpecError) as caught:
            load_platforms(ClusterFiles(None, files))
        return str(caught.value).replace(f"{tmp_path}/", "")

    return read


@pytest.fixture
def documents_of() -> Callable[[Callable[[Construct], object]], tuple[Document, ...]]:
    """Return the function that runs a construct in a chart and returns what it emits."""
    from cdk8s import App, Chart  # starts Node

    from charts_py.objects.kube_object import documents_of as emitted_by

    def synthesize(construct: Callable[[Construct], object]) -> tuple[Document, ...]:
        chart = Chart(App(), "test", disable_resource_name_hashes=True)
        construct(chart)
        return emitted_by(chart)

    return synthesize


@pytest.fixture
def documents_of_component(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> Callable[[Component], tuple[Document, ...]]:
    """Return the function that synthesizes one component."""
    from charts_py.objects.kube_object import add_documents  # starts Node

    def synthesize(component: Component) -> tuple[Document, ...]:
        objects = component.objects
        if objects is None:
            assert component.construct is not None
            return documents_of(component.construct)
        return documents_of(lambda scope: add_documents(scope, objects()))

    return synthesize
