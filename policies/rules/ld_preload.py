"""No library is preloaded into the programs of a GPU pod.

The variable also reached the privileged hook of the container toolkit (CVE-2025-23266, fixed in
toolkit 1.17.8): https://nvidia.custhelp.com/app/answers/detail/a_id/5659
"""

from collections.abc import Iterable, Iterator, Mapping

from policies.cel.gpus import IS_OF_NVIDIA, some_asked
from policies.cel.patch import append_in_cel, object_literal, of_containers
from policies.cel.pod import ENVIRONMENT, HAS_CLAIMS, IS_ADDED, index_where
from policies.cel.text import quote
from policies.container import Container
from policies.document import Json, elements, members, text
from policies.finding import Finding, Severity
from policies.fix import append
from policies.gpu_names import is_of_nvidia
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

VARIABLE = "LD_PRELOAD"
_SET = Message(
    "The {culprit} sets LD_PRELOAD on a pod with GPUs.",
    "Remove {field}.env[{index}]; set it in a start script.",
)
_COULD_BE_SET = Message(
    "The {culprit} takes variables from {field}.envFrom, which could set LD_PRELOAD on a pod with "
    "GPUs.",
    "Set LD_PRELOAD to an empty value in {field}.env; a start script can set it.",
)


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
            index = set_to_something[0]
            yield RULE.finding(_SET, path=f"/env/{index}", of=container, index=index)
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


def _emptied(container: Container) -> Iterator[Finding]:
    fix = append(container.raw, container.pointer, ("env",), [{"name": VARIABLE, "value": ""}])
    if fix:
        yield RULE.finding(_COULD_BE_SET, path="/env", of=container, fix=fix)


_NAMED = f"entry.name == {quote(VARIABLE)}"
_SETS = f'({_NAMED} && (has(entry.valueFrom) || entry.?value.orValue("") != ""))'
_IS_SET = f"{ENVIRONMENT}.exists(entry, {_SETS})"
_COULD_BE = (
    f"(variables.ld_preload_meets_toolkit && !{ENVIRONMENT}.exists(entry, {_NAMED})"
    " && container.?envFrom.orValue([]).exists(source,"
    f' {quote(VARIABLE)}.startsWith(source.?prefix.orValue(""))))'
)

_FIRST = index_where(ENVIRONMENT, "entry", _SETS)
_SAID = f"{_IS_SET} ? {_SET.in_cel(index=_FIRST)} : {_COULD_BE_SET.in_cel()}"
_REFUSED = (
    f"variables.containers.filter(container, {_IS_SET} || ({IS_ADDED} && {_COULD_BE}))"
    f".map(container, {_SAID})"
)
# What another rule adds where there was nothing would be replaced.
_HAS_ENVIRONMENT = (
    "(has(container.env)"
    ' || variables.visible_devices_fixes.exists(each, each[1] == placed[0] + "/env"))'
)
_EMPTY = object_literal({"name": quote(VARIABLE), "value": quote("")})
_EMPTIED = append_in_cel(_HAS_ENVIRONMENT, 'placed[0] + "/env"', f"[{_EMPTY}]")
_VARIABLES = {"ld_preload_meets_toolkit": f"{HAS_CLAIMS} || {some_asked(IS_OF_NVIDIA)}"}

RULE: Rule = Rule(
    RuleName.LD_PRELOAD,
    summary="A GPU pod sets no LD_PRELOAD.",
    severity=Severity.FIX,
    evaluate=evaluate,
    refuses_unfixed=True,
    in_cel=InCel(
        refusals=always(_REFUSED),
        fixes=always(of_containers(f"!{_IS_SET} && {_COULD_BE}", _EMPTIED)),
        fixes_ephemeral=True,
        variables=always(_VARIABLES),
    ),
)
