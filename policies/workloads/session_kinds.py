"""Kinds of environments to work in: sandboxes of agents, notebooks, the nodes of Slurm.

Sources: the CRDs of Agent Sandbox 0.5, Kubeflow Notebooks 1.11 and 2.0, and the Slurm operator 1.2.
"""

from collections.abc import Iterator

from policies.document import Document, Json, members
from policies.workloads.job_kinds import slurm_daemon
from policies.workloads.place import at, pod_part, template
from policies.workloads.workload_kind import Author, Status, WorkloadKind


def workspace_options(pod_template: Json) -> Iterator[tuple[str, Document]]:
    """Yield a pod for each option that a WorkspaceKind of Kubeflow Notebooks has for pods.

    Images are options of their own, which go with any of these.
    """
    common = members(pod_template)
    container = {"name": "main", "securityContext": common.get("containerSecurityContext")}
    of_all = {
        "securityContext": common.get("securityContext"),
        "volumes": common.get("extraVolumes"),
    }
    for pointer, option in at(pod_template, "/options/podConfig/values/*/spec"):
        fields = members(option)
        resources = {"resources": fields.get("resources")}
        yield pointer, pod_part({**of_all, **fields}, {**container, **resources})


_KUBEFLOW = "kubeflow.org"
_SANDBOX = "extensions.agents.x-k8s.io"
_SLURM = "slinky.slurm.net"
SESSION_KINDS = (
    WorkloadKind("agents.x-k8s.io", "Sandbox", ("/spec/podTemplate",), has_scale=True),
    WorkloadKind(_SANDBOX, "SandboxClaim"),
    # Its controller creates the NetworkPolicies that it states, which are up to the platform.
    WorkloadKind(
        _SANDBOX,
        "SandboxTemplate",
        ("/spec/podTemplate",),
        author=Author.PLATFORM,
        status=Status.NONE,
    ),
    WorkloadKind(_SANDBOX, "SandboxWarmPool", has_scale=True),
    WorkloadKind(_KUBEFLOW, "Notebook", parts=(("/spec/template", template),)),
    # It chooses among the options of its WorkspaceKind.
    WorkloadKind(_KUBEFLOW, "Workspace", is_in_roles=False),
    WorkloadKind(
        _KUBEFLOW,
        "WorkspaceKind",
        parts=(("/spec/podTemplate", workspace_options),),
        author=Author.PLATFORM,
        is_namespaced=False,
        is_in_roles=False,
    ),
    # Users of Slurm log in and submit jobs; the platform runs it.
    WorkloadKind(
        _SLURM,
        "LoginSet",
        parts=(("/spec", slurm_daemon("login")),),
        author=Author.PLATFORM,
        has_scale=True,
    ),
    WorkloadKind(
        _SLURM,
        "NodeSet",
        parts=(("/spec", slurm_daemon("slurmd")),),
        author=Author.PLATFORM,
        has_scale=True,
    ),
)
