"""Every component on every platform, and pinned charts from a mirror, rendered with helm."""

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from charts_py.components.component import Component
from charts_py.helm.program import Helm
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import Rendering
from tests.binaries.pinned_program import HELM
from tests.charts_py.components.own_objects import own_objects
from tests.charts_py.components.shared_renderings import SharedRenderings
from tests.charts_py.fixture_types import DocumentsOf, Load, ObjectsOfAll, Sample
from tests.rendered_once import RenderedOnce
from tests.written_once import written_once
from upstream.lock import committed_lock, locked_chart

KUBERNETES = "1.35"
EXAMPLES = ("training", "inference", "mixed", "onprem")
SAMPLES = Path(__file__).parents[1] / "samples"
DISPATCHING = ("multikueue-manager", "multikueue-worker")
"""Samples of which one takes jobs for the other; they know each other by their files."""


@pytest.fixture(scope="session")
def platforms(
    example: Load, sample: Sample, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Platform]:
    """Return the example clusters by name, and the samples as `sample-NAME`."""
    folder = tmp_path_factory.mktemp("clusters")
    found = {name: example(name) for name in EXAMPLES}
    for text in sorted(SAMPLES.glob("*.yaml")):
        file = folder / f"sample-{text.name}"
        if text.stem in DISPATCHING:
            file = text
        else:
            file.write_text(sample(text.stem), encoding="utf-8")
        found[f"sample-{text.stem}"] = load_platform(file, None)
    return found


@pytest.fixture(scope="session")
def renderings(
    platforms: Mapping[str, Platform], rendered_once: RenderedOnce, worker_id: str
) -> Mapping[str, Rendering]:
    """Return what is rendered for each of them, in an order that other processes do not have."""
    names = reversed([*platforms]) if worker_id[-1] in "13579" else platforms
    return SharedRenderings({each: platforms[each] for each in names}, rendered_once)


@pytest.fixture(scope="session")
def adapted(platforms: Mapping[str, Platform]) -> Mapping[str, Platform]:
    """Return each of them as a site has it that mirrors images and selects monitors by labels."""
    from tests.charts_py.components.adapted_platform import adapted_platform  # imports constructs

    return {name: adapted_platform(platform) for name, platform in platforms.items()}


@pytest.fixture(scope="session")
def adapted_objects(adapted: Mapping[str, Platform]) -> ObjectsOfAll:
    """Return the objects of each of those, by its name and their component's."""
    return {name: own_objects(platform) for name, platform in adapted.items()}


@pytest.fixture(scope="session")
def pinned_values(mirror: Path) -> Callable[[str], Document]:
    """Return the function that reads the values of a chart, or skips where none are mirrored."""

    def read(name: str) -> Document:
        file = _folder(mirror, name) / "values.yaml"
        if not file.is_file():
            pytest.skip(f"the mirror has no values of the chart {name}")
        # The values of a chart of definitions alone may be an empty file.
        return next(iter(from_yaml(file.read_text("utf-8"))), {})

    return read


