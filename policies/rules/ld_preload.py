"""No library is preloaded into the programs of a GPU pod.

The variable also reached the privileged hook of the container toolkit (CVE-2025-23266, fixed in
toolkit 1.17.8): https://nvidia.custhelp.com/app/answers/detail/a_id/5659
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import elements, members, text
from policies.finding import Severity
from policies.fix import append
from policies.nvidia_resource import is_of_nvidia
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from policies.container import Container
    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.pod import Pod


VARIABLE = "LD_PRELOAD"


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse containers that set LD_PRELOAD; empty it where `envFrom` could set it.

    An entry in `env` overrides any from `envFrom`, whose contents are not known here. Source:
    `makeEnvironmentVariables` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/kubelet/kubelet_pods.go
    The toolkit is NVIDIA's, so other pods keep what their images preload.
    """
    if VARIABLE in pod.variables:
        return _wrong(pod)
    for container in pod.containers:
        if "envFrom" in container.raw:
            return _wrong(pod)
    return ()


def _wrong(pod: Pod) -> Iterator[Finding]:
    meets_toolkit = pod.has_claims or any(map(is_of_nvidia, pod.gpus))
    for container in pod.containers:
        entries = container.variables(VARIABLE)
        set_to_something = [index for index, entry in entries if not _is_empty(entry)]
        if set_to_something:
            yield _refusal(container, set_to_something[0])
        elif meets_toolkit and not entries and _may_get_it(container):
            yield from _emptied(container)


def _is_empty(entry: Mapping[str, Json]) -> bool:
    return entry.get("valueFrom") is None and entry.get("value") in ("", None)


def _may_get_it(container: Container) -> bool:
    """Whether `envFrom` could set it: what a source holds gets the prefix that is stated for it."""
    for source in elements(container.raw.get("envFrom")):
        if VARIABLE.startswith(text(members(source).get("prefix"))):
            return True
    return False


def _refusal(container: Container, index: int) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path=f"{container.pointer}/env/{index}",
        culprit=container.culprit,
        message=f"The {container.culprit} sets {VARIABLE} on a pod with GPUs.",
        remedy=f"Remove {container.field_path}.env[{index}]; set it in a start script.",
    )


def _emptied(container: Container) -> Iterator[Finding]:
    fix = append(container.raw, container.pointer, ("env",), [{"name": VARIABLE, "value": ""}])
    if fix:
        yield RULE.finding(
            path=f"{container.pointer}/env",
            culprit=container.culprit,
            message=f"The {container.culprit} takes variables from {container.field_path}.envFrom, "
            f"which could set {VARIABLE} on a pod with GPUs.",
            remedy=f"Set {VARIABLE} to nothing; a start script can set it.",
            fix=fix,
        )


RULE: Rule = Rule(
    RuleName.LD_PRELOAD,
    summary="A GPU pod sets no LD_PRELOAD.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    refuses_unfixed=True,
)
