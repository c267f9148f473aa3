"""Alerts that are alike for the operators of jobs, and what they are made of."""

from collections.abc import Iterable

from charts_py.metrics.kube_state import (
    CONTAINER_RESTARTS,
    DEPLOYMENT_AVAILABLE,
    POD_OWNER,
    POD_PHASE,
)
from charts_py.platform.alert import Alert, Severity
from charts_py.platform.prerequisite import Prerequisite

KUBE_STATE_METRICS = Prerequisite(
    name="kube-state-metrics",
    needed="for the alerts that it, or a part of it, is away",
    without="they do not fire",
)
"""For a component of which `operator_down` alone reads them."""

_JOB = "namespace, owner_kind, owner_name"
_POD = "namespace, pod, uid"
_RESTARTS = 3


def operator_down(
    name: str,
    deployment: str,
    namespace: str,
    effect: str,
    severity: Severity = Severity.WARNING,
) -> Alert:
    """Return the alert on an operator no replica of which is available."""
    selector = f'namespace="{namespace}", deployment="{deployment}"'
    return Alert(
        name=name,
        expression=f"max({DEPLOYMENT_AVAILABLE.name}{{{selector}}}) == 0",
        lasting="10m",
        severity=severity,
        summary=f"No replica of {deployment} is available: {effect}.",
        remedy=f"Look at the pods in {namespace}, their events first: an image that cannot be"
        " pulled, a certificate that is missing. What runs already goes on.",
        source="Ten minutes are more than a replica takes to be drained and to start elsewhere.",
    )


def half_started(name: str, kinds: Iterable[str]) -> Alert:
    """Return the alert on jobs of these kinds some of whose pods run while others wait."""
    waiting, running = (_pods_of_jobs(phase, kinds) for phase in ("Pending", "Running"))
    return Alert(
        name=name,
        expression=f"{waiting} and on ({_JOB}) {running}",
        lasting="30m",
        severity=Severity.WARNING,
        summary="{{ $value }} pods of {{ $labels.owner_kind }} {{ $labels.owner_name }} in"
        " {{ $labels.namespace }} wait while others run: their GPUs do nothing meanwhile.",
        remedy="`kubectl describe` of a pod that waits says what for. With `queues` a job starts"
        " as a whole or not at all (docs/queues.md); else end it, or another one.",
        source="Half an hour is more than a node takes to start, and an image of 20 GB to be"
        " pulled.",
    )


def restarts(name: str, kinds: Iterable[str]) -> Alert:
    """Return the alert on jobs of these kinds that begin again and again."""
    owners = f"last_over_time({_owners(kinds)}[1h])"
    by_name = f"max by (namespace, pod, owner_kind, owner_name) ({owners})"
    made_again = f"count by (namespace, pod) (max by ({_POD}) ({owners})) - 1"
    grown = f"round(increase({CONTAINER_RESTARTS.name}[1h]))"
    in_place = f"sum by (namespace, pod) (max by ({_POD}, container) ({grown}))"
    begun = f"(({made_again}) + on (namespace, pod) ({in_place}))"
    of_jobs = f"{by_name} * on (namespace, pod) group_left () {begun}"
    return Alert(
        name=name,
        expression=f"max by ({_JOB}) ({of_jobs}) >= {_RESTARTS}",
        lasting="0m",
        severity=Severity.WARNING,
        summary="A pod of {{ $labels.owner_kind }} {{ $labels.owner_name }} in"
        ' {{ $labels.namespace }} began again {{ $value | printf "%.0f" }} times within an hour:'
        " what the job did since its last checkpoint is lost each time.",
        remedy="Look at why its pods end: `kubectl describe` of the job, the logs of earlier pods,"
        " and whether it is always the same node.",
        source="By the pod that began most often, in place or made again under its name, so that"
        f" a node with several pods counts once. {_RESTARTS} an hour are more than nodes that are"
        " drained one after another make.",
    )


def grown_in_an_hour(counter: str, labels: str) -> str:
    """Return by how much a counter grew, by labels; one that is new had grown from 0 before."""
    new = f"({counter} unless last_over_time({counter}[2h] offset 1h))"
    return f"sum by ({labels}) (({new} or increase({counter}[1h])) > 0)"


def _pods_of_jobs(phase: str, kinds: Iterable[str]) -> str:
    """Return how many pods of each job are in a phase, by one kube-state-metrics or several."""
    pods = f'max by ({_POD}) ({POD_PHASE.name}{{phase="{phase}"}}) == 1'
    owners = f"max by ({_POD}, owner_kind, owner_name) ({_owners(kinds)})"
    return f"count by ({_JOB}) ({owners} and on ({_POD}) ({pods}))"


def _owners(kinds: Iterable[str]) -> str:
    return f'{POD_OWNER.name}{{owner_kind=~"{"|".join(kinds)}", owner_is_controller="true"}}'
