"""Several findings in one container, as one string.

That is in place of a list of lists, which CEL can flatten since Kubernetes 1.34 alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import text

if TYPE_CHECKING:
    from policies.rule_name import RuleName


def joined(findings: str, rule: RuleName) -> str:
    """Return CEL for the findings, each after the first with the name of the rule before it."""
    return f"{findings}.join({text(f' {rule.value}: ')})"
