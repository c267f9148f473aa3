"""No library is preloaded into the programs of a GPU pod.

The variable also reached the privileged hook of the container toolkit (CVE-2025-23266, fixed in
toolkit 1.17.8): https://nvidia.custhelp.com/app/answers/detail/a_id/5659
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


VARIABLE = "LD_PRELOAD"


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse containers that set LD_PRELOAD."""
    return _refusals(pod) if VARIABLE in pod.variables else ()


def _refusals(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers:
        for index, _ in container.variables(VARIABLE):
            yield RULE.finding(
                path=f"{container.pointer}/env/{index}",
                culprit=container.culprit,
                message=f"The {container.culprit} sets {VARIABLE} on a pod with GPUs.",
                remedy=f"Remove {container.field_path}.env[{index}]; set it in a start script.",
            )


RULE: Rule = Rule(
    RuleName.LD_PRELOAD,
    summary="A GPU pod sets no LD_PRELOAD.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
