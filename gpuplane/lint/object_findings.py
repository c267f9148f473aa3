"""Findings in an object: of admission in a cluster, and of the linter's own rules."""

from collections.abc import Iterator, Sequence

from charts_py.objects.document import Document
from gpuplane.admission.object_policies import PolicyFinding
from gpuplane.lint import misspelled_gpus
from gpuplane.lint.cluster_judge import ClusterJudge
from gpuplane.lint.finding import LintSeverity, ObjectFinding, object_subject
from gpuplane.lint.memory_share import with_share
from gpuplane.lint.queued_templates import NEVER_STARTS, waits_for_ever
from gpuplane.lint.registry import LINT_RULES
from gpuplane.lint.rule import LintContext, LintObject, RuleFinding, lint_object
from gpuplane.lint.rules import admission_policies
from gpuplane.lint.siblings import ALONE, SiblingsIn
from policies.admission import Effect, Outcome, Review
from policies.document import Json, members, objects, shown, steps_of, text, value_at
from policies.engine import Engine
from policies.finding import Finding
from policies.manifest_admission import PodAdmission, admitted_pods, on_manifest, refused_besides
from policies.manifest_pod import ManifestPod
from policies.operation import Operation
from policies.refused_job import RefusedJob, refused_jobs
from policies.rule_name import ApiRule, RuleName
from policies.settings import JobKind, kind_of
from policies.workloads.part_source import PartSource
from policies.workloads.place import at
from policies.workloads.registry import workload_kind

_NOTHING: Json = object()


def admission_findings(
    judge: ClusterJudge,
    document: Document,
    review: Review,
    namespace: str | None,
    *,
    is_patch: bool = False,
) -> Iterator[tuple[str, ObjectFinding]]:
    """Yield findings of admission, each with the cluster that has it.

    Where other clusters run the document's jobs, that is one of these. `namespace` takes the place
    of the one that an object names. A patch is not judged by what it lacks.
    """
    rules, name = judge.rules, judge.name
    workers = rules.elsewhere(document, namespace)
    jobs = [*refused_jobs(rules.engine.settings, document, review.namespace, namespace)]
    if workers:
        yield from ((name, _of_job(job)) for job in jobs)
    for cluster, engine in (workers or {name: rules.engine}).items():
        pods = admitted_pods(engine, document, review, namespace, is_partial=is_patch)
        for pod in pods:
            template = {**members(value_at(document, steps_of(pod.pod.pointer)))}
            found = _of_pod(pod, template, engine)
            yield from ((cluster, finding) for finding in found)
        if not workers:
            judged = () if is_patch else rules.policies.of_pods(pods)
            yield from ((name, _of_policy(*each)) for each in judged)
            yield from ((name, _of_job(job)) for job in refused_besides(jobs, pods))


def _of_pod(admitted: PodAdmission, template: Document, engine: Engine) -> Iterator[ObjectFinding]:
    """Yield the findings of a pod; `template` is the one in the document as it is written."""
    pod = admitted.pod
    lacks_metadata = template.get("metadata") is None
    for outcome in _counted(tuple(admitted.outcomes)):
        finding = with_share(outcome.finding, admitted, engine)
        # What the API server refuses is fixed in the file alone.
        by_api_server = type(finding.rule) is ApiRule or finding.rule == RuleName.POD_SECURITY
        is_fixed = outcome.effect is Effect.FIXED or by_api_server
        fix = finding.fix if is_fixed else ()
        operations = tuple(on_manifest(pod, fix, lacks_metadata=lacks_metadata))
        lacks_metadata = lacks_metadata and len(operations) == len(fix)
        place, severity = pod.place_of(finding.path), _severity(outcome, template)
        if waits_for_ever(admitted, finding, template, engine):
            finding = finding._replace(message=f"{finding.message} {NEVER_STARTS}")
            severity = LintSeverity.ERROR
        elif misspelled_gpus.asks_for_none(finding, engine.offer.names):
            finding = finding._replace(message=f"{finding.message} {misspelled_gpus.NEVER_STARTS}")
            severity = LintSeverity.ERROR
        yield _finding(pod, place, finding, severity)._replace(fix=operations)


