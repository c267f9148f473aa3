"""`policies.rules.visible_devices` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.device_variable import VARIABLES, is_of_nvidia_runtime, resources_of
from policies.in_cel.field_path import FIELD_PATH, index_where
from policies.in_cel.literal import lines, text, texts
from policies.in_cel.nvidia import IS_OF_NVIDIA
from policies.in_cel.patch import append, of_containers
from policies.in_cel.pod_fields import ENVIRONMENT, HAS_CLAIMS, USES_CLAIMS
from policies.in_cel.pod_variables import ASKS_FOR_RESOURCE, CULPRIT, some_asked
from policies.in_cel.requests import IS_ADDED
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.device_variable import DeviceVariable
    from policies.settings import Settings

_CLOSED = "variables.visible_devices_closed"
_OPENS = (
    f"{_CLOSED}.exists(name, entry.name.startsWith(name) && ({ASKS_FOR_RESOURCE}"
    f' || has(entry.valueFrom) || !(entry.?value.orValue("") in {_CLOSED}[name])))'
)
_OPENED = f"{ENVIRONMENT}.exists(entry, {_OPENS})"
_UNSET = (
    "variables.visible_devices_read.filter(variable,"
    f" !{ENVIRONMENT}.exists(entry, entry.name == variable.name))"
)


def _is_read(variable: DeviceVariable) -> str:
    """Return CEL for whether the runtimes read it where the pod runs."""
    nvidia = is_of_nvidia_runtime(variable)
    which = IS_OF_NVIDIA if nvidia else f"resource in {texts(resources_of(variable))}"
    asked = some_asked(which)
    return f"({HAS_CLAIMS} || {asked})" if nvidia else asked


def _variables(_settings: Settings) -> Variables:
    return {
        "visible_devices_closed": lines({each.name: list(each.closed) for each in VARIABLES}),
        "visible_devices_read": " + ".join(
            f"({_is_read(each)} ? [{_entry(each)}] : [])" for each in VARIABLES
        ),
    }


def _entry(variable: DeviceVariable) -> str:
    return f'{{"name": {text(variable.name)}, "value": {text(variable.closed[0])}}}'


def _refusals(_settings: Settings) -> str:
    beside = f"{IS_ADDED} && !{ASKS_FOR_RESOURCE} && size({_UNSET}) > 0"
    return (
        f"variables.containers.filter(container, {_OPENED} || ({beside}))"
        f".map(container, {_OPENED} ? {_by_hand()} : {_unset()})"
    )


def _by_hand() -> str:
    """Return CEL for what is wrong with a `container` that takes devices by a variable."""
    first = f"{ENVIRONMENT}.filter(entry, {_OPENS})[0]"
    name = f"{_CLOSED}.filter(name, {first}.name.startsWith(name))[0]"
    index = index_where(ENVIRONMENT, "entry", _OPENS)
    return (
        f'"The " + {CULPRIT} + " sets " + {name} + " by hand, which takes GPUs that the scheduler'
        f' did not give it. Remove " + {FIELD_PATH} + ".env[" + {index}'
        ' + "] and ask for a GPU resource."'
    )


def _unset() -> str:
    """Return CEL for what is wrong with a `container` that sets no such variable."""
    names = f'{_UNSET}.map(variable, variable.name).join(" or ")'
    values = f'{_UNSET}.map(variable, variable.name + " to " + variable.value).join(" and ")'
    return (
        f'"The " + {CULPRIT} + " asks for " + ({USES_CLAIMS} ? "no GPU resource" : "no GPU")'
        f' + ", but would see every GPU of its node if its image sets " + {names} + ". Set "'
        f' + {values} + "."'
    )


def _fixes(_settings: Settings) -> str:
    beside = f"!{ASKS_FOR_RESOURCE} && !{_OPENED} && size({_UNSET}) > 0"
    closed = append("has(container.env)", 'placed[0] + "/env"', _UNSET)
    return f"size(variables.visible_devices_read) == 0 ? [] : {of_containers(beside, closed)}"


RULE_IN_CEL = RuleInCel(
    RuleName.VISIBLE_DEVICES,
    refusals=_refusals,
    fixes=_fixes,
    fixes_ephemeral=True,
    variables=_variables,
)
