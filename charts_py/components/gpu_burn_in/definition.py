"""New nodes that take pods only once NVIDIA's diagnostics have passed on their GPUs.

A daemon on each node of NVIDIA pools, but those of MIG and MPS, runs `dcgmi diag` of the GPU
operator's image of DCGM, once, and keeps the verdict on the node's disk. Node-problem-detector sets
the condition `gpuplane.io/GpuBurnInNotPassed` from it, and the readiness controller takes the taint
`readiness.k8s.io/gpu-burn-in` off when it is False. A node whose GPUs programs use already, such as
all that are there when it is switched on, passes untested.

The container that tests is privileged and sees the processes of the node, to reach every GPU
without the device plugin, and to see who uses them. It is an init container: once it has ended, one
without rights or GPUs keeps the pod, which the DaemonSet would start anew otherwise.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.queues import NODE_CRITICAL
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.dra_driver_nvidia_gpu import stopped_with_driver
from charts_py.components.node_problem_detector.monitors import (
    BURN_IN_FOLDER,
    GPU_BURN_IN_FAILED,
    GPU_BURN_IN_NOT_PASSED,
    MOUNTED_BURN_IN_FOLDER,
    burnt_in,
    is_testable,
)
from charts_py.components.node_readiness.controller import (
    ON_EKS,
    TAINT_PREFIX,
    EnforcementMode,
    readiness_rule,
    takes_startup_taints,
    unknown_taint,
)
from charts_py.components.node_readiness.rule_status import crowded_rules
from charts_py.components.object_table import daemons_on, read_objects, requests_of
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pods import secret_references, tolerations_of
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import Wave
from gpus.platform_names import POOL
from gpus.taint import NO_SCHEDULE, Taint
from policies.image import registry_of
from policies.settings import PodSecurity

BURN_IN_NAME = "gpu-burn-in"
"""Name of the component, its namespace and its container."""
BURN_IN_TAINT = Taint(f"{TAINT_PREFIX}/{BURN_IN_NAME}", "true", NO_SCHEDULE)
LONGEST_MINUTES = 90
_MINUTES: Mapping[int, int] = {1: 10, 2: 30, 3: LONGEST_MINUTES}
"""Minutes allowed for each level, several times what `dcgmi diag --help` says of it: seconds, 2 and
15 minutes."""
(_DCGM,) = (image for image in known_chart("gpu-operator").images if image.section == "dcgm")
BURN_IN_IMAGE = _DCGM.reference({})
"""The one that the GPU operator would run for DCGM, to which its driver and exporter belong."""
_INSTALLING_MINUTES = 30
"""More than a node takes that installs its driver."""


def burn_in_documents(platform: Platform) -> Iterator[Document]:
    for pool in burnt_in(platform, platform.pools):
        yield _rule(pool)
        yield _daemon_set(pool, platform)


def _rule(pool: PlatformPool) -> Document:
    return readiness_rule(
        ObjectMeta(f"{BURN_IN_NAME}-{pool.name}"),
        pool,
        ({"type": GPU_BURN_IN_NOT_PASSED, "requiredStatus": "False"},),
        BURN_IN_TAINT,
        # What breaks later is found by the conditions of broken GPUs.
        EnforcementMode.BOOTSTRAP_ONLY,
    )


def _daemon_set(pool: PlatformPool, platform: Platform) -> Document:
    (daemon_set,) = read_objects(
        __package__,
        "daemon_set",
        burn_in=BURN_IN_NAME,
        pool=pool.name,
        labels={"app.kubernetes.io/name": BURN_IN_NAME, POOL: pool.name},
        pull_secrets=secret_references(platform.cluster.pull_secret_names),
        priority_class=NODE_CRITICAL,
        runtime_class=platform.provider.host(platform.driver_owner).runtime_class,
        selector={POOL: pool.name, **stopped_with_driver(platform)},
        tolerations=tolerations_of(platform.daemon_taints((pool,))),
        image=platform.mirrors.of(BURN_IN_IMAGE),
        folder=BURN_IN_FOLDER,
        mounted_folder=MOUNTED_BURN_IN_FOLDER,
    )
    burn_in = platform.cluster.addons.burn_in
    assert burn_in is not None  # noqa: S101 # pools without one are left out
    arguments = (burn_in.level, _MINUTES[burn_in.level], pool.hardware.gpus)
    script = (files(__package__) / "burn_in.sh").read_text(encoding="utf-8")
    (container,) = daemon_set["spec"]["template"]["spec"]["initContainers"]
    container["command"] += [script, BURN_IN_NAME, *map(str, arguments)]
    return daemon_set


def check_burn_in(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where an autoscaler would start node after node, or no pool is tested."""
    field = ("addons", "gpuHealth", "burnIn")
    if draft.cluster.addons.burn_in is None or not draft.is_read(field):
        return
    # Nobody starts another machine of one's own in place of one that is tainted for long.
    takes_taint = takes_startup_taints(draft) or not draft.provider.makes_nodes
    if draft.has_provider_settings and not takes_taint:
        yield unknown_taint(draft, field, f"only on-prem, or {ON_EKS}")
    if not any(
        pool.hardware is None or is_testable(pool.hardware.model.vendor, pool.sharing)
        for pool in draft.pools
    ):
        yield Problem(field, "without effect: no pool has NVIDIA GPUs without MIG and MPS")


def _contributes(platform: Platform) -> Contribution:
    taints = Contribution(
        startup_taints={
            pool.name: (BURN_IN_TAINT,) if is_testable(pool.vendor, pool.facts.sharing) else ()
            for pool in platform.pools
        }
    )
    tested = burnt_in(platform, platform.pools)
    return taints + daemons_on(tested, requests_of(__package__, "daemon_set"))


GPU_BURN_IN = Definition(
    name=BURN_IN_NAME,
    description=__doc__,
    appears="where the cluster asks for it, on-prem or on EKS",
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
    warnings=lambda platform: crowded_rules(
        platform, map(_rule, burnt_in(platform, platform.pools))
    ),
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
