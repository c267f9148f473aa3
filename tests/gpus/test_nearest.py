from gpus.nearest import nearest

MODELS = ("H100-SXM", "H100-PCIe", "H100-NVL", "H200-SXM", "A100-SXM-80", "T4")


def test_the_best_name_comes_first_and_case_does_not_count() -> None:
    assert nearest("h100-sxm", MODELS) == ("H100-SXM", "H200-SXM", "A100-SXM-80")


def test_a_name_like_no_other_has_no_nearest() -> None:
    assert nearest("Voodoo", MODELS) == ()


def test_no_allowed_name_means_no_nearest() -> None:
    assert nearest("H100", ()) == ()
