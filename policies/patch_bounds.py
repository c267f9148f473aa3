"""How large the patch of a pod may become, above which the pod is refused.

An honest patch has some dozens of operations and a few kilobytes. The API server bounds neither,
and applies each to its copy of the pod; nothing above a few megabytes is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.custom_rule import CustomName
    from policies.document import Json
    from policies.operation import Operation
    from policies.rule_name import RuleName

MAX_OPERATIONS = 1024
"""Of all fixes of a pod together."""
MAX_PATCH_LENGTH = 256 * 1024
"""Characters of the paths and values of these."""
_REST = 8
"""Characters of a number, a literal, or what separates two members."""


def length_of(operations: Iterable[Operation]) -> int:
    """Return about how many characters the operations take as JSON."""
    length = 0
    for operation in operations:
        length += len(operation.path) + _length(operation.value) + _REST
    return length


def _length(value: Json) -> int:
    if type(value) is str:
        return len(value)
    length = _REST
    if type(value) is dict:
        for name, member in value.items():
            length += len(name) + _length(member)
    elif type(value) is list:
        for element in value:
            length += _length(element)
    return length


def too_much(rule: RuleName | CustomName) -> Finding:
    """Return why a pod is refused that cannot be fixed within the bounds."""
    return Finding(
        rule,
        Severity.REFUSE,
        path="",
        culprit="the pod",
        message=f"To be fixed, the pod needs more than {MAX_OPERATIONS} changes, or more than "
        f"{MAX_PATCH_LENGTH // 1024} KiB of them.",
        remedy="Split it into several pods, or write into it what is missing.",
    )
