"""GPU models as people type them."""

import pytest

from charts_py.cluster_file.fault import RenderError
from gpuplane.model_name import whole_model_name
from tests.gpuplane.messages import message_of

MODELS = ("H100-SXM", "H100-PCIe", "L4", "L40S", "T4")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("H100-SXM", "H100-SXM"),
        ("h100-sxm", "H100-SXM"),
        ("h100-p", "H100-PCIe"),
        ("l4", "L4"),
        ("l40", "L40"),
        ("L40s", "L40S"),
        ("h200", "h200"),
        ("T", "T"),
        ("", ""),
    ],
)
def test_case_and_a_missing_end_do_not_matter(typed: str, meant: str) -> None:
    assert whole_model_name(typed, MODELS) == meant


def test_a_beginning_of_several_models_is_refused_with_their_names() -> None:
    assert message_of(RenderError, whole_model_name, "H100", MODELS) == (
        '"H100" could be several GPU models; allowed: H100-SXM, H100-PCIe'
    )
