from __future__ import annotations

import json

from policies.operation import Operation
from policies.patch_bounds import length_of


def test_a_length_is_about_that_of_the_json() -> None:
    volume = {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}
    operations = [
        Operation("add", "/spec/volumes", [volume] * 100),
        Operation("add", "/spec/containers/0/resources/limits/nvidia.com~1gpu", 1),
        Operation("remove", "/spec/priority"),
    ]
    sent = len(json.dumps([operation.to_json() for operation in operations]))
    assert sent / 2 <= length_of(operations) <= sent
