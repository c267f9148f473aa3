"""GPU pods keep to their own shared memory.

With the node's, one pod can read and change what another computes on.
"""

from collections.abc import Iterable

from policies.cel.pod import HOST_IPC
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_SHARED = Message(
    "The pod sets spec.hostIPC, which shares memory with the whole node.",
    "Remove it: /dev/shm is sized for the pod.",
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse `hostIPC`."""
    if pod.spec.get("hostIPC") is not True:
        return ()
    return (RULE.finding(_SHARED, path="/spec/hostIPC"),)


def _refusals_in_cel(_settings: Settings) -> str:
    return f"{HOST_IPC} ? [{_SHARED.in_cel()}] : []"


RULE: Rule = Rule(
    RuleName.HOST_IPC,
    summary="A GPU pod does not use its node's shared memory.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel),
)
