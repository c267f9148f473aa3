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

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.device_variable import any_named, variable_named, variables_at
from policies.document import elements, members
from policies.finding import Severity
from policies.fix import append
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from policies.container import Container
    from policies.context import Context
    from policies.device_variable import DeviceVariable
    from policies.finding import Finding
    from policies.pod import Pod


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
            yield _set_by_hand(container, *opened)
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


def _set_by_hand(container: Container, index: int, name: str) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path=f"{container.pointer}/env/{index}",
        culprit=container.culprit,
        message=f"The {container.culprit} sets {name} by hand, which takes GPUs that the "
        "scheduler did not give it.",
        remedy=f"Remove {container.field_path}.env[{index}] and ask for a GPU resource.",
    )


def _void(container: Container, unset: Sequence[DeviceVariable]) -> Iterator[Finding]:
    added = [{"name": each.name, "value": each.closed[0]} for each in unset]
    fix = append(container.raw, container.pointer, ("env",), added) if added else ()
    if fix:
        names = " or ".join([each.name for each in unset])
        values = " and ".join([f"{each.name} to {each.closed[0]}" for each in unset])
        nothing = "no GPU resource" if container.has_claims else "no GPU"
        yield RULE.finding(
            path=f"{container.pointer}/env",
            culprit=container.culprit,
            message=f"The {container.culprit} asks for {nothing}, but would see every GPU of its "
            f"node if its image sets {names}.",
            remedy=f"Set {values}.",
            fix=fix,
        )


RULE: Rule = Rule(
    RuleName.VISIBLE_DEVICES,
    summary="A container that asks for no GPU sees none, and no container names its GPUs by hand.",
    severity=Severity.FIX,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    refuses_unfixed=True,
)
