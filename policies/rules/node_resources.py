"""A pod asks only for what a node has that it can run on: CPU, memory, and what is no GPU.

The scheduler holds what a pod asks for against what is allocatable of a node: its size without
what Kubernetes keeps of it. A pod that asks for more waits forever; no autoscaler starts a node:
https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/

Kueue starts no job that asks for a resource on which its queue has no quota, unless that is among
`excludeResourcePrefixes`: https://kueue.sigs.k8s.io/docs/reference/kueue-config.v1beta2/

Any other resource can be that of a device plugin which the platform does not know.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import inf

from gpus.nearest import nearest, nearest_hint
from policies.asked_place import asked_place
from policies.cel.gpus import IS_GPU, of_resources
from policies.cel.placement import by_pool
from policies.cel.pod import REQUESTS, is_in
from policies.cel.text import quote, texts
from policies.cel.variables import Variables
from policies.container import HUGE_PAGES, Container
from policies.document import pointer, shown
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.quantity import MILLI, format_most, read_quantity
from policies.reach import COUNTED, bounded_others, holds, lacking, most_of
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings

_TOO_MUCH = Message(
    "The pod asks for more {resource} than a node of {pool} has for pods, which is {most}.",
    "{remedy}",
)
_VALUES = ("resource", "pool", "most", "remedy")
_UNCOUNTED = Message(
    "The {culprit} asks for {resource}, on which no queue has a quota: its pods never start.",
    "Leave it out. Where a device plugin of yours offers it, list it in queues.uncounted of the "
    "cluster file{hint}.",
)
_UNKNOWN = Message(
    "The {culprit} asks for {resource}, which no pool is known to offer.",
    "Known beside GPUs: {known}{hint}.",
)
_FABRICS = ("rdma/", "vpc.amazonaws.com/efa")
"""What the names of network devices begin with by which pods reach each other's memory."""
ADVISED_PERCENT = {"cpu": 90, "memory": 85, "ephemeral-storage": 85}
"""What pods are told to ask for at most, so that the daemons of a node have room beside them. Of
the memory of an EC2 instance, Karpenter takes 7.5 % for lost until it has seen one."""


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    others = [container for container in pod.containers if container.others]
    names = context.offer.bounded_others if others else ()
    found = []
    for pool in context.reach(pod).pools:
        if holds(pool, pod):
            found.append((pool, lacking(pool, pod, names)))
            if not found[-1][1]:
                return _of_others(others, context) if others else ()
    # None of those that it can run on holds a pod that asks for too many GPUs.
    return chain(
        _too_much(pod, found, context.settings) if found else (), _of_others(others, context)
    )


def _too_much(
    pod: Pod, found: Sequence[tuple[PoolSettings, list[str]]], settings: Settings
) -> Iterator[Finding]:
    """Yield what the pod has to ask for less of to run on the pool where that is fewest."""
    fewest = min([len(lacks) for _, lacks in found])
    best = [(pool, lacks) for pool, lacks in found if len(lacks) == fewest]
    first = best[0][1][0]
    sizes = [inf if (most := most_of(pool, first)) is None else most for pool, _ in best]
    pool, lacks = best[sizes.index(max(sizes))]
    for resource in lacks:
        values = zip(_VALUES, _said(pool, resource, settings), strict=True)
        yield RULE.finding(_TOO_MUCH, path=asked_place(pod, resource), values=dict(values))


