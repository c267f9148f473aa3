"""Judging the manifests of a file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from charts_py.cluster_file.fault import Fault, Mark, Problem
from charts_py.cluster_file.yaml_fault import utf_16_fault
from charts_py.objects.document import Document
from gpuplane.admission.manifest_file import ManifestObject, TemplateFault, read_manifests
from gpuplane.admission.manifest_sources import other_use
from gpuplane.admission.unread_parts import unread_parts
from gpuplane.lint.acknowledgement_key import ContentDigests
from gpuplane.lint.api_types import is_of_patch
from gpuplane.lint.cluster_judge import ClusterJudge, cluster_judge, others_beside, where_applied
from gpuplane.lint.finding import (
    FileFindings,
    LintFinding,
    LintSeverity,
    ObjectCounts,
    ObjectFinding,
    ReadingRule,
)
from gpuplane.lint.ignoring import without_ignored
from gpuplane.lint.lint_run import ClusterFacts, Keep, LintTerms
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.object_findings import admission_findings, rule_findings
from gpuplane.lint.placeholders import placeholders, without_placeholders
from gpuplane.lint.processes import spread
from gpuplane.lint.reading_findings import (
    finding_on_line,
    imageless_finding,
    json_fault,
    part_finding,
    stop_finding,
    unbuilt_finding,
    unknown_namespaces,
)
from gpuplane.lint.registry import RuleNames
from gpuplane.lint.rules import without_effect
from gpuplane.lint.siblings import NOTHING_TOLD, SiblingsIn, ToldIndex
from gpuplane.lint.told import POOL, Told, told
from gpuplane.lint.unread_gpus import unread_gpus
from gpuplane.lint.writable_fixes import with_writability
from policies.admission import Review
from policies.document import elements, members, namespace_of, objects, pointer, text
from policies.pod import DEFAULT_NAMESPACE, Pod
from policies.settings import JobKind, Settings, kind_of
from policies.workloads.pod_template import pod_templates
from policies.workloads.registry import workload_kind

_JUDGED = (
    POOL,
    JobKind("gateway.networking.k8s.io", "HTTPRoute"),
    JobKind("keda.sh", "ScaledObject"),
)
"""Kinds that rules of their own read."""
_Merged: TypeAlias = tuple[ObjectFinding, tuple[str, ...]]
"""A finding, and the clusters that have it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The clusters and terms by which manifests are judged."""

    judges: Sequence[ClusterJudge]
    review: Review
    namespace: str | None
    names: RuleNames = field(default_factory=RuleNames)
    """Names of all rules, for comments that name some."""
    heeds_comments: bool = True
    told: ToldIndex = NOTHING_TOLD
    other_documents: tuple[Told, ...] = ()
    """What the other documents of a file tell, of which one is judged alone."""

    def settings_of(self, document: Document) -> list[Settings]:
        """Return the settings of the clusters where it is applied."""
        judges = where_applied(self.judges, document, self.namespace)
        return [judge.rules.engine.settings for judge in judges]

    def is_gpu(self, resource: str) -> bool:
        return any(judge.rules.engine.offer.names.is_gpu(resource) for judge in self.judges)


def judgement_of(clusters: Sequence[ClusterFacts], terms: LintTerms) -> Judgement:
    review = Review(DEFAULT_NAMESPACE, terms.today)
    names = RuleNames([rule for each in clusters for rule in each.custom_rules])
    judges = [*map(cluster_judge, clusters)]
    return Judgement(judges, review, terms.namespace, names, told=terms.told or NOTHING_TOLD)


def judged_files(
    sources: Sequence[LintSource],
    clusters: Sequence[ClusterFacts],
    terms: LintTerms,
    keep: Keep = lambda _source, _found: None,
) -> list[FileFindings]:
    """Judge files on all processors, and keep the findings of each at once."""
    judgement = judgement_of(clusters, terms)

    def judge(source: LintSource) -> FileFindings:
        found = judge_file(source, judgement)
        keep(source, found)
        return found

    return spread(lambda share: [*map(judge, share)], sources)


def judge_file(source: LintSource, judgement: Judgement) -> FileFindings:
    """Judge the objects of a file; a document that cannot be read is a finding itself."""
    if source.unbuilt:
        return FileFindings((unbuilt_finding(source),))
    if source.unread:
        unread = Fault(Mark(source.shown_as, source.unread_line), Problem((), source.unread))
        return FileFindings((stop_finding(source, unread),))
    if (fault := utf_16_fault(source.content, source.shown_as)) is not None:
        return FileFindings((stop_finding(source, fault),))
    if not source.is_named and other_use(source.shown_as, source.content):
        return FileFindings(())
    objects_only = source.is_patch or not source.is_named
    is_final = not source.is_placed_later
    read = read_manifests(source.content, source.shown_as, objects_only=objects_only)
    if (stop := _stop(source, read.stop)) is not None:
        return FileFindings((stop_finding(source, stop),))
    malformed = ReadingRule.MALFORMED_MANIFEST
    findings = [finding_on_line(source, fault, malformed) for fault in read.faults]
    own = told((one.document for one in read.objects), source.shown_as, judgement.namespace)
    beside = judgement.told.beside(source.shown_as, [*judgement.other_documents, *own])
    counts = ObjectCounts()
    for one in read.objects:
        with_gpus = [*_gpu_workloads(one, judgement)]
        imageless = next(_without_image(one.document), None)
        faults = [*unread_parts(one)]
        # In a folder, what states no pods is a patch, or what a test asserts of an object.
        is_partial = not source.is_named and any(map(_is_missing, faults))
        patch = source.is_patch or is_partial or imageless is not None
        if imageless is not None and not source.is_file:
            findings.append(imageless_finding(one, imageless))
        wrong = [each for each in faults if not (patch and _is_missing(each))]
        named = placeholders(one.document) if with_gpus and wrong else ()
        findings += (
            part_finding(one, each) for each in wrong if pointer(*each.problem.path) not in named
        )
        known = {"has_gpus": bool(with_gpus), "pods_only": bool(wrong), "is_patch": patch}
        broken = {pointer(*each.problem.path) for each in wrong}.difference(named)
        judged = _of_object(one, judgement, beside, **known)
        findings += (each for each in judged if each.pointer not in broken)
        settings = judgement.settings_of(one.document)
        unjudged = [*unread_gpus(one.document, judgement.is_gpu, settings)]
        placed = with_gpus if judgement.namespace or not patch else ()
        strange = unknown_namespaces(
            placed, judgement.judges, judgement.namespace, is_final=is_final
        )
        findings += _lint_findings(one, ((each, ()) for each in (*unjudged, *strange)), judgement)
        notes = (each for each in unjudged if each.severity is LintSeverity.NOTE)
        counts += ObjectCounts(
            1,
            Counter(text(made_by.get("kind")) for _, made_by in with_gpus),
            Counter(each.subject.partition(" ")[0] for each in notes),
            Counter(_passed_over(one.document, judgement, beside)),
            int(patch),
        )
    found = FileFindings(with_writability(source, findings), counts)
    if not judgement.heeds_comments:
        return found
    return without_ignored(source, read.objects, found, judgement.names)


def _stop(source: LintSource, stop: Fault | None) -> Fault | None:
    """Return why a file cannot be read; of a file called JSON, what JSON says of it."""
    if isinstance(stop, TemplateFault):
        return stop
    return json_fault(source.content, source.shown_as) or stop


def _without_image(document: Document) -> Iterator[str]:
    """Yield the JSON Pointer to each container without an image, by which an object is a patch."""
    for at, one in objects(document):
        for template in pod_templates(one):
            spec = members(template.document.get("spec"))
            containers = () if template.partial else elements(spec.get("containers"))
            for index, each in enumerate(containers):
                if is_of_patch(each):
                    yield f"{at}{template.pointer}/spec/containers/{index}"


def _is_missing(fault: Fault) -> bool:
    return fault.problem.what == "missing"


def _of_object(
    one: ManifestObject,
    judgement: Judgement,
    beside: SiblingsIn,
    *,
    has_gpus: bool,
    pods_only: bool,
    is_patch: bool,
) -> Iterator[LintFinding]:
    """Return what all clusters find; rules on objects read only parts with the API's types."""
    document, review, namespace = one.document, judgement.review, judgement.namespace
    judged = list[tuple[str, ObjectFinding]]()
    for judge in where_applied(judgement.judges, document, namespace):
        judged += admission_findings(judge, document, review, namespace, is_patch=is_patch)
        if not pods_only:
            place = review.namespace, namespace
            found = rule_findings(judge, document, *place, beside, is_patch=is_patch)
            judged += ((judge.name, finding) for finding in found)
    merged = _merged(judged)
    return _lint_findings(
        one, without_placeholders(merged, document) if has_gpus else merged, judgement
    )


