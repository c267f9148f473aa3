"""The workloads on the pages can be applied as they stand."""

import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.manifest_yaml import from_yaml
from policies.admission import Effect, Review
from policies.engine import Engine
from policies.manifest_admission import ManifestPod, manifest_pods
from tests.namespace_settings import namespace_settings

ROOT = Path(__file__).parents[1]
TODAY = dt.date(2026, 11, 21)


def _pods(page: Path) -> Iterator[ManifestPod]:
    for block in page.read_text(encoding="utf-8").split("```yaml\n")[1:]:
        for document in from_yaml(block.split("```")[0]):
            yield from manifest_pods(document)


PODS = {
    f"{page.stem}/{pod.name}": pod
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    for pod in _pods(page)
}


def _restricted(pod: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what each container says of the fields that the level `restricted` demands.

    https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
    """
    spec = pod["spec"]
    for container in (*spec.get("initContainers", ()), *spec["containers"]):
        said = {**spec.get("securityContext", {}), **container.get("securityContext", {})}
        yield {
            "runAsNonRoot": said.get("runAsNonRoot"),
            "seccompProfile": said.get("seccompProfile"),
            "allowPrivilegeEscalation": said.get("allowPrivilegeEscalation"),
            "drop": said.get("capabilities", {}).get("drop"),
        }


OF_A_RUNTIME = "TrainJob"
"""Its pods are those of its runtime but for the image and the command that it names."""


WHOLE = {name: pod for name, pod in PODS.items() if pod.kind != OF_A_RUNTIME}


@pytest.mark.parametrize("pod", WHOLE.values(), ids=WHOLE)
def test_its_pods_are_of_the_level_that_namespaces_enforce(pod: ManifestPod) -> None:
    restricted = {
        "runAsNonRoot": True,
        "seccompProfile": {"type": "RuntimeDefault"},
        "allowPrivilegeEscalation": False,
        "drop": ["ALL"],
    }
    assert [one for one in _restricted(pod.document) if one != restricted] == []


@pytest.mark.parametrize("pod", PODS.values(), ids=PODS)
def test_no_rule_denies_or_warns_of_its_pods(pod: ManifestPod) -> None:
    engine = Engine(namespace_settings()[pod.namespace])
    outcomes = engine.admit(pod.document, Review(pod.namespace, TODAY)).outcomes
    assert [str(one.finding) for one in outcomes if one.effect is not Effect.FIXED] == []
