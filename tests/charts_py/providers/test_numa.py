import pytest

from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider


@pytest.mark.parametrize("provider", [Provider.EKS, Provider.AKS])
def test_clouds_whose_cpu_manager_is_set_reserve_cpus_without_which_no_kubelet_starts(
    provider: Provider,
) -> None:
    assert PROVIDERS[provider].kept.millicpu(4) > 0
