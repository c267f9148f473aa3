"""A cluster of `controllers.yaml` that grows: nodes that Karpenter makes, pods, and jobs."""

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.peaks import Peak, Size, child, peak_of
from benchmarks.reviewed import cpu_pod
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import NO_CHECKPOINT, Asked
from gpuplane.workloads.workload import new_workload
from tests.binaries.control_plane import build_control_plane
from tests.binaries.node_provisioning import NodeProvisioning, build_node_provisioning
from tests.e2e.claims.cluster import write_release
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane, running_control_plane
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.jobs.training_operator import running_training_operator
from tests.e2e.more.karpenter.cluster import is_true
from tests.e2e.more.karpenter.instance_types import translated
from tests.e2e.more.karpenter.running import running_karpenter, running_kwok
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import pinned_files
from tests.e2e.releases.objects import applied, read_release

KARPENTER = "karpenter"
MAKING_NODES = f"{KARPENTER}, which makes them"
_CLUSTER = Path(__file__).with_name("controllers.yaml")
_TEAM = "research"
_NAMESPACES = [f"{_TEAM}-{number}" for number in range(10)]
_CLIENTS = 16
"""That create objects at once, each on a connection of its own."""
_PATIENCE_SECONDS = 1200.0
_INITIALIZED = "karpenter.sh/initialized"
_FIRST = "job-0"
_MADE = (("v1", "Service"), ("v1", "Pod"))
_SERVER_WRITES = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")


@dataclass(frozen=True)
class LoadedCluster:
    """A control plane that is loaded more and more; KWOK plays the kubelets meanwhile."""

    control_plane: ControlPlane
    platform: Platform
    release: Path
    provisioning: NodeProvisioning
    folder: Path
    logs: Path

    @property
    def client(self) -> ApiClient:
        return self.control_plane.admin

    def add_nodes(self, count: int) -> Peak:
        """Have Karpenter keep so many nodes; return what it took until pods can start there."""
        with self._kubelets(), self.karpenter():
            for each in map(translated, read_release(self.release, "node-pools")):
                if "replicas" in each.get("spec", {}):
                    each["spec"]["replicas"] = count
                self.client.apply(each, force="true")
            once_seen(lambda: len(self._nodes()), count.__eq__, "nodes", _PATIENCE_SECONDS)
            return peak_of(MAKING_NODES, Size(count), [child(KARPENTER)])

    def add_pods(self, count: int) -> None:
        """Create so many pods, as a Job makes them, on the nodes by turns."""
        nodes = self._nodes()
        with self._kubelets():
            self._create(_pod(n, nodes[n % len(nodes)]) for n in range(count))

    def add_jobs(self, count: int) -> None:
        """Have so many jobs, with what the training operator made of the first, and its status."""
        nodes, (first, *made) = self._nodes(), self._first_job
        numbers = range(len(self.client.find(first["apiVersion"], first["kind"])), count)
        with self._kubelets():
            jobs = self._create(_copy(first, number) for number in numbers)
            self._write_status({**job, "status": first["status"]} for job in jobs)
            for each in made:
                numbered = zip(numbers, jobs, strict=True)
                self._create(_owned(each, n, job, nodes[n % len(nodes)]) for n, job in numbered)

    @contextmanager
    def training_operator(self) -> Iterator[None]:
        folder, mirror = self.folder, pinned_files()
        with running_training_operator(self.control_plane, self.release, mirror, folder, self.logs):
            yield

    @contextmanager
    def karpenter(self) -> Iterator[None]:
        with running_karpenter(self.control_plane, self.platform, self.provisioning, self.logs):
            yield

    @contextmanager
    def _kubelets(self) -> Iterator[None]:
        """Play the kubelets until all pods run."""
        with running_kwok(self.control_plane, self.platform, self.provisioning, self.logs):
            yield
            once_seen(self._pods_to_start, lambda count: not count, "run", _PATIENCE_SECONDS)

    def _pods_to_start(self) -> int:
        query = {"fieldSelector": "status.phase=Pending,spec.nodeName!=", "limit": "1"}
        return len(self.client.find("v1", "Pod", **query))

    @cached_property
    def _first_job(self) -> tuple[Document, ...]:
        """Return a job that runs, with its Service and its pod, as the operator made them."""
        asked = Asked(
            kind="pytorchjob",
            name=_FIRST,
            team=_TEAM,
            namespace=_NAMESPACES[0],
            nodes=1,
            image="registry.example.com/team/train:1.0.0",
            checkpoint=NO_CHECKPOINT,
        )
        (job,) = new_workload(asked, self.platform).documents
        with self._kubelets(), self.training_operator():
            self.client.create(job)
            self.client.wait_for(job, _runs, _PATIENCE_SECONDS)
            made = [self.client.get(*kind, f"{_FIRST}-worker-0", _NAMESPACES[0]) for kind in _MADE]
        return (self.client.wait_for(job), *made)

    def _nodes(self) -> list[str]:
        """Return the names of the nodes on which pods can start."""
        selector = f"{_INITIALIZED}=true"
        found = self.client.find("v1", "Node", labelSelector=selector)
        return sorted(each["metadata"]["name"] for each in found)

    def _create(self, objects: Iterable[Document]) -> list[Document]:
        with ThreadPoolExecutor(_CLIENTS) as threads:
            return [answer.document for answer in threads.map(self.client.create, objects)]

    def _write_status(self, objects: Iterable[Document]) -> None:
        with ThreadPoolExecutor(_CLIENTS) as threads:
            list(threads.map(self.client.replace_status, objects))


