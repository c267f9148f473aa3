"""A platform as a site has it that mirrors images and charts, and selects monitors by labels."""

from collections.abc import Iterator
from dataclasses import replace

from charts_py.cluster_file.gitops import Registry
from charts_py.components.registry import DEFINITIONS
from charts_py.platform.platform import Platform
from policies.image import registry_of

HOST = "mirror.example.com"
CHARTS = f"oci://{HOST}/charts"
OWN_SECRET, MIRROR_SECRET = "registry", "mirror"
LABELS = {"release": "stack"}
SANDBOX_SECTIONS = {
    "ccManager",
    "kataSandboxDevicePlugin",
    "sandboxDevicePlugin",
    "vfioManager",
    "vgpuDeviceManager",
}
"""Sections of NVIDIA's operator that run nothing unless virtual machines get the GPUs."""


def adapted_platform(platform: Platform) -> Platform:
    """Return the platform with mirrors, pull secrets and labels of monitors."""
    cluster = platform.cluster
    monitoring = cluster.addons.monitoring.model_copy(update={"labels": LABELS})
    update = {
        "registries": {name: mirror(name) for name in sorted({*_registries(platform)})},
        "charts": cluster.charts.model_copy(update={"mirror": CHARTS}),
        "image_pull_secrets": (OWN_SECRET,),
        "addons": cluster.addons.model_copy(update={"monitoring": monitoring}),
    }
    return replace(platform, cluster=cluster.model_copy(update=update))


def mirror(name: str) -> Registry:
    return Registry.model_validate({"mirror": f"{HOST}/{name}", "pullSecrets": [MIRROR_SECRET]})


def _registries(platform: Platform) -> Iterator[str]:
    for definition in DEFINITIONS:
        if definition.registries is not None:
            yield from definition.registries(platform.cluster)
        for chart in definition.charts:
            yield from (registry_of(image.repository) for image in chart.images)
