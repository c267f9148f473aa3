"""The objects of a Slurm cluster."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.components.slurm.api import IMAGES
from charts_py.components.slurm.cluster import gres_type
from charts_py.components.slurm.definition import SLURM_OPERATOR, slurm_documents
from charts_py.objects.document import Document, key_of
from gpus.catalog import load_catalog
from gpus.model import NVIDIA
from tests.charts_py.components.opened import in_namespace, ingress, tcp
from tests.charts_py.fixture_types import PlatformWith
from tests.charts_py.managed import GPU_TOLERATION

ObjectsBy = Callable[..., dict[str, Document]]

IMAGE = "ghcr.io/slinkyproject/{}:26.05-ubuntu26.04"


@pytest.fixture
def documents_of(platform_after: PlatformWith) -> ObjectsBy:
    """Return the function that yields the objects of the sample, by kind and name."""

    def documents(*replaced: tuple[str, str]) -> dict[str, Document]:
        found = slurm_documents(platform_after("slurm", *replaced))
        return {f"{key_of(each).kind} {key_of(each).name}": each for each in found}

    return documents


def _spec(document: Document) -> dict[str, Any]:
    spec: dict[str, Any] = document["spec"]
    return spec


def test_a_partition_is_whole_nodes_of_its_pool(documents_of: ObjectsBy) -> None:
    spec = _spec(documents_of()["NodeSet train"])
    assert spec == {
        "controllerRef": {"name": "slurm"},
        "replicas": 2,
        "slurmd": {
            "image": IMAGE.format("slurmd"),
            "resources": {
                "limits": {
                    "cpu": "172",
                    "memory": "1740Gi",
                    "nvidia.com/gpu": "8",
                    "vpc.amazonaws.com/efa": "32",
                }
            },
        },
        "logfile": {
            "image": IMAGE.format("slurmd"),
            "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}},
        },
        "extraConf": "Gres=gpu:h100:8",
        "partition": {"enabled": True, "config": "State=UP MaxTime=UNLIMITED Default=YES"},
        "template": {
            "spec": {
                "priorityClassName": "system",
                "nodeSelector": {"gpuplane.io/pool": "h100"},
                "tolerations": [GPU_TOLERATION],
            }
        },
    }


def test_only_the_first_partition_takes_jobs_that_name_none(documents_of: ObjectsBy) -> None:
    config = _spec(documents_of()["NodeSet debug"])["partition"]["config"]
    assert config == "State=UP MaxTime=UNLIMITED Default=NO"


def test_a_job_reaches_no_gpu_but_its_own(documents_of: ObjectsBy) -> None:
    documents = documents_of()
    controller, files = _spec(documents["Controller slurm"]), documents["ConfigMap slurm-files"]
    assert controller["configFileRefs"] == [{"name": "slurm-files"}]
    assert "TaskPlugin=task/affinity,task/cgroup\n" in controller["extraConf"]
    assert "ConstrainDevices=yes\n" in files["data"]["cgroup.conf"]
    assert files["data"]["gres.conf"] == "AutoDetect=nvidia\n"


def test_a_job_has_shared_memory_of_its_own(documents_of: ObjectsBy) -> None:
    documents = documents_of()
    configuration = _spec(documents["Controller slurm"])["extraConf"].splitlines()
    assert {"NamespaceType=namespace/tmpfs", "PrologFlags=Contain"} <= {*configuration}
    assert documents["ConfigMap slurm-files"]["data"]["job_container.conf"].splitlines() == [
        "AutoBasePath=true",
        "BasePath=/var/spool/slurm-jobs",
        "Dirs=/dev/shm",
    ]


def test_the_type_of_a_gpu_is_part_of_the_name_that_its_driver_has() -> None:
    models = [model for model in load_catalog().models.values() if model.vendor == NVIDIA]
    assert models
    for model in models:
        assert gres_type(model) in model.product.lower().replace("-", "_")


def test_keys_stand_in_secrets_that_somebody_else_makes(documents_of: ObjectsBy) -> None:
    documents = documents_of()
    controller = _spec(documents["Controller slurm"])
    assert (controller["slurmKeyRef"], controller["jwtKeyRef"]) == (
        {"name": "slurm-auth-slurm", "key": "slurm.key"},
        {"name": "slurm-auth-jwt", "key": "jwt.key"},
    )
    assert not [name for name in documents if name.startswith("Secret ")]


@pytest.mark.parametrize(
    ("storage", "expected"),
    [("  storage: {className: gp3, size: 4Gi}\n", {"storageClassName": "gp3"}), ("", {})],
)
def test_the_state_of_the_controller_outlives_its_pod(
    documents_of: ObjectsBy, storage: str, expected: dict[str, str]
) -> None:
    documents = documents_of(("  storage: {className: gp3, size: 4Gi}\n", storage))
    assert _spec(documents["Controller slurm"])["persistence"] == {
        "enabled": True,
        **expected,
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "4Gi"}},
    }


def test_slurm_is_reached_by_itself_its_operator_who_collects_metrics_and_by_ssh(
    documents_of: ObjectsBy,
) -> None:
    def of(namespace: str, port: int) -> dict[str, Any]:
        return {"from": [in_namespace(namespace)], "ports": tcp(port)}

    assert _spec(documents_of()["NetworkPolicy slurm"]) == ingress(
        {"from": [{"podSelector": {}}]},
        of("slinky", 6820),
        of("monitoring", 6817),
        {"ports": tcp(22)},
    )


def test_without_a_login_nothing_listens_to_ssh(documents_of: ObjectsBy) -> None:
    documents = documents_of(("  login: {sssdSecret: slurm-sssd}\n", ""))
    assert "LoginSet slurm-login" not in documents
    assert len(_spec(documents["NetworkPolicy slurm"])["ingress"]) == 3


def test_the_images_are_those_of_the_operators_own_chart(mirror: Path) -> None:
    file = mirror / "charts" / "slurm" / "values.yaml"
    if not file.is_file():
        pytest.skip("the mirror has no values of the chart slurm")
    values = yaml.safe_load(file.read_text("utf-8"))
    sections = (
        values["controller"]["slurmctld"],
        values["nodesetDefaults"]["slurmd"],
        values["restapi"]["slurmrestd"],
        values["loginsetDefaults"]["login"],
    )
    named = [f"{each['image']['repository']}:{each['image']['tag']}" for each in sections]
    assert tuple(named) == IMAGES


def test_it_heeds_the_namespace_of_slurm_alone_and_judges_nothing_at_admission(
    platform_after: PlatformWith,
) -> None:
    (release,) = SLURM_OPERATOR.plan(platform_after("slurm"))
    assert release.helm is not None
    values = release.helm.values
    assert (values["operator"]["namespaces"], values["webhook"], values["crds"]) == (
        "slurm",
        {"enabled": False},
        {"enabled": True},
    )
