"""What the rules of the linter alone find in the objects of a document."""

from collections.abc import Iterator

from charts_py.lint.cluster_judge import ClusterJudge
from charts_py.lint.object_finding import ObjectFinding
from charts_py.lint.object_subject import object_subject
from charts_py.lint.registry import TEMPLATE_RULES
from charts_py.lint.template_rule import TemplateContext
from charts_py.objects.document import Document
from policies.document import members, text
from policies.manifest_pod import objects


def template_findings(
    judge: ClusterJudge, document: Document, default_namespace: str, namespace: str | None
) -> Iterator[ObjectFinding]:
    """Yield what is found in an object, or in each of a List; namespaces as in `manifest_pods`."""
    for at, one in objects(document):
        metadata = members(one.get("metadata"))
        place = namespace or text(metadata.get("namespace")) or default_namespace
        engine = judge.rules.engine
        context = TemplateContext(engine.settings, engine.offer, place, judge.kubernetes)
        subject = object_subject(one)
        for rule in TEMPLATE_RULES:
            for found in rule.check(one, context):
                yield ObjectFinding(
                    rule.name,
                    found.severity or rule.severity,
                    subject,
                    f"{at}{found.pointer}",
                    found.message,
                    found.remedy,
                    tuple(each._replace(path=f"{at}{each.path}") for each in found.fix),
                )
