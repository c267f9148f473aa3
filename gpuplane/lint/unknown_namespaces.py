"""Namespaces that belong to no team, so that no rule about teams judges what is in them."""

from collections.abc import Iterable, Iterator, Sequence

from charts_py.objects.document import Document
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.finding import LintSeverity, ObjectFinding, ReadingRule, object_subject
from gpuplane.lint.placeholders import is_placeholder
from gpus.nearest import nearest, nearest_hint
from policies.document import namespace_of, shown
from policies.exemption import is_exempt_namespace


def unknown_namespaces(
    placed: Iterable[tuple[str, Document]], judges: Sequence[ClusterJudge]
) -> Iterator[ObjectFinding]:
    """Yield a finding for each of these objects that names a namespace which no team has.

    Naming none is no finding, as a chart or an overlay is given its namespace later; nor is any
    where clusters have no teams.
    """
    settings = [each.rules.engine.settings for each in judges]
    known = sorted({namespace for each in settings for namespace in each.namespaces})
    for pointer, one in placed:
        namespace = namespace_of(one)
        if not namespace or namespace in known or is_placeholder(namespace):
            continue
        if not known or any(is_exempt_namespace(namespace, each) for each in settings):
            continue
        hint = nearest_hint(nearest(namespace, known))
        yield ObjectFinding(
            ReadingRule.UNKNOWN_NAMESPACE,
            LintSeverity.WARNING,
            object_subject(one),
            f"{pointer}/metadata/namespace",
            f"The namespace {shown(namespace)} belongs to no team, so that no quota counts its "
            f"GPUs, and no rule about teams judges it{hint}.",
            "Name a namespace of a team, or give it to one in the cluster file.",
            (),
        )
