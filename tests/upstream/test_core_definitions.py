import pytest

from upstream.core_definitions import load_definitions
from upstream.error import UpstreamError

kubernetes_validate = pytest.importorskip("kubernetes_validate")


def test_a_minor_that_the_wheel_lacks_is_named() -> None:
    with pytest.raises(
        UpstreamError, match=r"^kubernetes-validate has no schemas for Kubernetes 1\.2: "
    ):
        load_definitions("1.2")
