"""From a Platform to the objects of its cluster, through cdk8s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.argocd.permissions import permissions_of
from charts_py.components.scrape_target import service_monitors
from charts_py.extensions.patches import Patcher
from charts_py.objects.bundled_node import use_bundled_node
from charts_py.rendering.other_versions import ALONE, OtherVersions
from charts_py.rendering.rendering import PinnedChart, Rendering, spec_digest
from charts_py.rendering.secrets_check import check_no_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from charts_py.components.component import Component
    from charts_py.platform.platform import Platform


def render(platform: Platform, others: OtherVersions = ALONE) -> Rendering:
    """Render all objects of a cluster.

    Raises RenderError where an extension cannot be applied, or a Secret would be written.
    """
    use_bundled_node()
    from charts_py.argocd import applications, live, project, root
    from charts_py.components.registry import plan_components
    from charts_py.objects.synthesis import Synthesis

    synthesis = Synthesis()
    patcher = Patcher(platform)
    components = plan_components(platform)
    monitoring = platform.cluster.addons.monitoring
    folders = {
        component.name: patcher.apply(
            (
                *synthesis.documents(component.name, component.construct),
                *service_monitors(component.scraped, monitoring),
            )
        )
        for component in components
        if component.construct is not None
    }
    needed = permissions_of(components, folders, platform.cluster.gitops)
    own = applications.construct(platform, components)
    folders[applications.NAME] = patcher.apply(synthesis.documents(applications.NAME, own))
    allowed = project.construct(platform, needed | others.permissions)
    (project_document,) = patcher.apply(synthesis.documents("project", allowed))
    patcher.check_all_hit()
    check_no_secrets(platform.name, folders)
    (root_document,) = synthesis.documents("root", root.construct(platform))
    prunes_last = others.have_own_project
    (live_document,) = synthesis.documents("live", live.construct(platform, prunes_last))
    return Rendering(
        cluster=platform.name,
        version=platform.cluster.version,
        folders=folders,
        root_application=root_document,
        live_application=live_document,
        project=project_document,
        permissions=needed,
        charts=tuple(_charts(components)),
        spec_digest=spec_digest(platform),
    )


def _charts(components: Iterable[Component]) -> list[PinnedChart]:
    releases = [component.helm for component in components if component.helm is not None]
    return [PinnedChart(helm.chart, helm.version, helm.repository) for helm in releases]
