"""What to know about the admission of manifests besides the findings."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gpuplane.admission.object_admission import REVIEW_KIND, ObjectAdmission
from gpus.nearest import nearest, nearest_hint
from policies.settings import Settings

if TYPE_CHECKING:
    from charts_py.cluster_file.fault import Mark


def admission_notes(
    admitted: Sequence[ObjectAdmission], settings: Settings, cluster: str
) -> Iterator[str]:
    """Yield a line for each object that is there twice, and for each namespace without a team."""
    yield from _repeated(admitted)
    seen = dict.fromkeys(namespace for one in admitted for namespace in one.gpu_namespaces)
    for namespace in seen:
        if namespace not in settings.namespaces:
            yield _without_team(namespace, settings, cluster)


def _repeated(admitted: Sequence[ObjectAdmission]) -> Iterator[str]:
    first: dict[tuple[str, ...], Mark] = {}
    for one in admitted:
        identity = (one.api_version, one.kind, one.namespace, one.name)
        if one.kind == REVIEW_KIND or not one.name:
            continue
        if identity in first:
            other = f"stands in {first[identity]} as well; what is applied last stays"
            yield f"{one.mark}: {one.subject} of namespace {one.namespace} {other}"
        first.setdefault(identity, one.mark)


def _without_team(namespace: str, settings: Settings, cluster: str) -> str:
    hint = nearest_hint(nearest(namespace, settings.namespaces))
    return (
        f"no team of {cluster} has the namespace {namespace}, so the rules about a team's pools, "
        f"priorities, labels and purpose find nothing{hint}"
    )
