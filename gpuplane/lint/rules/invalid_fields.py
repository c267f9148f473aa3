"""The API server and the operators of jobs accept an object.

A GitOps engine stops the whole sync at one that is refused.
"""

from collections.abc import Iterator

from charts_py.objects.document import Document
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.lint_object import LintObject
from gpuplane.lint.refusals.container_ports import wrong_ports
from gpuplane.lint.refusals.quoted_numbers import quoted_numbers
from gpuplane.lint.refusals.ray_jobs import incomplete_ray_job
from gpuplane.lint.refusals.restart_policies import wrong_restart_policy
from gpuplane.lint.refusals.selectors import SELECTING_KINDS, wrong_selector
from gpuplane.lint.refusals.training_operator import refused_by_training_operator
from gpuplane.lint.template_rule import TemplateContext, TemplateFinding, TemplateRule
from policies.workloads.registry import workload_kind
from policies.workloads.workload_kind import WorkloadKind


def check(one: LintObject, _context: TemplateContext) -> Iterator[TemplateFinding]:
    """Find what is refused in a workload of a kind that is known; nothing in other objects."""
    known = workload_kind(one.kind.group, one.kind.kind)
    if known is None:
        return
    yield from _of_kind(one.document, known)
    yield from quoted_numbers(one.document, known)
    for template in one.templates:
        yield from wrong_ports(template)


def _of_kind(document: Document, known: WorkloadKind) -> Iterator[TemplateFinding]:
    if known.group in ("apps", "batch"):
        yield from wrong_restart_policy(document, known)
    if known.group == "apps" and known.kind in SELECTING_KINDS:
        yield from wrong_selector(document)
    elif known.group == "kubeflow.org":
        yield from refused_by_training_operator(document, known)
    elif (known.group, known.kind) == ("ray.io", "RayJob"):
        yield from incomplete_ray_job(document)


RULE = TemplateRule(
    "invalid-fields",
    summary="The API server and the operators of jobs accept an object.",
    severity=LintSeverity.ERROR,
    check=check,
)
