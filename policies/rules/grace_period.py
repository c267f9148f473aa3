"""GPU pods give their GPUs back in bounded time once they are to end.

Between SIGTERM and SIGKILL a pod keeps what it has, and the API server takes any number of seconds
for that: preemption, eviction from a queue and a drain wait as long. A longer period is refused and
not lowered: who asks for it needs it for a checkpoint, and would learn of less when that is lost.
https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination
"""

from collections.abc import Iterable

from policies.document import shown
from policies.finding import Finding
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_TOO_LONG = Message(
    "The pod may keep its GPUs for {seconds} seconds after it is told to end.",
    "Set spec.terminationGracePeriodSeconds to at most {most}, and write checkpoints while it "
    "runs.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    seconds = pod.spec.get("terminationGracePeriodSeconds")
    most = context.settings.max_grace_period_seconds
    if type(seconds) is not int or seconds <= most:
        return ()
    path = "/spec/terminationGracePeriodSeconds"
    return (RULE.finding(_TOO_LONG, path=path, seconds=shown(seconds), most=most),)


_SECONDS = "object.spec.?terminationGracePeriodSeconds.orValue(0)"


def _refusals_in_cel(settings: Settings) -> str:
    most = settings.max_grace_period_seconds
    found = _TOO_LONG.filled(most=most).in_cel(seconds=f"string({_SECONDS})")
    return f"{_SECONDS} > {most} ? [{found}] : []"


RULE: Rule = Rule(
    RuleName.GRACE_PERIOD,
    summary="A GPU pod that is to end gives its GPUs back in time.",
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel),
)
