"""What a level of Pod Security forbids in a pod."""

from typing import NamedTuple

from policies.operation import Operation
from policies.settings import EnforcedSecurity

POD = "the pod"
_USER_NAMESPACES_SINCE = 35
"""The minor of Kubernetes from which a pod in a user namespace of its own may do more."""


class Violation(NamedTuple):
    """Something that makes a namespace refuse a pod."""

    control: str
    path: str
    """JSON Pointer into the pod to what is wrong, or to where something is missing."""
    culprit: str
    problem: str
    """What the culprit does, as the rest of a sentence that begins with it."""
    remedy: str
    fix: tuple[Operation, ...] = ()
    """The operations that mend it, after those of the violations before; none where they could
    break what the author means."""


def is_free(host_users: object, at: str, enforced: EnforcedSecurity) -> bool:
    """Whether a control that is free at a level in a user namespace lets a pod do anything.

    Source: `relaxPolicyForUserNamespacePod` in `policy/helpers.go`.
    """
    in_its_own = host_users is False and enforced.minor >= _USER_NAMESPACES_SINCE
    return in_its_own and enforced.level == at
