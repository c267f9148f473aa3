from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charts_py.cluster_file.cluster_files import FLEET_FILE, find_cluster_files
from charts_py.cluster_file.fault import SpecError
from charts_py.cluster_file.field_schema import allowed_at
from charts_py.load import load_platform, load_platforms
from tests.charts_py.fixture_types import FaultsOf, PlatformWith, Sample

CLUSTERS = Path(__file__).parents[2] / "clusters"
ROOT_FIELDS = (
    "provider, region, kubernetes, version, live, promotion, gitops, eks, gke, aks, network, "
    "imagePullSecrets, registries, charts, driver, hardware, cost, pools, priorities, teams, "
    "queues, multiKueue, training, serving, slurm, policies, webhook, addons, controllers, plan, "
    "extensions"
)
GITOPS = "gitops:\n  repository: https://github.com/example/gpu-platform.git\n"


def faults_of_all(directory: Path) -> str:
    with pytest.raises(SpecError) as caught:
        load_platforms(find_cluster_files(directory))
    return str(caught.value).replace(f"{directory}/", "")


def test_the_example_clusters_have_no_fault() -> None:
    names = [platform.name for platform in load_platforms(find_cluster_files(CLUSTERS))]
    assert names == ["inference", "mixed", "onprem", "training"]


def test_reading_twice_gives_the_same_platform() -> None:
    files = find_cluster_files(CLUSTERS)
    assert load_platforms(files) == load_platforms(files)


def test_a_cluster_is_named_as_its_file_and_its_pools_are_sorted(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("eks")
    assert platform.name == "sample"
    assert [pool.name for pool in platform.pools] == ["a100-mig", "a10g", "h100"]


def test_faults_of_different_sorts_come_together_by_line_and_without_echoes(
    faults_after: FaultsOf,
) -> None:
    faults = faults_after(
        "eks",
        ('"1.35"', "1.35"),
        ("live: 1.0.0\n", "live: 1.0\nzone: a\n"),
        ("nodeRole: training-gpu-nodes\n", "nodeRole: a/b\n"),
        ("nodes: {min: 2, max: 4}", "nodes: {min: 5}"),
        ("p4de.24xlarge", "p4de.24xlarg"),
        ("{timeSlicing: 4}", "{timeSlicing: 4, mps: 4}"),
        ("preemption: never", "preemption: no"),
        ("[training, batch]", "[training, btch]"),
        ("a10g: 16}", "a10: 16}"),
        ("    - rule: host-ipc\n", "    - rule: host-ipc\n    - rule: host-ipc\n"),
    )
    lines = [line.partition("; ")[0].removeprefix("sample.yaml:") for line in faults.splitlines()]
    assert lines == [
        "3: kubernetes: 1.35 is a number in YAML",
        "5: live: 1.0 is a number in YAML",
        '6: zone: unknown field "zone"',
        '11: eks.nodeRole: "a/b" has the wrong format',
        "16: pools.h100.nodes.max: missing",
        '21: pools.a100-mig.instanceType: unknown eks instance type "p4de.24xlarg"',
        "30: pools.a10g.sharing: time-slicing and MPS exclude each other",
        '33: priorities.training.preemption: unknown "no"',
        '41: teams.research.priorities[1]: unknown priority "btch"',
        '46: teams.research.namespaces.research.quota.gpus.a10: unknown pool "a10"',
        "69: policies.exceptions[0].expires: missing",
        "69: policies.exceptions[0].namespace: missing",
        "69: policies.exceptions[0].owner: missing",
        "69: policies.exceptions[0].reason: missing",
    ]


def test_an_unknown_provider_hides_no_fault_that_is_not_the_providers(
    faults_after: FaultsOf,
) -> None:
    faults = faults_after(
        "eks",
        ("provider: eks", "provider: ekss"),
        ("{min: 2, max: 4}", "{min: 5, max: 4}"),
        ("[training, batch]", "[training, btch]"),
    )
    assert faults == (
        'sample.yaml:1: provider: unknown "ekss"; allowed: eks, gke, aks, onprem; nearest: eks\n'
        "sample.yaml:15: pools.h100.nodes.min: 5 is above max; allowed: at most 4\n"
        'sample.yaml:40: teams.research.priorities[1]: unknown priority "btch"; allowed: '
        "training, batch; nearest: batch"
    )


def test_pools_that_are_a_list_leave_the_teams_without_echo(
    sample: Sample, faults_of: FaultsOf
) -> None:
    head, _, rest = sample("eks").partition("pools:\n")
    tail = rest[rest.index("priorities:\n") :]
    assert faults_of(f"{head}pools:\n  - h100\n{tail}") == (
        "sample.yaml:11: pools: a list is given; allowed: a mapping with at least 1 entry"
    )


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "{}\n"])
def test_an_empty_file_is_one_fault(faults_of: FaultsOf, text: str) -> None:
    assert faults_of(text) == (
        "sample.yaml:1: the file is empty; allowed: a mapping with provider, region, kubernetes, "
        "version, gitops, pools"
    )


def test_a_file_of_invalid_yaml_is_one_fault(faults_of: FaultsOf) -> None:
    assert faults_of("provider: eks\npools: [\n", GITOPS) == (
        'sample.yaml:2:8: invalid YAML: "[" is not closed; allowed: "]"'
    )


