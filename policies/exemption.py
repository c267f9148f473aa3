"""Pods that no rule looks at, and containers that an update leaves as they were."""

from policies.admission import CREATE, UPDATE, Review
from policies.container import ContainerKind
from policies.document import each, elements, members
from policies.finding import Finding
from policies.pod import Pod
from policies.settings import ALWAYS_EXEMPT, Settings

_JUDGED = (CREATE, UPDATE)


def is_exempt(pod: Pod, namespace: str, review: Review, settings: Settings) -> bool:
    """Whether no rule looks at the pod.

    Exempt are namespaces and service accounts of the platform, static pods, pods that select
    Windows nodes and pods that are being deleted. No label exempts a pod, and no annotation does
    on a new one, since anybody can set it.
    """
    return (
        review.operation not in _JUDGED
        or is_exempt_namespace(namespace, settings)
        or (pod.is_mirror and not _is_false_mirror(review))
        or pod.is_ending
        or pod.is_windows
        or (
            bool(settings.exempt_service_accounts)
            and f"{namespace}/{pod.service_account}" in settings.exempt_service_accounts
        )
    )


def is_exempt_namespace(namespace: str, settings: Settings) -> bool:
    """Whether no rule looks at the pods of a namespace, whatever they are."""
    return namespace in ALWAYS_EXEMPT or namespace in settings.exempt_namespaces


def _is_false_mirror(review: Review) -> bool:
    """Whether somebody else than a kubelet says of a new pod that it mirrors a static one.

    No update can say so: `ValidatePodSpecificAnnotationUpdates` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go
    """
    return review.creator is not None and not review.creator.is_kubelet


_FIELD = ContainerKind.EPHEMERAL.value

_AT = f"/spec/{_FIELD}/"


class AddedContainers:
    """The ephemeral containers that an update adds.

    It can add them and change nothing else, those that the pod has already neither; their order is
    not kept. So only what is added can be fixed or is worth a word. Source:
    `ValidatePodEphemeralContainersUpdate` in
    https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/apis/core/validation/validation.go,
    and `dropNonEphemeralContainerUpdates` in pkg/registry/core/pod/strategy.go
    """

    __slots__ = ("_added",)

    def __init__(self, pod: Pod, review: Review) -> None:
        spec = members(members(review.old).get("spec"))
        before = {name for name in each(elements(spec.get(_FIELD)), "name") if type(name) is str}
        ephemeral = [one for one in pod.containers if one.kind is ContainerKind.EPHEMERAL]
        self._added = {str(one.index) for one in ephemeral if one.name not in before}

    def concern(self, finding: Finding) -> bool:
        return finding.path.startswith(_AT) and _index(finding) in self._added

    def stood_before(self, finding: Finding) -> bool:
        """Whether a finding is about an ephemeral container that the pod has already."""
        return finding.path.startswith(_AT) and _index(finding) not in self._added


def _index(finding: Finding) -> str:
    return finding.path[len(_AT) :].partition("/")[0]
