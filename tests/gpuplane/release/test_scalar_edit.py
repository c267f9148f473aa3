"""Changing one value at the top of a cluster file."""

from pathlib import Path

import pytest

from gpuplane.release.scalar_edit import with_live, with_value
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of

FILE = Path("lab.yaml")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1\nlive: 1.0.0 # why\n\nb: 2\n", "a: 1\nlive: 1.1.0 # why\n\nb: 2\n"),
        ('live: "1.0.0"\r\n', 'live: "1.1.0"\r\n'),
        ("{live: '1.0.0', a: {live: 1.0.0}}", "{live: '1.1.0', a: {live: 1.0.0}}"),
        ("# ä\nlive:\n  1.0.0", "# ä\nlive:\n  1.1.0"),
    ],
)
def test_nothing_but_the_value_changes(before: str, after: str) -> None:
    assert with_value(FILE, before, "live", "1.1.0") == after


@pytest.mark.parametrize(
    "text",
    ["a: 1\n", "live: &v 1.0.0\nversion: *v\n", "version: &v 1.0.0\nlive: *v\n", "live: >-\n  1\n"],
)
def test_a_value_that_does_not_stand_there_alone_is_left_to_a_person(text: str) -> None:
    assert message_of(DistError, with_value, FILE, text, "live", "1.1.0") == (
        "lab.yaml: live is not written here as a value of its own; write live: 1.1.0"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("version: 1.0.0 # why\nb: 2\n", "version: 1.0.0 # why\nlive: 0.9.0\nb: 2\n"),
        ("version: 1.0.0", "version: 1.0.0\nlive: 0.9.0\n"),
        ("version: 1.0.0\r\nb: 2\r\n", "version: 1.0.0\r\nlive: 0.9.0\r\nb: 2\r\n"),
    ],
)
def test_a_new_value_stands_below_another(before: str, after: str) -> None:
    assert with_live(FILE, before, "0.9.0") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "version: 1.0.0 # why\n# live: 0.1.0 # what is synced\nb: 2\n",
            "version: 1.0.0 # why\nlive: 0.9.0 # what is synced\nb: 2\n",
        ),
        ("version: 1.0.0\r\n#live: 0.1.0\r\n", "version: 1.0.0\r\nlive: 0.9.0\r\n"),
        (
            "version: 1.0.0\n# live: nothing yet, see the runbook\n",
            "version: 1.0.0\nlive: 0.9.0\n# live: nothing yet, see the runbook\n",
        ),
        (
            "version: 1.0.0\nb:\n# live: 0.1.0\n  c: 3\n",
            "version: 1.0.0\nlive: 0.9.0\nb:\n# live: 0.1.0\n  c: 3\n",
        ),
    ],
)
def test_a_new_value_takes_the_place_of_the_comment_below_that_has_it(
    before: str, after: str
) -> None:
    assert with_live(FILE, before, "0.9.0") == after


def test_a_new_value_does_not_break_braces() -> None:
    with pytest.raises(DistError, match="cannot be changed without changing more"):
        with_live(FILE, "{version: 1.0.0}\n", "0.9.0")
