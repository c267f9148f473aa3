import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from charts_py.components.registry import plan_components
from charts_py.platform.fabric import GRACE_SECONDS
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.sharing import SharingKind
from gpus.taint import Taint
from policies.admission import Review
from policies.engine import Engine
from policies.rule_name import Mode, RuleName
from policies.settings import (
    EnforcedSecurity,
    NamespaceSettings,
    NodeNameSettings,
    OfferedResource,
    PodSecurity,
    PoolSettings,
    RuleException,
    SharedMemorySettings,
    UnequalGpus,
)
from policies.settings_json import read_settings, webhook_settings, write_settings
from tests.charts_py.fixture_types import Load, PlatformWith

ROOT = Path(__file__).parents[3]
WRITTEN = sorted(ROOT.glob("dist/*/*/webhook/ConfigMap.gpuplane-webhook-settings.yaml"))
EXAMPLES = ("training", "inference", "mixed", "onprem")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_settings_of_an_example_read_back_as_the_same(example: Load, name: str) -> None:
    settings = policy_settings(example(name))
    assert read_settings(write_settings(settings)) == settings


@pytest.mark.parametrize("name", EXAMPLES)
def test_pools_advertise_and_carry_what_their_facts_state(example: Load, name: str) -> None:
    platform = example(name)
    assert policy_settings(platform).pools == tuple(
        PoolSettings(
            name=pool.name,
            vendor=pool.facts.model.vendor,
            resources=tuple(
                OfferedResource(r.name, r.per_node, pool.facts.sharing.kind, r.mig_profile)
                for r in pool.facts.resources
            ),
            cpu=pool.hardware.cpu,
            memory=known.memory,
            labels={**known.labels, **pool.facts.labels, **pool.facts.passing_labels},
            pool_labels=known.pool_labels,
            taints=pool.facts.taints,
            fixed_labels=pool.facts.fixed_labels,
            kept_millicpu=known.kept_millicpu,
            daemons=known.daemons,
            disk=known.disk,
            others=known.others,
        )
        for pool, known in zip(platform.pools, policy_settings(platform).pools, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "pool", "millicpu", "memory", "others"),
    [
        # 192 CPUs and 2 TiB: 60 + 10 + 2 * 5 + 188 * 2.5 thousandths, 255 + 100 MiB.
        # Two daemons: 10m and 64 MiB, 10m and 20 MiB.
        ("training", "h100", 191_430, 2 * 2**40 - 439 * 2**20, {"vpc.amazonaws.com/efa": 32}),
        # 96 CPUs and 1360 GiB: 80 + 92 * 2.5 thousandths; 33.96 GiB in five steps, and 100 MiB.
        ("inference", "a100-mig", 95_680, 1_423_652_641_833, {}),
        # 96 CPUs and 1900 GiB: 60 + 40 + 2 * 20 + 92 * 10 thousandths, 47 + 100 MiB.
        ("mixed", "a100train", 94_930, 1900 * 2**30 - 211 * 2**20, {}),
        ("onprem", "h200", 191_980, 2 * 2**40 - 128 * 2**20, {}),
    ],
)
def test_pods_have_what_kubernetes_and_daemons_of_the_platform_leave_of_a_node(
    example: Load, name: str, pool: str, millicpu: int, memory: int, others: dict[str, int]
) -> None:
    (known,) = (each for each in policy_settings(example(name)).pools if each.name == pool)
    assert (known.millicpu, known.memory, known.others) == (millicpu, memory, others)


_RESIZED = "{op: replace, path: /spec/blockDeviceMappings/0/ebs/volumeSize, value: 500Gi}"
_PATCH = f"{{kind: EC2NodeClass, name: h100, operations: [{_RESIZED}]}}"
PATCHED_VOLUME = ("teams:\n", f"extensions: {{patches: [{_PATCH}]}}\nteams:\n")
OF_OPERATOR = ("eks:\n", 'driver: {owner: operator}\neks:\n  imageRelease: "20260701"\n')


