"""Writing new content into files that are there: into all of them or none."""

import shutil
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

_ASIDE = ".gpuplane-"


def write_files(
    folder: Path, contents: Mapping[Path, bytes], read: Mapping[Path, bytes] | None = None
) -> None:
    """Replace the content of files, which are in or below a folder; a link stays one.

    Each is written beside the file first, and a failure puts back what was replaced. Raises OSError
    with a message that names the folder and what failed; so it does where a file no longer holds
    what was `read` of it.
    """
    known = {file.resolve(): content for file, content in (read or {}).items()}
    replaced: dict[Path, bytes] = {}
    try:
        with ExitStack() as stack:
            targets = {file.resolve(): content for file, content in contents.items()}
            aside = {
                parent: stack.enter_context(tempfile.TemporaryDirectory(prefix=_ASIDE, dir=parent))
                for parent in {target.parent for target in targets}
            }
            staged = {
                target: _staged(target, content, aside[target.parent])
                for target, content in targets.items()
            }
            for target, staging in staged.items():
                before = _unchanged(target, known.get(target))
                staging.replace(target)
                replaced[target] = before
    except BaseException as error:
        for target, before in replaced.items():
            target.write_bytes(before)
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise OSError(f"{folder}: cannot be written: {reason}; nothing is changed") from error
        raise


def _unchanged(file: Path, read: bytes | None) -> bytes:
    """Return what a file holds; raise OSError where it is not what was read of it."""
    content = file.read_bytes()
    if read not in (None, content):
        raise OSError(f"{file} has changed since it was read")
    return content


def _staged(file: Path, content: bytes, aside: str) -> Path:
    """Return a file with the new content and the mode of the old one."""
    staging = Path(aside) / file.name
    staging.write_bytes(content)
    shutil.copymode(file, staging)
    return staging
