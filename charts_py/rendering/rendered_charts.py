"""Charts and manifests of others as folders of their objects, where a cluster file asks for that.

Each keeps its Application, which has its name, its wave and its options: only the source of it is
another one. So Argo CD goes on with the objects that it has, whichever way a cluster switches.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonpointer import JsonPointer

from charts_py.argocd.applications import application_name, application_of, folder_source
from charts_py.cluster_file.cluster import PatchOperation
from charts_py.cluster_file.fault import Fault, FieldPath, RenderError, SpecError
from charts_py.cluster_file.gitops import ChartForm
from charts_py.components.component import Component, HelmRelease, PinnedManifests
from charts_py.extensions.patches import PATCHES, is_named_by
from charts_py.helm.program import HelmError, find_helm
from charts_py.helm.release import Release, Renderer
from charts_py.objects.document import Document, ObjectKey, key_of
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from policies.document import value_at
from upstream.fetch import Mirror, read_locked
from upstream.lock import UpstreamError

_HELM = "helm"


@dataclass(frozen=True, slots=True)
class HelmField:
    """A field of an Application's spec that is passed to Helm here, too."""

    path: tuple[str, ...]
    kind: type
    allowed: str
    """What it holds, in words."""
    default: Any = None

    @property
    def name(self) -> str:
        """The path of the chart, as messages name it."""
        return ".".join(("spec", *self.path))

    def of(self, spec: Mapping[str, Any]) -> Any:
        """Fall back to the default where the field is missing."""
        return value_at(spec, self.path, self.default)


