"""Which ephemeral containers an update adds to a pod.

It can add them and change nothing else, those that the pod has already neither; their order is not
kept. So only what is added can be fixed or is worth a word. Source:
`ValidatePodEphemeralContainersUpdate` in
https://github.com/kubernetes/kubernetes/blob/v1.37.0/pkg/apis/core/validation/validation.go, and
`dropNonEphemeralContainerUpdates` in pkg/registry/core/pod/strategy.go
"""

from policies.admission import Review
from policies.container import ContainerKind
from policies.document import each, elements, members
from policies.finding import Finding
from policies.pod import Pod

_FIELD = ContainerKind.EPHEMERAL.value
_AT = f"/spec/{_FIELD}/"


class AddedContainers:
    """The ephemeral containers that an update adds."""

    __slots__ = ("_added",)

    def __init__(self, pod: Pod, review: Review) -> None:
        spec = members(members(review.old).get("spec"))
        before = {name for name in each(elements(spec.get(_FIELD)), "name") if type(name) is str}
        ephemeral = [one for one in pod.containers if one.kind is ContainerKind.EPHEMERAL]
        self._added = {str(one.index) for one in ephemeral if one.name not in before}

    def concern(self, finding: Finding) -> bool:
        """Whether a finding is about one of them."""
        return finding.path.startswith(_AT) and _index(finding) in self._added

    def stood_before(self, finding: Finding) -> bool:
        """Whether a finding is about an ephemeral container that the pod has already."""
        return finding.path.startswith(_AT) and _index(finding) not in self._added


def _index(finding: Finding) -> str:
    return finding.path[len(_AT) :].partition("/")[0]
