"""A GPU pod knows the processors of its node, for which its images must be built.

An image for amd64 alone does not start on Grace processors, which are arm64:
https://docs.nvidia.com/grace-perf-tuning-guide/index.html
"""

from collections.abc import Iterable, Mapping

from gpus.model import HOST_ARCHITECTURE, USUAL_ARCHITECTURE
from policies.cel.pod import EXPRESSIONS
from policies.cel.text import lines, quote, texts
from policies.cel.variables import Variables
from policies.document import elements, members
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings

_ELSEWHERE = Message(
    "The pod may run on {architectures}: {pools}.",
    "Use images for it, and name the architectures of your images as "
    f"{HOST_ARCHITECTURE} in spec.nodeSelector or spec.affinity.nodeAffinity.",
)


def concerns(context: Context) -> bool:
    """Whether the cluster has GPUs in machines of another architecture."""
    for pool in context.settings.pools:  # noqa: SIM110 # a generator costs as much as its work
        if _architecture(pool) != USUAL_ARCHITECTURE:
            return True
    return False


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Warn of a pod that names no architecture and may run where it is not the usual one."""
    if HOST_ARCHITECTURE in pod.node_selector or _is_in_terms(pod):
        return ()
    pools = context.reach(pod).pools
    found = {p.name: _architecture(p) for p in pools if _architecture(p) != USUAL_ARCHITECTURE}
    return (_warning(found),) if found else ()


def _architecture(pool: PoolSettings) -> str:
    return pool.labels.get(HOST_ARCHITECTURE, USUAL_ARCHITECTURE)


def _warning(found: Mapping[str, str]) -> Finding:
    architectures = " or ".join(sorted({*found.values()}))
    return RULE.finding(
        _ELSEWHERE, path="/spec/containers", architectures=architectures, pools=", ".join(found)
    )


def _is_in_terms(pod: Pod) -> bool:
    for term in pod.node_terms:
        for expression in elements(members(term).get("matchExpressions")):
            if members(expression).get("key") == HOST_ARCHITECTURE:
                return True
    return False


_LABEL = quote(HOST_ARCHITECTURE)
_UNUSUAL = "variables.host_architecture_unusual"
_FOUND = "variables.host_architecture_found"
_IS_STATED = (
    f"({_LABEL} in variables.node_selector || variables.stated_terms.exists(term,"
    f" {EXPRESSIONS}.exists(one, one.key == {_LABEL})))"
)


def _unusual(settings: Settings) -> dict[str, str]:
    named = {p.name: p.labels.get(HOST_ARCHITECTURE, USUAL_ARCHITECTURE) for p in settings.pools}
    return {name: value for name, value in named.items() if value != USUAL_ARCHITECTURE}


def _variables(settings: Settings) -> Variables:
    unusual = _unusual(settings)
    if not unusual:
        return {}
    return {
        "host_architecture_unusual": lines(unusual),
        "host_architecture_found": f"variables.reached.filter(pool, pool in {_UNUSUAL})",
    }


def _warnings_in_cel(settings: Settings) -> str:
    unusual = _unusual(settings)
    if not unusual:
        return ""
    architectures = texts(set(unusual.values()))
    run_on = (
        f'{architectures}.filter(one, {_FOUND}.exists(pool, {_UNUSUAL}[pool] == one)).join(" or ")'
    )
    found = _ELSEWHERE.in_cel(architectures=run_on, pools=f'{_FOUND}.join(", ")')
    return f"{_IS_STATED} || size({_FOUND}) == 0 ? [] : [{found}]"


RULE: Rule = Rule(
    RuleName.HOST_ARCHITECTURE,
    summary="A pod that may run on arm64 machines says so.",
    severity=Severity.WARN,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    concerns=concerns,
    in_cel=InCel(warnings=_warnings_in_cel, variables=_variables),
)
