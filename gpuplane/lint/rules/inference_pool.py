"""An InferencePool finds pods that answer at its ports, and says what if no picker does.

By default requests fail while no picker answers
(https://gateway-api-inference-extension.sigs.k8s.io/reference/spec/#endpointpickerref). Its pods
may be of other files, so that something is said of those beside it alone.
"""

from collections.abc import Iterator, Mapping, Sequence

from gpuplane.label_selector import keys_of
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.siblings import OF_GROUP
from gpuplane.lint.told import HOLDING_PODS, POOL, SERVICE, Told
from gpus.nearest import nearest, nearest_hint
from policies.document import Json, elements, listed, members, shown, text

_ADDED = (OF_GROUP, "rollouts-pod-template-hash", "pod-template-hash", "apps.kubernetes.io/")
"""With which labels begin that controllers add to pods."""


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if one.kind != POOL:
        return
    spec = members(one.document.get("spec"))
    selector = members(spec.get("selector"))
    if selector.get("matchLabels"):
        kept = context.siblings.answering(selector)
        if not any(key.startswith(_ADDED) for key in keys_of(selector)):
            yield from _unselected(kept, context)
        yield from _closed(elements(spec.get("targetPorts")), kept)
    if picker := members(spec.get("endpointPickerRef")):
        yield from _picker(picker, context)


def _unselected(kept: Sequence[Told], context: LintContext) -> Iterator[RuleFinding]:
    """Find that none of the servers beside it is selected: they may be what it is meant for."""
    beside = [each for each in context.siblings.beside(HOLDING_PODS) if each.is_computing]
    if beside and not kept:
        yield RuleFinding(
            "/spec/selector",
            f"It selects no pods of what asks for GPUs beside it, {_listed(beside)}, so that its "
            "requests find no replica.",
            "Select labels that their pods have; ignore it if they are in another folder.",
        )


def _closed(ports: Sequence[Json], kept: Sequence[Told]) -> Iterator[RuleFinding]:
    for index, port in enumerate(members(each).get("number") for each in ports):
        closed = [each for each in kept if each.ports and port not in each.ports]
        if closed and len(closed) == len(kept) and type(port) is int:
            served = sorted({str(port) for each in closed for port in each.ports}, key=int)
            yield RuleFinding(
                f"/spec/targetPorts/{index}/number",
                f"No container of {_listed(closed)} declares port {port}, so that its requests are "
                "refused.",
                f"Use a port at which its servers answer; declared: {listed(served)}.",
            )


def _picker(picker: Mapping[str, Json], context: LintContext) -> Iterator[RuleFinding]:
    name, place = text(picker.get("name")), "/spec/endpointPickerRef"
    services = [each.name for each in context.siblings.beside((SERVICE.kind,))]
    close = [] if name in services else nearest(name, services)[:1]
    if close and picker.get("kind", SERVICE.kind) == SERVICE.kind:
        yield RuleFinding(
            f"{place}/name",
            f"No Service beside it is called {shown(name)}{nearest_hint(close)}, so that no picker "
            "answers.",
            "Name the Service of its picker; ignore it if that is in another folder.",
        )
    if "failureMode" not in picker:
        yield RuleFinding(
            place,
            "It states no failureMode, which is FailClose by default: while its picker does not "
            "answer, as when it starts anew, the Gateway refuses all requests.",
            "Set it to FailOpen, by which requests then go to any replica, or state FailClose.",
        )


def _listed(workloads: Sequence[Told]) -> str:
    return listed([f"{each.kind} {shown(each.name)}" for each in workloads])


RULE = LintRule(
    "inference-pool",
    "An InferencePool finds pods that answer at its ports, and says what if no picker does.",
    check,
)
