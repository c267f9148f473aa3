"""GPU pods name the runtime class that gives them GPUs, where the default one does not.

https://kubernetes.io/docs/concepts/containers/runtime-class/
"""

from collections.abc import Iterable

from policies.cel.gpus import IS_OF_NVIDIA, some_asked
from policies.cel.patch import add
from policies.cel.text import quote
from policies.finding import Finding, Severity
from policies.fix import put
from policies.gpu_names import is_of_nvidia
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_UNNAMED = Message(
    "The pod names no runtime class, and the default one gives it no GPU.",
    "Set spec.runtimeClassName to {needed}.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Set the runtime class where the pod names none.

    It is NVIDIA's: the default runtime serves GPUs of other vendors.
    """
    needed = context.settings.runtime_class
    if pod.spec.get("runtimeClassName") is not None:
        return ()
    if pod.gpus and not any(map(is_of_nvidia, pod.gpus)):
        return ()
    fix = put(pod.document, "", ("spec", "runtimeClassName"), needed)
    if not fix:
        return ()
    return (RULE.finding(_UNNAMED, path="/spec/runtimeClassName", needed=needed, fix=fix),)


def _fixes_in_cel(settings: Settings) -> str:
    named = add(quote("/spec/runtimeClassName"), quote(settings.runtime_class or ""))
    return (
        "has(object.spec.runtimeClassName)"
        f" || (variables.asks_for_resource && !{some_asked(IS_OF_NVIDIA)}) ? [] : [{named}]"
    )


RULE: Rule = Rule(
    RuleName.RUNTIME_CLASS,
    summary="A GPU pod names the runtime class that the platform needs.",
    severity=Severity.FIX,
    evaluate=evaluate,
    applies=lambda settings: settings.runtime_class is not None,
    in_cel=InCel(fixes=_fixes_in_cel),
)
