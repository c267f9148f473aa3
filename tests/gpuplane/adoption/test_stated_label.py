"""What labels say, by whatever prefix."""

import pytest

from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.stated_label import stated

ALLOWED = ("training", "batch")
ROWS = {
    "a prefix of one's own": (
        {"example.com/purpose": "training"},
        Commented("training", "label example.com/purpose"),
    ),
    "no prefix": ({"workload": "batch"}, Commented("batch", "label workload")),
    "gpuplane's own before others": (
        {"gpuplane.io/purpose": "batch", "purpose": "training"},
        Commented("batch", "label gpuplane.io/purpose"),
    ),
    "none": ({}, note("purpose: no label tells it; choose one of training, batch")),
    "a value that is none": (
        {"purpose": "fun"},
        note("purpose: no label tells it; choose one of training, batch"),
    ),
    "two that differ": (
        {"a/purpose": "training", "b/purpose": "batch"},
        note(
            "purpose: labels differ, a/purpose=training, b/purpose=batch; "
            "choose one of training, batch"
        ),
    ),
}


@pytest.mark.parametrize(("labels", "said"), ROWS.values(), ids=ROWS.keys())
def test_a_purpose_is_stated_by(labels: dict[str, str], said: Commented) -> None:
    assert stated(labels, "purpose", ALLOWED) == said
