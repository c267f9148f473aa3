"""Containers see the GPUs that they ask for, and no others.

The container runtime of a GPU's maker gives a container the GPUs that a variable names, and many
images set it to `all`; NVIDIA's is NVIDIA_VISIBLE_DEVICES, of which `void` gives none.
https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html

A container with a claim and no GPU resource gets the value, too: what is claimed can be anything,
or nothing, and NVIDIA's DRA drivers set `void` themselves beside the devices that they give.
https://github.com/NVIDIA/nvidia-container-toolkit (pkg/nvcdi/wrapper.go, `GetCommonEdits`);
https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu (cmd/gpu-kubelet-plugin/cdi.go and
cmd/compute-domain-kubelet-plugin/cdi.go, at v0.4.1)
"""

from collections.abc import Iterable, Iterator, Sequence

from policies.cel.gpus import ASKS_FOR_RESOURCE, IS_OF_NVIDIA, some_asked
from policies.cel.patch import append_in_cel, of_containers
from policies.cel.pod import ENVIRONMENT, HAS_CLAIMS, IS_ADDED, USES_CLAIMS, index_where
from policies.cel.text import lines, quote, texts
from policies.container import Container
from policies.document import elements, members
from policies.finding import Finding, Severity
from policies.fix import append
from policies.gpu_names import (
    VARIABLES,
    DeviceVariable,
    any_named,
    is_of_nvidia_runtime,
    resources_of,
    variable_named,
    variables_at,
)
from policies.pod import Pod
from policies.rule import Audience, Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

_BY_HAND = Message(
    "The {culprit} sets {variable} by hand, which takes GPUs that the scheduler did not give it.",
    "Remove {field}.env[{index}] and ask for a GPU resource.",
)
_OPEN = Message(
    "The {culprit} asks for {nothing}, but would see every GPU of its node if its image sets "
    "{variables}.",
    "Set {closed}.",
)


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Close the variable in containers of a GPU pod that ask for no GPU; refuse other values.

    An entry in `env` overrides any from `envFrom`, whose contents are not known here. Source:
    `makeEnvironmentVariables` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/kubelet/kubelet_pods.go
    """
    read = variables_at(pod)
    if (read and _has_beside(pod)) or any_named(pod.variables):
        return _wrong(pod, read)
    return ()


def _has_beside(pod: Pod) -> bool:
    for container in pod.containers:  # noqa: SIM110 # a generator costs as much as its work
        if not container.asks_for_gpu_resource:
            return True
    return False


def _wrong(pod: Pod, read: Sequence[DeviceVariable]) -> Iterator[Finding]:
    for container in pod.containers:
        opened = _first_opened(container)
        if opened is not None:
            index, name = opened
            path = f"/env/{index}"
            yield RULE.finding(_BY_HAND, path=path, of=container, variable=name, index=index)
        elif not container.asks_for_gpu_resource:
            unset = [each for each in read if not container.variables(each.name)]
            yield from _void(container, unset)


def _first_opened(container: Container) -> tuple[int, str] | None:
    """Return the index of the first entry by which it takes devices, and what the entry sets."""
    for index, raw in enumerate(elements(container.raw.get("env"))):
        entry = members(raw)
        variable = variable_named(entry.get("name"))
        if variable is None:
            continue
        if container.asks_for_gpu_resource or not variable.is_closed_by(entry):
            return index, variable.name
    return None


def _void(container: Container, unset: Sequence[DeviceVariable]) -> Iterator[Finding]:
    added = [{"name": each.name, "value": each.closed[0]} for each in unset]
    fix = append(container.raw, container.pointer, ("env",), added) if added else ()
    if fix:
        values = {
            "nothing": "no GPU resource" if container.has_claims else "no GPU",
            "variables": " or ".join([each.name for each in unset]),
            "closed": " and ".join([f"{each.name} to {each.closed[0]}" for each in unset]),
        }
        yield RULE.finding(_OPEN, path="/env", of=container, values=values, fix=fix)


_CLOSED = "variables.visible_devices_closed"
_OPENS = (
    f"{_CLOSED}.exists(name, entry.name.startsWith(name) && ({ASKS_FOR_RESOURCE}"
    f' || has(entry.valueFrom) || !(entry.?value.orValue("") in {_CLOSED}[name])))'
)
_OPENED = f"{ENVIRONMENT}.exists(entry, {_OPENS})"
_UNSET = (
    "variables.visible_devices_read.filter(variable,"
    f" !{ENVIRONMENT}.exists(entry, entry.name == variable.name))"
)


def _is_read(variable: DeviceVariable) -> str:
    """Return CEL for whether the runtimes read it where the pod runs."""
    nvidia = is_of_nvidia_runtime(variable)
    which = IS_OF_NVIDIA if nvidia else f"resource in {texts(resources_of(variable))}"
    asked = some_asked(which)
    return f"({HAS_CLAIMS} || {asked})" if nvidia else asked


def _entry(variable: DeviceVariable) -> str:
    return f'{{"name": {quote(variable.name)}, "value": {quote(variable.closed[0])}}}'


_VARIABLES = {
    "visible_devices_closed": lines({each.name: list(each.closed) for each in VARIABLES}),
    "visible_devices_read": " + ".join(
        f"({_is_read(each)} ? [{_entry(each)}] : [])" for each in VARIABLES
    ),
}


def _by_hand() -> str:
    first = f"{ENVIRONMENT}.filter(entry, {_OPENS})[0]"
    name = f"{_CLOSED}.filter(name, {first}.name.startsWith(name))[0]"
    index = index_where(ENVIRONMENT, "entry", _OPENS)
    return _BY_HAND.in_cel(variable=name, index=index)


def _unset() -> str:
    names = f'{_UNSET}.map(variable, variable.name).join(" or ")'
    values = f'{_UNSET}.map(variable, variable.name + " to " + variable.value).join(" and ")'
    nothing = f'({USES_CLAIMS} ? "no GPU resource" : "no GPU")'
    return _OPEN.in_cel(nothing=nothing, variables=names, closed=values)


_BESIDE = f"{IS_ADDED} && !{ASKS_FOR_RESOURCE} && size({_UNSET}) > 0"
_REFUSED = (
    f"variables.containers.filter(container, {_OPENED} || ({_BESIDE}))"
    f".map(container, {_OPENED} ? {_by_hand()} : {_unset()})"
)
_LACKS_IT = f"!{ASKS_FOR_RESOURCE} && !{_OPENED} && size({_UNSET}) > 0"
_SET = append_in_cel("has(container.env)", 'placed[0] + "/env"', _UNSET)
_FIXED = f"size(variables.visible_devices_read) == 0 ? [] : {of_containers(_LACKS_IT, _SET)}"

RULE: Rule = Rule(
    RuleName.VISIBLE_DEVICES,
    summary="A container that asks for no GPU sees none, and no container names its GPUs by hand.",
    severity=Severity.FIX,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    refuses_unfixed=True,
    in_cel=InCel(
        refusals=always(_REFUSED),
        fixes=always(_FIXED),
        fixes_ephemeral=True,
        variables=always(_VARIABLES),
    ),
)
