"""`policies.rules.gpu_count` in CEL: what the API server takes by the name of a device class."""

from policies.in_cel.pod_variables import CULPRIT, IS_GPU
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.settings import Settings

_NAME = RuleName.GPU_COUNT


def _found(field: str) -> str:
    amounts = f"container.?resources.?{field}.orValue({{}})"
    amount = f"string({amounts}[resource])"
    return (
        f"{amounts}.filter(resource, {IS_GPU} && !quantity({amount}).isInteger()).map(resource,"
        f' "The " + {CULPRIT} + " asks for " + {shown(amount)} + " of " + {shown("resource")}'
        f' + " in {field}, which is not whole. Ask for a whole number of GPUs, such as 1.")'
    )


def _refusals(_settings: Settings) -> str:
    found = f"({_found('limits')} + {_found('requests')})"
    return (
        f"variables.containers.filter(container, size({found}) > 0)"
        f'.map(container, {found}.join(" {_NAME.value}: "))'
    )


RULE_IN_CEL = RuleInCel(_NAME, refusals=_refusals)