NAMESPACE = HelmField(("destination", "namespace"), str, "a text")
RELEASE_NAME = HelmField(("source", _HELM, "releaseName"), str, "a text")
VALUES = HelmField(("source", _HELM, "valuesObject"), dict, "a mapping", {})
SKIPS_DEFINITIONS = HelmField(("source", _HELM, "skipCrds"), bool, "true or false", default=False)
_OF_HELM = (RELEASE_NAME, VALUES, SKIPS_DEFINITIONS)
_PASSED_ON = (NAMESPACE, *_OF_HELM)


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Take what a patch put there instead of a mapping as an empty one."""
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


@dataclass(frozen=True, slots=True)
class ChartFolders:
    """The charts of a platform whose objects stand in folders; there may be none."""

    platform: Platform
    components: Sequence[Component]
    mirror: Path | None
    """Folder of the pinned files; None where none was named."""

    def objects(self, applications: Sequence[Document]) -> Mapping[str, tuple[Document, ...]]:
        """Return the objects of each chart by component, as its Application has it rendered.

        That of a component may be patched, such as in its values. Raises SpecError for every patch
        that cannot be applied here, RenderError for every chart that cannot be rendered, and
        UpstreamError where Helm or a pinned chart is missing.
        """
        charts = self._charts()
        if not charts:
            return {}
        by_name = {each["metadata"]["name"]: each for each in applications}
        self._check_patches(charts, by_name)
        renderer = self._renderer()
        found: dict[str, tuple[Document, ...]] = {}
        faults = []
        for name, component in charts.items():
            if component.manifests is not None:
                objects = manifest_objects(component.manifests, renderer.mirror)
                found[component.name] = tuple(objects)
                continue
            try:
                release = _release(component, by_name[name]["spec"])
                found[component.name] = renderer.objects(release)
            except HelmError as error:
                faults.append(_fault(self.platform, component, error))
        if faults:
            raise RenderError("\n".join(faults))
        return found

    def synced(self, applications: Sequence[Document]) -> tuple[Document, ...]:
        """Return the Applications, those of charts with their folders as sources."""
        charts = self._charts()
        return tuple(
            _with_folder(self.platform, charts[each["metadata"]["name"]], each)
            if each["metadata"]["name"] in charts
            else each
            for each in applications
        )

    def _charts(self) -> dict[str, Component]:
        """Return the components whose objects others wrote, by the names of their Applications."""
        if self.platform.cluster.gitops.charts is not ChartForm.RENDERED:
            return {}
        return {
            application_name(self.platform, component): component
            for component in self.components
            if component.helm is not None or component.manifests is not None
        }

    def _check_patches(
        self, charts: Mapping[str, Component], applications: Mapping[str, Document]
    ) -> None:
        faults: list[Fault] = []
        for name, component in charts.items():
            spec = application_of(self.platform, component).spec
            faults += refused_patches(self.platform, spec, applications[name])
        if faults:
            raise SpecError(faults)

    def _renderer(self) -> Renderer:
        if self.mirror is None:
            raise UpstreamError(
                f"{self.platform.name}: gitops.charts: rendered needs a folder of pinned charts"
            )
        return Renderer(find_helm(), self.mirror, self.platform.cluster.kubernetes.value)


def _release(component: Component, spec: Mapping[str, Any]) -> Release:
    """Return what Argo CD would have Helm render of an Application."""
    chart = _chart_of(component)
    return Release(
        name=RELEASE_NAME.of(spec),
        namespace=NAMESPACE.of(spec),
        chart=chart.chart,
        # One from git is rendered as it stands there.
        is_released=chart.path is None,
        values=VALUES.of(spec),
        kinds=chart.kinds,
        skips_definitions=SKIPS_DEFINITIONS.of(spec),
    )


def _chart_of(component: Component) -> HelmRelease:
    assert component.helm is not None  # noqa: S101 # only charts are asked for
    return component.helm


def _fault(platform: Platform, component: Component, error: HelmError) -> str:
    chart = _chart_of(component)
    return (
        f"{platform.name}: {component.name}: the chart {chart.chart} {chart.version} cannot be "
        f"rendered into dist/: {error}; allowed: other values, by a patch of {VALUES.name} of "
        f"Application {application_name(platform, component)}, or gitops.charts: application"
    )


def _with_folder(platform: Platform, component: Component, application: Document) -> Document:
    spec = {**application["spec"], "source": folder_source(platform, component)}
    return {**application, "spec": spec}


def manifest_objects(manifests: PinnedManifests, mirror: Path) -> Iterator[Document]:
    """Yield the objects of pinned files; raise UpstreamError where the mirror lacks one."""
    for locked in manifests.locked:
        yield from from_yaml(read_locked(locked, Mirror(mirror)).decode())


def refused_patches(
    platform: Platform, spec: Mapping[str, Any], application: Document
) -> Iterator[Fault]:
    """Yield a fault for each patch that changes what cannot be passed to Helm here.

    `spec` is that of the Application without patches. What Argo CD could do with it:
    https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
    """
    key = key_of(application)
    fields: dict[FieldPath, list[str]] = {}
    for field in _changed_otherwise(spec, _mapping(application, "spec")):
        fields.setdefault(_place(platform, key, field), []).append(".".join(field))
    allowed = ", ".join(f"{one.allowed} in {one.name}" for one in _PASSED_ON)
    for place, names in fields.items():
        what = f"changes {', '.join(names)} of {key}, which cannot be applied when rendering"
        yield platform.fault(place, what, f"{allowed}, or gitops.charts: application")


def _changed_otherwise(
    spec: Mapping[str, Any], patched: Mapping[str, Any]
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of fields that a patch changes to what cannot be passed to Helm here."""
    if "sources" in patched:
        yield ("spec", "sources")
    source, other = spec["source"], _mapping(patched, "source")
    for key in sorted({*source, *other} - {_HELM}):
        if source.get(key) != other.get(key):
            yield ("spec", "source", key)
    for key in sorted({*_mapping(other, _HELM)} - {one.path[-1] for one in _OF_HELM}):
        yield ("spec", "source", _HELM, key)
    # Manifests of others are not a chart.
    for one in _PASSED_ON if _HELM in source else (NAMESPACE,):
        if not isinstance(one.of(patched), one.kind):
            yield ("spec", *one.path)


def _place(platform: Platform, application: ObjectKey, field: tuple[str, ...]) -> FieldPath:
    """Return which operation of a patch was the last one that could change a field."""
    return [
        (*PATCHES, index, "operations", number)
        for index, patch in enumerate(platform.cluster.extensions.patches)
        if is_named_by(patch, application)
        for number, operation in enumerate(patch.operations)
        if _may_change(operation, field)
    ][-1]


def _may_change(operation: PatchOperation, field: tuple[str, ...]) -> bool:
    """Whether a path of an operation is that of a field, holds it or is held by it."""
    changed = (operation.path, operation.from_ if operation.op == "move" else None)
    paths = (tuple(JsonPointer(path).parts) for path in changed if path is not None)
    return any(path[: len(field)] == field[: len(path)] for path in paths)
