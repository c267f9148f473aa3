import pytest
from pydantic import TypeAdapter

from charts_py.cluster_file.pool import RegularExpression


@pytest.mark.parametrize(
    "expression",
    [
        "^train-[0-9]+$",
        r"^(?:gpu|train)-\d{1,3}\.example\.com$",
        r"\Arack[a-f](-[^-]+)*?\b",
        "(?i)^NODE{1000}$",
        "(?i-s:node)(?P<number>[0-9]{2,})",
        r"[]\x2d\]_-]{2}?",
        "a{}b{x},",
    ],
)
def test_what_both_compile_is_taken_as_it_is(expression: str) -> None:
    assert TypeAdapter(RegularExpression).validate_python(expression) == expression
