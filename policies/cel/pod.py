"""Fields of a pod in CEL, each empty where it is absent."""

from collections.abc import Iterable

from policies.admission import NODES
from policies.cel.text import quote, texts
from policies.pod import REQUIRED, STATIC_POD
from policies.settings import Settings

_LISTS = ("initContainers", "containers")


def _place(field: str) -> str:
    names = f"{containers_in(field)}.map(one, one.name)"
    return f'"spec.{field}[" + string({names}.indexOf(container.name)) + "]"'


def containers_in(field: str, of: str = "object") -> str:
    return f"{of}.spec.?{field}.orValue([])"


def is_among(containers: str, name: str = "container.name") -> str:
    """Return CEL for whether one of that name is among containers; names are unique in a pod."""
    return f"{containers}.exists(one, one.name == {name})"


FIELD_PATH = (
    "("
    + "".join(f"{is_among(containers_in(field))} ? {_place(field)} : " for field in _LISTS)
    + _place("ephemeralContainers")
    + ")"
)
"""CEL for the place of a `container`; names are unique in a pod."""
IS_CREATED = f"(request.operation == {quote('CREATE')})"
_SUBRESOURCE = f"request.?subResource.orValue({quote('')})"
OF_POD = f"({_SUBRESOURCE} == {quote('')})"
"""Whether it is about the pod itself, and no subresource of it."""
OF_EPHEMERAL = f"({_SUBRESOURCE} == {quote('ephemeralcontainers')})"
"""Whether ephemeral containers are added to a pod."""
EPHEMERAL_CONTAINERS = containers_in("ephemeralContainers")
IS_ADDED = f"({IS_CREATED} || ({OF_EPHEMERAL} && {is_among(EPHEMERAL_CONTAINERS)}))"
"""Whether a `container` is of a pod that is created, or an ephemeral one of a pod that runs;
evaluating it twice tells apart those that the pod has already."""
_IS_OF_DAEMON_SET = (
    "object.metadata.?ownerReferences.orValue([]).exists(owner,"
    ' owner.?controller.orValue(false) && owner.kind == "DaemonSet")'
)
ANNOTATIONS = "object.metadata.?annotations.orValue({})"
# Anybody can give a new pod the annotation of a static one. The kubelet does not run it then, but
# until it is deleted the scheduler counts it. No update can add the annotation.
_IS_STATIC = f'"{STATIC_POD}" in {ANNOTATIONS}'
_IS_OF_KUBELET = f'"{NODES}" in request.userInfo.?groups.orValue([])'
IS_NO_STATIC_POD = {
    "name": "is-not-a-static-pod",
    "expression": f'!({_IS_STATIC}) || (request.operation == "CREATE" && !({_IS_OF_KUBELET}))',
}
"""A condition that every pod meets but those that show a kubelet's static pods."""


def node_terms(of: str) -> str:
    """Return CEL for the terms; the node of a pod must meet one of them."""
    return f"{of}.spec.?affinity.?nodeAffinity.?{REQUIRED}.?nodeSelectorTerms.orValue([])"


INIT_CONTAINERS = containers_in("initContainers")
CONTAINERS = f"({containers_in('containers')} + {INIT_CONTAINERS} + {EPHEMERAL_CONTAINERS})"
HOST_IPC = "object.spec.?hostIPC.orValue(false)"
NODE_NAME = 'object.spec.?nodeName.orValue("")'
NODE_SELECTOR = "object.spec.?nodeSelector.orValue({})"
NODE_TERMS = node_terms("object")
RUNTIME_CLASS = 'object.spec.?runtimeClassName.orValue("")'
TOLERATIONS = "object.spec.?tolerations.orValue([])"
VOLUMES = "object.spec.?volumes.orValue([])"
CLAIMS = "object.spec.?resourceClaims.orValue([])"
HAS_CLAIMS = f"size({CLAIMS}) > 0"
"""Whether it brings a claim, for any of its containers."""
LABELS = "object.metadata.?labels.orValue({})"
LIMITS = "container.?resources.?limits.orValue({})"
"""CEL for the limits of a `container`; what follows is of one, too."""
REQUESTS = "container.?resources.?requests.orValue({})"
ENVIRONMENT = "container.?env.orValue([])"
MOUNTS = "container.?volumeMounts.orValue([])"
USES_CLAIMS = "size(container.?resources.?claims.orValue([])) > 0"
EXPRESSIONS = "term.?matchExpressions.orValue([])"
"""CEL for the expressions of a `term` of the node affinity."""
STATES_SOMETHING = f"size({EXPRESSIONS}) + size(term.?matchFields.orValue([])) > 0"
"""Whether some node can match it."""
VALUES = "expression.?values.orValue([])"


def volume_index(volume: str) -> str:
    return f"string({VOLUMES}.map(one, one.name).indexOf({volume}.name))"


def index_where(elements: str, element: str, condition: str) -> str:
    """Return CEL for the index, as a string, of the first element that meets the condition."""
    return f'string({elements}.map({element}, {condition} ? "it" : "").indexOf("it"))'


def parts(path: str) -> str:
    """Return CEL for the names between the slashes of a path, without what changes nothing."""
    return f'{path}.split("/").filter(part, part != "" && part != ".")'


def is_in(namespaces: Iterable[str]) -> str:
    return f"request.namespace in {texts(namespaces)}"


def of_purpose(purpose: str, settings: Settings) -> tuple[str, ...]:
    return tuple(name for name, each in settings.namespaces.items() if each.purpose == purpose)


def is_of_agent(settings: Settings) -> str:
    return f"(!({is_in(settings.namespaces)}) && {_IS_OF_DAEMON_SET})"
