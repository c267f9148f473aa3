"""Charts, and manifests of others, as folders of their objects, where a cluster file asks for that.

Each keeps its Application, which has its name, its wave and its options: only the source of it is
another one. So Argo CD goes on with the objects that it has, whichever way a cluster switches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from charts_py.argocd.applications import application_name, application_of, folder_source
from charts_py.cluster_file.fault import SpecError
from charts_py.cluster_file.gitops import ChartForm
from charts_py.helm.program import HelmError, find_helm
from charts_py.helm.release import Release, Renderer
from charts_py.platform.render_error import RenderError
from charts_py.rendering.chart_patches import (
    NAMESPACE,
    RELEASE_NAME,
    SKIPS_DEFINITIONS,
    VALUES,
    refused_patches,
)
from charts_py.rendering.rendered_manifests import manifest_objects
from upstream.error import UpstreamError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from charts_py.cluster_file.fault import Fault
    from charts_py.components.component import Component, HelmRelease
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


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
            try:
                found[component.name] = _objects(component, by_name[name]["spec"], renderer)
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


def _objects(
    component: Component, spec: Mapping[str, Any], renderer: Renderer
) -> tuple[Document, ...]:
    if component.manifests is not None:
        return tuple(manifest_objects(component.manifests, renderer.mirror))
    return renderer.objects(_release(component, spec))


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
