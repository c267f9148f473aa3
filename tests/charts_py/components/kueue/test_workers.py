"""What sends the jobs of namespaces to other clusters."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.components.kueue.definition import kueue_values
from charts_py.components.kueue.workers import manager_access, worker_objects, workers_queue
from charts_py.components.registry import plan_components
from charts_py.load import load_platform, load_platforms
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf, FaultsOf, Sample
from tests.charts_py.managed import managed

SAMPLES = Path(__file__).parents[2] / "samples"
NAME = "workers"
ALL_POOLS = "workers.gpuplane.io"
COHORT = "workers.gpuplane.io"
PLACED = "placed-workers.gpuplane.io"
STATED = """\
multiKueue:
  manager: {manager}
  workers: [{workers}]
  namespaces: [research-training]
"""


@pytest.fixture(scope="module")
def manager() -> Platform:
    """Return the sample that takes jobs for another."""
    return load_platform(SAMPLES / "multikueue-manager.yaml", None)


def _object(kind: str, name: str, spec: dict[str, Any]) -> Document:
    metadata = managed(name)
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": kind,
        "metadata": metadata,
        "spec": spec,
    }


def _groups(flavors: tuple[str, ...], *quotas: tuple[str, dict[str, str]]) -> dict[str, Any]:
    resources = [{"name": name, **quota} for name, quota in quotas]
    group = {
        "coveredResources": [name for name, _ in quotas],
        "flavors": [{"name": flavor, "resources": resources} for flavor in flavors],
    }
    return {"resourceGroups": [group]}


def test_a_manager_sends_jobs_to_its_workers_by_a_kubeconfig_for_each(manager: Platform) -> None:
    levels = ["example.com/rack", "kubernetes.io/hostname"]
    assert list(worker_objects(manager)) == [
        _object("MultiKueueConfig", NAME, {"clusters": ["multikueue-worker"]}),
        _object(
            "AdmissionCheck",
            NAME,
            {
                "controllerName": "kueue.x-k8s.io/multikueue",
                "parameters": {
                    "apiGroup": "kueue.x-k8s.io",
                    "kind": "MultiKueueConfig",
                    "name": NAME,
                },
            },
        ),
        _object(
            "MultiKueueCluster",
            "multikueue-worker",
            {
                "clusterSource": {
                    "kubeConfig": {
                        "locationType": "Secret",
                        "location": "multikueue-worker-kubeconfig",
                    }
                }
            },
        ),
        _object("ResourceFlavor", ALL_POOLS, {}),
        _object("Topology", PLACED, {"levels": [{"nodeLabel": level} for level in levels]}),
        _object("ResourceFlavor", PLACED, {"topologyName": PLACED, "nodeLabels": {PLACED: "true"}}),
        _object("Cohort", COHORT, _groups((ALL_POOLS, PLACED), ("pods", {"nominalQuota": "1G"}))),
    ]


def test_a_namespace_has_in_the_manager_what_it_reaches_in_the_workers(manager: Platform) -> None:
    """It has 16 in the worker, of which another namespace lends it 8."""
    gpus = ("nvidia.com/gpu", {"nominalQuota": "24", "lendingLimit": "0"})
    namespace = manager.namespace("research-training")
    assert workers_queue(manager, namespace) == _object(
        "ClusterQueue",
        "research-training",
        {
            "namespaceSelector": {
                "matchLabels": {"kubernetes.io/metadata.name": "research-training"}
            },
            "cohortName": COHORT,
            **_groups((ALL_POOLS, PLACED), gpus, ("pods", {"nominalQuota": "0"})),
            "preemption": {"withinClusterQueue": "LowerPriority"},
            "admissionChecksStrategy": {"admissionChecks": [{"name": NAME}]},
        },
    )


def test_a_namespace_has_the_same_strategy_in_the_manager(tmp_path: Path, sample: Sample) -> None:
    (tmp_path / "multikueue-worker.yaml").write_text(sample("multikueue-worker"), encoding="utf-8")
    file = tmp_path / "multikueue-manager.yaml"
    file.write_text(
        sample("multikueue-manager", ("queues: {}\n", "queues: {strategy: strict}\n")),
        encoding="utf-8",
    )
    manager = load_platform(file, None)
    spec = workers_queue(manager, manager.namespace("research-training"))["spec"]
    assert spec["queueingStrategy"] == "StrictFIFO"


def test_a_manager_lets_jobs_pass_that_claim_channels_in_a_worker(
    tmp_path: Path, sample: Sample
) -> None:
    racks = ("    gpu: H200-SXM\n    gpus: 8\n", "    gpu: GB200\n    gpus: 4\n")
    worker = sample("multikueue-worker", racks, ("nodes: {max: 4}", "nodes: {max: 8}"))
    (tmp_path / "multikueue-worker.yaml").write_text(worker, encoding="utf-8")
    file = tmp_path / "multikueue-manager.yaml"
    file.write_text(sample("multikueue-manager"), encoding="utf-8")
    manager = load_platform(file, None)
    spec = workers_queue(manager, manager.namespace("research-training"))["spec"]
    assert {"resourceGroups": spec["resourceGroups"]} == _groups(
        (ALL_POOLS, PLACED),
        ("gpuplane.io/nvlink-channel", {"nominalQuota": "1G", "lendingLimit": "0"}),
        ("nvidia.com/gpu", {"nominalQuota": "24", "lendingLimit": "0"}),
        ("pods", {"nominalQuota": "0"}),
    )
    text = kueue_values(manager)["managerConfig"]["controllerManagerConfigYaml"]
    assert yaml.safe_load(text)["resources"]["deviceClassMappings"] == [
        {
            "name": "gpuplane.io/nvlink-channel",
            "deviceClassNames": ["compute-domain-default-channel.nvidia.com"],
        }
    ]


def test_what_stands_in_the_fleets_file_makes_one_manager_of_several_workers(
    tmp_path: Path, sample: Sample
) -> None:
    own = STATED.format(manager="multikueue-manager", workers="multikueue-worker")
    texts = {
        "fleet": STATED.format(manager="hub", workers="west, east"),
        "east": sample("multikueue-worker", (own, "")),
        "hub": sample("multikueue-manager", (own, "")),
        "west": sample("multikueue-worker", (own, "")),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    east, hub, west = load_platforms(find_cluster_files(tmp_path))
    namespace = hub.namespace("research-training")
    group = workers_queue(hub, namespace)["spec"]["resourceGroups"][0]
    assert [worker.name for worker in hub.workers] == ["west", "east"]
    assert group["flavors"][0]["resources"][0]["nominalQuota"] == "48"
    assert east.run_for_manager == west.run_for_manager == hub.taken_for_workers


def test_without_topologies_there_is_one_flavor(tmp_path: Path, sample: Sample) -> None:
    (tmp_path / "multikueue-worker.yaml").write_text(
        sample("multikueue-worker", ("    topology: {levels: [example.com/rack]}\n", ""))
    )
    file = tmp_path / "multikueue-manager.yaml"
    file.write_text(sample("multikueue-manager"))
    *_, flavor, cohort = worker_objects(load_platform(file, None))
    assert flavor == _object("ResourceFlavor", ALL_POOLS, {})
    pods = ("pods", {"nominalQuota": "1G"})
    assert cohort == _object("Cohort", COHORT, _groups((ALL_POOLS,), pods))


def test_a_manager_sends_no_jobs_of_other_namespaces_anywhere(
    manager: Platform, documents_of_component: DocumentsOf
) -> None:
    (queues,) = (each for each in plan_components(manager) if each.name == "kueue-queues")
    checks = {
        document["metadata"]["name"]: document["spec"].get("admissionChecksStrategy")
        for document in documents_of_component(queues)
        if document["kind"] == "ClusterQueue"
    }
    assert checks == {
        "research-notebooks": None,
        "research-training": {"admissionChecks": [{"name": NAME}]},
    }


def test_a_manager_watches_no_kind_that_a_worker_could_lack(manager: Platform) -> None:
    text = kueue_values(manager)["managerConfig"]["controllerManagerConfigYaml"]
    assert yaml.safe_load(text)["integrations"]["frameworks"] == [
        "batch/job",
        "jobset.x-k8s.io/jobset",
        "deployment",
        "pod",
        "statefulset",
    ]


@pytest.fixture(scope="module")
def worker() -> Platform:
    """Return the sample that runs jobs for another."""
    return load_platform(SAMPLES / "multikueue-worker.yaml", None)


def _rights(role: Document) -> dict[str, set[str]]:
    """Return the verbs of a role by `resource.group`."""
    rights: dict[str, set[str]] = {}
    for rule in role["rules"]:
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                name = f"{resource}.{group}".removesuffix(".")
                rights.setdefault(name, set()).update(rule["verbs"])
    return rights


def test_the_manager_has_an_account_with_a_token_that_is_not_rendered(worker: Platform) -> None:
    account, token, *_ = manager_access(worker)
    place = managed("multikueue", "kueue-system")
    assert account == {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": place,
        "automountServiceAccountToken": False,
    }
    assert token == {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {**place, "annotations": {"kubernetes.io/service-account.name": "multikueue"}},
        "type": "kubernetes.io/service-account-token",
    }


def test_it_reads_the_kinds_that_the_worker_has_and_makes_them(worker: Platform) -> None:
    _, _, reader, writer, _ = manager_access(worker)
    kinds = {
        "jobs.batch",
        "jobsets.jobset.x-k8s.io",
        "pods",
        "rayclusters.ray.io",
        "rayjobs.ray.io",
        "rayservices.ray.io",
        "statefulsets.apps",
        "workloads.kueue.x-k8s.io",
    }
    assert _rights(reader) == {kind: {"get", "list", "watch"} for kind in kinds}
    changed = {"create", "delete", "patch"}
    assert _rights(writer) == {
        **{kind: {"create", "delete"} for kind in kinds},
        "jobs.batch": changed,
        "rayclusters.ray.io": changed,
        "rayservices.ray.io": changed,
        "workloads.kueue.x-k8s.io": {*changed, "update"},
        "workloads/status.kueue.x-k8s.io": {"get", "patch", "update"},
    }


def test_it_reads_everywhere_and_writes_only_where_it_takes_jobs(worker: Platform) -> None:
    *_, everywhere = manager_access(worker)
    assert (everywhere["kind"], everywhere["roleRef"]["name"]) == (
        "ClusterRoleBinding",
        "multikueue-reader",
    )
    added = {
        namespace.name: [
            (each["kind"], each["metadata"]["name"])
            for each in worker.contribution.teams[namespace.name]["kueue-queues"].objects
        ]
        for namespace in worker.namespaces
    }
    queue = ("LocalQueue", "default")
    assert added == {
        "research-training": [queue, ("RoleBinding", "multikueue")],
        "vision-training": [queue],
    }


def test_a_cluster_that_is_no_worker_lets_nobody_in() -> None:
    manager = load_platform(SAMPLES / "multikueue-manager.yaml", None)
    assert list(manager_access(manager)) == []


STATED_CHECKS = """\
multiKueue:
  manager: multikueue-manager
  workers: [multikueue-worker]
  namespaces: [research-training]