@pytest.mark.parametrize(
    ("name", "replaced", "pool", "disk"),
    [
        # Local disks of 28312 GiB, or a volume of 200 GiB: nine tenths of it less 1 GiB.
        ("eks", (), "h100", 27_358_726_927_155),
        ("eks", (OF_OPERATOR,), "h100", 179 * 2**30),
        ("eks", (PATCHED_VOLUME,), "h100", None),
        ("gke", (), "a100", None),
        ("aks", (), "t4", None),
        ("onprem", (), "h200", None),
    ],
)
def test_a_disk_is_known_where_the_platform_states_it(
    platform_after: PlatformWith,
    name: str,
    replaced: tuple[tuple[str, str], ...],
    pool: str,
    disk: int | None,
) -> None:
    pools = policy_settings(platform_after(name, *replaced)).pools
    assert {each.name: each.disk for each in pools}[pool] == disk


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("intel", {"max1550": {"cpu": "40m", "memory": "45Mi"}}),
        (
            "burn-in",
            {
                "h100": {"cpu": "20m", "memory": "128Mi"},
                "h100-mig": {"cpu": "10m", "memory": "64Mi"},
                "l40s-shared": {"cpu": "20m", "memory": "128Mi"},
                "mi300x": {"cpu": "10m", "memory": "64Mi"},
            },
        ),
        (
            "training",
            {
                "a10g": {},
                "h100": {"cpu": "10m", "memory": "20Mi"},
                "h100-spot": {"cpu": "10m", "memory": "20Mi"},
            },
        ),
    ],
)
def test_the_daemons_that_are_subtracted_are_those_that_are_rendered(
    platform_after: PlatformWith, name: str, known: Mapping[str, Mapping[str, str]]
) -> None:
    platform = platform_after(name)
    daemons = [requests for _, requests in platform.contribution.daemons]
    assert {tuple(each.items()) for each in daemons} == {
        tuple(each.items()) for each in _rendered_requests(platform)
    }
    assert {pool.name: pool.daemons for pool in policy_settings(platform).pools} == known


def _rendered_requests(platform: Platform) -> Iterator[Mapping[str, str]]:
    """Yield what each DaemonSet requests, of the platform's own and of charts of nothing else."""
    for component in plan_components(platform):
        for one in component.objects() if component.objects else ():
            if one["kind"] == "DaemonSet":
                (container,) = one["spec"]["template"]["spec"]["containers"]
                yield container["resources"]["requests"]
        kinds = {kind.kind for kind in component.helm.kinds} if component.helm else set()
        if component.helm and "DaemonSet" in kinds and "Deployment" not in kinds:
            yield component.helm.values["resources"]["requests"]


def test_what_plugins_of_ones_own_offer_is_declared_by_pools_and_queues(
    platform_after: PlatformWith,
) -> None:
    settings = policy_settings(platform_after("topograph"))
    offered = {pool.name: dict(pool.others) for pool in settings.pools if pool.others}
    assert offered == {"h100": {"rdma/hca_shared_devices_a": None}}
    assert settings.declared == ("rdma/hca_shared_devices_a", "smarter-devices/fuse")


def test_schedulers_of_ones_own_are_known(platform_after: PlatformWith) -> None:
    stated = ("policies:\n", "policies:\n  schedulers: [binpack]\n")
    assert policy_settings(platform_after("eks", stated)).schedulers == ("binpack",)


def test_a_pool_is_known_by_node_size_sharing_labels_and_taints(example: Load) -> None:
    (pool,) = (p for p in policy_settings(example("onprem")).pools if p.name == "h200-dev")
    assert pool == PoolSettings(
        name="h200-dev",
        vendor="nvidia",
        resources=(
            OfferedResource(
                "nvidia.com/mig-1g.18gb.shared", 224, SharingKind.MIG_TIME_SLICING, "1g.18gb"
            ),
        ),
        cpu=192,
        memory=2 * 2**40 - 64 * 2**20,
        kept_millicpu=10,
        daemons={"cpu": "10m", "memory": "64Mi"},
        labels={
            "gpuplane.io/gpu-model": "h200",
            "gpuplane.io/interconnect": "ethernet",
            "gpuplane.io/nvlink": "true",
            "gpuplane.io/pool": "h200-dev",
            "gpuplane.io/purchase": "on-demand",
            "gpuplane.io/purpose": "notebooks",
            "nvidia.com/device-plugin.config": "mig-1g.18gb-time-slicing-4",
            "nvidia.com/gpu.product": "NVIDIA-H200",
            "nvidia.com/gpu.replicas": "0",
            "nvidia.com/gpu.sharing-strategy": "none",
            "nvidia.com/mig.config": "mig-1g.18gb-x7",
        },
        taints=(Taint("nvidia.com/gpu", "present", "NoSchedule"),),
        fixed_labels={
            "kubernetes.io/arch": ("amd64",),
            "kubernetes.io/hostname": ("a name like ^dev-[0-9]+$",),
            "kubernetes.io/os": ("linux",),
            "nvidia.com/gpu.compute.major": ("9",),
            "nvidia.com/gpu.compute.minor": ("0",),
            "nvidia.com/gpu.count": ("8",),
            "nvidia.com/gpu.family": ("hopper",),
            "nvidia.com/gpu.memory": ("125800 to 161742",),
            "nvidia.com/gpu.present": ("true",),
            "nvidia.com/gpu.product": ("NVIDIA-H200",),
        },
    )


