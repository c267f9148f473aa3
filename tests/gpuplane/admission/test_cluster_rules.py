"""Jobs of a manager of MultiKueue are judged by the rules of its workers."""

from typing import Any

import pytest

from charts_py.components.kueue.api import PRIORITY
from gpuplane.admission.cluster_rules import ClusterRules
from policies.engine import Engine
from policies.settings import Settings

WORKERS = {"worker": Engine(Settings("worker"))}
MANAGER = Engine(Settings("manager", queue_priority=PRIORITY))
JOB, TRAINING = "batch/v1 Job", "kubeflow.org/v1 PyTorchJob"


def _object(kind: str, namespace: str) -> dict[str, Any]:
    api_version, _, name = kind.partition(" ")
    return {"apiVersion": api_version, "kind": name, "metadata": {"namespace": namespace}}


@pytest.mark.parametrize(
    ("made", "namespace", "elsewhere"),
    [
        ([(JOB, "train")], None, True),
        ([(JOB, "train"), (TRAINING, "train")], None, True),
        ([(JOB, "web")], None, False),
        ([(JOB, "")], None, False),
        ([(JOB, "train"), (JOB, "web")], None, False),
        ([(JOB, "web")], "train", True),
        ([(JOB, "train")], "web", False),
        ([("apps/v1 Deployment", "train")], None, False),
        ([(JOB, "train"), ("apps/v1 Deployment", "train")], None, False),
        ([("apps/v1 StatefulSet", "train")], None, False),
        ([("leaderworkerset.x-k8s.io/v1 LeaderWorkerSet", "train")], None, False),
        ([], None, False),
    ],
)
def test_workers_run_jobs_of_the_namespaces_that_they_take(
    made: list[tuple[str, str]], namespace: str | None, *, elsewhere: bool
) -> None:
    listed = {"apiVersion": "v1", "kind": "List", "items": [_object(*one) for one in made]}
    rules = ClusterRules(MANAGER, WORKERS, ("train",))
    assert rules.elsewhere(listed, namespace) == (WORKERS if elsewhere else {})
    assert (
        ClusterRules(Engine(Settings("alone")), WORKERS, ("train",)).elsewhere(listed, None) == {}
    )