def _lint_findings(
    one: ManifestObject, found: Iterable[_Merged], judgement: Judgement
) -> Iterator[LintFinding]:
    # Several rules often find something in the same field.
    digests = ContentDigests(one.document)
    place_of = cache(lambda pointer: (one.marks_of(pointer), digests.of(pointer)))
    others = others_beside(judgement.judges, one.document, judgement.namespace)
    for finding, clusters in found:
        (start, end), content = place_of(finding.pointer)
        yield LintFinding(
            **finding._asdict(),
            start=start,
            end=end,
            document=one.index,
            clusters=clusters,
            is_writable=not others(clusters),
            content=content,
        )


def _merged(judged: Sequence[tuple[str, ObjectFinding]]) -> Sequence[_Merged]:
    """Return each finding once, with the clusters that have it."""
    if len({cluster for cluster, _ in judged}) == 1:
        return [(finding, (cluster,)) for cluster, finding in judged]
    found: dict[str, tuple[ObjectFinding, list[str]]] = {}
    for cluster, finding in judged:
        found.setdefault(repr(finding), (finding, []))[1].append(cluster)
    return [(finding, tuple(sorted({*clusters}))) for finding, clusters in found.values()]


def _passed_over(document: Document, judgement: Judgement, beside: SiblingsIn) -> Iterator[str]:
    """Yield the kind of each object of which no rule reads more than the version."""
    policies = [each.rules.policies for each in judgement.judges]
    for _, one in objects(document):
        kind, stated = kind_of(one), judgement.namespace or namespace_of(one)
        place = stated or judgement.review.namespace
        if workload_kind(kind.group, kind.kind) or without_effect.is_read(one, kind):
            continue
        if kind in _JUDGED or beside(stated).joined(one):
            continue
        if not any(each.concerning(one, place) for each in policies):
            yield kind.kind


def _gpu_workloads(one: ManifestObject, judgement: Judgement) -> Iterator[tuple[str, Document]]:
    """Yield each object that asks for GPUs of any of the clusters, with its JSON Pointer."""
    for at, made_by in objects(one.document):
        templates = [template.document for template in pod_templates(made_by)]
        if any(Pod(each, judgement.is_gpu).asks_for_gpu for each in templates):
            yield at, made_by
