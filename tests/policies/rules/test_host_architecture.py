import pytest
from msgspec.structs import replace

from policies.document import Document
from policies.rules.host_architecture import RULE
from policies.settings import PoolSettings, Settings
from tests.policies.conftest import affinity, found, gpu_pod, message

ARCH = "kubernetes.io/arch"


@pytest.fixture
def pools(settings: Settings) -> tuple[PoolSettings, ...]:
    """Return the pools, of which that of H100 is in arm64 machines."""
    return tuple(
        replace(pool, labels={**pool.labels, ARCH: "arm64" if pool.name == "h100" else "amd64"})
        for pool in settings.pools
    )


def _affinity(*keys: str) -> Document:
    terms = [{"matchExpressions": [{"key": key, "operator": "Exists"}]} for key in keys]
    return affinity(*terms)


def test_a_pod_that_may_run_on_arm64_is_warned_about(pools: tuple[PoolSettings, ...]) -> None:
    assert message(found(RULE, gpu_pod(), pools=pools)) == (
        "/spec/containers The pod may run on arm64: h100. Use images for these as well, or name "
        "the architectures of your images as kubernetes.io/arch in spec.nodeSelector or "
        "spec.affinity.nodeAffinity."
    )


@pytest.mark.parametrize(
    "spec",
    [
        {"nodeSelector": {"kubernetes.io/arch": "arm64"}},
        {"nodeSelector": {"kubernetes.io/arch": "amd64"}},
        {"affinity": _affinity("zone", "kubernetes.io/arch")},
        {"nodeSelector": {"gpuplane.io/pool": "a100-spot"}},
    ],
)
def test_a_pod_that_names_its_architecture_or_another_pool_passes(
    pools: tuple[PoolSettings, ...], spec: Document
) -> None:
    assert found(RULE, gpu_pod(**spec), pools=pools) == []


def test_an_affinity_for_anything_else_does_not_name_it(pools: tuple[PoolSettings, ...]) -> None:
    assert len(found(RULE, gpu_pod(affinity=_affinity("zone")), pools=pools)) == 1


@pytest.mark.parametrize("labels", [{}, {ARCH: "amd64"}])
def test_nothing_is_said_where_all_machines_are_amd64(
    settings: Settings, labels: dict[str, str]
) -> None:
    pools = tuple(replace(pool, labels={**pool.labels, **labels}) for pool in settings.pools)
    assert found(RULE, gpu_pod(), pools=pools) == []
