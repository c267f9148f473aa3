"""`policies.rules.memory_limit` in CEL."""

from policies.in_cel.field_path import FIELD_PATH
from policies.in_cel.pod_fields import LIMITS
from policies.in_cel.pod_variables import CULPRIT
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.settings import Settings


def _warnings(_settings: Settings) -> str:
    return (
        "has(object.spec.resources) && has(object.spec.resources.limits)"
        ' && "memory" in object.spec.resources.limits ? []'
        " : variables.gpu_containers.filter(container,"
        f' !("memory" in {LIMITS})).map(container,'
        f' "The " + {CULPRIT} + " asks for a GPU and has no memory limit. Set " + {FIELD_PATH}'
        ' + ".resources.limits.memory.")'
    )


RULE_IN_CEL = RuleInCel(RuleName.MEMORY_LIMIT, warnings=_warnings)
