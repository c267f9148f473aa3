"""The sample that serves, with the Prometheus by which its servers are scaled and judged."""

from dataclasses import dataclass, replace

from charts_py.cluster_file.addons import Monitoring
from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.folders import SAMPLES

NAMESPACE = "research-serving"
"""The namespace of inference of the team research."""


@dataclass(frozen=True, slots=True)
class ServingCluster:
    platform: Platform
    admin: ApiClient

    @property
    def member(self) -> ApiClient:
        """A client of a member of the team research."""
        return self.admin.impersonating("someone", "research", "system:authenticated")


def load_serving(
    prometheus_url: str = "http://prometheus-operated.monitoring.svc:9090",
) -> Platform:
    platform = load_platform(SAMPLES / "serving.yaml", None)
    stated = {"prometheus": "operator", "prometheusUrl": prometheus_url}
    monitoring = Monitoring.model_validate(stated)
    addons = platform.cluster.addons.model_copy(update={"monitoring": monitoring})
    return replace(platform, cluster=platform.cluster.model_copy(update={"addons": addons}))