def _counted(outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
    """Return outcomes, without what they say of a share of GPUs where these are no number."""
    if all(outcome.finding.rule != RuleName.GPU_COUNT for outcome in outcomes):
        return outcomes
    return [each for each in outcomes if each.finding.rule != RuleName.GPU_SHARE]


def _of_job(job: RefusedJob) -> ObjectFinding:
    return _finding(job, job.place, job.finding, LintSeverity.ERROR)


def _of_policy(pod: ManifestPod, found: PolicyFinding) -> ObjectFinding:
    told, rule = admission_policies.told(found), admission_policies.RULE
    subject, place = f"{shown(pod.kind)} {shown(pod.name)}".rstrip(), pod.place_of(told.pointer)
    severity = admission_policies.SEVERITIES[found.effect]
    return ObjectFinding(rule.name, severity, subject, place, told.message, told.remedy, ())


def _finding(
    of: ManifestPod | RefusedJob, place: str, finding: Finding, severity: LintSeverity
) -> ObjectFinding:
    subject = f"{shown(of.kind)} {shown(of.name)}".rstrip()
    message, remedy = finding.message, finding.remedy
    return ObjectFinding(finding.rule.value, severity, subject, place, message, remedy, ())


def _severity(outcome: Outcome, template: Document) -> LintSeverity:
    """Return the severity; a fix is worse where it takes a value of the author away."""
    if outcome.effect is not Effect.FIXED:
        return admission_policies.SEVERITIES[outcome.effect]
    is_lost = any(_takes(operation, template) for operation in outcome.finding.fix)
    return LintSeverity.WARNING if is_lost else LintSeverity.NOTE


def _takes(operation: Operation, template: Document) -> bool:
    """Whether an operation takes away a value; adding to an array takes none away."""
    *above, last = steps_of(operation.path)
    holder = value_at(template, above)
    if operation.op == "add" and type(holder) is list:
        return False
    written = value_at(holder, (last,), _NOTHING)
    if written is _NOTHING:
        return False
    return not _keeps(operation.value, written)


def _keeps(value: Json, written: Json) -> bool:
    if type(written) is dict and type(value) is dict:
        return all(name in value and _keeps(value[name], each) for name, each in written.items())
    if type(written) is list and type(value) is list:
        return all(any(_keeps(new, each) for new in value) for each in written)
    return bool(value == written)


def rule_findings(
    judge: ClusterJudge,
    document: Document,
    default_namespace: str,
    namespace: str | None,
    beside: SiblingsIn = lambda _: ALONE,
    *,
    is_patch: bool = False,
) -> Iterator[ObjectFinding]:
    """Yield findings of the linter's own rules in an object, in those that it wraps, or in a List.

    Of a patch, that is what it states. Namespaces are as in `manifest_pods`; `beside` returns
    what else is said in one.
    """
    engine = judge.rules.engine
    for pointer, one, holder in _objects(document):
        metadata = members(one.get("metadata"))
        stated = namespace or text(metadata.get("namespace"))
        context = LintContext(
            *(judge.facts, engine.settings, engine.offer, stated or default_namespace),
            *(beside(stated), holder, judge.rules.policies),
        )
        subject, read = object_subject(one), lint_object(one, engine.offer, is_patch=is_patch)
        for rule in (each for each in LINT_RULES if each.of_patches or not is_patch):
            for found in (_placed(each, read) for each in rule.check(read, context)):
                yield ObjectFinding(
                    rule.name,
                    found.severity or rule.severity,
                    subject,
                    f"{pointer}{found.pointer}",
                    found.message,
                    found.remedy,
                    tuple(each._replace(path=f"{pointer}{each.path}") for each in found.fix),
                )


def _placed(found: RuleFinding, one: LintObject) -> RuleFinding:
    """Return a finding in the pod of a part with the fields of the object that it comes from."""
    for template in one.templates:
        path = found.pointer.removeprefix(template.pointer)
        if template.partial and path != found.pointer and path.startswith(("/spec/", "/metadata/")):
            source = PartSource(one.document, template)
            message, remedy = source.said_of(found.message), source.said_of(found.remedy)
            return found._replace(pointer=source.pointer_of(path), message=message, remedy=remedy)
    return found


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
