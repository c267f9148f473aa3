"""What is said of a pod that its namespace refuses."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from policies.document import Document
from policies.pod import Pod
from policies.pod_security.refusals import refusals
from policies.settings import EnforcedSecurity, PodSecurity

ROWS = yaml.safe_load(Path(__file__).with_name("refusals.yaml").read_bytes())["told"]


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_each_finding_has_field_namespace_control_and_remedy(row: dict[str, Any]) -> None:
    document: Document = {"metadata": {"annotations": row.get("annotations")}, "spec": row["pod"]}
    pod = Pod(document, lambda _: False)
    enforced = EnforcedSecurity(PodSecurity(row["level"]), 36)
    found = refusals(pod, "research", enforced, states_all=row.get("states_all", True))
    assert "\n".join(f"{one.path}: {one}" for one in found) == row["said"]
