"""The rules that CEL can hold, one module each, and why it cannot hold the others."""

from collections.abc import Mapping

from policies.in_cel.rule_in_cel import RuleInCel
from policies.in_cel.rules import gpus_per_node, host_ipc, image_tag
from policies.rule_name import RuleName

RULES_IN_CEL: tuple[RuleInCel, ...] = (
    gpus_per_node.RULE_IN_CEL,
    host_ipc.RULE_IN_CEL,
    image_tag.RULE_IN_CEL,
)
"""In the order of the rules."""

NOT_IN_CEL: Mapping[RuleName, str] = {}
"""Why the API server cannot evaluate the others."""
