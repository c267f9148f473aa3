"""Writing files atomically: all of them or none, and none that a link leads elsewhere for."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from difflib import unified_diff
from pathlib import Path

from charts_py.cluster_file.cluster_files import GIT, link_problem
from gpuplane.aside_folder import STAGED_FILES, aside_folder


def diff_files(
    folder: Path, before: Mapping[Path, bytes], after: Mapping[Path, bytes]
) -> Iterator[str]:
    """Yield the lines of a unified diff of the files in a folder that are to be written."""
    for file, content in after.items():
        old, new = (text.decode().splitlines() for text in (before[file], content))
        name = f"{folder.name}/{file.name}"
        yield from unified_diff(old, new, f"a/{name}", f"b/{name}", lineterm="")


def write_files(
    folder: Path, contents: Mapping[Path, bytes], read: Mapping[Path, bytes] | None = None
) -> None:
    """Write files, which are in or below a folder; a link within a repository stays one.

    A failure puts back what was replaced. Raises OSError with a message that names the folder and
    what failed; so it does where a file no longer holds what was `read` of it.
    """
    try:
        with written(contents, read):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(f"{folder}: cannot be written: {reason}; nothing is changed") from error


@contextmanager
def written(
    contents: Mapping[Path, bytes], read: Mapping[Path, bytes] | None = None
) -> Iterator[None]:
    """Write files; put back what stood there if what follows fails, also by an interrupt.

    Each is written beside its place first. Raises OSError, also where a file no longer holds what
    was `read` of it.
    """
    for file in contents:
        check_in_repository(file)
    known = {file.resolve(): content for file, content in (read or {}).items()}
    targets = {file.resolve(): content for file, content in contents.items()}
    before = {target: target.read_bytes() if target.exists() else None for target in targets}
    replaced: list[Path] = []
    try:
        with _staged(targets) as staged:
            for target, staging in staged.items():
                _check_unchanged(target, known.get(target))
                staging.replace(target)
                replaced.append(target)
        yield
    except BaseException:
        for target in replaced:
            _put_back(target, before[target])
        raise


def check_in_repository(file: Path) -> None:
    """Raise OSError where a link in a repository, by which a file has its path, leads out of it.

    Whoever commits such a link would have others write to what they may not.
    """
    path = Path(os.path.abspath(file))  # noqa: PTH100 # links are not followed
    way = (path, *path.parents)
    root = next((each for each in way[1:] if os.path.lexists(each / GIT)), None)
    for each in reversed(way[: way.index(root)] if root else ()):
        if root and (problem := link_problem(each, root.resolve())):
            raise OSError(f"{each}: {problem}")


def _check_unchanged(file: Path, read: bytes | None) -> None:
    if read is not None and file.read_bytes() != read:
        raise OSError(f"{file} has changed since it was read")


@contextmanager
def _staged(targets: Mapping[Path, bytes]) -> Iterator[Mapping[Path, Path]]:
    """Write the content of each file beside it; the folders of new ones are made."""
    with ExitStack() as stack:
        aside: dict[Path, Path] = {}
        for parent in dict.fromkeys(target.parent for target in targets):
            parent.mkdir(parents=True, exist_ok=True)
            aside[parent] = stack.enter_context(aside_folder(parent, STAGED_FILES))
            stack.callback(shutil.rmtree, aside[parent], ignore_errors=True)
        yield {
            target: _staging(target, content, aside[target.parent] / target.name)
            for target, content in targets.items()
        }


def _staging(file: Path, content: bytes, staging: Path) -> Path:
    """Return a file with the new content and the mode of the old one, if there is one."""
    staging.write_bytes(content)
    if file.exists():
        shutil.copymode(file, staging)
    return staging


def _put_back(file: Path, content: bytes | None) -> None:
    if content is None:
        file.unlink(missing_ok=True)
    else:
        file.write_bytes(content)
