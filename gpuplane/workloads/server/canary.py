"""How Argo Rollouts replaces a server: a few replicas first, the rest as their metrics allow.

Without traffic routing a Service leads to old and new replicas alike, so that the weight of the new
ones is their part of the replicas, and a rollout never makes more than `maxSurge` beside these
(https://argo-rollouts.readthedocs.io/en/stable/features/canary/). A measurement that neither
succeeds nor fails, as of no metrics or no requests, is inconclusive, and the rollout pauses
(https://argo-rollouts.readthedocs.io/en/stable/features/analysis/#inconclusive-runs).
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem, counted
from gpuplane.workloads.metadata import companion
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.ports import REVISION
from gpuplane.workloads.server.scaling import own_metrics
from gpuplane.workloads.serving.engine import Answers
from gpuplane.workloads.surge import has_own_volume

ROLLOUT_TYPE = ("argoproj.io/v1alpha1", "Rollout")
_OPTION = ("--canary",)
_MINUTES = 5
"""Over which requests are counted, and for how long they are judged after that."""
_FAILED = 0.01
"""The part of requests that may fail."""
_SLOWER = 2
"""Buckets of histograms are about as far apart."""
_SILENT = 30
"""Tries in a row that Prometheus does not answer, one every ten seconds."""
_PROMOTE = "kubectl argo rollouts promote"


def canary_strategy(request: Request, bounds: Because) -> Tree:
    steps = [step for weight in _weights(request) for step in _step(request, weight)]
    most = f"at most {most_gpus(request)} GPUs at once beside those of replicas that end"
    why = f"{bounds.reason}, so that a rollout takes {most}"
    return {"canary": Because({**bounds.value, "steps": steps}, why)}


def canary_deadline(request: Request) -> dict[str, Tree]:
    why = "new replicas that do not start in time go, and old ones come back"
    return {"progressDeadlineAbort": Because(True, why)} if request.canary else {}


def most_gpus(request: Request) -> int:
    return request.pods * request.gpus


def _weights(request: Request) -> Iterator[int]:
    """Yield percentages: one replica, then half of them; all follow the last step."""
    least = -(-100 // max(request.replicas, 2))
    yield least
    if request.replicas > 3:
        yield 50


def _step(request: Request, weight: int) -> Iterator[Tree]:
    yield {"setWeight": Because(weight, f"percent of {request.replicas} replicas, rounded")}
    answers = _answers(request)
    if answers is None:
        yield {"pause": Because({}, f"nothing measures it: `{_PROMOTE} {request.name}` goes on")}
        return
    arguments = [
        {"name": name, "valueFrom": {"podTemplateHashValue": which}}
        for name, which in _revisions(answers).items()
    ]
    templates = [{"templateName": request.name}]
    why = "it goes on where this succeeds, back where it fails, and waits where it is inconclusive"
    yield {"analysis": Because({"templates": templates, "args": arguments}, why)}


def _revisions(answers: Answers) -> dict[str, str]:
    """Return the revisions whose requests are judged, by the names of arguments."""
    return {"new": "Latest", **({"old": "Stable"} if answers.first_token else {})}


def _answers(request: Request) -> Answers | None:
    """Return how its requests are judged; None where Prometheus does not know, or is not known."""
    engine, platform = request.served.engine, request.platform
    is_known = platform.monitoring.has_operator
    if engine is None or not is_known or not platform.cluster.addons.monitoring.prometheus_url:
        return None
    return engine.answers


def analysis_template(request: Request) -> Iterator[Tree]:
    answers = _answers(request)
    if not request.canary or answers is None:
        return
    metrics = [_metric(request, *each) for each in _judged(request, answers)]
    spec = {"args": [{"name": each} for each in _revisions(answers)], "metrics": metrics}
    yield companion(request, "argoproj.io/v1alpha1", "AnalysisTemplate", spec)


def _judged(request: Request, answers: Answers) -> Iterator[tuple[str, str, float, str]]:
    failed, every = (_rate(request, each, "new") for each in (answers.failed, answers.every))
    # What never failed may have no series; without requests the quotient is not a number.
    query = f"(sum({failed}) or vector(0)) / sum({every})"
    yield "errors", query, _FAILED, f"requests to new replicas of which {_FAILED:.0%} may fail"
    if answers.first_token:
        new, old = (_slowest(request, answers.first_token, each) for each in ("new", "old"))
        why = f"the time to the first token, at most {_SLOWER} times that of old replicas"
        yield "first-token", f"{new} / {old}", _SLOWER, f"{why} (95th percentile)"


def _rate(request: Request, series: str, revision: str) -> str:
    label = REVISION.replace("-", "_")
    of = f'{series},{own_metrics(request)},{label}="{{{{args.{revision}}}}}"'
    return f"rate({{{of}}}[{_MINUTES}m])"


def _slowest(request: Request, series: str, revision: str) -> str:
    return f"histogram_quantile(0.95, sum by (le) ({_rate(request, series, revision)}))"


def _metric(request: Request, name: str, query: str, most: float, why: str) -> Tree:
    url = request.platform.cluster.addons.monitoring.prometheus_url
    one = "len(result) == 1 && result[0]"
    return {
        "name": name,
        "initialDelay": Because(f"{_MINUTES}m", "the minutes over which requests are counted"),
        "interval": "1m",
        "count": Because(_MINUTES, "once a minute"),
        "successCondition": f"{one} <= {most}",
        "failureCondition": Because(f"{one} > {most}", "without metrics it is neither"),
        "failureLimit": Because(1, "a second bad minute takes the new replicas back"),
        "inconclusiveLimit": Because(0, "without requests, a person decides"),
        "consecutiveErrorLimit": Because(_SILENT, "Prometheus may restart meanwhile"),
        "provider": {"prometheus": {"address": url, "query": Because(query, why)}},
    }


def canary_problems(request: Request) -> Iterator[Problem]:
    if not request.canary:
        return
    if request.platform.cluster.serving.argo_rollouts is None:
        what = f"the file of {request.platform.name} does not install Argo Rollouts"
        yield Problem(_OPTION, what, "with serving.argoRollouts")
    if request.nodes > 1:
        what = "Argo Rollouts replaces no LeaderWorkerSet, by which a replica has several nodes"
        yield Problem(_OPTION, what, "with --nodes 1")
    elif request.replicas == 1 and not request.surge:
        lacks = "its volume is mounted on one node" if has_own_volume(request) else _full(request)
        what = f"the only replica would go before a new one starts: {lacks}"
        yield Problem(_OPTION, what, "with --replicas 2")


def _full(request: Request) -> str:
    return f"{request.namespace.name} has no room for a second one beside it"


def canary_notes(request: Request) -> Iterator[str]:
    if not request.canary:
        return
    replicas = counted(request.most_replicas, "replica")
    extra = "one more" if request.surge else "none more"
    by = " to its Service" if request.served.picker else ""
    yield (
        f"a rollout takes at most {most_gpus(request)} GPUs at once: {replicas} and {extra}, "
        f"beside those that end; requests{by} go to all alike, so that its smallest step is "
        f"1/{request.replicas + (request.replicas == 1)} of them"
    )
    if request.served.picker:
        yield (
            "of requests to its InferencePool the picker decides which replica answers, so that "
            "new replicas may get more of them than a step says, or fewer"
        )
    if _answers(request) is None:
        yield (
            f"nothing measures its new replicas, so that each step waits for `{_PROMOTE} "
            f"{request.name}`: that takes an engine with metrics, the Prometheus operator and "
            "addons.monitoring.prometheusUrl"
        )
