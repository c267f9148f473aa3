"""Files that somebody else may have written."""

import os
from contextlib import suppress
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
    _read_to_its_end("/proc/kmsg")
    with pytest.raises(OSError, match="/proc/kmsg"):
        file_content(Path("/proc/kmsg"))


def _read_to_its_end(file: str) -> None:
    """Leave nothing that can be read before the kernel writes more; users read nothing of it."""
    with suppress(OSError):
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb", buffering=0) as opened:
            while opened.read(2**16):
                pass
