"""From a Platform to the objects of its cluster, through cdk8s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.argocd.applications import NAME as APPLICATIONS
from charts_py.argocd.applications import application_name, applications
from charts_py.argocd.live import live_application
from charts_py.argocd.permissions import permissions_of
from charts_py.argocd.project import project
from charts_py.argocd.root import root_application
from charts_py.components.registry import DEFINITIONS, plan_components
from charts_py.components.scraping import with_monitor_labels
from charts_py.extensions.patches import Patcher
from charts_py.objects.bundled_node import use_bundled_node
from charts_py.rendering.other_versions import ALONE, OtherVersions
from charts_py.rendering.rendered_charts import ChartFolders
from charts_py.rendering.rendering import PinnedChart, Rendering, spec_digest
from charts_py.rendering.secrets_check import check_no_secrets
from charts_py.rendering.size_check import check_sizes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from charts_py.components.component import Component
    from charts_py.components.definition import Definition
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def render(
    platform: Platform,
    others: OtherVersions = ALONE,
    definitions: Iterable[Definition] = DEFINITIONS,
    mirror: Path | None = None,
) -> Rendering:
    """Render all objects of a cluster, its charts from a mirror of pinned files where it asks.

    Raises SpecError where an extension cannot be applied, and RenderError where a Secret would be
    written, an object that is too large for an API server, or a chart that cannot be rendered; then
    UpstreamError where Helm or a pinned chart is missing.
    """
    # Planning imports constructs, which starts Node.
    use_bundled_node()
    patcher = Patcher(platform)
    components = plan_components(platform, definitions)
    gitops = platform.cluster.gitops
    folders = {name: patcher.apply(found) for name, found in _objects(platform, components)}
    charts = ChartFolders(platform, components, mirror)
    synced = patcher.apply(applications(platform, components))
    folders |= {name: patcher.apply(found) for name, found in charts.objects(synced).items()}
    needed = permissions_of(components, folders, gitops)
    folders[APPLICATIONS] = charts.synced(synced)
    allowed = project(platform.name, gitops.argocd_namespace, needed | others.permissions)
    (patched_project,) = patcher.apply((allowed,))
    patcher.check_all_matched()
    check_no_secrets(platform.name, folders)
    check_sizes(platform.name, folders, {each.name: each.when_too_large for each in components})
    return Rendering(
        cluster=platform.name,
        version=platform.cluster.version,
        folders=folders,
        root_application=root_application(platform.name, gitops).document(),
        live_application=_live_application(platform, others),
        project=patched_project,
        permissions=needed,
        charts=tuple(_charts(platform, components, synced)),
        spec_digest=spec_digest(platform),
    )


def _live_application(platform: Platform, others: OtherVersions) -> Document | None:
    if not platform.is_live:
        return None
    return live_application(platform, prunes_last=others.have_own_project).document()


def _objects(
    platform: Platform, components: Iterable[Component]
) -> Iterator[tuple[str, tuple[Document, ...]]]:
    """Yield the name of each component that is not a chart, with its objects."""
    from cdk8s import App, Chart

    from charts_py.objects.kube_object import add_documents, documents_of

    app = App()
    for component in components:
        if component.objects is None and component.construct is None:
            continue
        chart = Chart(app, component.name, disable_resource_name_hashes=True)
        if component.objects is not None:
            add_documents(chart, component.objects())
        if component.construct is not None:
            component.construct(chart)
        found = with_monitor_labels(documents_of(chart), platform.monitoring.labels)
        yield component.name, tuple(found)


def _charts(
    platform: Platform, components: Iterable[Component], synced: Iterable[Document]
) -> Iterator[PinnedChart]:
    """Yield the charts of components as their Applications name them, which a patch may change."""
    sources = {each["metadata"]["name"]: each["spec"]["source"] for each in _sourced(synced)}
    for component in components:
        if (helm := component.helm) is not None:
            source = sources.get(application_name(platform, component), {})
            yield PinnedChart(
                name=source.get("chart", helm.chart),
                version=source.get("targetRevision", helm.version),
                repository=source.get("repoURL", helm.repository),
            )


def _sourced(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the Applications with one source."""
    yield from (each for each in documents if "source" in each.get("spec", {}))
