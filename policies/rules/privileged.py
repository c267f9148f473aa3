"""GPU pods have no privileges on their node.

A privileged container sees every GPU; the container toolkit treats CAP_SYS_ADMIN as privileged.
"""

from collections.abc import Iterable, Iterator

from policies.cel.text import joined, quote, texts
from policies.container import Container
from policies.document import elements, members, text
from policies.finding import Finding
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

AS_PRIVILEGED = ("SYS_ADMIN", "ALL")
_GIVEN_ALL = Message(
    "The {culprit} {reason}, which gives it every GPU of the node.",
    "Remove it from {field}.securityContext.",
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    for container in pod.containers:
        security = members(container.raw.get("securityContext"))
        if security.get("privileged") is True or "add" in members(security.get("capabilities")):
            return _refusals(pod)
    return ()


def _refusals(pod: Pod) -> Iterator[Finding]:
    for container in pod.containers:
        security = members(container.raw.get("securityContext"))
        if not security:
            continue
        added = elements(members(security.get("capabilities")).get("add"))
        if security.get("privileged") is True:
            yield _refusal(container, "privileged", "is privileged")
        for index, capability in enumerate(added):
            if text(capability).upper().removeprefix("CAP_") in AS_PRIVILEGED:
                field = f"capabilities/add/{index}"
                yield _refusal(container, field, f"adds the capability {capability}")


def _refusal(container: Container, field: str, reason: str) -> Finding:
    return RULE.finding(_GIVEN_ALL, path=f"/securityContext/{field}", of=container, reason=reason)


_ADDED = "container.?securityContext.?capabilities.?add.orValue([])"
# Container runtimes write it in capitals, of which the long s is an S, too.
_UPPER = f"added.replace({quote(chr(0x17F))}, 'S').upperAscii()"
_AS_PRIVILEGED = texts(each for name in AS_PRIVILEGED for each in (name, f"CAP_{name}"))
_GIVEN = (
    '(container.?securityContext.?privileged.orValue(false) ? ["is privileged"] : [])'
    f" + {_ADDED}.filter(added, {_UPPER} in {_AS_PRIVILEGED})"
    '.map(added, "adds the capability " + added)'
)

_SAID = _GIVEN_ALL.in_cel(reason="given")
_REFUSED = (
    f"variables.containers.filter(container, size({_GIVEN}) > 0)"
    f".map(container, {joined(f'({_GIVEN}).map(given, {_SAID})', RuleName.PRIVILEGED)})"
)

RULE: Rule = Rule(
    RuleName.PRIVILEGED,
    summary="No container of a GPU pod is privileged.",
    evaluate=evaluate,
    in_cel=InCel(refusals=always(_REFUSED)),
)
