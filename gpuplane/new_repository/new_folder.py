"""Writing a folder that was not there, or was empty: all of it or nothing."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

_ALLOWED = "a new folder, or one that is empty apart from .git"
_SHOWN = 3
"""How many of the files in the way a message names."""


def write_new_folder(directory: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by their paths below the folder; whatever fails, none of them stays.

    Raises FileExistsError where something is in the way, OSError where it cannot be written.
    """
    written: list[Path] = []
    try:
        _check_free(directory)
        written += _outermost_new(directory)
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".init-", dir=directory) as aside:
            _write(Path(aside), contents)
            for entry in sorted(Path(aside).iterdir()):
                written.append(entry.rename(directory / entry.name))
    except BaseException as error:
        _remove(written)
        if isinstance(error, OSError) and not isinstance(error, FileExistsError):
            message = f"{directory}: cannot be written: {error.strerror}; nothing was written"
            raise OSError(message) from error
        raise


def _check_free(directory: Path) -> None:
    if directory.is_symlink() or directory.exists():
        if not directory.is_dir():
            raise FileExistsError(f"{directory}: is not a folder; allowed: {_ALLOWED}")
        names = sorted(path.name for path in directory.iterdir() if path.name != ".git")
        if "clusters" in names:
            raise FileExistsError(
                f"{directory}: is a platform repository already, since it has clusters/; "
                f"allowed: {_ALLOWED}"
            )
        if names:
            more = ", ..." if len(names) > _SHOWN else ""
            held = f"holds {', '.join(names[:_SHOWN])}{more}"
            raise FileExistsError(f"{directory}: {held}; allowed: {_ALLOWED}")


def _outermost_new(directory: Path) -> Sequence[Path]:
    """Return the first folder on the way that is not there yet, if any."""
    way = (*reversed(directory.absolute().parents), directory.absolute())
    return [path for path in way if not path.exists()][:1]


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    for path, content in contents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.exists():
            path.unlink()
