"""GPU pods keep to their own shared memory.

With the node's, one pod can read and change what another computes on.
"""

from collections.abc import Iterable

from policies.cel.pod import HOST_IPC
from policies.finding import Finding
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

_SHARED = Message(
    "The pod sets spec.hostIPC, which shares memory with the whole node.",
    "Remove it: /dev/shm is sized for the pod.",
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    if pod.spec.get("hostIPC") is not True:
        return ()
    return (RULE.finding(_SHARED, path="/spec/hostIPC"),)


RULE: Rule = Rule(
    RuleName.HOST_IPC,
    summary="A GPU pod does not use its node's shared memory.",
    evaluate=evaluate,
    in_cel=InCel(refusals=always(f"{HOST_IPC} ? [{_SHARED.in_cel()}] : []")),
)