@pytest.fixture(scope="session")
def rendered(
    mirror: Path, tmp_path_factory: pytest.TempPathFactory, folder_of_run: Path
) -> DocumentsOf:
    """Return the function that renders a component's pinned chart, hooks and definitions too."""
    own = tmp_path_factory.mktemp("helm")

    @cache
    def render(
        chart: Path, name: str, namespace: str, values: str, definitions: str
    ) -> tuple[Document, ...]:
        options = ["--namespace", namespace, "--kube-version", KUBERNETES, definitions]
        # Argo CD leaves them out, and so does what is rendered into dist/.
        options.append("--skip-tests")
        printed = print_once([name, chart, *options], values)
        return tuple(document for part in printed.split("\n---\n") for document in parsed(part))

    def print_once(arguments: list[str | Path], values: str) -> str:
        """Return what helm prints, which other processes of these tests may have had it print."""
        called = "\n".join([*(Path(each).name for each in arguments), values])
        file = folder_of_run / f"helm-{hashlib.sha256(called.encode()).hexdigest()}.yaml"
        return written_once(file, own, lambda: print_now(arguments, values)).decode()

    def print_now(arguments: list[str | Path], values: str) -> bytes:
        (own / "values.yaml").write_text(values, encoding="utf-8")
        return Helm(HELM.build()).template([*arguments, "--values", own / "values.yaml"]).encode()

    @cache
    def parsed(part: str) -> Sequence[Document]:
        """Parse what is the same whatever the values are, such as definitions, once."""
        return from_yaml(part)

    @cache
    def complete(chart: str) -> Path:
        return _chart(mirror, chart, tmp_path_factory.mktemp("charts"))

    def render_component(component: Component) -> tuple[Document, ...]:
        assert component.helm is not None
        chart, values = complete(component.helm.chart), dict(component.helm.values)
        definitions = "--skip-crds" if component.helm.skips_definitions else "--include-crds"
        name = component.helm.name or component.name
        return render(chart, name, component.namespace, to_yaml(values), definitions)

    return render_component


@pytest.fixture(scope="session")
def is_mirrored(mirror: Path) -> Callable[[Component], bool]:
    """Return whether a component is a chart of which the mirror has all that it is rendered of."""
    return lambda each: each.helm is not None and _missing(mirror, each.helm.chart) is None


def _missing(mirror: Path, name: str) -> str | None:
    """Return what the mirror lacks of a chart, if anything."""
    if not (_folder(mirror, name) / "templates").is_dir():
        return f"templates of the chart {name}"
    pinned = {each.chart for each in committed_lock()}
    for needed in _needed(_folder(mirror, name)):
        other = needed["name"]
        if other in pinned and not (_folder(mirror, other) / "templates").is_dir():
            return f"chart {other}, on which {name} depends"
    return None


def _needed(folder: Path) -> list[Document]:
    """Return the charts on which one depends, and which are not within it."""
    (described,) = from_yaml((folder / "Chart.yaml").read_text("utf-8"))
    needed = described.get("dependencies", ())
    return [each for each in needed if not (folder / "charts" / each["name"]).is_dir()]


def _chart(mirror: Path, name: str, copies: Path) -> Path:
    """Return the folder of a chart, or skip where the mirror has no more than its pins.

    A chart on which it depends may stand in the mirror within another: the copy that is returned
    then holds that version in place of its own. One that is not pinned is switched off, and left
    out.
    """
    if lacking := _missing(mirror, name):
        pytest.skip(f"the mirror has no {lacking}")
    folder = _folder(mirror, name)
    needed = _needed(folder)
    return _completed(mirror, folder, needed, copies) if needed else folder


def _completed(mirror: Path, folder: Path, missing: list[Document], copies: Path) -> Path:
    copy = copies / folder.name
    shutil.copytree(folder, copy, copy_function=shutil.copyfile)
    pinned = {each.chart for each in committed_lock()}
    unpinned = [each for each in missing if each["name"] not in pinned]
    _leave_out(unpinned, copy / "Chart.yaml")
    for each in (each for each in missing if each not in unpinned):
        other, place = _folder(mirror, each["name"]), copy / "charts" / each["name"]
        shutil.copytree(other, place, copy_function=shutil.copyfile)
        (described,) = from_yaml((other / "Chart.yaml").read_text("utf-8"))
        # Helm takes no other version than the chart asks for.
        changed = {**described, "version": each["version"]}
        (place / "Chart.yaml").write_text(to_yaml(changed), encoding="utf-8")
    return copy


def _leave_out(dependencies: list[Document], file: Path) -> None:
    (described,) = from_yaml(file.read_text("utf-8"))
    kept = [each for each in described["dependencies"] if each not in dependencies]
    file.write_text(to_yaml({**described, "dependencies": kept}), encoding="utf-8")


def _folder(mirror: Path, name: str) -> Path:
    return (mirror / locked_chart(name).file).parent
