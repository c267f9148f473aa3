import pytest

from gpus.catalog import load_catalog
from gpus.unsupported import unsupported_instance_type, unsupported_model

TRAINIUM = "Trainium chips, which are not supported"
INFERENTIA = "Inferentia chips, which are not supported"
TPUS = "TPUs, which are not supported"
GAUDI = "Gaudi cards, which are not supported on EC2"
AI_100 = "AI 100 cards, which are not supported"
FPGAS = "FPGAs or media accelerators, which are not supported"
ASCEND = "Ascend chips, which are not supported"
CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("name", "accelerator"),
    [
        ("trn1.32xlarge", TRAINIUM),
        ("trn2u.48xlarge", TRAINIUM),
        ("inf2.xlarge", INFERENTIA),
        ("dl1.24xlarge", GAUDI),
        ("dl2q.24xlarge", AI_100),
        ("f2.48xlarge", FPGAS),
        ("vt1.3xlarge", FPGAS),
        ("Standard_NP10s", FPGAS),
        ("ct5lp-hightpu-4t", TPUS),
        ("ct6e-standard-4t", TPUS),
        ("tpu7x-standard-4t", TPUS),
        ("m7i.24xlarge", "no GPU"),
        ("c6gn.16xlarge", "no GPU"),
        ("u-6tb1.metal", "no GPU"),
        ("n1-standard-8", "no GPU"),
        ("n2d-highmem-96", "no GPU"),
        ("Standard_D4s_v5", "no GPU"),
        ("standard_hb120rs_v3", "no GPU"),
        ("g4ad.xlarge", None),
        ("p2.xlarge", None),
        ("Standard_NC6", None),
    ],
)
def test_an_instance_type_without_a_supported_gpu_is_known_by_its_name(
    name: str, accelerator: str | None
) -> None:
    assert unsupported_instance_type(name) == accelerator


@pytest.mark.parametrize(
    ("name", "accelerator"),
    [
        ("TPU-v5e", TPUS),
        ("Trainium2", TRAINIUM),
        ("inferentia", INFERENTIA),
        ("Ascend-910B", ASCEND),
        ("AI-100", AI_100),
        ("RTX4090", None),
        ("A100", None),
    ],
)
def test_a_model_that_is_no_supported_gpu_is_known_by_its_name(
    name: str, accelerator: str | None
) -> None:
    assert unsupported_model(name) == accelerator


def test_nothing_that_is_listed_is_unsupported() -> None:
    types = [name for offered in CATALOG.instance_types.values() for name in offered]
    assert [name for name in types if unsupported_instance_type(name)] == []
    assert [name for name in CATALOG.models if unsupported_model(name)] == []
