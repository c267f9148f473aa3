"""The settings of the rules by namespace, of the clusters whose namespaces the docs name."""

from functools import cache
from pathlib import Path

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platform, load_platforms
from charts_py.platform.policy_settings import policy_settings
from policies.settings import Settings

ROOT = Path(__file__).parents[1]

RACKS = ROOT / "tests" / "charts_py" / "samples" / "nvl72.yaml"
"""A cluster with arm64 machines, which no example has."""
SCHEDULED = ROOT / "tests" / "charts_py" / "samples" / "volcano.yaml"
"""A cluster whose queues are those of a scheduler, likewise."""

SECURED = ROOT / "tests" / "charts_py" / "samples" / "pod-security.yaml"
"""A cluster that adds what the level `restricted` demands, likewise."""


@cache
def namespace_settings() -> dict[str, Settings]:
    platforms = load_platforms(find_cluster_files(ROOT / "clusters"))
    samples = (load_platform(file, None) for file in (RACKS, SCHEDULED, SECURED))
    return {
        namespace: settings
        for settings in map(policy_settings, (*platforms, *samples))
        for namespace in settings.namespaces
    }
