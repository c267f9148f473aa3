import pytest

from gpus.platform_names import MAX_LABEL_VALUE, is_label_value, label_value


def test_a_name_that_fits_stays_as_it_is() -> None:
    assert label_value("a" * MAX_LABEL_VALUE) == "a" * MAX_LABEL_VALUE


def test_longer_names_are_cut_and_told_apart_by_their_digests() -> None:
    first, second = (label_value("a" * 53 + "-." + "b" * length) for length in (10, 11))
    assert first != second
    assert first[:-8] == second[:-8] == "a" * 53 + "-"
    assert len(label_value("a" * 100)) == MAX_LABEL_VALUE


@pytest.mark.parametrize("text", ["", "a", "h100", "1g.10gb", "a-_.b", "a" * MAX_LABEL_VALUE])
def test_a_label_can_have_the_value(text: str) -> None:
    assert is_label_value(text)


@pytest.mark.parametrize("text", ["-a", "a.", "a b", "a/b", "a\n", "ä", "a" * 64, "\x1b[31m"])
def test_no_label_can_have_the_value(text: str) -> None:
    assert not is_label_value(text)
