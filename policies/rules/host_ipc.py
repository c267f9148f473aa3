"""GPU pods keep to their own shared memory.

With the node's, one pod can read and change what another computes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse `hostIPC`."""
    if pod.spec.get("hostIPC") is not True:
        return ()
    finding = RULE.finding(
        path="/spec/hostIPC",
        culprit="the pod",
        message="The pod sets spec.hostIPC, which shares memory with the whole node.",
        remedy="Remove it: /dev/shm is sized for the pod.",
    )
    return (finding,)


RULE: Rule = Rule(
    RuleName.HOST_IPC,
    summary="A GPU pod does not use its node's shared memory.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
