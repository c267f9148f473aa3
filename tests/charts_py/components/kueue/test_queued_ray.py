"""Which Ray clusters of teams the API server refuses, since Kueue would count fewer workers."""

from collections.abc import Callable
from typing import Any

import pytest

from charts_py.components.kueue.queue_policies import IS_CONTROLLER, MAY_ADMIT
from charts_py.components.kueue.queued_ray import QUEUED_RAY
from tests.charts_py.components.kueue.refusals import refusals
from tests.rows import rows_beside

rows = rows_beside(__file__, "test_queued_ray.yaml")
IN_SPEC: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "RayCluster": lambda cluster: cluster,
    "RayCronJob": lambda cluster: {"jobTemplate": {"rayClusterSpec": cluster}},
    "RayJob": lambda cluster: {"rayClusterSpec": cluster},
    "RayService": lambda cluster: {"rayClusterConfig": cluster},
}


def _ray(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": "work", "namespace": "team"}, "spec": spec}


@rows("workers")
def test_kueue_counts_as_many_workers_as_kuberay_makes(
    kind: str, before: dict[str, Any] | None, sent: dict[str, Any], why: list[str]
) -> None:
    old = None if before is None else _ray(kind, before)
    new = _ray(kind, sent)
    assert refusals(QUEUED_RAY, new, old) == why
    trusted = [refusals(QUEUED_RAY, new, old, each) for each in (MAY_ADMIT, IS_CONTROLLER)]
    assert trusted == [[], []]


@pytest.mark.parametrize("kind", IN_SPEC)
def test_groups_are_found_in_every_kind(kind: str) -> None:
    groups = {"workerGroupSpecs": [{"groupName": "workers", "minReplicas": 12}]}
    (told,) = refusals(QUEUED_RAY, _ray(kind, IN_SPEC[kind](groups)))
    assert told.startswith("The worker group workers has fewer replicas than minReplicas")
