"""From a Platform to the objects of its cluster, through cdk8s."""

from collections.abc import Iterable
from pathlib import Path

from charts_py.argocd.application import live_application, root_application
from charts_py.components.definition import Definition
from charts_py.components.registry import DEFINITIONS
from charts_py.objects.bundled_node import use_bundled_node
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import ALONE, OtherVersions, Rendering, spec_digest


def render(
    platform: Platform,
    others: OtherVersions = ALONE,
    definitions: Iterable[Definition] = DEFINITIONS,
    mirror: Path | None = None,
) -> Rendering:
    """Render all objects of a cluster, its charts from a mirror of pinned files where it asks.

    Raises what `GpuPlatform.build` raises.
    """
    # Node starts when cdk8s is imported.
    use_bundled_node()
    from cdk8s import App

    from charts_py.constructs.gpu_platform import PROJECT, GpuPlatform

    # No component has such a name, while a cluster can be called as one is.
    built = GpuPlatform(App(), GpuPlatform.__name__, facts=platform, mirror=mirror, warns=False)
    built.build(others, definitions)
    folders = built.documents()
    (project,) = folders.pop(PROJECT)
    return Rendering(
        cluster=platform.name,
        version=platform.cluster.version,
        folders=folders,
        root_application=root_application(platform.name, platform.cluster.gitops).document(),
        live_application=live_application(platform, prunes_last=others.have_own_project).document()
        if platform.is_live
        else None,
        project=project,
        permissions=built.permissions,
        charts=built.charts,
        spec_digest=spec_digest(platform),
    )
