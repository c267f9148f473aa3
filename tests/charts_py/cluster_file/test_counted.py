import pytest

from charts_py.cluster_file.counted import counted


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (0, "object", "0 objects"),
        (1, "object", "1 object"),
        (2, "safe object", "2 safe objects"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
    ],
)
def test_all_but_one_are_in_the_plural(count: int, noun: str, words: str) -> None:
    assert counted(count, noun) == words
