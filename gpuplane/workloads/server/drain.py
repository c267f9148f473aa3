"""How a server ends: it gets no more requests, finishes those that it has, and is gone in time.

The grace period begins with the hook, not after it
(https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination). The seconds are
those of llm-d (https://github.com/llm-d/llm-d, docs/operations/lifecycle/graceful-shutdown.md), and
less where a spot node is gone before.
"""

from typing import NamedTuple

from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

_WHOLE = 75


class Drain(NamedTuple):
    """Seconds in which a server ends."""

    hook: int
    """Until it gets SIGTERM, and no more requests."""
    requests: int
    """For those that it has."""
    whole: int
    """Until it is killed."""


def drain(request: Request) -> Drain:
    notice = request.platform.provider.spot_notice if request.pool.facts.spot_taint else None
    whole = min(_WHOLE, notice or _WHOLE, request.settings.max_grace_period_seconds)
    return Drain(whole // 5, whole * 3 // 5, whole)


def grace_period(request: Request) -> dict[str, Tree]:
    seconds = drain(request)
    rest = seconds.whole - seconds.hook - seconds.requests
    why = f"{seconds.hook} for the hook, {seconds.requests} for its requests, {rest} to end"
    return {"terminationGracePeriodSeconds": Because(seconds.whole, why)}


def hook(request: Request) -> dict[str, Tree]:
    return _sleep(drain(request).hook, "until Services lead to it no longer")


def hook_of_worker(request: Request) -> dict[str, Tree]:
    seconds = drain(request)
    return _sleep(seconds.hook + seconds.requests, "its leader still answers what it has")


def _sleep(seconds: int, why: str) -> dict[str, Tree]:
    return {"lifecycle": {"preStop": Because({"sleep": {"seconds": seconds}}, why)}}
