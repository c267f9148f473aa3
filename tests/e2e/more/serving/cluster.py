"""A cluster that serves, with a Prometheus that scrapes what its models answer."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import NO_CHECKPOINT, Asked
from gpuplane.workloads.workload import Workload, new_workload
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.binaries.prometheus import find_prometheus
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane, running_control_plane
from tests.e2e.monitoring.loopback import serving
from tests.e2e.monitoring.prometheus import running_prometheus
from tests.e2e.more.serving.answers import AnsweringReplicas
from tests.e2e.more.serving.kubelet import Kubelet
from tests.e2e.releases.crds import install_unserved
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.serving.cluster import NAMESPACE, load_serving

NAME = "chat"
_COMPONENTS = ("priority-classes", "team-assistants", "team-research", "inference-pools")
_MODEL = {
    "kind": "llm",
    "name": NAME,
    "team": "research",
    "weights": "oci://registry.example.com/weights:1.0/models",
    "parameters": "8B",
    # No provisioner of volumes is here.
    "checkpoint": NO_CHECKPOINT,
}


@dataclass(frozen=True, slots=True)
class ServedCluster:
    platform: Platform
    control_plane: ControlPlane
    kubelet: Kubelet
    replicas: AnsweringReplicas

    @property
    def client(self) -> ApiClient:
        return self.control_plane.admin

    def new(self, image: str, **fields: Any) -> Workload:
        """Return what `gpuplane new llm` prints for a model that is served by an image."""
        return new_workload(Asked(image=image, **{**_MODEL, **fields}), self.platform)

    def apply(self, documents: Sequence[Document]) -> None:
        install_unserved(self.client, documents)
        for each in documents:
            self.client.apply(each)


@contextmanager
def served_cluster(
    binaries: ControlPlaneBinaries, folder: Path, logs: Path, *options: str
) -> Iterator[ServedCluster]:
    """Run it until the context ends, its API server with such options; raise ComponentError."""
    with ExitStack() as stack:
        control_plane = stack.enter_context(running_control_plane(binaries, folder, logs, *options))
        client = control_plane.admin
        kubelet = Kubelet(client, NAMESPACE)
        # The Prometheus operator names the job of a PodMonitor so.
        labels = {"namespace": NAMESPACE, "job": f"{NAMESPACE}/{NAME}"}
        replicas = AnsweringReplicas(labels, kubelet.images)
        port = stack.enter_context(serving(replicas.reply))
        scraped = {
            "job_name": "models",
            "honor_labels": True,
            "static_configs": [{"targets": [f"127.0.0.1:{port}"]}],
        }
        prometheus = stack.enter_context(
            running_prometheus(
                find_prometheus().prometheus, [scraped], [], "127.0.0.1:9", folder, logs
            )
        )
        platform = load_serving(prometheus.url)
        stack.enter_context(applied(client, rendered(platform, *_COMPONENTS)))
        stack.enter_context(joined(client, *_nodes(platform)))
        yield ServedCluster(platform, control_plane, kubelet, replicas)


def _nodes(platform: Platform) -> list[Document]:
    """Return nodes of its pool, with disks for what engines compile."""
    nodes = nodes_of(platform, "h100", 2)
    for each in nodes:
        each["status"]["capacity"] |= {"ephemeral-storage": "1Ti"}
        each["status"]["allocatable"] = each["status"]["capacity"]
    return nodes