@contextmanager
def loaded_cluster(folder: Path, logs: Path) -> Iterator[LoadedCluster]:
    """Run a control plane with the namespaces and priorities of jobs, and nothing else yet."""
    platform = load_platform(_CLUSTER, None)
    release = write_release(platform, folder / "release")
    (files := folder / "control-plane").mkdir()
    with running_control_plane(build_control_plane(), files, logs) as control_plane:
        for name in _NAMESPACES:
            make_namespace(control_plane.admin, name)
        with applied(control_plane.admin, read_release(release, "priority-classes")):
            provisioning = build_node_provisioning()
            yield LoadedCluster(control_plane, platform, release, provisioning, folder, logs)


def _pod(number: int, node: str) -> Document:
    """Return a pod as a Job makes it, without a claim, which leaves its node to the first job."""
    pod = cpu_pod()
    place = {"name": f"pod-{number}", "namespace": _NAMESPACES[number % len(_NAMESPACES)]}
    metadata = {key: pod["metadata"][key] for key in ("labels", "annotations")} | place
    unneeded: Document = {"resources": {}, "volumeMounts": []}
    containers = [{**each, **unneeded} for each in pod["spec"]["containers"]]
    spec = {**pod["spec"], "containers": containers, "volumes": [], "nodeName": node}
    return {**pod, "metadata": metadata, "spec": spec}


def _copy(document: Document, number: int) -> Document:
    """Return an object of the first job as one of another, which nobody has created yet."""
    copy: Document = json.loads(json.dumps(document).replace(_FIRST, f"job-{number}"))
    metadata = {key: each for key, each in copy["metadata"].items() if key not in _SERVER_WRITES}
    return {**copy, "metadata": {**metadata, "namespace": _NAMESPACES[number % len(_NAMESPACES)]}}


def _owned(document: Document, number: int, owner: Document, node: str) -> Document:
    copy = _copy(document, number)
    copy["metadata"]["ownerReferences"][0]["uid"] = owner["metadata"]["uid"]
    if copy["kind"] == "Pod":
        copy["spec"]["nodeName"] = node
    return copy


def _runs(job: Document) -> bool:
    return is_true(job, "Running")
