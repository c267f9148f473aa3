"""The workloads on the pages can be applied as they stand."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.objects.manifest_yaml import from_yaml
from policies.admission import Effect, Review
from policies.engine import Engine
from policies.manifest_pod import ManifestPod, manifest_pods
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


@pytest.mark.parametrize("pod", PODS.values(), ids=PODS)
def test_no_rule_denies_or_warns_of_its_pods(pod: ManifestPod) -> None:
    engine = Engine(namespace_settings()[pod.namespace])
    outcomes = engine.admit(pod.document, Review(pod.namespace, TODAY)).outcomes
    assert [str(one.finding) for one in outcomes if one.effect is not Effect.FIXED] == []
