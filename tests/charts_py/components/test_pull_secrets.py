"""Secrets by which the pods of the platform pull images, on every pod that it brings."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from charts_py.components.component import Component
from charts_py.components.registry import plan_components
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import Rendering
from tests.charts_py.components.adapted_platform import MIRROR_SECRET, OWN_SECRET, SANDBOX_SECTIONS
from tests.charts_py.fixture_types import DocumentsOf, ObjectsOfAll

NAMES = (OWN_SECRET, MIRROR_SECRET)
REFERENCES = [{"name": name} for name in NAMES]
TAKES_ONE = ("volcano",)
"""Charts that take a single secret; a cluster file with more is refused."""
NEVER_STARTED = ("PodTemplate",)
"""Kinds whose pods are counted, and never run: those of warm nodes."""


def test_every_pod_that_is_emitted_has_them(adapted_objects: ObjectsOfAll) -> None:
    found = set()
    for folders in adapted_objects.values():
        for folder in folders.values():
            for document in folder:
                pods = list(_pods(document))
                assert [p for p in pods if p.get("imagePullSecrets") != REFERENCES] == []
                found |= {document["metadata"]["name"]} if pods else set()
    pools = ("h100", "h200", "l40s", "l40s-shared")
    burnt_in = {f"gpu-burn-in-{pool}" for pool in pools}
    frameworks = ("torch", "deepspeed", "jax", "mpi")
    trained = {f"{name}-{pool}" for name in frameworks for pool in ("h100", "h100-spot")}
    trained |= {
        f"{name}-{pool}"
        for name in ("torch", "deepspeed", "jax")
        for pool in ("a3-high", "a3-mega", "a3-ultra")
    }
    others = {
        "gpuplane-cull",
        "gpuplane-repair",
        "gpuplane-webhook",
        "intel-gpu-plugin",
        "mlflow",
        "mlflow-database",
        "node-cache-h100",
        "node-cache-l40s",
        "training-operator",
        "warm-a100-mig",
        "warm-a100mig",
        "warm-l4-shared",
    }
    assert found == burnt_in | trained | others


def test_every_pod_that_a_chart_brings_has_them(
    adapted: Mapping[str, Platform], rendered: DocumentsOf, is_mirrored: Callable[[Component], bool]
) -> None:
    """Their own, or those of their service account, which the API server adds."""
    for platform in adapted.values():
        for component in filter(is_mirrored, plan_components(platform)):
            objects = rendered(component)
            expected = REFERENCES[:1] if component.name in TAKES_ONE else REFERENCES
            accounts = {
                each["metadata"]["name"]: each.get("imagePullSecrets")
                for each in objects
                if each["kind"] == "ServiceAccount"
            }
            without = [
                pod
                for each in objects
                for pod in _pods(each)
                if pod.get("imagePullSecrets", accounts.get(pod.get("serviceAccountName")))
                != expected
            ]
            assert (component.name, without) == (component.name, [])


def test_every_image_that_nvidias_operator_runs_has_them(
    adapted: Mapping[str, Platform], rendered: DocumentsOf
) -> None:
    (component,) = (
        each for each in plan_components(adapted["onprem"]) if each.name == "gpu-operator"
    )
    (policy,) = (each for each in rendered(component) if each["kind"] == "ClusterPolicy")
    assert policy["spec"]["sandboxWorkloads"]["enabled"] is False
    run = {
        name: section.get("imagePullSecrets")
        for name, section in policy["spec"].items()
        if "image" in section and section.get("enabled", True) and name not in SANDBOX_SECTIONS
    }
    assert {name: pulled for name, pulled in run.items() if pulled != list(NAMES)} == {}
    assert {"driver", "toolkit", "devicePlugin", "migManager", "dcgmExporter", "gds"} <= set(run)


def test_amds_operator_hands_them_on(adapted_objects: ObjectsOfAll) -> None:
    (config,) = adapted_objects["onprem"]["amd-device-config"]
    assert config["spec"]["commonConfig"]["imageRegistrySecrets"] == REFERENCES


def test_without_them_no_pod_names_any(
    platforms: Mapping[str, Platform], renderings: Mapping[str, Rendering]
) -> None:
    without = [name for name, each in platforms.items() if not each.cluster.pull_secret_names]
    assert without
    for name in without:
        for folder in renderings[name].folders.values():
            pods = [pod for document in folder for pod in _pods(document)]
            assert [pod for pod in pods if "imagePullSecrets" in pod] == []


def _pods(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the specs of the pods of an object, wherever they stand in it."""
    if document["kind"] not in (*NEVER_STARTED, "CustomResourceDefinition"):
        yield from _specs(document)


def _specs(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for each in value:
            yield from _specs(each)
    if isinstance(value, dict):
        if isinstance(value.get("containers"), list):
            yield value
        for inner in value.values():
            yield from _specs(inner)
