"""How a server ends: it gets no more connections, finishes its requests, and is gone in time.

The grace period begins with the hook, not after it
(https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination). The seconds are
those of llm-d (https://github.com/llm-d/llm-d, docs/operations/lifecycle/graceful-shutdown.md), and
less where a spot node is gone before.
"""

from collections.abc import Iterator
from typing import NamedTuple

from charts_py.cluster_file.fault import Problem
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

_WHOLE = 75
_OPTION = ("--drain",)


class Drain(NamedTuple):
    """Seconds in which a server ends."""

    hook: int
    """Until it gets SIGTERM. No new connection reaches it any more, nor a request by the Gateway; a
    client of its Service that keeps a connection open may still send requests by it."""
    requests: int
    """For those that it has."""
    whole: int
    """Until it is killed."""


def drain(request: Request) -> Drain:
    whole = min(_WHOLE, _most(request))
    usual = Drain(whole // 5, whole * 3 // 5, whole)
    asked = request.served.drain
    return usual if asked is None else Drain(usual.hook, asked, asked + 2 * usual.hook)


def drain_problems(request: Request) -> Iterator[Problem]:
    asked, most = request.served.drain, _most(request)
    others = 2 * (min(_WHOLE, most) // 5)
    if asked is None or 1 <= asked <= most - others:
        return
    why = "" if asked < 1 else f": a pod of pool {request.pool.name} is gone after {most} seconds"
    beside = f", of which {others} are for its Services and to end" if why else ""
    yield Problem(_OPTION, f"{asked} is out of bounds{why}{beside}", f"1 to {most - others}")


def _most(request: Request) -> int:
    """Return the seconds that a pod has at most: by the rule `grace-period`, and on spot nodes."""
    most = request.settings.max_grace_period_seconds
    notice = request.platform.provider.spot_notice if request.pool.facts.spot_taint else None
    return min(most, notice or most)


def grace_period(request: Request) -> dict[str, Tree]:
    seconds = drain(request)
    rest = seconds.whole - seconds.hook - seconds.requests
    why = f"{seconds.hook} for the hook, {seconds.requests} for its requests, {rest} to end"
    return {"terminationGracePeriodSeconds": Because(seconds.whole, why)}


def hook(request: Request) -> dict[str, Tree]:
    return _sleep(drain(request).hook, "until Services lead no new connection to it")


def hook_of_worker(request: Request) -> dict[str, Tree]:
    seconds = drain(request)
    return _sleep(seconds.hook + seconds.requests, "its leader still answers what it has")


def _sleep(seconds: int, why: str) -> dict[str, Tree]:
    return {"lifecycle": {"preStop": Because({"sleep": {"seconds": seconds}}, why)}}
