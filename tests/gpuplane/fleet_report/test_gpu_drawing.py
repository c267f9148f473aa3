"""What one GPU of a pool is cut into, as it is drawn."""

import pytest

from gpuplane.fleet_report.gpu_drawing import DrawnPart, drawn_parts
from gpus.catalog import load_catalog
from gpus.sharing import Sharing

MIG = load_catalog().model("A100-SXM-80").mig or pytest.fail("an A100 has MIG")


def test_instances_stand_where_they_are_placed() -> None:
    sharing = Sharing(mig=(("1g.10gb", 2), ("2g.20gb", 1), ("3g.40gb", 1)), time_slicing=2)
    assert drawn_parts(sharing, MIG) == (
        DrawnPart("2g.20gb", 0, 2),
        DrawnPart("1g.10gb", 2, 1),
        DrawnPart("1g.10gb", 3, 1),
        DrawnPart("3g.40gb", 4, 4),
    )


def test_slices_that_no_instance_has_are_drawn_as_unused() -> None:
    *used, last = drawn_parts(Sharing(mig=(("1g.10gb", 7),)), MIG)
    assert [part.start for part in used] == [0, 1, 2, 3, 4, 5, 6]
    assert last == DrawnPart("", 7, 1)
