"""`policies.rules.host_ipc` in CEL."""

from policies.in_cel.literal import text
from policies.in_cel.pod_fields import HOST_IPC
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.settings import Settings

_FOUND = text(
    "The pod sets spec.hostIPC, which shares memory with the whole node. "
    "Remove it: /dev/shm is sized for the pod."
)


def _refusals(_settings: Settings) -> str:
    return f"{HOST_IPC} ? [{_FOUND}] : []"


RULE_IN_CEL = RuleInCel(RuleName.HOST_IPC, refusals=_refusals)
