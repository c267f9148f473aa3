"""How the operator of Slurm is configured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.slurm.operator import operator_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_it_heeds_the_namespace_of_slurm_alone_and_judges_nothing_at_admission(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    values = operator_values(platform_of(sample("slurm")))
    assert (values["operator"]["namespaces"], values["webhook"], values["crds"]) == (
        "slurm",
        {"enabled": False},
        {"enabled": True},
    )
