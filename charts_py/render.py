"""From a Platform to the objects of its cluster, through cdk8s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.bundled_node import use_bundled_node
from charts_py.document import key_of
from charts_py.extensions.patches import Patcher
from charts_py.rendering import PinnedChart, Rendering, spec_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from charts_py.component import Component
    from charts_py.document import Document, EmittedKind
    from charts_py.platform.platform import Platform


def render(platform: Platform) -> Rendering:
    """Render all objects of a cluster.

    Raises RenderError where an extension cannot be applied.
    """
    use_bundled_node()
    # These import cdk8s, which starts Node; reading a cluster file must not cost that.
    from charts_py.components import argocd, root_application
    from charts_py.components.registry import plan_components
    from charts_py.synthesis import Synthesis

    synthesis = Synthesis()
    patcher = Patcher(platform)
    components = plan_components(platform)
    folders = {
        component.name: patcher.apply(synthesis.documents(component.name, component.construct))
        for component in components
        if component.construct is not None
    }
    argocd_component = argocd.plan(platform, components, _kinds(components, folders))
    folders[argocd_component.name] = patcher.apply(
        synthesis.documents(argocd_component.name, argocd_component.construct)
    )
    patcher.check_all_hit()
    root = synthesis.documents("root", root_application.construct(platform))
    return Rendering(
        cluster=platform.name,
        version=platform.cluster.version,
        folders=folders,
        root_application=root[0],
        charts=tuple(_charts(components)),
        spec_digest=spec_digest(platform),
    )


def _kinds(
    components: Iterable[Component], folders: dict[str, tuple[Document, ...]]
) -> frozenset[EmittedKind]:
    """Return every kind that Argo CD is to sync."""
    kinds = {kind for component in components if component.helm for kind in component.helm.kinds}
    for component in components:
        if component.is_synced:
            kinds |= {key_of(document).emitted_kind for document in folders.get(component.name, ())}
    return frozenset(kinds)


def _charts(components: Iterable[Component]) -> list[PinnedChart]:
    releases = [component.helm for component in components if component.helm is not None]
    return [PinnedChart(helm.chart, helm.version, helm.repository) for helm in releases]
