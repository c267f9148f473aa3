"""A ScaledObject scales what is there, by metrics that an engine shows and whose lack is no load.

KEDA takes a query without a result for 0 unless `ignoreNullValues` is `"false"`
(https://keda.sh/docs/2.20/scalers/prometheus/), and has no replica then unless `minReplicaCount`
says how many (https://keda.sh/docs/2.20/reference/scaledobject-spec/).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gpuplane.lint.engine_metrics import EngineMetrics, asked_metrics
from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.told import MONITOR, target_of
from gpus.nearest import nearest, nearest_hint
from policies.document import Json, elements, members, shown, text
from policies.settings import JobKind

_JOB = re.compile(r"""\bjob\s*=\s*["']([^"'\\]+)["']""")
_MONITORS = (MONITOR.kind,)
_SCALED_OBJECT = JobKind("keda.sh", "ScaledObject")


class _Trigger(NamedTuple):
    pointer: str
    metadata: Mapping[str, Json]
    asked: Sequence[tuple[EngineMetrics, str]]


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if one.kind != _SCALED_OBJECT:
        return
    yield from _no_target(one, context)
    spec = members(one.document.get("spec"))
    triggers = [*_triggers(spec)]
    of_engines = [each for each in triggers if each.asked]
    for trigger in of_engines:
        yield from _unknown(trigger)
        yield from _no_job(trigger, context)
        yield from _read_as_none(trigger)
    if of_engines and of_engines == triggers:
        yield from _to_zero(spec)


def _no_target(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find a target that is none of the workloads beside it, though some are of its kind."""
    kind, name = target_of(one.document)
    if not name or is_placeholder(name) or context.siblings.named(kind, name):
        return
    if beside := [each.name for each in context.siblings.beside((kind,))]:
        yield RuleFinding(
            "/spec/scaleTargetRef/name",
            f"No {shown(kind)} beside it is called {shown(name)}, so that nothing is scaled"
            f"{nearest_hint(nearest(name, beside)[:1])}.",
            "Name what it is to scale; ignore it if that is in another folder.",
        )


def _no_job(trigger: _Trigger, context: LintContext) -> Iterator[RuleFinding]:
    """Find a job that has the name of none of the PodMonitors beside it."""
    for job in _JOB.findall(text(trigger.metadata.get("query"))):
        namespace, _, name = job.rpartition("/")
        known = context.siblings.named(MONITOR.kind, name)
        names = [each.name for each in ([known] if known else context.siblings.beside(_MONITORS))]
        is_bare = not namespace and known is not None and not known.labels
        if is_bare or (namespace == context.namespace and known is None and names):
            jobs = [f"{context.namespace}/{each}" for each in nearest(name, names)[:1]]
            yield RuleFinding(
                f"{trigger.pointer}/query",
                f"No PodMonitor beside it makes metrics of the job {shown(job)}, so that nothing "
                f"is scaled by them{nearest_hint(jobs)}.",
                "Name the job as NAMESPACE/NAME of the PodMonitor; ignore it if that is elsewhere.",
            )


def _triggers(spec: Mapping[str, Json]) -> Iterator[_Trigger]:
    for index, trigger in enumerate(map(members, elements(spec.get("triggers")))):
        metadata = members(trigger.get("metadata"))
        query = text(metadata.get("query")) if trigger.get("type") == "prometheus" else ""
        pointer = f"/spec/triggers/{index}/metadata"
        yield _Trigger(pointer, metadata, [*asked_metrics(query or "")])


def _unknown(trigger: _Trigger) -> Iterator[RuleFinding]:
    for engine, name in trigger.asked:
        if name not in engine.series:
            close = nearest_hint(nearest(name, engine.series)[:1])
            yield RuleFinding(
                f"{trigger.pointer}/query",
                f"{engine.title} shows no metric {name}, so that nothing is scaled by it{close}.",
                "Ask for one that it shows.",
            )


def _read_as_none(trigger: _Trigger) -> Iterator[RuleFinding]:
    if trigger.metadata.get("ignoreNullValues") != "false":
        yield RuleFinding(
            trigger.pointer,
            "KEDA reads it as no load where Prometheus has no result for the query, and takes "
            "replicas away that are in use.",
            'Set ignoreNullValues to "false"; replicas then stay as they are.',
        )


def _to_zero(spec: Mapping[str, Json]) -> Iterator[RuleFinding]:
    field = "idleReplicaCount" if "idleReplicaCount" in spec else "minReplicaCount"
    if spec.get(field, 0) == 0:
        place = f"/spec/{field}" if field in spec else "/spec"
        yield RuleFinding(
            place,
            f"{field} is 0, and an engine's metrics go with its last replica, so that nothing "
            "makes one again.",
            f"Set {field} to 1 at least, or add a trigger on a queue before the engine.",
        )


RULE = LintRule(
    "scaler-metrics",
    "A ScaledObject scales what is there, by metrics that there are, and keeps it without them.",
    check,
)
