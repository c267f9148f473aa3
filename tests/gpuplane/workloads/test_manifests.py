"""What follows from the cluster for a workload."""

from collections.abc import Iterator
from typing import Any

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.registry import KINDS
from gpuplane.workloads.workload import new_workload
from gpus.catalog import load_catalog
from gpus.model import NVIDIA
from policies.manifest_pod import manifest_pods
from policies.rules.shared_memory import PATH
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.workloads.conftest import ask, asked_of, for_launchers, platform_named
from tests.rows import rows_beside

each_row = rows_beside(__file__, "manifests.yaml")

GPU = load_catalog().vendors[NVIDIA].resource


def _documents(cluster: str = "training", **fields: Any) -> tuple[Document, ...]:
    return new_workload(ask(**fields), _platform(cluster, fields.get("kind"))).documents


def _platform(cluster: str, kind: str | None) -> Platform:
    platform = platform_named(cluster)
    return for_launchers(platform) if kind == "mpijob" else platform


def _of_kind(documents: tuple[Document, ...], kind: str) -> Document:
    (found,) = (document for document in documents if document["kind"] == kind)
    return found


def _notes(asked: Asked, cluster: str, said: str) -> list[str]:
    notes = new_workload(asked, platform_named(cluster)).notes
    return [each for each in notes if each.startswith(said)]


def _made(cluster: str = "training", **fields: Any) -> Document:
    """Return the object that is asked for, without those beside it."""
    return _documents(cluster, **fields)[-1]


def _pods(*documents: Document) -> Iterator[Document]:
    for document in documents:
        yield from (dict(pod.document["spec"]) for pod in manifest_pods(document))


def _pod(cluster: str = "training", **fields: Any) -> Document:
    (pod,) = _pods(_made(cluster, **fields))
    return pod


def _gpus(document: Document) -> int:
    (pod,) = _pods(document)
    return int(pod["containers"][0]["resources"]["limits"][GPU])


def _env(pod: Document) -> dict[str, Any]:
    return {
        one["name"]: one.get("value", one.get("valueFrom")) for one in pod["containers"][0]["env"]
    }


def test_a_gang_has_a_process_for_each_gpu_of_each_pod() -> None:
    *_, service, job = _documents(nodes=3, gpus=8)
    (pod,) = _pods(job)
    assert job["spec"]["completions"] == job["spec"]["parallelism"] == 3
    assert _env(pod)["PET_NNODES"] == "3"
    assert _env(pod)["PET_NPROC_PER_NODE"] == "gpu"
    assert _gpus(job) == 8
    assert service["kind"] == "Service"
    assert pod["subdomain"] == service["metadata"]["name"]
    assert _env(pod)["PET_MASTER_ADDR"] == f"demo-0.{pod['subdomain']}"


@pytest.mark.parametrize(
    ("gpus", "command"),
    [
        (1, ["python", "train.py", "--epochs", "3"]),
        (2, ["torchrun", "--standalone", "--nproc-per-node=gpu", "train.py", "--epochs", "3"]),
    ],
)
def test_on_one_node_torchrun_starts_several_processes(gpus: int, command: list[str]) -> None:
    pod = _pod(gpus=gpus, program=("train.py", "--epochs", "3"))
    assert pod["containers"][0]["command"] == command


def test_shared_memory_is_within_the_memory_limit() -> None:
    pod = _pod(gpus=1)
    limits = pod["containers"][0]["resources"]["limits"]
    assert limits == {"cpu": "21", "memory": "217Gi", GPU: "1"}
    assert pod["containers"][0]["resources"]["requests"] == limits
    assert pod["volumes"][0]["emptyDir"] == {"medium": "Memory", "sizeLimit": "64Gi"}


@pytest.mark.parametrize("kind", ["job", "pytorchjob", "rayjob"])
def test_data_is_read_from_a_claim_that_is_there(kind: str) -> None:
    documents = _documents(kind=kind, data="corpus", model="llama-3")
    pod = next(pod for pod in _pods(*documents) if "volumes" in pod)
    claim = {"claimName": "corpus", "readOnly": True}
    assert {"name": "data", "persistentVolumeClaim": claim} in pod["volumes"]
    mount = {"name": "data", "mountPath": "/data", "readOnly": True}
    assert mount in pod["containers"][0]["volumeMounts"]
    assert _env(pod)["DATA_DIR"] == "/data"
    claims = [each for each in documents if each["kind"] == "PersistentVolumeClaim"]
    assert [each["metadata"]["name"] for each in claims] == ["demo-checkpoint"]


