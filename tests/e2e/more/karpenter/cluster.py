"""An example cluster whose nodes Karpenter makes."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.binaries.control_plane import ControlPlaneBinaries
from tests.binaries.node_provisioning import NodeProvisioning
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import running_control_plane
from tests.e2e.more.karpenter.instance_types import translated
from tests.e2e.more.karpenter.running import running_karpenter, running_kwok
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, read_release
from tests.e2e.scheduling.placements import is_ending
from tests.e2e.webhook.registration import running_webhook

PATIENCE_SECONDS = 180.0
_NODE_POOL = "karpenter.sh/nodepool"
_NODE_CLAIM = ("karpenter.sh/v1", "NodeClaim")


@dataclass(frozen=True, slots=True)
class ProvisionedCluster:
    """A cluster with the node pools of a release, its teams, and its webhook in the path."""

    platform: Platform
    client: ApiClient

    def claims(self, node_pool: str) -> list[Document]:
        """Return the NodeClaims of a NodePool that Karpenter is not about to end."""
        selector = f"{_NODE_POOL}={node_pool}"
        found = self.client.find(*_NODE_CLAIM, labelSelector=selector)
        return [each for each in found if not is_ending(each)]

    def claims_of(self, pool_name: str) -> list[Document]:
        """Return those of a pool: of its minimum size, and of what follows the pods."""
        return [*self.claims(f"{pool_name}.minimum"), *self.claims(pool_name)]

    def wait_for_claims(self, pool_name: str, count: int) -> list[Document]:
        """Return the NodeClaims of a pool once it has so many, and the node of each is initialized.

        Raises TimeoutError with their conditions.
        """
        return self._wait_for_claims(count, f"{pool_name}.minimum", pool_name)

    def wait_for_minimum(self, pool_name: str, count: int) -> list[Document]:
        """Return those of its minimum size, likewise."""
        return self._wait_for_claims(count, f"{pool_name}.minimum")

    def _wait_for_claims(self, count: int, *node_pools: str) -> list[Document]:
        return once_seen(
            lambda: [claim for name in node_pools for claim in self.claims(name)],
            lambda found: len(found) == count and all(is_true(e, "Initialized") for e in found),
            f"{count} of {', '.join(node_pools)}",
            PATIENCE_SECONDS,
        )

    def node_of(self, claim: Document) -> Document:
        return self.client.get("v1", "Node", claim["status"]["nodeName"])

    def running_pods(self, namespace: str, count: int) -> list[Document]:
        """Return the running pods of a namespace once there are so many; raise TimeoutError."""
        pods = once_seen(
            lambda: self.client.find("v1", "Pod", namespace),
            lambda found: sum(map(is_running, found)) == count,
            f"{count} run in {namespace}",
            PATIENCE_SECONDS,
        )
        return list(filter(is_running, pods))

    def wait_for_event(self, name: str, words: str) -> str:
        """Return what an event of an object says that has some words; raise TimeoutError."""
        selector = f"involvedObject.name={name}"
        events = once_seen(
            lambda: self.client.find("v1", "Event", fieldSelector=selector),
            lambda found: any(words in each["message"] for each in found),
            f"an event of {name} says {words}",
            PATIENCE_SECONDS,
        )
        return next(str(each["message"]) for each in events if words in each["message"])


@contextmanager
def provisioned_cluster(
    platform: Platform,
    release: Path,
    control_plane: ControlPlaneBinaries,
    provisioning: NodeProvisioning,
    folder: Path,
    logs: Path,
) -> Iterator[ProvisionedCluster]:
    """Run a cluster with what a release of a platform has of nodes, teams and the webhook."""
    teams = sorted(each.name for each in release.glob("team-*"))
    objects = read_release(release, "namespaces", "priority-classes", *teams)
    with ExitStack() as stack:
        running = stack.enter_context(running_control_plane(control_plane, folder, logs))
        stack.enter_context(running_kwok(running, platform, provisioning, logs))
        stack.enter_context(running_karpenter(running, platform, provisioning, logs))
        stack.enter_context(applied(running.admin, objects))
        (webhook := folder / "webhook").mkdir()
        stack.enter_context(running_webhook(running.admin, release, webhook, logs))
        for each in read_release(release, "node-pools"):
            running.admin.apply(translated(each))
        yield ProvisionedCluster(platform, running.admin)


def is_true(document: Document, condition: str) -> bool:
    conditions = document.get("status", {}).get("conditions", ())
    return (condition, "True") in {(each["type"], each["status"]) for each in conditions}


def is_running(pod: Document) -> bool:
    """Tell whether a pod runs, and is not about to end."""
    return pod["status"]["phase"] == "Running" and not is_ending(pod)
