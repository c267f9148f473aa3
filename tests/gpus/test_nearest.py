import pytest

from gpus.nearest import MAX_LENGTH, is_one_typo, nearest

MODELS = ("H100-SXM", "H100-PCIe", "H100-NVL", "H200-SXM", "A100-SXM-80", "T4")


def test_the_best_name_comes_first_and_case_does_not_count() -> None:
    assert nearest("h100-sxm", MODELS) == ("H100-SXM", "H200-SXM", "A100-SXM-80")


def test_a_name_like_no_other_has_no_nearest() -> None:
    assert nearest("Voodoo", MODELS) == ()


def test_a_name_with_single_letters_of_another_is_not_near() -> None:
    assert nearest("nope", ("onprem", "training")) == ()
    assert nearest("gup", ("gpu",)) == ("gpu",)


def test_digits_alone_make_no_name_near() -> None:
    assert nearest("MI300X", ("B300", "GB300", "MI325X")) == ("MI325X",)


def test_no_allowed_name_means_no_nearest() -> None:
    assert nearest("H100", ()) == ()


def test_a_name_that_is_too_long_for_kubernetes_is_compared_with_none() -> None:
    allowed = "a" * MAX_LENGTH
    assert nearest(f"{allowed[1:]}b", [allowed]) == (allowed,)
    assert nearest(f"{allowed}b", [allowed]) == ()


@pytest.mark.parametrize(
    ("name", "is_typo"),
    [
        ("westeurop", True),
        ("esteurope", True),
        ("westteurope", True),
        ("westeurope2", True),
        ("westeuropa", True),
        ("westeuroep", True),
        ("westeurope", False),
        ("easteurope", False),
        ("weseurop", False),
        ("", False),
    ],
)
def test_a_typo_is_one_letter_left_out_added_wrong_or_swapped(*, name: str, is_typo: bool) -> None:
    assert is_one_typo(name, "westeurope") is is_typo
    assert is_one_typo("westeurope", name) is is_typo
