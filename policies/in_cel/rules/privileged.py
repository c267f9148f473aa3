"""`policies.rules.privileged` in CEL."""

from policies.in_cel.field_path import FIELD_PATH
from policies.in_cel.joined import joined
from policies.in_cel.literal import text, texts
from policies.in_cel.pod_variables import CULPRIT
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName
from policies.rules.privileged import AS_PRIVILEGED
from policies.settings import Settings

_ADDED = "container.?securityContext.?capabilities.?add.orValue([])"
# Container runtimes write it in capitals, of which the long s is an S, too.
_UPPER = f"added.replace({text(chr(0x17F))}, 'S').upperAscii()"
_AS_PRIVILEGED = texts(each for name in AS_PRIVILEGED for each in (name, f"CAP_{name}"))
_GIVEN = (
    '(container.?securityContext.?privileged.orValue(false) ? ["is privileged"] : [])'
    f" + {_ADDED}.filter(added, {_UPPER} in {_AS_PRIVILEGED})"
    '.map(added, "adds the capability " + added)'
)


def _refusals(_settings: Settings) -> str:
    found = (
        f'({_GIVEN}).map(given, "The " + {CULPRIT} + " " + given + ", which gives it every GPU of'
        f' the node. Remove it from " + {FIELD_PATH} + ".securityContext.")'
    )
    return (
        f"variables.containers.filter(container, size({_GIVEN}) > 0)"
        f".map(container, {joined(found, RuleName.PRIVILEGED)})"
    )


RULE_IN_CEL = RuleInCel(RuleName.PRIVILEGED, refusals=_refusals)
