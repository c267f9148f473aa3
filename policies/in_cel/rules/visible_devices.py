"""`policies.rules.visible_devices` in CEL: what it sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.device_variable import VARIABLES, is_of_nvidia_runtime, resources_of
from policies.in_cel.literal import lines, text, texts
from policies.in_cel.nvidia import IS_OF_NVIDIA
from policies.in_cel.patch import append, of_containers
from policies.in_cel.pod_variables import AMOUNTS, ASKS_FOR_RESOURCE, IS_GPU
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.device_variable import DeviceVariable
    from policies.settings import Settings

_ENV = "container.?env.orValue([])"
_CLOSED = "variables.visible_devices_closed"
_OPENED = (
    f"{_ENV}.exists(entry, {_CLOSED}.exists(name, entry.name.startsWith(name)"
    f' && (has(entry.valueFrom) || !(entry.?value.orValue("") in {_CLOSED}[name]))))'
)
_UNSET = (
    "variables.visible_devices_read.filter(variable,"
    f" !{_ENV}.exists(entry, entry.name == variable.name))"
)


def _is_read(variable: DeviceVariable) -> str:
    """Return CEL for whether the runtimes read it where the pod runs."""
    nvidia = is_of_nvidia_runtime(variable)
    which = IS_OF_NVIDIA if nvidia else f"resource in {texts(resources_of(variable))}"
    asked = (
        f"variables.gpu_containers.exists(container, {AMOUNTS}.exists(amounts,"
        f' amounts.exists(resource, {IS_GPU} && string(amounts[resource]) != "0" && {which})))'
    )
    claimed = "size(object.spec.?resourceClaims.orValue([])) > 0"
    return f"({claimed} || {asked})" if nvidia else asked


def _variables(_settings: Settings) -> Variables:
    return {
        "visible_devices_closed": lines({each.name: list(each.closed) for each in VARIABLES}),
        "visible_devices_read": " + ".join(
            f"({_is_read(each)} ? [{_entry(each)}] : [])" for each in VARIABLES
        ),
    }


def _entry(variable: DeviceVariable) -> str:
    return f'{{"name": {text(variable.name)}, "value": {text(variable.closed[0])}}}'


def _fixes(_settings: Settings) -> str:
    beside = f"!{ASKS_FOR_RESOURCE} && !{_OPENED} && size({_UNSET}) > 0"
    closed = append("has(container.env)", 'placed[0] + "/env"', _UNSET)
    return f"size(variables.visible_devices_read) == 0 ? [] : {of_containers(beside, closed)}"


RULE_IN_CEL = RuleInCel(RuleName.VISIBLE_DEVICES, fixes=_fixes, variables=_variables)
