"""`policies.rules.runtime_class` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import text
from policies.in_cel.nvidia import IS_OF_NVIDIA
from policies.in_cel.patch import add
from policies.in_cel.pod_variables import some_asked
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings


def _fixes(settings: Settings) -> str:
    if settings.runtime_class is None:
        return ""
    named = add(text("/spec/runtimeClassName"), text(settings.runtime_class))
    return (
        "has(object.spec.runtimeClassName)"
        f" || (variables.asks_for_resource && !{some_asked(IS_OF_NVIDIA)}) ? [] : [{named}]"
    )


RULE_IN_CEL = RuleInCel(RuleName.RUNTIME_CLASS, fixes=_fixes)