def _said(pool: PoolSettings, resource: str, settings: Settings) -> tuple[str, str, str, str]:
    """Return the values of the message, in the order of `_VALUES`."""
    most = most_of(pool, resource) or 0
    said, remedy = str(most), f"Ask for at most {most}."
    if percent := ADVISED_PERCENT.get(resource):
        advised = format_most(resource, most * percent // 100)
        exact = f"{most}m" if resource == "cpu" and most % MILLI else format_most(resource, most)
        said = f"{exact}{_without(pool, pool.daemons.get(resource))}"
        remedy = f"Ask for at most {advised}, which leaves room for the daemons of the node."
    elif not most:
        able = ", ".join(each.name for each in settings.pools if each.others.get(resource))
        remedy = f"Leave it out, or choose a pool that has some: {able}."
    return resource, pool.name, said, remedy


def _without(pool: PoolSettings, daemons: str | None) -> str:
    of_daemons = read_quantity(pool.daemons.get("cpu")) or 0
    kept = ["what Kubernetes keeps"] if pool.kept_millicpu > of_daemons * MILLI else []
    kept += [f"the {daemons} that daemons of the platform ask for"] if daemons else []
    return f" without {' and '.join(kept)}" if kept else ""


def _of_others(containers: Iterable[Container], context: Context) -> Iterator[Finding]:
    settings = context.settings
    counted = settings.uncounted if context.namespace is not None else None
    for container in containers:
        for resource in container.others:
            if resource.startswith(settings.declared):
                continue
            is_uncounted = counted is not None and not resource.startswith(counted)
            if is_uncounted or not resource.startswith(context.offer.names.domains):
                field = "limits" if resource in container.limits else "requests"
                yield RULE.finding(
                    _UNCOUNTED if is_uncounted else _UNKNOWN,
                    path=f"/resources/{field}{pointer(resource)}",
                    of=container,
                    severity=Severity.REFUSE if is_uncounted else Severity.WARN,
                    resource=shown(resource),
                    known=_known(settings),
                    hint=nearest_hint(_nearest(resource, settings.declared)),
                )


def _nearest(resource: str, declared: Iterable[str]) -> Sequence[str]:
    of_fabrics = [each for each in declared if each.startswith(_FABRICS)]
    return of_fabrics if resource.startswith(_FABRICS) else nearest(resource, declared)


def _known(settings: Settings) -> str:
    return ", ".join(settings.declared) or "nothing"


_LACKING, _HOLDING = "variables.lacking", "variables.holding"
_FEWEST = "variables.node_resources_fewest"
_BEST = "variables.node_resources_best"
_POOL = f"{_BEST}[0]"
_SAID = f"variables.node_resources_said[{_HOLDING}[{_POOL}]][at]"
_IS_OTHER = (
    f'((resource.contains("/") && !{IS_GPU}) || resource.startsWith({quote(HUGE_PAGES)}))'
    ' && string(container.resources.requests[resource]) != "0"'
)


def _begins(prefixes: Iterable[str]) -> str:
    return f"{texts(prefixes)}.exists(prefix, resource.startsWith(prefix))"


def _variables(settings: Settings) -> Variables:
    names = (*COUNTED, *bounded_others(settings.pools))
    first = f"{_LACKING}[{_FEWEST}[0]][0]"
    most = f"variables.most[{_HOLDING}[at]][{first}]"
    return {
        "node_resources_said": by_pool(
            settings.pools, lambda pool: [[*_said(pool, name, settings)] for name in names]
        ),
        "node_resources_fewest": f"{_LACKING}.exists(each, size(each) == 0) ? []"
        f" : lists.range(size({_LACKING})).filter(at, size({_LACKING}[at])"
        f" == {_LACKING}.map(each, size(each)).min())",
        "node_resources_best": f"{_FEWEST}.filter(at, {most} == {_FEWEST}.map(at, {most}).max())",
    }


def _uncounted(settings: Settings) -> str:
    """Return CEL for whether no job starts that asks for an undeclared `resource`."""
    if settings.uncounted is None:
        return "false"
    return f"{is_in(settings.namespaces)} && !{_begins(settings.uncounted)}"


def _refusals_in_cel(settings: Settings) -> str:
    too_much = _TOO_MUCH.in_cel(**{name: f"{_SAID}[{at}]" for at, name in enumerate(_VALUES)})
    of_nodes = f"size({_BEST}) == 0 ? [] : {_LACKING}[{_POOL}].map(at, {too_much})"
    if settings.uncounted is None:
        return of_nodes
    return f"({of_nodes}) + {_of_undeclared(settings, _uncounted(settings), _UNCOUNTED)}"


def _warnings_in_cel(settings: Settings) -> str:
    is_of_maker = "variables.gpu_domains.exists(domain, resource.startsWith(domain))"
    where = f"!({_uncounted(settings)}) && !{is_of_maker}"
    return _of_undeclared(settings, where, _UNKNOWN.filled(known=_known(settings)))


def _of_undeclared(settings: Settings, where: str, message: Message) -> str:
    resources = (
        f"{REQUESTS}.filter(resource, {_IS_OTHER} && !{_begins(settings.declared)} && {where})"
    )
    found = message.in_cel(hint=quote(""))
    return of_resources("variables.containers", resources, found, RuleName.NODE_RESOURCES)


RULE: Rule = Rule(
    RuleName.NODE_RESOURCES,
    summary="A pod asks for no more CPU, memory and other resources than a node has for pods.",
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel, warnings=_warnings_in_cel, variables=_variables),
)
