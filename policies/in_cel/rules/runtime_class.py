"""`policies.rules.runtime_class` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import text
from policies.in_cel.nvidia import IS_OF_NVIDIA
from policies.in_cel.patch import add
from policies.in_cel.pod_variables import AMOUNTS, IS_GPU
from policies.in_cel.rule_in_cel import RuleInCel
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings


def _asks(which: str) -> str:
    return (
        f"variables.gpu_containers.exists(container, {AMOUNTS}.exists(amounts,"
        f' amounts.exists(resource, {IS_GPU} && string(amounts[resource]) != "0"{which})))'
    )


def _fixes(settings: Settings) -> str:
    if settings.runtime_class is None:
        return ""
    named = add(text("/spec/runtimeClassName"), text(settings.runtime_class))
    return (
        f"has(object.spec.runtimeClassName) || ({_asks('')} && !{_asks(f' && {IS_OF_NVIDIA}')})"
        f" ? [] : [{named}]"
    )


RULE_IN_CEL = RuleInCel(RuleName.RUNTIME_CLASS, fixes=_fixes)
