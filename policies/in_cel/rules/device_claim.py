"""`policies.rules.device_claim` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.allocator import DEVICE_CLASS_PREFIX, device_class_resource
from policies.gpu_names import GpuNames
from policies.in_cel.joined import joined
from policies.in_cel.literal import text, texts
from policies.in_cel.pod_fields import LIMITS
from policies.in_cel.pod_variables import CULPRIT
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import in_order, listed
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_NAME = RuleName.DEVICE_CLAIM
_BY_CLASS = f"{LIMITS}.filter(resource, resource in variables.device_claim_classes)"


def _variables(_settings: Settings) -> Variables:
    classes = map(device_class_resource, GpuNames(()).device_classes)
    return {
        "device_claim_classes": texts(classes),
        "device_claim_plugged": "variables.wanted.filter(resource,"
        f' !resource.startsWith("{DEVICE_CLASS_PREFIX}"))',
    }


def _refusals(_settings: Settings) -> str:
    found = (
        f'"The pod asks for " + {listed("variables.device_claim_plugged")} + ", and its "'
        f' + {CULPRIT} + " for GPUs of the device class "'
        f" + resource.substring({len(DEVICE_CLASS_PREFIX)})"
        f" + {text(' as well. Keep either the GPU resource or the device class.')}"
    )
    return (
        "size(variables.device_claim_plugged) == 0 ? []"
        f" : variables.containers.filter(container, size({_BY_CLASS}) > 0).map(container,"
        f" {joined(f'{in_order(_BY_CLASS)}.map(resource, {found})', _NAME)})"
    )


RULE_IN_CEL = RuleInCel(_NAME, refusals=_refusals, variables=_variables)