def test_what_is_trained_is_a_label_of_the_job_and_its_pods() -> None:
    (job,) = (each for each in _documents(model="llama-3") if each["kind"] == "Job")
    labels = (job["metadata"]["labels"], job["spec"]["template"]["metadata"]["labels"])
    assert [each["gpuplane.io/trained-model"] for each in labels] == ["llama-3", "llama-3"]


@each_row("parts")
def test_a_pod_has_the_part_of_a_node_that_its_gpus_are(
    cluster: str, fields: dict[str, Any], cpu: str, memory: str
) -> None:
    pod = _pod(cluster, **{"team": "recommendations", **fields})
    limits = pod["containers"][0]["resources"]["limits"]
    assert (limits["cpu"], limits["memory"]) == (cpu, memory)


def test_a_spot_pool_is_tolerated_and_an_eviction_is_no_failure() -> None:
    job = _made(pool="h100-spot", gpus=1)
    (pod,) = _pods(job)
    assert "gpuplane.io/purchase" in {one["key"] for one in pod["tolerations"]}
    assert job["spec"]["podFailurePolicy"]["rules"][0]["action"] == "Ignore"
    assert _env(pod)["CHECKPOINT_DIR"] == "/checkpoint"
    assert pod["terminationGracePeriodSeconds"] == 120


def test_torchrun_ends_within_the_grace_of_its_pod() -> None:
    pod = _pod(gpus=8)
    shutdown = int(_env(pod)["TORCH_ELASTIC_SHUTDOWN_TIMEOUT"])
    assert shutdown < pod["terminationGracePeriodSeconds"]


@pytest.mark.parametrize(("nodes", "mode"), [(1, "ReadWriteOnce"), (2, "ReadWriteMany")])
def test_a_checkpoint_is_mounted_by_all_pods(nodes: int, mode: str) -> None:
    documents = _documents(nodes=nodes, checkpoint="2Ti", storage_class="shared")
    claim = _of_kind(documents, "PersistentVolumeClaim")
    assert claim["spec"] == {
        "accessModes": [mode],
        "resources": {"requests": {"storage": "2Ti"}},
        "storageClassName": "shared",
    }


def test_without_a_checkpoint_there_is_no_claim() -> None:
    assert [one["kind"] for one in _documents(checkpoint="none")] == ["Job"]


def test_where_jobs_wait_in_queues_a_label_ranks_them() -> None:
    key = "kueue.x-k8s.io/priority-class"
    queued = _made("sample-queues")
    assert queued["metadata"]["labels"][key] == "training"
    unqueued = _made("onprem", team="simulation")
    assert key not in unqueued["metadata"]["labels"]


def test_where_a_scheduler_reads_labels_pods_have_them() -> None:
    asked = {"team": "vision", "namespace": "vision-training", "pool": "h100"}
    pod = _made("sample-kai", **asked)["spec"]["template"]
    assert pod["spec"]["schedulerName"] == "kai-scheduler"
    assert pod["metadata"]["labels"].items() >= {
        ("kai.scheduler/queue", "vision-training"),
        ("kai.scheduler/preemptibility", "preemptible"),
    }


def test_a_jobset_that_is_at_its_deadline_does_not_start_again() -> None:
    first, *_ = _made(kind="jobset", hours=2)["spec"]["failurePolicy"]["rules"]
    assert first == {
        "name": "deadline",
        "action": "FailJobSet",
        "onJobFailureReasons": ["DeadlineExceeded"],
    }


def test_a_model_stands_for_the_first_pool_that_has_it() -> None:
    pod = _pod(gpu="H100-SXM")
    assert pod["nodeSelector"] == {"gpuplane.io/pool": "h100"}


