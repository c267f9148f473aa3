"""Writing new content into files that are there: into all of them or none."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, contents: Mapping[Path, bytes]) -> None:
    """Replace the content of files of a folder; a link stays one.

    Everything is written aside first, and a failure puts back what was replaced. Raises OSError
    with a message that names what failed.
    """
    replaced: dict[Path, bytes] = {}
    try:
        with tempfile.TemporaryDirectory(prefix=".migrate-", dir=folder) as aside:
            staged = {file.resolve(): _staged(file, contents[file], aside) for file in contents}
            for target, staging in staged.items():
                before = target.read_bytes()
                staging.replace(target)
                replaced[target] = before
    except BaseException as error:
        for target, before in replaced.items():
            target.write_bytes(before)
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise OSError(f"{folder}: cannot be written: {reason}; nothing is changed") from error
        raise


def _staged(file: Path, content: bytes, aside: str) -> Path:
    """Return a file with the new content and the mode of the old one."""
    staging = Path(aside) / file.name
    staging.write_bytes(content)
    shutil.copymode(file, staging)
    return staging
