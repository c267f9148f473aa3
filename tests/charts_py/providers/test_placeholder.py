import pytest

from charts_py.providers.placeholder import least_nodes, placeholder_deployment, placeholders
from charts_py.providers.registry import held_pools
from tests.charts_py.fixture_types import PlatformWith

WARM = "purpose: inference, nodes: {min: 1, max: 4, warm: 2}"
A100 = f"instanceType: Standard_NC96ads_A100_v4, {WARM}"
L4 = f"instanceType: g2-standard-24, {WARM}"
P4DE = f"instanceType: p4de.24xlarge, {WARM}"
MIXED = "mig: {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}"


def _team(classes: str) -> dict[str, str]:
    quota = "{gpus: {pool: 8}, cpu: 9, memory: 9Gi, storage: 9Gi}"
    team = (
        "owner: a@example.com, costCenter: '1', members: {users: [engineers]}, "
        f"priorities: [{classes}], "
        f"namespaces: {{serving: {{purpose: inference, quota: {quota}}}}}"
    )
    return {"teams": f"{{search: {{{team}}}}}"}


@pytest.mark.parametrize(
    ("pool", "settings", "held"),
    [
        (A100.replace(", warm: 2", ""), {}, 0),
        (A100, {}, 2),
        (A100, {"queues": "{}"}, 2),
        (A100, {"queues": "{engine: volcano}"}, 0),
        (A100, {"queues": "{engine: kai}"}, 0),
        (
            f"{A100.replace('min: 1', 'min: 4')}, topology: {{levels: [kubernetes.io/hostname]}}",
            {"queues": "{}"},
            0,
        ),
        (f"{A100}, sharing: {{timeSlicing: 16}}", {}, 2),
        (f"{A100}, sharing: {{timeSlicing: 17}}", {}, 0),
        (A100, _team("inference, batch"), 2),
        (A100, _team("batch"), 0),
        (A100, {"queues": "{}", **_team("inference, training")}, 2),
        (A100, {"queues": "{}", **_team("inference, batch")}, 0),
    ],
)
def test_placeholders_hold_warm_nodes_where_whatever_waits_for_them_preempts(
    platform_with: PlatformWith, pool: str, settings: dict[str, str], held: int
) -> None:
    platform = platform_with("aks", f"{{{pool}}}", **settings)
    (read,) = platform.pools
    least = read.spec.nodes.min if held else read.spec.nodes.kept
    assert (placeholders(read, platform), least_nodes(read, platform)) == (held, least)


@pytest.mark.parametrize(
    ("provisioner", "pool", "held"),
    [("eks", P4DE, 0), ("eksctl", P4DE, 1), ("gke", L4, 1), ("aks", A100, 1)],
)
def test_only_a_cluster_autoscaler_needs_them(
    platform_with: PlatformWith, provisioner: str, pool: str, held: int
) -> None:
    platform = platform_with(provisioner, f"{{{pool}, zones: [{ZONES[provisioner]}]}}")
    assert len(held_pools(platform)) == held


ZONES = {"eks": "us-east-1a", "eksctl": "us-east-1a", "gke": "europe-west4-a", "aks": '"1"'}


@pytest.mark.parametrize(
    ("provisioner", "pool", "containers"),
    [
        ("aks", A100, [{"nvidia.com/gpu": "4"}]),
        (
            "eksctl",
            f"{P4DE}, zones: [us-east-1a], sharing: {{{MIXED}}}",
            [
                {
                    "nvidia.com/mig-1g.10gb": "16",
                    "nvidia.com/mig-2g.20gb": "8",
                    "nvidia.com/mig-3g.40gb": "8",
                }
            ],
        ),
        (
            "gke",
            f"{L4}, zones: [europe-west4-a], sharing: {{timeSlicing: 2}}",
            [{"nvidia.com/gpu": "1"}] * 4,
        ),
    ],
)
def test_a_placeholder_holds_all_gpus_of_a_node_and_a_container_one_share_at_most(
    platform_with: PlatformWith, provisioner: str, pool: str, containers: list[dict[str, str]]
) -> None:
    platform = platform_with(provisioner, f"{{{pool}}}")
    spec = placeholder_deployment(platform.pools[0], platform)["spec"]["template"]["spec"]
    assert [each["resources"]["limits"] for each in spec["containers"]] == containers
