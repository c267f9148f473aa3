"""A Spark cluster of its own for a program."""

import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.quantity import bytes_of
from gpuplane.workloads.workload import new_workload
from gpus.catalog import load_catalog
from gpus.model import NVIDIA
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import IMAGE, ask, platform_named

GPU = load_catalog().vendors[NVIDIA].resource
ADDRESS = "spark://demo-driver-0-0.demo:7077"
MIB = 2**20


def _jobs(cluster: str = "training", **fields: Any) -> dict[str, Any]:
    *_, job_set = new_workload(ask(kind="spark", **fields), platform_named(cluster)).documents
    jobs = job_set["spec"]["replicatedJobs"]
    return {each["name"]: each["template"]["spec"] for each in jobs}


def _container(job: Mapping[str, Any]) -> Any:
    (container,) = job["template"]["spec"]["containers"]
    return container


def _properties(jobs: Mapping[str, Any]) -> dict[str, str]:
    command = _container(jobs["driver"])["command"]
    stated = [each for option, each in itertools.pairwise(command) if option == "--conf"]
    return dict(each.split("=", 1) for each in stated)


def _option(jobs: Mapping[str, Any], name: str) -> str:
    command = _container(jobs["worker"])["command"]
    return str(command[command.index(name) + 1])


def _worker_options(jobs: Mapping[str, Any]) -> list[str]:
    variables = {each["name"]: each["value"] for each in _container(jobs["worker"])["env"]}
    return str(variables["SPARK_WORKER_OPTS"]).split()


def _mebibytes(size: str) -> int:
    return int(size.removesuffix("m"))


def test_each_gpu_of_a_worker_has_an_executor() -> None:
    jobs = _jobs(gpus=8, nodes=3)
    properties = _properties(jobs)
    assert properties["spark.executor.resource.gpu.amount"] == "1"
    assert "-Dspark.worker.resource.gpu.amount=8" in _worker_options(jobs)
    assert _container(jobs["worker"])["resources"]["limits"][GPU] == "8"
    assert int(_option(jobs, "--cores")) == 8 * int(properties["spark.executor.cores"])
    heap = _mebibytes(properties["spark.executor.memory"])
    assert _mebibytes(_option(jobs, "--memory")) == 8 * heap
    assert (jobs["worker"]["parallelism"], jobs["worker"]["completions"]) == (3, 3)


def test_all_cores_of_an_executor_have_a_task_on_its_gpu() -> None:
    properties = _properties(_jobs(gpus=1))
    cores = int(properties["spark.executor.cores"])
    part = float(properties["spark.task.resource.gpu.amount"])
    assert (cores, int(1 / part)) == (21, 21)


@pytest.mark.parametrize("gpus", [1, 4, 8])
def test_what_executors_take_is_within_the_limits_of_their_pod(gpus: int) -> None:
    jobs = _jobs(gpus=gpus)
    properties, limits = _properties(jobs), _container(jobs["worker"])["resources"]["limits"]
    heap, pinned = (
        _mebibytes(properties[name])
        for name in ("spark.executor.memory", "spark.rapids.memory.pinnedPool.size")
    )
    limit = bytes_of(limits["memory"]) // MIB
    assert gpus * (heap + pinned) < limit // 2
    assert gpus * int(properties["spark.executor.cores"]) <= int(limits["cpu"])


def test_the_driver_has_no_gpu_and_its_master_beside_it() -> None:
    jobs = _jobs(program=("etl.py", "--day", "1"))
    pod = jobs["driver"]["template"]["spec"]
    (master,) = pod["initContainers"]
    assert master["restartPolicy"] == "Always"
    assert "tolerations" not in pod
    assert all(GPU not in each["resources"]["limits"] for each in (*pod["containers"], master))
    command = _container(jobs["driver"])["command"]
    assert command[:3] == ["/opt/spark/bin/spark-submit", "--master", ADDRESS]
    assert command[-3:] == ["etl.py", "--day", "1"]
    assert _container(jobs["worker"])["command"][-1] == ADDRESS


def test_workers_find_a_driver_that_starts_again_by_its_name() -> None:
    assert "-Dspark.worker.preferConfiguredMasterAddress=true" in _worker_options(_jobs())


def test_the_pods_without_gpus_are_the_last_that_a_queue_looks_at() -> None:
    assert list(_jobs()) == ["worker", "driver"]


def test_the_end_of_the_driver_is_that_of_the_workers() -> None:
    *_, job_set = new_workload(ask(kind="spark", nodes=2), platform_named("training")).documents
    success = {"operator": "All", "targetReplicatedJobs": ["driver"]}
    assert job_set["spec"]["successPolicy"] == success
    assert job_set["spec"]["ttlSecondsAfterFinished"] == 86400


def test_a_driver_and_its_workers_are_one_job_each() -> None:
    *_, job_set = new_workload(ask(kind="spark", nodes=2), platform_named("training")).documents
    assert [each["replicas"] for each in job_set["spec"]["replicatedJobs"]] == [1, 1]


def test_a_driver_may_fail_three_times_and_so_may_each_worker() -> None:
    jobs = _jobs(nodes=2)
    assert (jobs["driver"]["backoffLimit"], jobs["worker"]["backoffLimit"]) == (3, 6)


def test_a_driver_mounts_checkpoints_beside_a_single_worker() -> None:
    claim, *_ = new_workload(
        ask(kind="spark", checkpoint="1Gi"), platform_named("training")
    ).documents
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]


def test_workers_come_back_from_a_spot_node_that_goes() -> None:
    worker = _jobs(pool="h100-spot")["worker"]
    (rule,) = worker["podFailurePolicy"]["rules"]
    assert rule["action"] == "Ignore"
    tolerated = {each["key"] for each in worker["template"]["spec"]["tolerations"]}
    assert "gpuplane.io/purchase" in tolerated


def test_executors_on_a_shared_gpu_take_their_part_of_its_memory() -> None:
    shared = _properties(_jobs(pool="a10g-notebooks"))
    prefix = "spark.rapids.memory.gpu."
    stated = {name: value for name, value in shared.items() if name.startswith(prefix)}
    assert stated == {
        f"{prefix}allocFraction": "0.25",
        f"{prefix}maxAllocFraction": "0.25",
        f"{prefix}minAllocFraction": "0",
    }
    assert not any(name.startswith(prefix) for name in _properties(_jobs()))


def test_workers_on_whole_nodes_leave_the_network_of_collectives_alone() -> None:
    worker = _jobs(gpus=8, nodes=2)["worker"]
    assert "vpc.amazonaws.com/efa" not in _container(worker)["resources"]["limits"]
    assert worker["template"]["spec"]["securityContext"]["runAsUser"] == 185


def test_gpus_of_another_vendor_are_refused() -> None:
    assert message_of(RenderError, _jobs, "onprem", team="simulation", pool="mi300x") == (
        "--pool: no spark can be on pool mi300x: RAPIDS runs on NVIDIA GPUs; "
        "allowed: h200, another kind"
    )


def test_what_the_image_must_have_is_said() -> None:
    notes = new_workload(
        ask(kind="spark", storage_class="shared"), platform_named("training")
    ).notes
    said = f"{IMAGE} must have Spark in /opt/spark, the jar of the RAPIDS Accelerator in /opt/spar"
    assert [each for each in notes if each.startswith(said)]
