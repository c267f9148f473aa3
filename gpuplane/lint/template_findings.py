"""What the rules of the linter alone find in the objects of a document."""

from collections.abc import Iterator, Mapping

from charts_py.objects.document import Document
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.lint_object import lint_object
from gpuplane.lint.object_finding import ObjectFinding
from gpuplane.lint.object_subject import object_subject
from gpuplane.lint.registry import TEMPLATE_RULES
from gpuplane.lint.template_rule import TemplateContext
from policies.document import Json, members, text
from policies.job_priority import kind_of
from policies.manifest_pod import objects
from policies.settings import JobKind
from policies.workloads.place import at
from policies.workloads.registry import workload_kind


def template_findings(
    judge: ClusterJudge,
    document: Document,
    default_namespace: str,
    namespace: str | None,
    selectors: tuple[Mapping[str, Json], ...] = (),
) -> Iterator[ObjectFinding]:
    """Yield what is found in an object, those in it, or in each of a List.

    Namespaces are as in `manifest_pods`; `selectors` are those of the Services in the same file.
    """
    for pointer, one, holder in _objects(document):
        metadata = members(one.get("metadata"))
        place = namespace or text(metadata.get("namespace")) or default_namespace
        engine = judge.rules.engine
        context = TemplateContext(
            engine.settings, engine.offer, place, judge.kubernetes, selectors, holder
        )
        subject, read = object_subject(one), lint_object(one, engine.offer)
        for rule in TEMPLATE_RULES:
            for found in rule.check(read, context):
                yield ObjectFinding(
                    rule.name,
                    found.severity or rule.severity,
                    subject,
                    f"{pointer}{found.pointer}",
                    found.message,
                    found.remedy,
                    tuple(each._replace(path=f"{pointer}{each.path}") for each in found.fix),
                )


def _objects(
    document: Document, holder: JobKind | None = None
) -> Iterator[tuple[str, Document, JobKind | None]]:
    """Yield the objects of a document with those that they wrap, as an AppWrapper does.

    Each comes with the kind of the object that wraps it.
    """
    for pointer, one in objects(document):
        yield pointer, one, holder
        kind = kind_of(one)
        known = workload_kind(kind.group, kind.kind)
        for place in known.wrapped if known else ():
            for below, wrapped in at(one, place):
                for inner, each, its_holder in _objects(wrapped, kind):
                    yield f"{pointer}{below}{inner}", each, its_holder
