"""Charts as folders of their objects, where a cluster file asks for that.

Each keeps its Application, which has its name, its wave and its options: only the source of it is
another one. So Argo CD goes on with the objects that it has, whichever way a cluster switches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from charts_py.argocd.applications import application_name, application_of, folder_source
from charts_py.helm.program import HelmError, find_helm
from charts_py.helm.release import Release, Renderer
from charts_py.platform.render_error import RenderError
from charts_py.spec.gitops import ChartForm
from upstream.error import UpstreamError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from charts_py.components.component import Component, HelmRelease
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

_HELM = "helm"
_VALUES = "valuesObject"


@dataclass(frozen=True, slots=True)
class _Told:
    """A field of an Application's spec of which Helm is told here too."""

    path: tuple[str, ...]
    kind: type
    default: Any = None

    def of(self, spec: Mapping[str, Any]) -> Any:
        """Return its value; the default where it is missing."""
        *outer, last = self.path
        for key in outer:
            spec = _mapping(spec, key)
        return spec.get(last, self.default)


_NAMESPACE = _Told(("destination", "namespace"), str)
_TOLD = (
    _Told(("source", _HELM, "releaseName"), str),
    _Told(("source", _HELM, _VALUES), dict, {}),
    _Told(("source", _HELM, "skipCrds"), bool, default=False),
)


@dataclass(frozen=True, slots=True)
class ChartFolders:
    """The charts of a platform whose objects stand in folders; there may be none."""

    platform: Platform
    components: Sequence[Component]
    mirror: Path | None
    """Folder of the pinned files; None where none was named."""

    def objects(self, applications: Sequence[Document]) -> Mapping[str, tuple[Document, ...]]:
        """Return the objects of each chart by component, as its Application has it rendered.

        That of a component may be patched, such as in its values. Raises RenderError for every
        chart that cannot be rendered, UpstreamError where Helm or a pinned chart is missing.
        """
        charts = self._charts()
        if not charts:
            return {}
        renderer = self._renderer()
        found, faults = {}, []
        for name, component in charts.items():
            (application,) = (each for each in applications if each["metadata"]["name"] == name)
            try:
                release = _release(self.platform, component, application)
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
        """Return the components that are charts in folders, by the names of their Applications."""
        if self.platform.cluster.gitops.charts is not ChartForm.RENDERED:
            return {}
        return {
            application_name(self.platform, component): component
            for component in self.components
            if component.helm is not None
        }

    def _renderer(self) -> Renderer:
        if self.mirror is None:
            raise UpstreamError(
                f"{self.platform.name}: gitops.charts: rendered needs a folder of pinned charts"
            )
        return Renderer(find_helm(), self.mirror, self.platform.cluster.kubernetes.value)


def _release(platform: Platform, component: Component, application: Document) -> Release:
    """Return what Argo CD would have Helm render; raise HelmError where only it could render it.

    https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
    """
    chart, spec = _chart_of(component), _mapping(application, "spec")
    changed = list(_changed_otherwise(application_of(platform, component).spec, spec))
    if changed:
        raise HelmError(
            f"a patch changes {', '.join(changed)} of Application "
            f"{application['metadata']['name']} to what only Argo CD could render"
        )
    name, values, skips_definitions = (told.of(spec) for told in _TOLD)
    return Release(
        name=name,
        namespace=_NAMESPACE.of(spec),
        chart=chart.chart,
        # One from git is rendered as it stands there.
        is_released=chart.path is None,
        values=values,
        kinds=chart.kinds,
        skips_definitions=skips_definitions,
    )


def _chart_of(component: Component) -> HelmRelease:
    assert component.helm is not None  # noqa: S101 # only charts are asked for
    return component.helm


def _changed_otherwise(spec: Mapping[str, Any], patched: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields that a patch changes to what Helm cannot be told here."""
    if "sources" in patched:
        yield "spec.sources"
    source, other = spec["source"], _mapping(patched, "source")
    for key in sorted({*source, *other} - {_HELM}):
        if source.get(key) != other.get(key):
            yield f"spec.source.{key}"
    known = {told.path[-1] for told in _TOLD}
    yield from (f"spec.source.{_HELM}.{key}" for key in sorted({*_mapping(other, _HELM)} - known))
    for told in (_NAMESPACE, *_TOLD):
        if not isinstance(told.of(patched), told.kind):
            yield ".".join(("spec", *told.path))


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return what is below a key; nothing where a patch put no mapping there."""
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


def _fault(platform: Platform, component: Component, error: HelmError) -> str:
    chart = _chart_of(component)
    return (
        f"{platform.name}: {component.name}: the chart {chart.chart} {chart.version} cannot be "
        f"rendered into dist/: {error}; allowed: other values, by a patch of spec.source.{_HELM}."
        f"{_VALUES} of Application {application_name(platform, component)}, or "
        "gitops.charts: application"
    )


def _with_folder(platform: Platform, component: Component, application: Document) -> Document:
    spec = {**application["spec"], "source": folder_source(platform, component)}
    return {**application, "spec": spec}
