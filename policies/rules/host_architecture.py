"""A GPU pod knows the processors of its node, for which its images must be built.

An image for amd64 alone does not start on Grace processors, which are arm64:
https://docs.nvidia.com/grace-perf-tuning-guide/index.html
"""

from collections.abc import Iterable

from gpus.model import HOST_ARCHITECTURE, USUAL_ARCHITECTURE
from policies.cel.pod import EXPRESSIONS
from policies.cel.text import lines, quote, texts
from policies.cel.variables import Variables
from policies.finding import Finding, Severity
from policies.node_terms import names_any
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings

_ELSEWHERE = Message(
    "The pod may run on {architectures}: {pools}.",
    "Use images for these as well, or name the architectures of your images as "
    f"{HOST_ARCHITECTURE} in spec.nodeSelector or spec.affinity.nodeAffinity.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    if HOST_ARCHITECTURE in pod.node_selector or names_any(pod.node_terms, (HOST_ARCHITECTURE,)):
        return ()
    found = _unusual(context.reach(pod).pools)
    if not found:
        return ()
    architectures, pools = " or ".join(sorted({*found.values()})), ", ".join(found)
    path = "/spec/containers"
    return (RULE.finding(_ELSEWHERE, path=path, architectures=architectures, pools=pools),)


def _unusual(pools: Iterable[PoolSettings]) -> dict[str, str]:
    """Return the pools in machines of another architecture, each with that."""
    usual = (USUAL_ARCHITECTURE,)
    named = {pool.name: pool.certain_labels.get(HOST_ARCHITECTURE, usual)[0] for pool in pools}
    return {name: value for name, value in named.items() if value != USUAL_ARCHITECTURE}


_LABEL = quote(HOST_ARCHITECTURE)
_UNUSUAL = "variables.host_architecture_unusual"
_FOUND = "variables.host_architecture_found"
_IS_STATED = (
    f"({_LABEL} in variables.node_selector || variables.stated_terms.exists(term,"
    f" {EXPRESSIONS}.exists(one, one.key == {_LABEL})))"
)


def _variables(settings: Settings) -> Variables:
    return {
        "host_architecture_unusual": lines(_unusual(settings.pools)),
        "host_architecture_found": f"variables.reached.filter(pool, pool in {_UNUSUAL})",
    }


def _warnings_in_cel(settings: Settings) -> str:
    architectures = texts(set(_unusual(settings.pools).values()))
    run_on = (
        f'{architectures}.filter(one, {_FOUND}.exists(pool, {_UNUSUAL}[pool] == one)).join(" or ")'
    )
    found = _ELSEWHERE.in_cel(architectures=run_on, pools=f'{_FOUND}.join(", ")')
    return f"{_IS_STATED} || size({_FOUND}) == 0 ? [] : [{found}]"


RULE: Rule = Rule(
    RuleName.HOST_ARCHITECTURE,
    summary="A pod that may run on arm64 machines says so.",
    severity=Severity.WARN,
    evaluate=evaluate,
    applies=lambda settings: bool(_unusual(settings.pools)),
    in_cel=InCel(warnings=_warnings_in_cel, variables=_variables),
)