def test_the_labels_of_a_machine_are_as_karpenter_has_them(example: Load) -> None:
    (pool,) = (p for p in policy_settings(example("training")).pools if p.name == "h100")
    karpenter = {key: one for key, one in pool.fixed_labels.items() if "karpenter" in key}
    assert karpenter == {
        "karpenter.k8s.aws/ec2nodeclass": ("h100",),
        "karpenter.k8s.aws/instance-category": ("p",),
        "karpenter.k8s.aws/instance-cpu": ("192",),
        "karpenter.k8s.aws/instance-family": ("p5",),
        "karpenter.k8s.aws/instance-generation": ("5",),
        "karpenter.k8s.aws/instance-gpu-count": ("8",),
        "karpenter.k8s.aws/instance-gpu-manufacturer": ("nvidia",),
        "karpenter.k8s.aws/instance-gpu-memory": ("81920",),
        "karpenter.k8s.aws/instance-gpu-name": ("h100",),
        "karpenter.k8s.aws/instance-memory": ("2097152",),
        "karpenter.k8s.aws/instance-size": ("48xlarge",),
        "karpenter.sh/capacity-type": ("reserved", "on-demand"),
        "karpenter.sh/nodepool": ("h100.minimum", "h100"),
    }
    assert pool.labels["karpenter.sh/capacity-type"] == "reserved"


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        (
            "training",
            (
                "beta.kubernetes.io/instance-type",
                "karpenter.k8s.aws/ec2nodeclass",
                "karpenter.k8s.aws/instance-family",
                "karpenter.k8s.aws/instance-gpu-count",
                "karpenter.k8s.aws/instance-gpu-manufacturer",
                "karpenter.k8s.aws/instance-gpu-memory",
                "karpenter.k8s.aws/instance-gpu-name",
                "karpenter.sh/nodepool",
                "node.kubernetes.io/instance-type",
            ),
        ),
        (
            "inference",
            (
                "beta.kubernetes.io/instance-type",
                "cloud.google.com/gke-nodepool",
                "node.kubernetes.io/instance-type",
            ),
        ),
        (
            "mixed",
            (
                "agentpool",
                "beta.kubernetes.io/instance-type",
                "kubernetes.azure.com/agentpool",
                "node.kubernetes.io/instance-type",
            ),
        ),
        ("onprem", ()),
    ],
)
def test_nodes_of_a_pool_have_values_of_some_labels_alone(
    example: Load, name: str, labels: tuple[str, ...]
) -> None:
    assert {pool.pool_labels for pool in policy_settings(example(name)).pools} == {labels}


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: "-".join(file.parts[-4:-2]))
def test_the_settings_of_every_version_can_be_read(file: Path) -> None:
    (source,) = yaml.safe_load(file.read_text(encoding="utf-8"))["data"].values()
    assert read_settings(source).cluster == file.parts[-4]


def test_a_pod_for_amd64_is_refused_where_the_gpus_of_its_namespace_are_in_arm64_machines(
    platform_after: PlatformWith,
) -> None:
    settings = policy_settings(platform_after("nvl72"))
    containers = [{"name": "train", "resources": {"limits": {"nvidia.com/gpu": 4}}}]
    spec = {"nodeSelector": {"kubernetes.io/arch": "amd64"}, "containers": containers}
    review = Review("rack-training", dt.date(2026, 11, 21))
    admission = Engine(settings).admit({"metadata": {"name": "train"}, "spec": spec}, review)
    assert [denial.rule for denial in admission.denials] == [RuleName.GRANTED_POOLS]


