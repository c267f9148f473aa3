"""Pods that ask for no GPU do not name a runtime class that gives them some.

The runtime of such a class gives a container every GPU that `NVIDIA_VISIBLE_DEVICES` of its image
names. Nobody counts those, and no upgrade of the driver knows of the pod: the GPU operator evicts
what asks for `nvidia.com/gpu` or `nvidia.com/mig-*`, and waits for whatever else holds the driver.
Sources: https://github.com/NVIDIA/gpu-operator/issues/2570, and `gpuPodSpecFilter` in
https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/cmd/gpu-operator/main.go
"""

from collections.abc import Iterable

from policies.cel.pod import RUNTIME_CLASS, is_of_agent
from policies.cel.text import shown_in_cel, texts
from policies.document import shown
from policies.finding import Finding
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_NAMED = Message(
    "The pod asks for no GPU, but names the runtime class {named}, which can give it all GPUs of "
    "its node, and keeps their driver from being replaced.",
    "Remove spec.runtimeClassName, or ask for a GPU resource.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse a pod without GPUs that names a runtime class of GPUs.

    DaemonSets outside the teams' namespaces may name one, as agents that watch every GPU do.
    """
    if pod.asks_for_gpu:
        return ()
    named = pod.spec.get("runtimeClassName")
    known = context.settings.gpu_runtime_classes
    if named is None or named not in known or context.is_of_agent(pod):
        return ()
    return (RULE.finding(_NAMED, path="/spec/runtimeClassName", named=shown(named)),)


def _refusals_in_cel(settings: Settings) -> str:
    found = _NAMED.in_cel(named=shown_in_cel(RUNTIME_CLASS))
    return (
        f"variables.asks_for_gpu || !({RUNTIME_CLASS} in {texts(settings.gpu_runtime_classes)})"
        f" || {is_of_agent(settings)}"
        f" ? [] : [{found}]"
    )


RULE: Rule = Rule(
    RuleName.GPU_RUNTIME_CLASS,
    summary="A pod that asks for no GPU names no runtime class of GPUs.",
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    applies=lambda settings: bool(settings.gpu_runtime_classes),
    in_cel=InCel(refusals=_refusals_in_cel),
)
