import pytest

from policies.document import Document
from tests.policies.workloads.partial_pods import LIMITS, SPOT, partial_pods

POD: Document = {"spec": {"containers": []}}


def test_what_a_train_job_states_is_a_part() -> None:
    override = {"targetJobs": [{"name": "node"}], **POD}
    job_set = {"replicatedJobs": [{"template": {"spec": {"template": POD}}}]}
    spec = {
        "trainer": {"numNodes": 2, "image": "train:1", "resourcesPerNode": LIMITS},
        "podTemplateOverrides": [override],
        "runtimePatches": [{"trainingRuntimeSpec": {"template": {"spec": job_set}}}],
    }
    parts = partial_pods("trainer.kubeflow.org/v1alpha1", "TrainJob", spec)
    trainer = parts.pop("/spec/trainer")["spec"]["containers"][0]
    assert (trainer["name"], trainer["image"], trainer["resources"]) == ("node", "train:1", LIMITS)
    patched = "/spec/runtimePatches/0/trainingRuntimeSpec/template/spec/replicatedJobs/0"
    assert parts == {
        "/spec/podTemplateOverrides/0": override,
        f"{patched}/template/spec/template": POD,
    }


def test_the_roles_of_a_spark_application_are_parts() -> None:
    executor = {
        "instances": 4,
        "gpu": {"name": "nvidia.com/gpu", "quantity": 8},
        "tolerations": SPOT,
        "sidecars": [{"name": "log"}],
        "template": {"spec": {"runtimeClassName": "nvidia", "containers": [{"name": "own"}]}},
    }
    spec = {"image": "spark:4", "driver": {}, "executor": executor}
    parts = partial_pods("sparkoperator.k8s.io/v1beta2", "SparkApplication", spec)
    assert list(parts) == ["/spec/driver", "/spec/executor"]
    pod = parts["/spec/executor"]["spec"]
    assert (pod["tolerations"], pod["runtimeClassName"]) == (SPOT, "nvidia")
    own, *others = pod["containers"]
    assert (own["name"], own["image"], own["resources"]) == ("executor", "spark:4", LIMITS)
    assert others == [{"name": "log"}, {"name": "own"}]


def test_the_roles_of_a_spark_server_are_parts() -> None:
    own = [{"name": "own", "resources": LIMITS}]
    spec = {
        "server": {},
        "executor": {"template": {"spec": {"tolerations": SPOT, "containers": own}}},
    }
    parts = partial_pods("sparkoperator.k8s.io/v1alpha1", "SparkConnect", spec)
    assert list(parts) == ["/spec/server", "/spec/executor"]
    pod = parts["/spec/executor"]["spec"]
    assert (pod["tolerations"], pod["containers"][1:]) == (SPOT, own)


@pytest.mark.parametrize(("kind", "daemon"), [("LoginSet", "login"), ("NodeSet", "slurmd")])
def test_the_daemon_of_slurm_and_the_spec_of_its_pod_are_a_part(kind: str, daemon: str) -> None:
    spec = {
        daemon: {"image": "slurm:1", "resources": LIMITS},
        "template": {"spec": {"tolerations": SPOT, "containers": [{"name": "log"}]}},
    }
    container = {"name": daemon, "image": "slurm:1", "resources": LIMITS}
    assert partial_pods("slinky.slurm.net/v1beta1", kind, spec) == {
        "/spec": {"spec": {"tolerations": SPOT, "containers": [container, {"name": "log"}]}}
    }
