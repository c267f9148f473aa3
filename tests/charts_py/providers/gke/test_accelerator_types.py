"""What Compute Engine calls the GPUs that it has."""

from gpus.catalog import load_catalog
from gpus.provider import Provider

ACCELERATORS = load_catalog().accelerators(Provider.GKE)


def test_every_machine_that_gke_has_gpus_in_has_an_accelerator() -> None:
    models = {machine.gpu for machine in load_catalog().instance_types[Provider.GKE].values()}
    assert models <= set(ACCELERATORS)


def test_a_machine_calls_its_gpu_as_others_of_the_model_do_but_for_the_mega_one() -> None:
    machines = load_catalog().instance_types[Provider.GKE].values()
    assert {one.name for one in machines if one.accelerator != ACCELERATORS[one.gpu].type} == {
        "a3-megagpu-8g"
    }


def test_every_name_is_that_of_a_known_model() -> None:
    assert set(ACCELERATORS) <= set(load_catalog().models)
