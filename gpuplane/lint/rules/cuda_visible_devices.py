"""A container names only GPUs to CUDA that it has.

CUDA numbers the GPUs of a container from 0, whichever of the node's they are, and "if one of the
indices is invalid, only the devices whose index precedes the invalid index are visible": with
`4,5` of another machine's list a container with two GPUs computes on none.
https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables
"""

import re
from collections.abc import Iterator

from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding, whole_gpus
from policies.container import Container
from policies.document import members, shown, text
from policies.gpu_names import is_of_nvidia

_VARIABLE = "CUDA_VISIBLE_DEVICES"
_INDEX = re.compile(r"[0-9]{1,9}")


def check(one: LintObject, _context: LintContext) -> Iterator[RuleFinding]:
    """Find indices that no GPU of the container has.

    A privileged container sees GPUs of the node that it did not ask for; it is left alone.
    """
    for gpu_pod in one.gpu_pods:
        for container in gpu_pod.pod.containers:
            gpus = whole_gpus(container)
            security = members(container.raw.get("securityContext"))
            is_of_others = not all(map(is_of_nvidia, container.gpus))
            if gpus is None or is_of_others or security.get("privileged") is True:
                continue
            for index, entry in container.variables(_VARIABLE)[-1:]:
                yield from _invalid(
                    container,
                    gpus,
                    text(entry.get("value")),
                    f"{gpu_pod.pointer}{container.pointer}/env/{index}/value",
                )


def _invalid(container: Container, gpus: int, value: str, pointer: str) -> Iterator[RuleFinding]:
    """Yield the first index that is too high; whatever is no index may be a GPU's name."""
    for position, each in enumerate(value.split(",")):
        if not _INDEX.fullmatch(each):
            return
        if int(each) >= gpus:
            counted = "1 GPU" if gpus == 1 else f"{gpus} GPUs"
            left = "" if position else ", and uses no GPU"
            yield RuleFinding(
                pointer,
                f"The {container.culprit} has {counted}, which CUDA numbers from 0, but "
                f"{_VARIABLE} is {shown(value)}: CUDA stops at {each}{left}.",
                f"Remove the variable, or name indices below {gpus}.",
            )
            return


RULE = LintRule("cuda-visible-devices", "A container names only GPUs to CUDA that it has.", check)
