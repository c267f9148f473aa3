"""What the rules in CEL read of a pod, computed once for all of them."""

from gpus.allocator import DEVICE_CLASS_PREFIX
from policies.cel.amounts import amount, whole_gpus
from policies.cel.pod import (
    EPHEMERAL_CONTAINERS,
    HAS_CLAIMS,
    INIT_CONTAINERS,
    LIMITS,
    REQUESTS,
    USES_CLAIMS,
    VOLUMES,
)
from policies.cel.text import in_order, joined, quote, shortened, texts
from policies.cel.variables import Variables
from policies.gpu_names import CLASSES, DOMAIN, GpuNames
from policies.rule_name import RuleName
from policies.settings import Settings, offered_by

IS_OF_NVIDIA = (
    f"(resource.startsWith({quote(DOMAIN)}) || (resource.startsWith({quote(DEVICE_CLASS_PREFIX)})"
    f" && resource.endsWith({quote(CLASSES)})))"
)
"""Whether a `resource`, which is a GPU, is NVIDIA's."""
AMOUNTS = f"[{LIMITS}, {REQUESTS}]"
IS_GPU = (
    '(resource.contains("/") && (resource in variables.gpu_names'
    " || variables.gpu_prefixes.exists(prefix, resource.startsWith(prefix))))"
)
"""Whether a `resource` is a GPU or a part of one; what every container asks for comes first."""
CULPRIT = f'("container " + {shortened("container.name")})'
"""How findings name a `container`."""


def is_asked(amounts: str) -> str:
    """Return CEL for whether some of a `resource`, which is a GPU, is among the amounts."""
    return f'{IS_GPU} && string({amounts}[resource]) != "0"'


ASKS_FOR_RESOURCE = f"{AMOUNTS}.exists(amounts, amounts.exists(resource, {is_asked('amounts')}))"
ASKS = f"({USES_CLAIMS} || {ASKS_FOR_RESOURCE})"
"""Whether a `container` asks for a GPU or uses a claim."""


def some_asked(condition: str) -> str:
    """Return CEL for whether the pod asks for a GPU `resource` that meets the condition."""
    return f"variables.asked.exists(resources, resources.exists(resource, {condition}))"


def of_resources(containers: str, resources: str, found: str, rule: RuleName) -> str:
    """Return CEL for what is found of each `resource` of each `container` that has such."""
    each = joined(f"{in_order(resources)}.map(resource, {found})", rule)
    return f"{containers}.filter(container, size({resources}) > 0).map(container, {each})"


def _asked(amounts: str) -> str:
    return f"{amounts}.filter(resource, {is_asked(amounts)})"


def amount_in(container: str, resource: str) -> str:
    """Return CEL for how much of a resource a container asks for, of a fraction the whole part.

    The limit takes precedence over the request, which must equal it.
    """
    stated = (
        f"{container}.?resources.?limits[?{resource}]"
        f'.or({container}.?resources.?requests[?{resource}]).orValue("0")'
    )
    return whole_gpus(amount(stated))


_IMAGES = (
    'variables.containers.filter(container, container.?image.orValue("") != "")'
    f'.map(container, [{CULPRIT} + " runs ", string(container.image)])'
    f' + {VOLUMES}.filter(volume, volume.?image.?reference.orValue("") != "").map(volume,'
    f' ["volume " + {shortened("volume.name")} + " mounts ", string(volume.image.reference)])'
)


def pod_variables(settings: Settings) -> Variables:
    """Return the variables, each after those that it reads.

    `containers`: all of the pod, in the order in which the rules read them. `images`: pairs of who
    runs or mounts one, and its name. `gpu_names`,
    `gpu_prefixes`: the resources that are GPUs. `gpu_domains`: what those of their makers begin
    with. `gpu_containers`: the containers that ask for a GPU
    or use a claim. `asked`: for each of these the GPU resources that it asks for.
    `asks_for_resource`: whether one asks for a GPU resource. `asks_for_gpu`: whether the pod asks
    for one or brings a claim.
    """
    names = GpuNames(offered_by(settings.pools))
    return {
        "containers": f"{INIT_CONTAINERS} + object.spec.containers + {EPHEMERAL_CONTAINERS}",
        "images": _IMAGES,
        "gpu_names": texts(names.names),
        "gpu_prefixes": texts(names.prefixes),
        "gpu_domains": texts(names.domains),
        "gpu_containers": f"variables.containers.filter(container, {ASKS})",
        "asked": f"variables.gpu_containers.map(container, {_asked(LIMITS)} + {_asked(REQUESTS)})",
        "asks_for_resource": "variables.asked.exists(resources, size(resources) > 0)",
        "asks_for_gpu": f"{HAS_CLAIMS} || size(variables.gpu_containers) > 0",
    }
