"""What the linter knows of a cluster besides the rules of its admission."""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from charts_py.cluster_file.training import Framework
from gpuplane.lint.lint_run import ClusterFacts, read_facts
from gpuplane.lint.loaded_clusters import loaded_clusters
from tests.conftest import CLUSTERS

Facts = Callable[..., ClusterFacts]
HOST = "kubernetes.io/hostname"
LAYERS = tuple(f"topology.k8s.aws/network-node-layer-{each}" for each in range(1, 5))

LACKING = (
    "queues.engine: volcano",
    *(
        f"serving.{each}"
        for each in ("argoRollouts", "gateway", "inferencePools", "keda", "kedaHttpAddOn")
    ),
    *(f"training.{each}" for each in ("leaderWorkerSet", "ray", "trainingOperator")),
    "training.trainingOperator.mpiJobs",
)


@pytest.fixture
def facts(tmp_path: Path, sample: Callable[..., str]) -> Facts:
    """Return the function that returns what is known of a sample with pieces of it replaced."""

    def read(name: str, *replacements: tuple[str, str]) -> ClusterFacts:
        (tmp_path / "own").mkdir(exist_ok=True)
        shutil.copy(CLUSTERS / "fleet.yaml", tmp_path)
        (tmp_path / f"{name}.yaml").write_text(sample(name, *replacements), encoding="utf-8")
        (found,) = loaded_clusters(tmp_path, ())
        return found

    return read


def test_the_levels_of_topologies_are_those_of_pools_in_queues_of_kueue(facts: Facts) -> None:
    assert facts("topology").levels == {
        "b200": (*LAYERS, HOST),
        "h100": (LAYERS[1], LAYERS[2], HOST),
        "l4": (HOST,),
    }


@pytest.mark.parametrize(("name", "levels"), [("queues", {}), ("kai", None), ("eks", None)])
def test_without_topologies_there_are_no_levels_and_without_kueue_none_are_known(
    facts: Facts, name: str, levels: object
) -> None:
    assert facts(name).levels == levels


def test_a_listener_takes_routes_of_the_namespaces_that_its_labels_select(facts: Facts) -> None:
    found = facts("serving").gateway
    assert found is not None
    assert found[:2] == ("agentgateway-system", "gateway")
    assert found.listeners == [
        ("assistants", "*.assistants.models.example.com", ["assistants-serving"]),
        ("research", "*.research.models.example.com", ["research-serving"]),
    ]
    assert read_facts(json.loads(json.dumps(asdict(facts("serving"))))).gateway == found


def test_without_a_gateway_there_are_no_listeners(facts: Facts) -> None:
    assert facts("eks").gateway is None


def test_the_runtimes_are_those_of_each_framework_on_pools_that_have_some(facts: Facts) -> None:
    pools = ("h100", "h100-spot")
    assert facts("training").runtimes == [f"{one}-{pool}" for pool in pools for one in Framework]


def test_claims_are_those_of_the_quota_and_of_gpus_that_dra_gives_out(facts: Facts) -> None:
    assert facts("dra").claims == {"research": 12, "evaluation": 6, "plugged": 0}


@pytest.mark.parametrize(
    ("name", "replacements"),
    [("kai", ()), ("training", (("pools:\n", "extensions: {manifests: own}\npools:\n"),))],
)
def test_runtimes_are_not_known_without_trainer_or_where_the_cluster_file_adds_objects(
    facts: Facts, name: str, replacements: tuple[tuple[str, str], ...]
) -> None:
    assert facts(name, *replacements).runtimes is None


def test_what_a_cluster_lacks_and_brings_are_controllers_of_its_file_and_its_definitions(
    facts: Facts, tmp_path: Path
) -> None:
    found = facts("training", ("pools:\n", "extensions: {manifests: own}\npools:\n"))
    assert (found.lacks, found.brings) == (LACKING, ())
    names = "names: {kind: InferenceService, plural: inferenceservices}"
    kind = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition"
    name = "metadata: {name: inferenceservices.serving.kserve.io}"
    definition = f"{kind}\n{name}\nspec: {{group: serving.kserve.io, {names}}}\n"
    (tmp_path / "own" / "kserve.yaml").write_text(definition, encoding="utf-8")
    (found,) = loaded_clusters(tmp_path, ())
    assert found.brings == ("InferenceService.serving.kserve.io",)
