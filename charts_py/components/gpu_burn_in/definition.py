"""New nodes that take pods only once NVIDIA's diagnostics have passed on their GPUs.

A daemon on each node of NVIDIA pools, but those of MIG and MPS, runs `dcgmi diag` of the GPU
operator's image of DCGM, once, and keeps the verdict on the node's disk. Node-problem-detector sets
the condition `gpuplane.io/GpuBurnInNotPassed` from it, and the readiness controller takes the taint
`readiness.k8s.io/gpu-burn-in` off when it is False. A node whose GPUs programs use already, such as
all that are there when it is switched on, passes untested.

The container is privileged and sees the processes of the node, to reach every GPU without the
device plugin, and to see who uses them.
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.queues import NODE_CRITICAL
from charts_py.cluster_file.team import PodSecurity
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
    TAINT_PREFIX,
    WITH_KARPENTER,
    EnforcementMode,
    readiness_rule,
    takes_startup_taints,
    unknown_taint,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import Wave
from gpus.platform_names import POOL
from gpus.taint import NO_SCHEDULE, Taint
from policies.image import registry_of

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
_SCRIPT = "burn_in.sh"
_VALIDATIONS = "/run/nvidia/validations"
"""The operator's validator says here that CUDA has run (assets/state-operator-validation in
https://github.com/NVIDIA/gpu-operator at v26.7.0)."""


def burn_in_documents(platform: Platform) -> Iterator[Document]:
    for pool in burnt_in(platform, platform.pools):
        yield _rule(pool)
        yield _daemon_set(pool, platform)


def _rule(pool: PlatformPool) -> Document:
    return readiness_rule(
        f"{BURN_IN_NAME}-{pool.name}",
        {"matchLabels": {POOL: pool.name}},
        ({"type": GPU_BURN_IN_NOT_PASSED, "requiredStatus": "False"},),
        BURN_IN_TAINT,
        # What breaks later is found by the conditions of broken GPUs.
        EnforcementMode.BOOTSTRAP_ONLY,
    )


def _daemon_set(pool: PlatformPool, platform: Platform) -> Document:
    labels = {"app.kubernetes.io/name": BURN_IN_NAME, POOL: pool.name}
    spec = {
        "selector": {"matchLabels": labels},
        # Most of the pods only sleep.
        "updateStrategy": {"rollingUpdate": {"maxUnavailable": "10%"}},
        "template": {"metadata": {"labels": labels}, "spec": _pod(pool, platform)},
    }
    metadata = ObjectMeta(f"{BURN_IN_NAME}-{pool.name}", namespace=BURN_IN_NAME, labels=labels)
    return object_of("apps/v1", "DaemonSet", metadata, {"spec": spec})


def _pod(pool: PlatformPool, platform: Platform) -> dict[str, Any]:
    return {
        **pull_secrets(platform.cluster.pull_secret_names),
        "priorityClassName": NODE_CRITICAL,
        "automountServiceAccountToken": False,
        "runtimeClassName": platform.provider.host(platform.driver_owner).runtime_class,
        # Else nvidia-smi shows no program of another container.
        "hostPID": True,
        "nodeSelector": {POOL: pool.name, **stopped_with_driver(platform)},
        "tolerations": tolerations_of(platform.daemon_taints((pool,))),
        "containers": [_container(pool, platform)],
        "volumes": [
            _host_folder(BURN_IN_NAME, BURN_IN_FOLDER),
            _host_folder("validations", _VALIDATIONS),
        ],
    }


def _container(pool: PlatformPool, platform: Platform) -> dict[str, Any]:
    burn_in = platform.cluster.addons.burn_in
    assert burn_in is not None  # noqa: S101 # pools without one are left out
    arguments = (burn_in.level, _MINUTES[burn_in.level], pool.hardware.gpus)
    return {
        "name": BURN_IN_NAME,
        "image": platform.mirrors.of(BURN_IN_IMAGE),
        # Not by a ConfigMap, whose change would start no pod anew.
        "command": ["/bin/sh", "-c", _script(), BURN_IN_NAME, *map(str, arguments)],
        # Without the device plugin, as the operator's own daemons. The runtime heeds it for a
        # privileged container alone.
        "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}],
        "securityContext": {"privileged": True},
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}},
        "volumeMounts": [
            {"name": BURN_IN_NAME, "mountPath": MOUNTED_BURN_IN_FOLDER},
            {"name": "validations", "mountPath": "/validations", "readOnly": True},
        ],
    }


def _script() -> str:
    return (files(__package__) / _SCRIPT).read_text(encoding="utf-8")


def _host_folder(name: str, path: str) -> dict[str, Any]:
    return {"name": name, "hostPath": {"path": path, "type": "DirectoryOrCreate"}}


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
