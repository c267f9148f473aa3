"""`policies.rules.gpu_runtime_class` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import texts
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import shown
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_NAMED = 'object.spec.?runtimeClassName.orValue("")'
_OF_DAEMON_SET = (
    "object.metadata.?ownerReferences.orValue([]).exists(owner,"
    ' owner.?controller.orValue(false) && owner.kind == "DaemonSet")'
)


def _refusals(settings: Settings) -> str:
    if not settings.gpu_runtime_classes:
        return ""
    found = (
        f'"The pod asks for no GPU, but names the runtime class " + {shown(_NAMED)} + ", which can'
        " give it all GPUs of its node, and keeps their driver from being replaced. Remove"
        ' spec.runtimeClassName, or ask for a GPU resource."'
    )
    return (
        f"variables.asks_for_gpu || !({_NAMED} in {texts(settings.gpu_runtime_classes)})"
        f" || (!(request.namespace in {texts(settings.namespaces)}) && {_OF_DAEMON_SET})"
        f" ? [] : [{found}]"
    )


RULE_IN_CEL = RuleInCel(RuleName.GPU_RUNTIME_CLASS, refusals=_refusals)
