"""`policies.rules.gpu_count` in CEL: what the API server takes by the name of a device class."""

from policies.in_cel.joined import joined
from policies.in_cel.pod_fields import REQUESTS
from policies.in_cel.pod_variables import CULPRIT, IS_GPU
from policies.in_cel.quantity import MOST_GPUS, amount
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import in_order, shown
from policies.rule_name import RuleName
from policies.settings import Settings

_NAME = RuleName.GPU_COUNT


def _stated(field: str) -> str:
    return f'container.?resources.?{field}[?resource].orValue("0")'


def _amount(field: str) -> str:
    return f"string({_stated(field)})"


def _is_broken(field: str) -> str:
    # To the API server an amount of 19 digits is not an integer; gpus-per-node refuses as many.
    return (
        f"(!quantity({_amount(field)}).isInteger()"
        f" && {amount(_stated(field))} < {float(MOST_GPUS)})"
    )


def _found(field: str) -> str:
    return (
        f'({_is_broken(field)} ? ["The " + {CULPRIT} + " asks for " + {shown(_amount(field))}'
        f' + " of " + {shown("resource")} + " in {field}, which is not whole. Ask for a whole'
        ' number of GPUs, such as 1."] : [])'
    )


_BROKEN = (
    f"{REQUESTS}.filter(resource, {IS_GPU} && ({_is_broken('limits')} || {_is_broken('requests')}))"
)


def _refusals(_settings: Settings) -> str:
    found = joined(f"({_found('limits')} + {_found('requests')})", _NAME)
    return (
        f"variables.containers.filter(container, size({_BROKEN}) > 0)"
        f".map(container, {joined(f'{in_order(_BROKEN)}.map(resource, {found})', _NAME)})"
    )


RULE_IN_CEL = RuleInCel(_NAME, refusals=_refusals)
