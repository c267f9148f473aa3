"""New nodes that take pods only once NVIDIA's diagnostics have passed on their GPUs.

A daemon on each node of NVIDIA pools, but those of MIG and MPS, runs `dcgmi diag` of the GPU
operator's image of DCGM, once, and keeps the verdict on the node's disk. Node-problem-detector sets
the condition `gpuplane.io/GpuBurnInNotPassed` from it, and the readiness controller takes the taint
`readiness.k8s.io/gpu-burn-in` off when it is False. A node whose GPUs programs use already, such as
all that are there when it is switched on, passes untested.

The container is privileged and sees the processes of the node, to reach every GPU without the
device plugin, and to see who uses them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.alert_tables import alert_table
from charts_py.components.definition import Definition
from charts_py.components.gpu_burn_in.burn_in import (
    BURN_IN_IMAGE,
    BURN_IN_NAME,
    BURN_IN_TAINT,
    LONGEST_MINUTES,
    burn_in_documents,
)
from charts_py.components.node_problem_detector.monitors import (
    GPU_BURN_IN_FAILED,
    GPU_BURN_IN_NOT_PASSED,
    is_testable,
)
from charts_py.components.node_readiness.readiness_rule import (
    WITH_KARPENTER,
    takes_startup_taints,
    unknown_taint,
)
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.registry_mirrors import registry_of
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.draft import Draft
    from charts_py.platform.platform import Platform

_INSTALLING_MINUTES = 30
"""More than a node takes that installs its driver."""


def check_burn_in(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where an autoscaler would start node after node, or no pool is tested."""
    field = ("addons", "gpuHealth", "burnIn")
    if draft.cluster.addons.burn_in is None or not draft.is_read(field):
        return
    # Nobody starts another machine of one's own in place of one that is tainted for long.
    takes_taint = takes_startup_taints(draft) or not draft.provider.makes_nodes
    if draft.has_provider_settings and not takes_taint:
        yield unknown_taint(draft, field, f"only on-prem, or {WITH_KARPENTER}")
    if not any(
        pool.hardware is None or is_testable(pool.hardware.model.vendor, pool.sharing)
        for pool in draft.pools
    ):
        yield Problem(field, "without effect: no pool has NVIDIA GPUs without MIG and MPS")


def _contributes(platform: Platform) -> Contribution:
    return Contribution(
        startup_taints={
            pool.name: (BURN_IN_TAINT,) if is_testable(pool.vendor, pool.facts.sharing) else ()
            for pool in platform.pools
        }
    )


GPU_BURN_IN = Definition(
    name=BURN_IN_NAME,
    description=__doc__,
    appears="where the cluster asks for it, on-prem or with Karpenter",
    is_wanted=lambda platform: platform.cluster.addons.burn_in is not None,
    fields=(
        "addons.gpuHealth",
        "pools.NAME.sharing",
        "driver.owner",
        "imagePullSecrets",
        "registries",
    ),
    depends_on=("gpu-operator", "node-problem-detector", "node-readiness-controller"),
    wave=Wave.NODES,
    namespace=PlatformNamespace(BURN_IN_NAME, PodSecurity.PRIVILEGED),
    objects=burn_in_documents,
    registries=lambda _: (registry_of(BURN_IN_IMAGE),),
    checks=(check_burn_in,),
    rules=alert_table(
        BURN_IN_NAME,
        BURN_IN_NAME,
        __package__,
        failed_condition=GPU_BURN_IN_FAILED,
        not_passed_condition=GPU_BURN_IN_NOT_PASSED,
        taint_key=BURN_IN_TAINT.key,
        namespace=BURN_IN_NAME,
        installing_minutes=_INSTALLING_MINUTES,
        longest_minutes=LONGEST_MINUTES,
        stuck_minutes=_INSTALLING_MINUTES + LONGEST_MINUTES,
    ),
    contributes=_contributes,
)