"""


def test_a_worker_says_the_same_as_its_manager(faults_of_both: FaultsOf) -> None:
    assert faults_of_both(worker=((STATED_CHECKS, ""),)) == (
        "multikueue-manager.yaml:9: multiKueue.workers[0]: multikueue-worker says otherwise, in "
        "multikueue-worker.yaml:1; allowed: the same in each, as where it stands in fleet.yaml"
    )


def test_a_worker_that_names_itself_manager_does_not_read_for_ever(
    faults_of_both: FaultsOf,
) -> None:
    turned = STATED_CHECKS.replace(
        "manager: multikueue-manager", "manager: multikueue-worker"
    ).replace("[multikueue-worker]", "[multikueue-manager]")
    otherwise = "allowed: the same in each, as where it stands in fleet.yaml"
    assert faults_of_both(
        worker=((STATED_CHECKS, turned), ("{h200: 16}\n          cpu", "{h200: 0}\n          cpu"))
    ) == (
        "multikueue-manager.yaml:9: multiKueue.workers[0]: multikueue-worker says otherwise, in "
        f"multikueue-worker.yaml:7; {otherwise}\n"
        "multikueue-worker.yaml:9: multiKueue.workers[0]: multikueue-manager says otherwise, in "
        f"multikueue-manager.yaml:7; {otherwise}"
    )


def test_a_namespace_is_of_one_team(faults_of_both: FaultsOf) -> None:
    assert faults_of_both(worker=(("  research:\n", "  science:\n"),)) == (
        "multikueue-manager.yaml:10: multiKueue.namespaces[0]: research-training is of team "
        "research in multikueue-manager, and of science in multikueue-worker; allowed: one team "
        "in all clusters"
    )


def test_a_team_has_its_priorities_in_workers(faults_of_both: FaultsOf) -> None:
    assert faults_of_both(worker=(("[training, notebooks]", "[training]"),)) == (
        "multikueue-manager.yaml:10: multiKueue.namespaces[0]: team research has no priority "
        "notebooks in multikueue-worker; allowed: the priorities of the team in multikueue-manager"
    )


def test_workers_have_all_kinds_of_jobs_of_the_manager(faults_of_both: FaultsOf) -> None:
    assert faults_of_both(
        manager=(("training: {jobSet: {}}", "training: {trainer: {}, trainingOperator: {}}"),),
        worker=(("training: {jobSet: {}, ray: {}}", "training: {ray: {}}"),),
    ) == (
        "multikueue-manager.yaml:9: multiKueue.workers[0]: multikueue-worker has no "
        "training.jobSet, training.trainer, training.trainingOperator, as multikueue-manager has; "
        "allowed: all that runs jobs in the manager"
    )


def test_the_topologies_of_workers_fit_into_one(faults_of_both: FaultsOf) -> None:
    one, other = (
        f"topology: {{levels: [{', '.join(f'example.com/{name}-{i}' for i in range(9))}]}}"
        for name in ("rack", "row")
    )
    pool = "{gpu: L40S, gpus: 8, cpu: 128, memory: 1Ti, purpose: training, nodes: {max: 1}"
    assert faults_of_both(
        worker=(
            (
                "    topology: {levels: [example.com/rack]}\n",
                f"    {one}\n  h200-old: {pool}, {other}}}\n",
            ),
            ("{h200: 16}\n          cpu", "{h200: 16, h200-old: 8}\n          cpu"),
        )
    ) == (
        "multikueue-manager.yaml:9: multiKueue.workers: their topologies have 19 levels together; "
        "allowed: at most 16"
    )
