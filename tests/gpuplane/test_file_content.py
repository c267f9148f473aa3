"""Files that somebody else may have written."""

from pathlib import Path

import pytest

from gpuplane.file_content import file_content
from tests.gpuplane.messages import message_of

ENDLESS = "/proc/self/pagemap"
"""A regular file that states a size of 0, and holds 2 TiB."""


@pytest.mark.parametrize(
    ("target", "what"),
    [
        (ENDLESS, "is larger than 1 MiB; split it"),
        ("/dev/zero", "is not a regular file; allowed: regular files, folders, and - for stdin"),
    ],
)
def test_what_does_not_end_is_not_read(tmp_path: Path, target: str, what: str) -> None:
    link = tmp_path / "a.yaml"
    link.symlink_to(target)
    assert message_of(OSError, file_content, link, 2**20) == f"{link}: {what}"


def test_a_file_of_the_kernel_that_waits_is_not_waited_for() -> None:
    with pytest.raises(OSError, match="/proc/kmsg"):
        file_content(Path("/proc/kmsg"))
