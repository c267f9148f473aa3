"""One round of culling: what is idle ends, or it is said that it would."""

from __future__ import annotations

import datetime as dt
from http import HTTPStatus
from typing import TYPE_CHECKING

from culling.api_server import ApiServerError, object_path
from culling.ending import end
from culling.gpu_use import gpu_use
from culling.outcome import Decision, Outcome, event
from culling.settings import Action
from culling.workload import workloads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from culling.api_server import ApiServer
    from culling.prometheus import Prometheus
    from culling.settings import Settings
    from culling.workload import Workload


def cull(settings: Settings, prometheus: Prometheus, server: ApiServer) -> Iterator[Outcome]:
    """Yield what becomes of each workload with idle GPUs, as it does.

    Raises PrometheusError and ApiServerError before anything ends; a refusal to end one workload is
    an outcome of that one.
    """
    now = dt.datetime.now(dt.UTC)
    use = gpu_use(prometheus, settings.queries)
    found = tuple(workloads(server, use, settings.namespaces))
    idle = [
        each for each in found if each.reason_to_stay is None and not each.owner.reason_left_alone
    ]
    excess = _excess(idle, use.capacity, settings.max_percent)
    for workload in found:
        if reason := workload.reason_to_stay:
            yield Outcome(workload, Decision.IN_USE, now, reason)
        elif reason := workload.owner.reason_left_alone:
            yield Outcome(workload, Decision.LEFT_ALONE, now, reason)
        elif excess:
            yield Outcome(workload, Decision.TOO_MANY, now, excess)
        else:
            yield _act(server, workload, settings.action, now)


def _excess(idle: Sequence[Workload], capacity: float, max_percent: int) -> str:
    """Return why nothing may end; empty where it may."""
    gpus = sum(workload.gpus for workload in idle)
    if gpus * 100 <= capacity * max_percent:
        return ""
    return f"{gpus:g} of {capacity:g} GPUs would go at once, more than {max_percent} %"


def _act(server: ApiServer, workload: Workload, action: Action, now: dt.datetime) -> Outcome:
    decision = Decision.WOULD_END
    if action is Action.END:
        try:
            end(server, workload, now)
        except ApiServerError as error:
            is_blocked = error.status == HTTPStatus.TOO_MANY_REQUESTS
            refused = Decision.BLOCKED if is_blocked else Decision.FAILED
            return Outcome(workload, refused, now, str(error))
        decision = Decision.ENDED
    return Outcome(workload, decision, now, _report(server, workload, decision, now))


def _report(server: ApiServer, workload: Workload, decision: Decision, now: dt.datetime) -> str:
    """Create an Event; return why there is none, or nothing."""
    events = object_path("v1", "events", workload.owner.namespace)
    try:
        server.create(events, event(workload, decision, now))
    except ApiServerError as error:
        return f"without an Event: {error}"
    return ""
