"""`policies.rules.node_name` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import text, texts
from policies.in_cel.namespaces import is_in
from policies.in_cel.pod_fields import NODE_NAME
from policies.in_cel.requests import IS_CREATED
from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.user import SERVICE_ACCOUNT

if TYPE_CHECKING:
    from policies.settings import Settings

_USER = 'request.userInfo.?username.orValue("")'
_GROUPS = "request.userInfo.?groups.orValue([])"


def _may_name(settings: Settings) -> str:
    """Return CEL for whether whoever creates the pod may name its node."""
    allowed = settings.node_names
    account = f'{_USER}.startsWith({text(SERVICE_ACCOUNT)} + request.namespace + ":")'
    return (
        f"{_USER} in {texts(allowed.users)}"
        f" || {_GROUPS}.exists(group, group in {texts(allowed.groups)})"
        f" || (!({is_in(settings.namespaces)}) && {account})"
    )


def _refusals(settings: Settings) -> str:
    return (
        f'!{IS_CREATED} || {NODE_NAME} == "" || {_may_name(settings)} ? []'
        f' : ["The pod names its node " + {shown(NODE_NAME)} + " itself, past the scheduler and the'
        " node's taints. Remove spec.nodeName; choose nodes by spec.nodeSelector or node"
        ' affinity."]'
    )


RULE_IN_CEL = RuleInCel(RuleName.NODE_NAME, refusals=_refusals)
