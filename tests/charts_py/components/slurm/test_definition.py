"""The objects of a Slurm cluster."""

from pathlib import Path

import pytest
import yaml

from charts_py.components.slurm.api import IMAGES
from charts_py.components.slurm.cluster import gres_type
from gpus.catalog import load_catalog
from gpus.model import NVIDIA


def test_the_type_of_a_gpu_is_part_of_the_name_that_its_driver_has() -> None:
    models = [model for model in load_catalog().models.values() if model.vendor == NVIDIA]
    assert models
    for model in models:
        assert gres_type(model) in model.product.lower().replace("-", "_")


def test_the_images_are_those_of_the_operators_own_chart(mirror: Path) -> None:
    file = mirror / "charts" / "slurm" / "values.yaml"
    if not file.is_file():
        pytest.skip("the mirror has no values of the chart slurm")
    values = yaml.safe_load(file.read_text("utf-8"))
    sections = (
        values["controller"]["slurmctld"],
        values["nodesetDefaults"]["slurmd"],
        values["restapi"]["slurmrestd"],
        values["loginsetDefaults"]["login"],
    )
    named = [f"{each['image']['repository']}:{each['image']['tag']}" for each in sections]
    assert tuple(named) == IMAGES