def test_workers_of_a_pytorchjob_meet_without_a_master() -> None:
    job = _made(kind="pytorchjob", nodes=4)
    assert list(job["spec"]["pytorchReplicaSpecs"]) == ["Worker"]
    assert job["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"] == 4
    assert job["spec"]["nprocPerNode"] == "gpu"
    assert job["spec"]["elasticPolicy"] == {"rdzvBackend": "c10d", "maxRestarts": 3}
    assert _gpus(job) == 8


def test_a_rule_of_the_platform_teams_own_is_met() -> None:
    pod = _made("sample-custom-rules", kind="pod")
    assert pod["metadata"]["annotations"]["gpuplane.io/fixed"] == "data-class"


def test_pods_of_several_whole_nodes_have_the_network_of_their_pool() -> None:
    pod = _pod(nodes=2, gpus=8)
    assert pod["containers"][0]["resources"]["limits"]["vpc.amazonaws.com/efa"] == "32"
    assert _env(pod)["FI_PROVIDER"] == "efa"
    alone = _pod(nodes=1, gpus=8)
    assert "vpc.amazonaws.com/efa" not in alone["containers"][0]["resources"]["limits"]


def test_pods_of_a_rack_claim_a_channel_of_their_domain() -> None:
    documents = _documents("sample-nvl72", team="simulation", nodes=2, gpus=4)
    domain = _of_kind(documents, "ComputeDomain")
    (pod,) = _pods(documents[-1])
    template = domain["spec"]["channel"]["resourceClaimTemplate"]["name"]
    assert pod["resourceClaims"] == [{"name": "channel", "resourceClaimTemplateName": template}]
    assert pod["containers"][0]["resources"]["claims"] == [{"name": "channel"}]
    assert pod["nodeSelector"]["kubernetes.io/arch"] == "arm64"


def test_what_the_network_lacks_is_said() -> None:
    asked = ask(team="simulation", nodes=2, gpus=4, storage_class="shared")
    assert new_workload(asked, platform_named("sample-nvl72")).notes == (
        (
            "nvl72 has no queues: pods that find GPUs hold them while others of the same job still "
            "wait"
        ),
        "its pods talk over TCP: rdmaResource does not name what its device plugin offers",
    )


def test_a_jobset_starts_all_pods_again_together() -> None:
    job_set = _made(kind="jobset", nodes=2)
    spec, (pod,) = job_set["spec"], _pods(job_set)
    (role,) = spec["replicatedJobs"]
    job = role["template"]["spec"]
    assert spec["failurePolicy"]["maxRestarts"] == 3
    assert (job["backoffLimit"], job["completions"], job["parallelism"]) == (0, 2, 2)
    assert _env(pod)["PET_MASTER_ADDR"] == f"demo-{role['name']}-0-0.demo"


@pytest.mark.parametrize(
    ("kind", "action", "pool", "ignores", "limit"),
    [
        ("job", "quarantine", "h100", True, 3),
        ("job", "evict", "h100", False, 3),
        ("job", "evict", "h100-spot", True, 3),
        ("jobset", "quarantine", "h100", True, 3),
        ("jobset", "evict", "h100", False, 10),
        ("jobset", "evict", "h100-spot", True, 3),
    ],
)
def test_where_broken_gpus_evict_evictions_count_but_on_spot_nodes(
    kind: str, action: str, pool: str, ignores: bool, limit: int, platform_after: PlatformWith
) -> None:
    addons = f"addons: {{gpuHealth: {{action: {action}}}}}\npools:\n"
    platform = platform_after("training", ("pools:\n", addons))
    namespace = "pretraining" if pool == "h100" else "experiments"
    asked = ask(kind=kind, namespace=namespace, pool=pool, gpus=8, storage_class="shared")
    spec = new_workload(asked, platform).documents[-1]["spec"]
    if kind == "job":
        assert ("podFailurePolicy" in spec, spec["backoffLimit"]) == (ignores, limit)
    else:
        rules = {rule["name"] for rule in spec["failurePolicy"]["rules"]}
        restarts = spec["failurePolicy"]["maxRestarts"]
        assert ("disrupted" in rules, restarts) == (ignores, limit)


