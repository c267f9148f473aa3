"""What the manager of MultiKueue may do in a worker."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from charts_py.components.kueue_queues.manager_access import manager_access
from charts_py.load import load_platform

if TYPE_CHECKING:
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def worker() -> Platform:
    """Return the sample that runs jobs for another."""
    return load_platform(SAMPLES / "multikueue-worker.yaml", None)


def _rights(role: Document) -> dict[str, set[str]]:
    """Return the verbs of a role by `resource.group`."""
    rights: dict[str, set[str]] = {}
    for rule in role["rules"]:
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                name = f"{resource}.{group}".removesuffix(".")
                rights.setdefault(name, set()).update(rule["verbs"])
    return rights


def test_the_manager_has_an_account_with_a_token_that_is_not_rendered(worker: Platform) -> None:
    account, token, *_ = manager_access(worker)
    place = {
        "name": "multikueue",
        "namespace": "kueue-system",
        "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
    }
    assert account == {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": place,
        "automountServiceAccountToken": False,
    }
    assert token == {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            **place,
            "annotations": {"kubernetes.io/service-account.name": "multikueue"},
        },
        "type": "kubernetes.io/service-account-token",
    }


def test_it_reads_the_kinds_that_the_worker_has_and_makes_them(worker: Platform) -> None:
    _, _, reader, writer, _ = manager_access(worker)
    kinds = {
        "jobs.batch",
        "jobsets.jobset.x-k8s.io",
        "pods",
        "rayclusters.ray.io",
        "rayjobs.ray.io",
        "rayservices.ray.io",
        "statefulsets.apps",
        "workloads.kueue.x-k8s.io",
    }
    assert _rights(reader) == {kind: {"get", "list", "watch"} for kind in kinds}
    changed = {"create", "delete", "patch"}
    assert _rights(writer) == {
        **{kind: {"create", "delete"} for kind in kinds},
        "jobs.batch": changed,
        "rayclusters.ray.io": changed,
        "rayservices.ray.io": changed,
        "workloads.kueue.x-k8s.io": {*changed, "update"},
        "workloads/status.kueue.x-k8s.io": {"get", "patch", "update"},
    }


def test_it_reads_everywhere_and_writes_only_where_it_takes_jobs(worker: Platform) -> None:
    *_, everywhere = manager_access(worker)
    assert (everywhere["kind"], everywhere["roleRef"]["name"]) == (
        "ClusterRoleBinding",
        "multikueue-reader",
    )
    added = {
        namespace.name: [
            (each["kind"], each["metadata"]["name"])
            for each in worker.contribution.teams[namespace.name]["kueue-queues"].objects
        ]
        for namespace in worker.namespaces
    }
    queue = ("LocalQueue", "default")
    assert added == {
        "research-training": [queue, ("RoleBinding", "multikueue")],
        "vision-training": [queue],
    }


def test_a_cluster_that_is_no_worker_lets_nobody_in() -> None:
    manager = load_platform(SAMPLES / "multikueue-manager.yaml", None)
    assert list(manager_access(manager)) == []
