"""How many objects the quotas of a team's namespace bound, by the GPUs that it can hold."""

from charts_py.cluster_file.team import Quota

_PODS = 100
_PODS_PER_GPU = 2
_OBJECTS = 100
_GPUS_PER_OBJECT = 8
_JOBS = 10
"""For each of what is written: jobs wait in queues, and stay after they have ended. Each has left a
pod then, and one of a thousand completions all of them (`podObjectCountName` in
https://github.com/kubernetes/kubernetes, pkg/quota/v1/evaluator/core/pods.go at v1.37.1)."""


def most_written(quota: Quota, allocations: int) -> int:
    """Return how many objects of each kind users may write."""
    return _OBJECTS + allocations // _GPUS_PER_OBJECT if quota.objects is None else quota.objects


def most_jobs(quota: Quota, allocations: int) -> int:
    return most_written(quota, allocations) * _JOBS


def most_pods(quota: Quota, allocations: int) -> int:
    """Return how many pods that have not ended there may be."""
    return _PODS + _PODS_PER_GPU * allocations if quota.pods is None else quota.pods
