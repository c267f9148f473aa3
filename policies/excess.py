"""What a pod has more of than rules read.

The API server knows no bounds of these: a pod of a few megabytes can state tens of thousands of
terms of node affinity, each to be held against every pool, and a million containers.
"""

from collections.abc import Iterable

from policies.custom_rule import CustomName
from policies.document import Json
from policies.finding import Finding, Severity
from policies.limits import CONTAINER_LISTS, MAX_CONTAINERS, excess
from policies.operation import Operation
from policies.pod import Pod
from policies.rule import Message
from policies.rule_name import RuleName

# An honest patch has some dozens of operations and a few kilobytes. The API server bounds neither,
# and applies each to its copy of the pod; nothing above a few megabytes is stored.
MAX_OPERATIONS = 1024
"""Operations of all fixes of a pod together."""
MAX_PATCH_LENGTH = 256 * 1024
"""Characters of the paths and values of these."""
_REST = 8
"""Characters of a number, a literal, or what separates two members."""


CONTAINERS = Message(
    f"The pod has {{excess}} containers; allowed: {MAX_CONTAINERS}.", "Make several pods of it."
)
NODE_TERMS = Message(
    "The pod's required node affinity has {excess}.",
    "Name several values in one expression of spec.affinity.nodeAffinity.",
)


def excess_of(pod: Pod) -> Finding | None:
    """Return why rules do not read all of a pod; None where they do."""
    if pod.unread_containers:
        return _finding(pod, "/spec/containers", CONTAINERS.filled(excess=pod.unread_containers))
    if found := excess(pod.stated_node_terms):
        return _finding(pod, "/spec/affinity/nodeAffinity", NODE_TERMS.filled(excess=found))
    return None


def was_there(pod: Pod, old: Pod) -> bool:
    """Whether what is too much of a pod was so before an update.

    Containers must be the same ones, or those that an update adds would never be judged.
    """
    if pod.unread_containers:
        for field in CONTAINER_LISTS:
            if pod.spec.get(field) != old.spec.get(field):
                return False
    return bool(excess(old.stated_node_terms)) or not excess(pod.stated_node_terms)


def _finding(pod: Pod, path: str, said: Message) -> Finding:
    rule = RuleName.GRANTED_POOLS if pod.asks_for_gpu else RuleName.GPU_NODE_INTRUSION
    return Finding(rule, Severity.REFUSE, path, "the pod", said.problem, said.remedy)


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
    message = (
        f"To be fixed, the pod needs more than {MAX_OPERATIONS} changes, or more than "
        f"{MAX_PATCH_LENGTH // 1024} KiB of them."
    )
    remedy = "Split it into several pods, or write into it what is missing."
    return Finding(rule, Severity.REFUSE, "", "the pod", message, remedy)