def test_a_namespace_is_known_by_team_purpose_priorities_and_labels(example: Load) -> None:
    settings = policy_settings(example("training"))
    assert settings.namespaces["research-training"] == NamespaceSettings(
        team="research",
        purpose="training",
        default_priority="training",
        priorities=("training", "notebooks", "batch"),
        labels={
            "gpuplane.io/team": "research",
            "gpuplane.io/cost-center": "4711",
            "gpuplane.io/project": "foundation-models",
            "gpuplane.io/owner": "research-leads_at_example.com",
            "gpuplane.io/purpose": "training",
        },
        pools=("h100", "h100-spot"),
        pod_security=EnforcedSecurity(PodSecurity.RESTRICTED, 35),
    )


def test_the_webhook_knows_the_level_of_a_namespace_where_it_adds_what_that_demands(
    example: Load, platform_after: PlatformWith
) -> None:
    without = write_settings(webhook_settings(policy_settings(example("training"))))
    assert "podSecurity" not in without
    settings = webhook_settings(policy_settings(platform_after("pod-security")))
    levels = {name: each.pod_security for name, each in settings.namespaces.items()}
    assert settings.pod_security_user == 1000
    assert levels == {
        "chemistry-training": EnforcedSecurity(PodSecurity.RESTRICTED, 36),
        "chemistry-tools": EnforcedSecurity(PodSecurity.BASELINE, 36),
    }


def test_a_pool_of_which_a_namespace_has_none_is_not_granted(platform_after: PlatformWith) -> None:
    assert policy_settings(
        platform_after("eks", ("gpus: {h100: 24, a10g: 16}", "gpus: {h100: 24, a10g: 0}"))
    ).namespaces["research"].pools == ("h100",)


def test_the_default_priority_is_the_purposes_or_else_the_teams_lowest(
    platform_after: PlatformWith,
) -> None:
    namespaces = policy_settings(
        platform_after("eks", ("    priorities: [batch]\n", "    priorities: [training, batch]\n"))
    ).namespaces
    assert {name: each.default_priority for name, each in namespaces.items()} == {
        "research": "training",
        "search": "batch",
    }


def test_a_namespace_may_opt_in_to_spot_nodes_and_have_its_own_modes(
    platform_after: PlatformWith,
) -> None:
    own = "        spot: true\n        rules: {host-ipc: audit}\n"
    namespace = policy_settings(
        platform_after("eks", ("        egress: [10.20.0.0/16]\n", own))
    ).namespaces["research"]
    assert (namespace.spot, namespace.modes) == (True, {RuleName.HOST_IPC: Mode.AUDIT})


def test_the_shortest_grace_period_that_can_be_set_is_that_of_new_workloads(
    platform_after: PlatformWith,
) -> None:
    assert (
        policy_settings(
            platform_after(
                "eks", ("policies:\n", f"policies:\n  maxGracePeriodSeconds: {GRACE_SECONDS}\n")
            )
        ).max_grace_period_seconds
        == GRACE_SECONDS
    )


def test_what_the_file_states_about_policies_is_passed_on(example: Load) -> None:
    settings = policy_settings(example("training"))
    assert (settings.cluster, settings.mode, settings.modes) == (
        "training",
        Mode.ENFORCE,
        {RuleName.IMAGE_TAG: Mode.WARN},
    )
    assert settings.exceptions == (
        RuleException(
            rule=RuleName.HOST_IPC,
            namespace="research-training",
            reason="NCCL benchmark of the new rack shares memory between pods",
            owner="research-leads@example.com",
            expires=dt.date(2027, 3, 31),
        ),
    )
    assert settings.shared_memory == SharedMemorySettings(0.5, 64 * 2**20, 64 * 2**30, 2**30)
    assert settings.registries == ("registry.example.com/", "nvcr.io/nvidia/")
    assert (settings.unequal_gpus, settings.runtime_class) == (UnequalGpus.REFUSE, None)


