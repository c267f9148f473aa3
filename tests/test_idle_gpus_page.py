"""The rule by which the page on idle GPUs gives pods a time to live."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.load import load_platform
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Review
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.settings import Settings

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "idle-gpus.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "tests" / "charts_py" / "samples" / "idle-gpus.yaml"


def _merged(one: Any, other: Any) -> Any:
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return other
    return one | {key: _merged(one.get(key), value) for key, value in other.items()}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of a cluster with the rule of the page."""
    (block,) = (
        each for each in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "own:" in each
    )
    cluster = _merged(yaml.safe_load(SAMPLE.read_text(encoding="utf-8")), yaml.safe_load(block))
    file = tmp_path_factory.mktemp("cluster") / "sample.yaml"
    file.write_text(yaml.safe_dump(cluster, sort_keys=False), encoding="utf-8")
    return policy_settings(load_platform(file, None))


@pytest.mark.parametrize(
    ("namespace", "stated", "deadline"),
    [
        ("research-notebooks", None, 43200),
        ("research-notebooks", 86400, 43200),
        ("research-notebooks", 3600, 3600),
        ("research-serving", None, None),
    ],
)
def test_pods_of_a_namespace_that_names_the_rule_end_after_a_time(
    namespace: str, stated: int | None, deadline: int | None, settings: Settings
) -> None:
    container = {"name": "c", "resources": {"limits": {"nvidia.com/gpu": 1}}}
    spec = {"containers": [container], **({"activeDeadlineSeconds": stated} if stated else {})}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
    admission = admit_manifest(Engine(settings), pod, Review(namespace, dt.date(2026, 11, 23)))
    (judged,) = admission.pods
    fixed: dict[str, Any] = judged.admission.document["spec"]
    assert fixed.get("activeDeadlineSeconds") == deadline
