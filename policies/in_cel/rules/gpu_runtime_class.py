"""`policies.rules.gpu_runtime_class` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.agent import is_of_agent
from policies.in_cel.literal import texts
from policies.in_cel.pod_fields import RUNTIME_CLASS
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import shown
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings


def _refusals(settings: Settings) -> str:
    if not settings.gpu_runtime_classes:
        return ""
    found = (
        f'"The pod asks for no GPU, but names the runtime class " + {shown(RUNTIME_CLASS)}'
        ' + ", which can give it all GPUs of its node, and keeps their driver from being replaced.'
        ' Remove spec.runtimeClassName, or ask for a GPU resource."'
    )
    return (
        f"variables.asks_for_gpu || !({RUNTIME_CLASS} in {texts(settings.gpu_runtime_classes)})"
        f" || {is_of_agent(settings)}"
        f" ? [] : [{found}]"
    )


RULE_IN_CEL = RuleInCel(RuleName.GPU_RUNTIME_CLASS, refusals=_refusals)
