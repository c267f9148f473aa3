"""No TrainJob runs with more than Kueue counts of it.

Of what a job asks for per node, Kueue counts that alone, while Trainer adds to it what the runtime
asks for: a job that left the GPUs out would count none, and run with all (Kueue has Trainer v2.2.1,
by go.mod of https://github.com/kubernetes-sigs/kueue at v0.19.2; `newRuntimeInfo` and
`Builder.Trainer` of https://github.com/kubeflow/trainer differ between v2.2.1 and v2.3.0).

Kueue counts by the runtime as it stands, while Trainer runs a job by a snapshot of it in a
ConfigMap of the job's namespace, which members of a team could write (`getRuntimeSnapshot` in
pkg/runtime/core/snapshot.go at v2.3.0). One that is gone, Trainer makes anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.admission_policies.policy import Policy, named
from charts_py.components.admission_policies.requests import writes_of
from charts_py.components.kubeflow_trainer.names import MANAGER, NAMESPACE
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from charts_py.platform.training_runtime import runtime_pools
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.literal import text, texts
from policies.settings import JobKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform

_TRAIN_JOB = JobKind("trainer.kubeflow.org", "TrainJob")
_RESOURCES = "spec.?trainer.?resourcesPerNode"
_SUFFIX = "-runtime-snapshot"
_TRAINER = f"system:serviceaccount:{NAMESPACE}:{MANAGER}"
_OWNERS = "metadata.?ownerReferences.orValue([])"

_UNCOUNTED = (
    '"spec.trainer.resourcesPerNode states no GPUs: the queue would count none, and the job run '
    'with those of its runtime. Repeat the limit on GPUs of " + object.spec.runtimeRef.name'
    ' + " in its limits, or leave resourcesPerNode out."'
)


def train_job_policies(platform: Platform) -> Iterator[Policy]:
    """Yield the policies, where Trainer runs what Kueue counts."""
    cluster = platform.cluster
    if cluster.queue_engine is QueueEngine.KUEUE and cluster.training.trainer is not None:
        yield _resources_per_node(platform)
        yield RUNTIME_SNAPSHOTS


def _resources_per_node(platform: Platform) -> Policy:
    """Return the policy by which a job that states resources states GPUs of runtimes, at least one.

    One that is there already can still be changed elsewhere: Kueue suspends and resumes it.
    """
    offered = {each.name for pool in runtime_pools(platform) for each in pool.facts.resources}
    nothing = " && ".join(f"{_stated(each)}.size() == 0" for each in ("limits", "requests"))
    limits = _stated("limits")
    counted = f'name in {texts(sorted(offered))} && string({limits}[name]).matches("^[1-9][0-9]*$")'
    return Policy(
        name=f"train-job-resources.{LABEL_PREFIX}",
        namespaces=TEAM_NAMESPACES,
        rule=writes_of((_TRAIN_JOB,)),
        body={
            "validations": [
                {
                    "expression": f"({nothing}) || {limits}.exists(name, {counted})"
                    f" || (oldObject != null && object.{_RESOURCES} == oldObject.{_RESOURCES})",
                    "messageExpression": _UNCOUNTED,
                    "reason": "Forbidden",
                }
            ],
        },
    )


def _stated(kind: str) -> str:
    return f"object.{_RESOURCES}.?{kind}.orValue({{}})"


RUNTIME_SNAPSHOTS = Policy(
    name=f"runtime-snapshots.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule={
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["configmaps"],
    },
    body={
        "matchConditions": named(
            {
                "snapshot": f"object.metadata.name.endsWith({text(_SUFFIX)})",
                "not-trainer": f"request.userInfo.username != {text(_TRAINER)}",
            }
        ),
        "validations": [
            {
                # The garbage collector changes owners, and gives an object no new one.
                "expression": "oldObject != null"
                " && object.?data == oldObject.?data"
                f" && object.{_OWNERS}.all(owner,"
                f" oldObject.{_OWNERS}.exists(other, other.uid == owner.uid))",
                "message": f"Kubeflow Trainer alone writes ConfigMaps NAME{_SUFFIX}, by which it "
                "runs the TrainJob NAME; name another in another way.",
                "reason": "Forbidden",
            }
        ],
    },
)
"""The policy by which nobody but Trainer writes what it runs jobs by."""
