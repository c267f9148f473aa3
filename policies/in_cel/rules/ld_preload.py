"""`policies.rules.ld_preload` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.field_path import FIELD_PATH, index_where
from policies.in_cel.literal import text
from policies.in_cel.nvidia import IS_OF_NVIDIA
from policies.in_cel.patch import append, members, of_containers
from policies.in_cel.pod_fields import ENVIRONMENT, HAS_CLAIMS
from policies.in_cel.pod_variables import CULPRIT, some_asked
from policies.in_cel.requests import IS_ADDED
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName
from policies.rules.ld_preload import VARIABLE

if TYPE_CHECKING:
    from policies.settings import Settings

_NAMED = f"entry.name == {text(VARIABLE)}"
_SETS = f'({_NAMED} && (has(entry.valueFrom) || entry.?value.orValue("") != ""))'
_IS_SET = f"{ENVIRONMENT}.exists(entry, {_SETS})"
_COULD_BE = (
    f"(variables.ld_preload_meets_toolkit && !{ENVIRONMENT}.exists(entry, {_NAMED})"
    " && container.?envFrom.orValue([]).exists(source,"
    f' {text(VARIABLE)}.startsWith(source.?prefix.orValue(""))))'
)


def _variables(_settings: Settings) -> Variables:
    return {"ld_preload_meets_toolkit": f"{HAS_CLAIMS} || {some_asked(IS_OF_NVIDIA)}"}


def _refusals(_settings: Settings) -> str:
    index = index_where(ENVIRONMENT, "entry", _SETS)
    is_set = (
        f'"The " + {CULPRIT} + " sets {VARIABLE} on a pod with GPUs. Remove " + {FIELD_PATH}'
        f' + ".env[" + {index} + "]; set it in a start script."'
    )
    could_be = (
        f'"The " + {CULPRIT} + " takes variables from " + {FIELD_PATH} + ".envFrom, which could set'
        f' {VARIABLE} on a pod with GPUs. Set {VARIABLE} to nothing; a start script can set it."'
    )
    return (
        f"variables.containers.filter(container, {_IS_SET} || ({IS_ADDED} && {_COULD_BE}))"
        f".map(container, {_IS_SET} ? {is_set} : {could_be})"
    )


def _fixes(_settings: Settings) -> str:
    empty = members({"name": text(VARIABLE), "value": text("")})
    # What another rule adds where there was nothing would be replaced.
    present = (
        "has(container.env)"
        ' || variables.visible_devices_fixes.exists(each, each[1] == placed[0] + "/env")'
    )
    emptied = append(f"({present})", 'placed[0] + "/env"', f"[{empty}]")
    return of_containers(f"!{_IS_SET} && {_COULD_BE}", emptied)


RULE_IN_CEL = RuleInCel(
    RuleName.LD_PRELOAD,
    refusals=_refusals,
    fixes=_fixes,
    fixes_ephemeral=True,
    variables=_variables,
)
