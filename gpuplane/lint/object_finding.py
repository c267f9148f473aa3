"""What is found in an object, before it is known where it stands in a file."""

from typing import NamedTuple

from gpuplane.lint.finding import LintSeverity
from policies.operation import Operation


class ObjectFinding(NamedTuple):
    """Something in an object, or in one of a List, that is not as it should be in a cluster."""

    rule: str
    severity: LintSeverity
    subject: str
    pointer: str
    """JSON Pointer from the document."""
    message: str
    remedy: str
    fix: tuple[Operation, ...]
    """On the document."""
