"""What parts of workloads say of their pods: the rows of `parts.yaml`."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from policies.workloads.pod_template import pod_templates

FACTS: dict[str, list[Any]] = yaml.safe_load(Path(__file__).with_name("parts.yaml").read_bytes())
ROWS = {f"{fact}/{at}": row for fact, rows in FACTS.items() for at, row in enumerate(rows, 1)}


@pytest.mark.parametrize("name", [*ROWS])
def test_a_part_of_a_workload_is_read_as_pods(name: str) -> None:
    version, kind = ROWS[name]["object"].split()
    workload = {"apiVersion": version, "kind": kind, "spec": ROWS[name]["spec"]}
    found = list(pod_templates(workload))
    pods = {
        each.pointer: each.document if len(each.document) > 1 else each.document["spec"]
        for each in found
    }
    assert pods == ROWS[name]["pods"]
    assert [each for each in found if not each.partial] == []
