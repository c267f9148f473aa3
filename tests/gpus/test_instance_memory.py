"""What an instance of MIG has of memory."""

import pytest

from gpuplane.workloads.serving.reserve import GIB
from gpus.catalog import load_catalog
from gpus.instance_memory import instance_memory


@pytest.mark.parametrize(
    ("model", "profiles", "gib"),
    [
        ("H200-SXM", ["1g.18gb"], 16.0),
        ("A100-SXM-80", ["1g.10gb"], 9.5),
        ("A100-SXM-80", ["3g.40gb", "1g.10gb+me"], 9.5),
        ("B200", ["1g.23gb"], 183359 / 1024 / 8 * 0.9),
    ],
)
def test_an_instance_has_what_the_driver_lists_or_the_least_part_that_is_known(
    model: str, profiles: list[str], gib: float
) -> None:
    found = instance_memory(load_catalog().models[model], profiles)
    assert found == pytest.approx(gib * GIB, abs=1)


def test_a_whole_gpu_is_no_instance() -> None:
    models = load_catalog().models
    found = [instance_memory(models["H200-SXM"], []), instance_memory(models["L4"], ["1g"])]
    assert found == [None, None]
