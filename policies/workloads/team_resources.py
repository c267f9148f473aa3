"""What RBAC and network policies need to know of the workloads that teams run."""

from collections.abc import Iterable
from typing import TypeAlias

from policies.workloads.registry import WORKLOAD_KINDS, Author, Status, WorkloadKind

Resources: TypeAlias = dict[str, tuple[str, ...]]
"""Resources, with their subresources, by API group, as RBAC names them; both sorted."""


def created_resources() -> Resources:
    return _by_group(_of(Author.TEAM))


def read_only_resources() -> Resources:
    """Return the workloads in a team's namespaces that others write.

    They show what happens to the team's own workloads, as a ReplicaSet or a Workload of Kueue does.
    """
    return _by_group(_of(Author.PLATFORM, Author.CONTROLLER))


def status_resources() -> Resources:
    """Return the `status` of each workload in a team's namespaces, which its controller writes.

    Upstream's roles let users `get` it, and nothing else
    (https://github.com/kubernetes-sigs/jobset, charts/jobset/templates/rbac; Kueue, KubeRay and
    LeaderWorkerSet alike).
    """
    shown = (Status.READ, Status.WRITTEN)
    return _by_group((kind for kind in _of(*Author) if kind.status in shown), "/status")


def written_status_resources() -> Resources:
    """Return the `status` of workloads that a client of the team writes."""
    return _by_group(
        (kind for kind in _of(Author.TEAM) if kind.status is Status.WRITTEN), "/status"
    )


def scale_resources() -> Resources:
    return _by_group((kind for kind in _of(Author.TEAM) if kind.has_scale), "/scale")


def isolated_job_labels() -> dict[str, str]:
    """Return the labels of jobs whose pods only reach those of such jobs, by who sets them."""
    labels = {kind.job_label for kind in WORKLOAD_KINDS if kind.job_label is not None}
    return dict(sorted((label.owner, label.key) for label in labels if label.is_isolated))


def _of(*authors: Author) -> Iterable[WorkloadKind]:
    named = (kind for kind in WORKLOAD_KINDS if kind.is_in_roles and kind.is_namespaced)
    return (kind for kind in named if kind.author in authors)


def _by_group(kinds: Iterable[WorkloadKind], subresource: str = "") -> Resources:
    resources: dict[str, list[str]] = {}
    for kind in kinds:
        resources.setdefault(kind.group, []).append(f"{kind.resource}{subresource}")
    return {group: tuple(sorted(names)) for group, names in resources.items()}
