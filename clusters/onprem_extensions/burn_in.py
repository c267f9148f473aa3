"""Burn-in tests, which the data centre team runs on idle GPUs."""

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.platform import Platform


def burn_in_priority(scope: Construct, platform: Platform) -> None:
    """Add a PriorityClass below the whole ladder, so that any other pod evicts a test."""
    lowest = min(priority.value for priority in platform.cluster.priorities.values())
    body = {
        "value": lowest - 1,
        "globalDefault": False,
        "preemptionPolicy": "Never",
        "description": "Burn-in tests on idle GPUs.",
    }
    add_object(scope, "scheduling.k8s.io/v1", "PriorityClass", ObjectMeta("burn-in"), body)
