"""The hardware that cluster files describe, as the same facts that the tables hold."""

from dataclasses import dataclass

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.hardware import Hardware
from charts_py.platform.described_instance_type import (
    instance_type,
    instance_type_problems,
    unknown_gpu,
)
from charts_py.platform.described_model import gpu_model, model_problems
from gpus.catalog import Catalog


@dataclass(frozen=True, slots=True)
class DescribedCatalog:
    """The tables, with what a cluster file adds to them."""

    catalog: Catalog
    problems: tuple[Problem, ...] = ()
    """What is wrong with the additions; the catalog is without those that it concerns."""


def described_catalog(hardware: Hardware, tables: Catalog) -> DescribedCatalog:
    """Return the tables with the hardware that a cluster file describes."""
    with_models = _with_models(hardware, tables)
    whole = _with_instance_types(hardware, with_models.catalog)
    return DescribedCatalog(whole.catalog, (*with_models.problems, *whole.problems))


def _with_models(hardware: Hardware, tables: Catalog) -> DescribedCatalog:
    catalog, problems = tables, list[Problem]()
    for name, described in hardware.models.items():
        found = tuple(model_problems(("hardware", "models", name), name, described, tables))
        problems += found
        if not found:
            catalog = catalog.with_model(gpu_model(name, described, tables))
    return DescribedCatalog(catalog, tuple(problems))


def _with_instance_types(hardware: Hardware, tables: Catalog) -> DescribedCatalog:
    catalog, problems = tables, list[Problem]()
    for provider, types in hardware.instance_types.items():
        for name, described in types.items():
            path = ("hardware", "instanceTypes", provider.value, name)
            found = list(instance_type_problems(path, provider, described, tables))
            if described.gpu not in hardware.models:
                found += unknown_gpu(path, described, tables)
            problems += found
            if not found and described.gpu in tables.models:
                known = instance_type(name, provider, described, tables)
                catalog = catalog.with_instance_type(known)
    return DescribedCatalog(catalog, tuple(problems))
