"""The kinds of Argo Workflows and Argo Rollouts 1.9."""

from __future__ import annotations

from policies.workloads.argo_template import argo_templates
from policies.workloads.workload_kind import Author, Status, WorkloadKind

_ARGO = "argoproj.io"
_ANALYSIS = ("/spec/metrics/*/provider/job/spec/template",)
_WORKFLOW = (("/spec", argo_templates),)

ARGO_KINDS = (
    # The controller requests the addresses of metrics, and shows the answers
    # (https://github.com/argoproj/argo-rollouts/issues/4707).
    WorkloadKind(_ARGO, "AnalysisRun", _ANALYSIS, author=Author.PLATFORM, status=Status.NONE),
    WorkloadKind(_ARGO, "AnalysisTemplate", _ANALYSIS, author=Author.PLATFORM, status=Status.NONE),
    WorkloadKind(
        _ARGO,
        "ClusterAnalysisTemplate",
        _ANALYSIS,
        author=Author.PLATFORM,
        is_namespaced=False,
        status=Status.NONE,
    ),
    WorkloadKind(
        _ARGO,
        "ClusterWorkflowTemplate",
        parts=_WORKFLOW,
        author=Author.PLATFORM,
        is_namespaced=False,
        status=Status.NONE,
    ),
    WorkloadKind(
        _ARGO,
        "CronWorkflow",
        parts=(("/spec/workflowSpec", argo_templates),),
        status=Status.NONE,
    ),
    WorkloadKind(_ARGO, "Experiment", ("/spec/templates/*/template",), status=Status.NONE),
    # `kubectl argo rollouts promote` and `abort` write its status
    # (https://github.com/argoproj/argo-rollouts, pkg/kubectl-argo-rollouts/cmd/promote).
    WorkloadKind(_ARGO, "Rollout", ("/spec/template",), status=Status.WRITTEN, has_scale=True),
    WorkloadKind(_ARGO, "Workflow", parts=_WORKFLOW, status=Status.NONE),
    WorkloadKind(_ARGO, "WorkflowTemplate", parts=_WORKFLOW, status=Status.NONE),
)
