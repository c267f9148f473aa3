"""Resources in the domain of a maker of GPUs that name no GPU: most are misspelled.

No other rule looks at a pod that asks for `nvidia.com/gup`: it seems to ask for no GPU, and stays
Pending forever. It is not refused, since device plugins that are not the platform's give other
devices names in these domains, such as `nvidia.com/hostdev`, and these cannot all be known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.nearest import nearest, nearest_hint
from policies.document import pointer, shown
from policies.finding import Severity
from policies.quantity import read_quantity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.gpu_names import GpuNames
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Warn of resources in a GPU maker's domain that name no GPU, and name the nearest offered."""
    names = context.offer.names
    unknown = [
        (container, resource)
        for container in pod.containers
        for resource in _unknown(container, names)
    ]
    return _warnings(unknown, context.offer.resources) if unknown else ()


def _unknown(container: Container, names: GpuNames) -> Sequence[str]:
    """Return them sorted; almost always there are none."""
    found = {
        resource
        for amounts in (container.requests, container.limits)
        for resource, amount in amounts.items()
        if resource.startswith(names.domains)
        and not names.is_gpu(resource)
        and read_quantity(amount) != 0
    }
    return sorted(found) if found else ()


def _warnings(
    unknown: Iterable[tuple[Container, str]], offered: tuple[str, ...]
) -> Iterator[Finding]:
    for container, resource in unknown:
        field = "limits" if resource in container.limits else "requests"
        yield RULE.finding(
            path=f"{container.pointer}/resources/{field}{pointer(resource)}",
            culprit=container.culprit,
            message=f"The {container.culprit} asks for {shown(resource)}, which no pool offers and "
            "which names no GPU.",
            remedy=f"{asking_for(offered)}{nearest_hint(_nearest(resource, offered))}.",
        )


def asking_for(offered: Sequence[str]) -> str:
    """Return what to ask for, without the nearest name and the full stop."""
    return f"Ask for what is offered: {', '.join(offered) or 'nothing'}"


def _nearest(resource: str, offered: Iterable[str]) -> tuple[str, ...]:
    """Compare what follows the domain, which is most of a name and the same in all."""
    domain, _, name = resource.partition("/")
    prefix = f"{domain}/"
    beside = [each.removeprefix(prefix) for each in offered if each.startswith(prefix)]
    return tuple(f"{prefix}{each}" for each in nearest(name, beside))


RULE: Rule = Rule(
    RuleName.GPU_RESOURCE_NAME,
    summary="A resource in the domain of a maker of GPUs names a GPU.",
    severity=Severity.WARN,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
)
