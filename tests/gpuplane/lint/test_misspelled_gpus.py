import pytest

from gpuplane.lint.misspelled_gpus import is_misspelled
from policies.gpu_names import GpuNames

NAMES = GpuNames(["nvidia.com/mig-1g.10gb"])


@pytest.mark.parametrize(
    "name", ["nvidia.com/gpus", "nvidia.com/gup", "nvidia.com/GPU", "amd.com/gpus"]
)
def test_one_letter_makes_it_the_name_of_a_gpu(name: str) -> None:
    assert is_misspelled(name, NAMES)


@pytest.mark.parametrize("name", ["nvidia.com/hostdev", "nvidia.com/gpumem", "nvidia.com/gpucores"])
def test_what_another_plugin_may_offer_is_not_misspelled(name: str) -> None:
    assert not is_misspelled(name, NAMES)