def test_faults_of_an_anchor_point_to_its_lines(faults_after: FaultsOf) -> None:
    faults = faults_after(
        "aks",
        ("  a100mig:\n    instanceType", "  a100mig: &pool\n    instanceType"),
        ("{max: 2}\n    zones", "{max: 0}\n    zones"),
        ("  t4:\n", "  t4:\n    <<: *pool\n"),
    )
    assert faults == (
        "sample.yaml:15: pools.a100mig.nodes.max: 0 is out of bounds; allowed: a whole number, at "
        "least 1, at most 100000\n"
        "sample.yaml:18: pools.t4.sharing.mig: T4 has no MIG; it can be shared by time-slicing or "
        "MPS"
    )


def test_the_fleets_fields_are_every_clusters(tmp_path: Path, sample: Sample) -> None:
    (tmp_path / FLEET_FILE).write_text(GITOPS, encoding="utf-8")
    file = tmp_path / "sample.yaml"
    file.write_text(sample("gke", (GITOPS, "")), encoding="utf-8")
    repository = load_platform(file, tmp_path / FLEET_FILE).cluster.gitops.repository
    assert repository == "https://github.com/example/gpu-platform.git"


def test_faults_of_the_fleet_are_shown_in_it_and_faults_of_an_override_in_the_cluster(
    sample: Sample, faults_of: FaultsOf
) -> None:
    fleet = "gitops:\n  revision: 7\naddons:\n  gdrcopy: yes\n  efaDevicePlugin: yes\n"
    own = sample("gke", (GITOPS, "addons:\n  efaDevicePlugin: no\n"))
    assert faults_of(own, fleet) == (
        "fleet.yaml:1: gitops.repository: missing; allowed: a string such as "
        "https://github.com/example/gpu-platform.git\n"
        "fleet.yaml:2: gitops.revision: 7 is a number in YAML; quote it; allowed: a string of at "
        "least 1 character\n"
        'fleet.yaml:4: addons.gdrcopy: "yes" is a string; allowed: true or false; nearest: true\n'
        'sample.yaml:6: addons.efaDevicePlugin: "no" is a string; allowed: true or false; '
        "nearest: false"
    )


def test_a_field_missing_in_an_overriding_list_is_the_clusters_fault(
    sample: Sample, faults_of: FaultsOf
) -> None:
    policies = sample("eks").partition("policies:\n")[2]
    own = sample("eks", ("      reason: NCCL shares memory between pods\n", ""))
    assert faults_of(own, f"policies:\n{policies}") == (
        "sample.yaml:68: policies.exceptions[0].reason: missing; allowed: a string of at least 8 "
        "characters"
    )


def test_what_is_wrong_with_the_fleet_is_reported_once(tmp_path: Path, sample: Sample) -> None:
    (tmp_path / FLEET_FILE).write_text("addons: 5\nregoin: here\n", encoding="utf-8")
    for name in ("east", "west"):
        (tmp_path / f"{name}.yaml").write_text(sample("aks"), encoding="utf-8")
    (tmp_path / "north.yaml").write_text("provider: [\n", encoding="utf-8")
    assert faults_of_all(tmp_path) == (
        f"fleet.yaml:1: addons: 5 is a number; allowed: {allowed_at(('addons',))}\n"
        f'fleet.yaml:2: regoin: unknown field "regoin"; allowed: {ROOT_FIELDS}; nearest: region\n'
        'north.yaml:1:11: invalid YAML: "[" is not closed; allowed: "]"'
    )


def test_a_fleet_that_cannot_be_read_hides_the_clusters(tmp_path: Path, sample: Sample) -> None:
    (tmp_path / FLEET_FILE).write_text("gitops: [\n", encoding="utf-8")
    for name in ("east", "west"):
        (tmp_path / f"{name}.yaml").write_text(sample("aks", (GITOPS, "")), encoding="utf-8")
    fault = 'fleet.yaml:1:9: invalid YAML: "[" is not closed; allowed: "]"'
    assert faults_of_all(tmp_path) == fault


def test_a_cluster_has_a_name_that_kubernetes_takes(tmp_path: Path, sample: Sample) -> None:
    (tmp_path / "East_1.yaml").write_text(sample("aks"), encoding="utf-8")
    assert faults_of_all(tmp_path) == (
        'East_1.yaml:1: "East_1" is not a valid name for a cluster; allowed: '
        "one such as training; nearest: east-1"
    )


def test_an_empty_fleet_shares_nothing(tmp_path: Path, sample: Sample) -> None:
    (tmp_path / FLEET_FILE).write_text("# nothing yet\n", encoding="utf-8")
    (tmp_path / "east.yaml").write_text(sample("aks"), encoding="utf-8")
    assert [platform.name for platform in load_platforms(find_cluster_files(tmp_path))] == ["east"]


@given(st.binary(max_size=60) | st.text("ab1:-[]{}&*!<>?|#'\"\n ,%~", max_size=60).map(str.encode))
def test_any_bytes_are_a_platform_or_faults(
    tmp_path_factory: pytest.TempPathFactory, text: bytes
) -> None:
    file = tmp_path_factory.mktemp("clusters") / "sample.yaml"
    file.write_bytes(text)
    with pytest.raises(SpecError):
        load_platform(file, None)
