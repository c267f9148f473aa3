"""What Prometheus scrapes of the platform, and when it alerts.

Each component says what of its own is scraped and what is alerted on. It all stands here, in the
last wave: where a cluster lacks these kinds, nothing else waits for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.monitoring.objects import monitoring_objects
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


def _objects(platform: Platform) -> Iterator[Document]:
    added = platform.contribution
    return monitoring_objects(added.scraped, added.rules, platform.monitoring)


MONITORING = Definition(
    name="monitoring",
    description=__doc__,
    appears="unless the cluster leaves it to others",
    is_wanted=lambda platform: platform.monitoring.prometheus is not None,
    fields=(
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.interval",
        "addons.monitoring.labels",
        "addons.monitoring.runbooks",
        "addons.monitoring.gpuCounters",
        "pools.NAME.alerts",
        "driver.owner",
        # Of these is the hash by which the policies know the webhook's verdicts.
        "policies",
        "registries",
    ),
    # It stands in the namespaces of what it watches.
    depends_on=(
        "gpu-operator",
        "amd-gpu-operator",
        "node-problem-detector",
        "node-readiness-controller",
        "webhook",
    ),
    wave=Wave.EXTENSIONS,
    objects=_objects,
)
