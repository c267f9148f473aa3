"""Resources in the domain of a maker of GPUs that name no GPU: most are misspelled.

No other rule looks at a pod that asks for `nvidia.com/gup`: it seems to ask for no GPU, and stays
Pending forever. It is not refused, since device plugins that are not the platform's give other
devices names in these domains, such as `nvidia.com/hostdev`, and these cannot all be known.
"""

from collections.abc import Iterable, Iterator, Sequence

from gpus.nearest import nearest, nearest_hint
from policies.cel.gpus import IS_GPU, of_resources
from policies.cel.pod import REQUESTS
from policies.cel.text import quote, texts
from policies.container import Container
from policies.document import pointer, shown
from policies.finding import Finding, Severity
from policies.gpu_names import GpuNames
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import Settings

_UNKNOWN_NAME = Message(
    "The {culprit} asks for {resource}, which no pool offers and which names no GPU.", "{remedy}"
)
_ASK, _NOTHING = "Ask for what is offered: ", "nothing"
_HERE = "variables.offered_here"


def asking_for(offered: Sequence[str]) -> str:
    """Return what to ask for, without the nearest name and the full stop."""
    return f"{_ASK}{', '.join(offered) or _NOTHING}"


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    names = context.offer.names
    unknown = [
        (container, resource)
        for container in pod.containers
        for resource in _unknown(container, names, context.settings.declared)
    ]
    return _warnings(unknown, context.offer.offered_to(context.namespace)) if unknown else ()


def _unknown(container: Container, names: GpuNames, declared: tuple[str, ...]) -> Sequence[str]:
    if not container.others:
        return ()
    return [
        resource
        for resource in container.others
        if resource.startswith(names.domains) and not resource.startswith(declared)
    ]


def _warnings(
    unknown: Iterable[tuple[Container, str]], offered: tuple[str, ...]
) -> Iterator[Finding]:
    for container, resource in unknown:
        field = "limits" if resource in container.limits else "requests"
        yield RULE.finding(
            _UNKNOWN_NAME,
            path=f"/resources/{field}{pointer(resource)}",
            of=container,
            resource=shown(resource),
            remedy=f"{asking_for(offered)}{nearest_hint(_nearest(resource, offered))}.",
        )


def _nearest(resource: str, offered: Iterable[str]) -> tuple[str, ...]:
    """Compare what follows the domain, which is most of a name and the same in all."""
    domain, _, name = resource.partition("/")
    prefix = f"{domain}/"
    beside = [each.removeprefix(prefix) for each in offered if each.startswith(prefix)]
    return tuple(f"{prefix}{each}" for each in nearest(name, beside))


def _warnings_in_cel(settings: Settings) -> str:
    declared = f"{texts(settings.declared)}.exists(known, resource.startsWith(known))"
    unknown = (
        f"{REQUESTS}.filter(resource, variables.gpu_domains.exists(domain,"
        f" resource.startsWith(domain)) && !{IS_GPU} && !{declared}"
        ' && string(container.resources.requests[resource]) != "0")'
    )
    offered = f"(size({_HERE}) == 0 ? {quote(_NOTHING)} : {_HERE}.join({quote(', ')}))"
    remedy = f"({quote(_ASK)} + {offered} + {quote('.')})"
    found = _UNKNOWN_NAME.in_cel(remedy=remedy)
    return of_resources("variables.containers", unknown, found, RuleName.GPU_RESOURCE_NAME)


RULE: Rule = Rule(
    RuleName.GPU_RESOURCE_NAME,
    summary="A resource in the domain of a maker of GPUs names a GPU.",
    severity=Severity.WARN,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    in_cel=InCel(warnings=_warnings_in_cel),
)