def test_mpirun_has_a_slot_for_each_gpu_and_a_launcher_without_any() -> None:
    job = _made(kind="mpijob", nodes=2, gpus=4)
    assert job["spec"]["slotsPerWorker"] == 4
    assert job["spec"]["mpiReplicaSpecs"]["Worker"]["replicas"] == 2
    launcher, worker = _pods(job)
    assert GPU not in launcher["containers"][0]["resources"]["limits"]
    assert "tolerations" not in launcher
    assert worker["containers"][0]["resources"]["limits"][GPU] == "4"


@pytest.mark.parametrize(
    ("kind", "made", "restarts"),
    [("pytorchjob", "PyTorchJob", 12), ("tfjob", "TFJob", 12), ("mpijob", "MPIJob", 3)],
)
def test_each_pod_that_starts_again_adds_to_the_restarts_of_its_job(
    kind: str, made: str, restarts: int
) -> None:
    job = _made(kind=kind, nodes=4)
    assert (job["kind"], job["spec"]["runPolicy"]["backoffLimit"]) == (made, restarts)


def test_each_worker_of_a_tfjob_has_all_gpus_of_its_pod() -> None:
    job = _made(kind="tfjob", nodes=2)
    assert job["spec"]["tfReplicaSpecs"]["Worker"]["replicas"] == 2
    assert _gpus(job) == 8


def test_a_rayjob_ends_its_cluster_with_its_program() -> None:
    spec = _made(kind="rayjob", nodes=2, program=("a.py", "a b"))["spec"]
    (workers,) = spec["rayClusterSpec"]["workerGroupSpecs"]
    assert spec["shutdownAfterJobFinishes"] is True
    assert spec["entrypoint"] == "python a.py 'a b'"
    assert (workers["minReplicas"], workers["replicas"], workers["maxReplicas"]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("namespace", "parameters"),
    [("research-training", {}), ("research-notebooks", {"num-gpus": "1"})],
)
def test_ray_counts_gpus_of_every_name(namespace: str, parameters: dict[str, str]) -> None:
    cluster = _made(kind="raycluster", namespace=namespace, gpus=1)
    (workers,) = cluster["spec"]["workerGroupSpecs"]
    assert workers["rayStartParams"] == parameters


