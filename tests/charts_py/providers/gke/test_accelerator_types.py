"""What Compute Engine calls the GPUs that it has."""

from charts_py.providers.gke.accelerator_types import ACCELERATORS
from gpus.catalog import load_catalog
from gpus.provider import Provider


def test_every_machine_that_gke_has_gpus_in_has_an_accelerator() -> None:
    models = {machine.gpu for machine in load_catalog().instance_types[Provider.GKE].values()}
    assert models <= set(ACCELERATORS)


def test_every_name_is_that_of_a_known_model() -> None:
    assert set(ACCELERATORS) <= set(load_catalog().models)
