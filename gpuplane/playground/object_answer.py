"""What admission does to one object, as the page shows it."""

from charts_py.objects.document import Document
from gpuplane.admission.object_admission import ObjectAdmission, ObjectFinding
from gpuplane.playground.answer import AnswerFinding, ObjectAnswer
from gpuplane.playground.manifest_diff import manifest_diff
from gpuplane.playground.playground_cluster import PlaygroundCluster
from gpuplane.playground.pod_answers import pod_answers


def object_answer(
    cluster: PlaygroundCluster, written: Document, admission: ObjectAdmission
) -> ObjectAnswer:
    """Return the answer about an object; `written` is it before the fixes."""
    after = written if admission.document is None else admission.document
    return ObjectAnswer(
        line=admission.mark.line,
        subject=admission.subject,
        namespace=admission.namespace,
        allowed=admission.allowed,
        findings=tuple(map(_finding, admission.findings)),
        diff=manifest_diff(written, after),
        pods=tuple(pod_answers(cluster, written, admission)),
    )


def _finding(found: ObjectFinding) -> AnswerFinding:
    finding = found.outcome.finding
    return AnswerFinding(
        line=found.mark.line,
        pointer=found.pointer,
        cluster=found.cluster,
        effect=found.effect.value,
        rule=finding.rule.value,
        message=finding.message,
        remedy=finding.remedy,
    )
