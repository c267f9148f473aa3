"""`policies.rules.host_ipc` in CEL."""

from policies.in_cel.literal import text
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.settings import Settings

_FOUND = text(
    "The pod sets spec.hostIPC, which shares memory with the whole node. "
    "Remove it: /dev/shm is sized for the pod."
)


def _refusals(_settings: Settings) -> str:
    return f"object.spec.?hostIPC.orValue(false) ? [{_FOUND}] : []"


RULE_IN_CEL = RuleInCel(RuleName.HOST_IPC, refusals=_refusals)
