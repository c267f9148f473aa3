"""Services that answer users do not take turns on a GPU.

Time-slicing limits neither memory nor latency: https://github.com/NVIDIA/k8s-device-plugin
(README, "With CUDA Time-Slicing")
"""

from collections.abc import Iterable

from gpus.sharing import SharingKind
from policies.asked_place import asked_place
from policies.cel.placement import is_shared_by
from policies.cel.pod import is_in, of_purpose
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.rules import replica_spread
from policies.rules.replica_spread import INFERENCE
from policies.settings import Settings, are_shared_by

TIME_SLICED = {SharingKind.TIME_SLICING, SharingKind.MIG_TIME_SLICING}
_IN_TURNS = Message(
    "The pod serves users on {resource}, where pods take turns on a GPU.",
    "Use a whole GPU or a MIG instance, which no other pod delays.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    offered = context.reach(pod).offered
    return [
        RULE.finding(_IN_TURNS, path=asked_place(pod, resource), resource=resource)
        for resource in pod.gpus
        if resource in offered and offered[resource].sharing <= TIME_SLICED
    ]


def _warnings_in_cel(settings: Settings) -> str:
    return (
        f"!({is_in(of_purpose(INFERENCE, settings))}) ? []"
        f" : variables.wanted.filter(resource, {is_shared_by(TIME_SLICED)})"
        f".map(resource, {_IN_TURNS.in_cel(resource='resource')})"
    )


RULE: Rule = Rule(
    RuleName.TIME_SLICED_INFERENCE,
    summary="Inference does not run on time-sliced GPUs.",
    severity=Severity.WARN,
    evaluate=evaluate,
    applies=lambda settings: (
        bool(of_purpose(INFERENCE, settings)) and are_shared_by(TIME_SLICED, settings.pools)
    ),
    concerns=replica_spread.concerns,
    in_cel=InCel(warnings=_warnings_in_cel),
)
