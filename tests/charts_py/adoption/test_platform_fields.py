"""The driver of a cluster, by what its GPU operator is told."""

import pytest

from charts_py.adoption.commented import Commented
from charts_py.adoption.operator_settings import OperatorSettings
from charts_py.adoption.platform_fields import driver_fields
from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("open", {"kernelModule": Commented("open")}),
        ("auto", {}),
        ("unheard-of", {}),
        ([], {}),
        ({"a": None}, {}),
        (True, {}),
    ],
    ids=repr,
)
def test_a_kernel_module_is_taken_where_it_is_one(
    stated: object, expected: dict[str, Commented]
) -> None:
    settings = OperatorSettings({"driver": {"version": "580.1", "kernelModuleType": stated}})
    driver = driver_fields(settings, PROVIDERS[Provider.ONPREM])["driver"]
    assert driver == Commented({"version": Commented("580.1"), **expected})