def test_a_service_leads_to_a_notebook_whose_home_is_kept() -> None:
    documents = _documents(kind="notebook")
    claim, service, deployment = documents
    (pod,) = _pods(deployment)
    assert deployment["metadata"]["namespace"] == "research-notebooks"
    selector = deployment["spec"]["selector"]["matchLabels"]
    assert service["spec"]["selector"] == selector
    assert selector.items() <= deployment["spec"]["template"]["metadata"]["labels"].items()
    (stored,) = (one for one in pod["volumes"] if "persistentVolumeClaim" in one)
    assert stored["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    assert _env(pod)["HOME"] == "/home/notebook"


def test_a_trainjob_of_a_rack_leaves_its_runtime_the_claim_of_a_channel() -> None:
    job = _made("sample-nvl72", kind="trainjob", team="simulation", nodes=2, gpus=4)
    assert "resourcesPerNode" not in job["spec"]["trainer"]


def test_a_trainjob_has_the_runtime_of_its_pool() -> None:
    spec = _made(kind="trainjob", nodes=4)["spec"]
    assert spec["runtimeRef"] == {"name": "torch-h100"}
    assert spec["trainer"]["numNodes"] == 4
    assert spec["trainer"]["resourcesPerNode"]["limits"] == {GPU: "8"}
    (job,) = spec["runtimePatches"][0]["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    pod = job["template"]["spec"]["template"]["spec"]
    assert [one["name"] for one in pod["containers"][0]["volumeMounts"]] == ["checkpoint"]


def test_a_trainjob_states_less_than_its_runtime_where_the_quota_has_less() -> None:
    asked = {"kind": "trainjob", "team": "vision", "pool": "a100train"}
    two, four = (_made("mixed", **asked, nodes=nodes)["spec"]["trainer"] for nodes in (2, 4))
    assert two["resourcesPerNode"] == {"limits": {GPU: "8"}, "requests": {GPU: "8"}}
    assert four["resourcesPerNode"] == {
        "limits": {GPU: "8", "memory": "1536Gi"},
        "requests": {GPU: "8", "memory": "1536Gi", "cpu": "86"},
    }


def test_the_pods_of_a_rayjob_leave_room_for_its_head_and_its_submitter() -> None:
    asked = {"team": "vision", "pool": "a100train", "nodes": 4}
    job = _made("mixed", kind="rayjob", **asked)
    _, worker, _ = _pods(job)
    assert worker["containers"][0]["resources"]["requests"]["memory"] == "1534Gi"


def test_where_a_namespace_allows_it_pods_lock_memory_for_their_network(
    platform_after: PlatformWith,
) -> None:
    stated = "        purpose: training\n        quota:"
    privileged = "        purpose: training\n        podSecurity: privileged\n        quota:"
    platform = platform_after("queues", (stated, privileged))
    workload = new_workload(ask(nodes=2, gpus=8, storage_class="shared"), platform)
    (pod,) = _pods(workload.documents[-1])
    assert pod["containers"][0]["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}
    assert "securityContext" not in pod
    assert workload.notes == ()


def test_an_operator_that_runs_no_mpijobs_is_no_operator_of_them(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("operators", ("{mpiJobs: true}", "{}"))
    notes = new_workload(ask(kind="mpijob", nodes=2), for_launchers(platform)).notes
    assert [each for each in notes if "install" in each] == [
        (
            "the file of sample does not install MPIJobs of version 1: switch on "
            "training.trainingOperator.mpiJobs, or see that the cluster has it anyway"
        )
    ]


@each_row("lacking")
def test_what_a_kind_needs_and_the_cluster_lacks_is_said(kind: str, said: str) -> None:
    assert _notes(ask(kind=kind), "sample-queues", said)


@pytest.mark.parametrize(
    ("cluster", "team", "rest"),
    [
        ("training", "research", "batch ranks it in the queue alone"),
        ("onprem", "simulation", "it changes none"),
    ],
)
def test_what_a_trainjob_cannot_rank_is_said(cluster: str, team: str, rest: str) -> None:
    asked = ask(kind="trainjob", team=team, priority="batch")
    said = "its pods have the priority training, since a TrainJob cannot name theirs: "
    assert _notes(asked, cluster, said) == [said + rest]


@each_row("storage_classes")
def test_a_volume_of_several_pods_without_a_storage_class_is_said(
    fields: dict[str, Any], count: int
) -> None:
    said = "the claim demo-checkpoint is ReadWriteMany, since several pods mount it, and names no "
    assert len(_notes(ask(**fields), "training", said)) == count


def test_the_head_of_a_ray_cluster_keeps_objects_in_memory() -> None:
    head, *_ = _pods(_made(kind="raycluster"))
    memory = {"medium": "Memory", "sizeLimit": "2Gi"}
    assert {"name": "shm", "emptyDir": memory} in head["volumes"]
    assert {"name": "shm", "mountPath": PATH} in head["containers"][0]["volumeMounts"]


def test_the_head_of_a_ray_cluster_has_the_checkpoints_of_its_workers() -> None:
    documents = _documents(kind="rayjob", nodes=1)
    claim = _of_kind(documents, "PersistentVolumeClaim")
    head, worker, _ = _pods(documents[-1])
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    for pod in (head, worker):
        assert _env(pod)["CHECKPOINT_DIR"] == "/checkpoint"
        (mounted,) = (one for one in pod["volumes"] if one["name"] == "checkpoint")
        claimed = mounted["persistentVolumeClaim"]["claimName"]
        assert claimed == claim["metadata"]["name"]


def test_machines_without_zones_are_in_none() -> None:
    assert "affinity" not in _pod("onprem", team="simulation", nodes=2, gpus=8)


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS if not kind.only_whole_nodes])
def test_a_pod_with_gpus_can_have_cpus_for_itself(kind: str) -> None:
    """The CPU manager gives whole ones to a pod whose requests are its limits, and to no other."""
    found = [
        container["resources"]
        for platform in (_platform("training", kind), _platform("onprem", kind))
        for asked in asked_of(kind, platform)
        for pod in _pods(*new_workload(asked, platform).documents)
        if any(GPU in one["resources"]["limits"] for one in pod["containers"])
        for container in (*pod.get("initContainers", ()), *pod["containers"])
    ]
    assert found
    for resources in found:
        assert resources["requests"] == resources["limits"]
        assert resources["limits"]["cpu"].isdecimal()
