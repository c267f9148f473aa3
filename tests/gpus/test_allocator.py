import pytest

from gpus.allocator import Allocator, allocator_problems, device_class_resource
from gpus.catalog import load_catalog
from gpus.sharing import Sharing

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("model", "sharing", "problems"),
    [
        ("H100-SXM", Sharing(), ()),
        ("MI300X", Sharing(), ("MI300X is a GPU of amd; DRA drivers are for nvidia alone",)),
        (
            "A100-SXM-80",
            Sharing(mig=(("1g.10gb", 7),)),
            ("DRA allocates whole GPUs alone, and these are shared by mig",),
        ),
        (
            "A100-SXM-80",
            Sharing(mps=4),
            ("DRA allocates whole GPUs alone, and these are shared by mps",),
        ),
    ],
)
def test_dra_gives_out_whole_gpus_of_nvidia(
    model: str, sharing: Sharing, problems: tuple[str, ...]
) -> None:
    found = CATALOG.model(model)
    assert allocator_problems(Allocator.DRA, sharing, found) == problems
    assert allocator_problems(Allocator.DEVICE_PLUGIN, sharing, found) == ()


def test_a_device_class_is_also_a_resource() -> None:
    resource = device_class_resource("gpu.nvidia.com")
    assert resource == "deviceclass.resource.kubernetes.io/gpu.nvidia.com"
