"""`policies.rules.ld_preload` in CEL: of a container that sets the variable twice, one entry."""

from policies.in_cel.field_path import FIELD_PATH
from policies.in_cel.literal import text
from policies.in_cel.pod_variables import CULPRIT
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.rules.ld_preload import VARIABLE
from policies.settings import Settings

_NAMES = "container.?env.orValue([]).map(entry, entry.name)"


def _refusals(_settings: Settings) -> str:
    index = f"string({_NAMES}.indexOf({text(VARIABLE)}))"
    return (
        f"variables.containers.filter(container, {text(VARIABLE)} in {_NAMES}).map(container,"
        f' "The " + {CULPRIT} + " sets {VARIABLE} on a pod with GPUs. Remove " + {FIELD_PATH}'
        f' + ".env[" + {index} + "]; set it in a start script.")'
    )


RULE_IN_CEL = RuleInCel(RuleName.LD_PRELOAD, refusals=_refusals)