def test_what_is_allowed_of_a_registry_with_a_mirror_is_the_mirrors(
    platform_after: PlatformWith,
) -> None:
    mirror = "registries: {nvcr.io: {mirror: registry.example.com/nvcr}}\npolicies:\n"
    allowed = "[ghcr.io/example/, nvcr.io/nvidia/]"
    changes = (("policies:\n", mirror), ("[registry.example.com/]", allowed))
    platform = platform_after("eks", *changes)
    assert policy_settings(platform).registries == (
        "ghcr.io/example/",
        "registry.example.com/nvcr/nvidia/",
    )


def test_unequal_gpus_and_runtime_class_are_set_by_the_cluster(
    platform_after: PlatformWith,
) -> None:
    said = "policies:\n  unequalGpus: use-limits\n  runtimeClass: nvidia\n"
    settings = policy_settings(platform_after("eks", ("policies:\n", said)))
    assert (settings.unequal_gpus, settings.runtime_class) == (UnequalGpus.USE_LIMITS, "nvidia")


@pytest.mark.parametrize(
    ("name", "own"), [("training", []), ("mixed", ["nvidia-container-runtime"]), ("onprem", [])]
)
def test_runtime_classes_of_gpus_are_those_that_the_operator_makes(
    example: Load, name: str, own: list[str]
) -> None:
    classes = policy_settings(example(name)).gpu_runtime_classes
    assert sorted(classes) == sorted(["nvidia", "nvidia-cdi", "nvidia-legacy", *own])


def test_a_runtime_class_that_the_cluster_file_names_is_of_gpus(
    platform_after: PlatformWith,
) -> None:
    said = "policies:\n  runtimeClass: gpu\n"
    settings = policy_settings(platform_after("eks", ("policies:\n", said)))
    assert settings.gpu_runtime_classes == ("gpu", "nvidia", "nvidia-cdi", "nvidia-legacy")


def test_who_may_name_nodes_is_whom_the_file_names(platform_after: PlatformWith) -> None:
    binder = "system:serviceaccount:kai-scheduler:binder"
    named = f"policies:\n  nodeNames: {{users: ['{binder}'], groups: [platform-admins]}}\n"
    settings = policy_settings(platform_after("eks", ("policies:\n", named)))
    assert settings.node_names == NodeNameSettings((binder,), ("platform-admins",))


def test_classes_of_kubernetes_and_of_the_platform_are_reserved(example: Load) -> None:
    assert policy_settings(example("mixed")).reserved_priority_classes == (
        "system-cluster-critical",
        "system-node-critical",
        "system",
        "gpuplane-placeholder",
    )


def test_exempt_are_the_platforms_own_namespaces_and_those_that_the_file_names(
    platform_after: PlatformWith,
) -> None:
    named = "policies:\n  exempt: {namespaces: [logging], serviceAccounts: [tools/probe]}\n"
    settings = policy_settings(platform_after("eks", ("policies:\n", named)))
    assert settings.exempt_namespaces == (
        "argocd",
        "gpu-operator",
        "gpuplane-system",
        "kube-node-lease",
        "kube-public",
        "kube-system",
        "logging",
        "monitoring",
        "node-pools",
    )
    assert settings.exempt_service_accounts == ("tools/probe",)


def test_exempt_is_where_gke_runs_daemons_of_its_own(platform_after: PlatformWith) -> None:
    operator = "addons: {monitoring: {prometheus: operator}}\npools:\n"
    settings = policy_settings(platform_after("gke", ("pools:\n", operator)))
    assert {"gke-gmp-system", "gke-managed-lustrecsi", "gke-managed-networking-dra-driver"} < {
        *settings.exempt_namespaces
    }


def test_pods_ask_for_what_dra_gives_out_by_two_names(platform_after: PlatformWith) -> None:
    settings = policy_settings(platform_after("dra"))
    assert {pool.name: pool.resources for pool in settings.pools} == {
        "h100": (OfferedResource("nvidia.com/gpu", 8),),
        "h100-dra": (
            OfferedResource("nvidia.com/gpu", 8),
            OfferedResource(
                "deviceclass.resource.kubernetes.io/gpu.nvidia.com", 8, same_as="nvidia.com/gpu"
            ),
        ),
    }
    assert read_settings(write_settings(settings)) == settings
