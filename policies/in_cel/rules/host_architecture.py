"""`policies.rules.host_architecture` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.model import HOST_ARCHITECTURE, USUAL_ARCHITECTURE
from policies.in_cel.literal import lines, text, texts
from policies.in_cel.pod_fields import EXPRESSIONS
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_LABEL = text(HOST_ARCHITECTURE)
_UNUSUAL = "variables.host_architecture_unusual"
_FOUND = "variables.host_architecture_found"
_IS_STATED = (
    f"({_LABEL} in variables.node_selector || variables.stated_terms.exists(term,"
    f" {EXPRESSIONS}.exists(one, one.key == {_LABEL})))"
)
_REMEDY = (
    "Use images for it, and name the architectures of your images as "
    f"{HOST_ARCHITECTURE} in spec.nodeSelector or spec.affinity.nodeAffinity."
)


def _unusual(settings: Settings) -> dict[str, str]:
    named = {p.name: p.labels.get(HOST_ARCHITECTURE, USUAL_ARCHITECTURE) for p in settings.pools}
    return {name: value for name, value in named.items() if value != USUAL_ARCHITECTURE}


def _variables(settings: Settings) -> Variables:
    unusual = _unusual(settings)
    if not unusual:
        return {}
    return {
        "host_architecture_unusual": lines(unusual),
        "host_architecture_found": f"variables.reached.filter(pool, pool in {_UNUSUAL})",
    }


def _warnings(settings: Settings) -> str:
    unusual = _unusual(settings)
    if not unusual:
        return ""
    architectures = texts(set(unusual.values()))
    run_on = (
        f'{architectures}.filter(one, {_FOUND}.exists(pool, {_UNUSUAL}[pool] == one)).join(" or ")'
    )
    return (
        f"{_IS_STATED} || size({_FOUND}) == 0 ? []"
        f' : ["The pod may run on " + {run_on} + ": " + {_FOUND}.join(", ")'
        f" + {text(f'. {_REMEDY}')}]"
    )


RULE_IN_CEL = RuleInCel(RuleName.HOST_ARCHITECTURE, warnings=_warnings, variables=_variables)
