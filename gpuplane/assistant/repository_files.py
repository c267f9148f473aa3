"""Manifests in the platform repository, and nothing beside it."""

from pathlib import Path

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from gpuplane.admission.manifest_sources import file_content


def repository_text(repository: Path, path: str) -> str:
    """Return the text of a file in the repository.

    Raises SpecError for one that lies elsewhere, by a link, too, for a hidden one, such as git's
    own, which may hold tokens, and for what is not UTF-8; FileNotFoundError where there is none.
    """
    folder = repository.resolve()
    if "\0" in path:
        raise _refusal(path.replace("\0", "\\0"), "holds a NUL", "a path in the repository")
    file = (folder / path).resolve()
    if not file.is_relative_to(folder):
        raise _refusal(path, "is outside of the platform repository", "a path in it")
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        raise _refusal(path, "is hidden", "a manifest")
    try:
        return file_content(file).decode()
    except UnicodeDecodeError as error:
        raise _refusal(path, "is not UTF-8", "a manifest") from error


def _refusal(path: str, what: str, allowed: str) -> SpecError:
    return SpecError([Fault(Mark(path, 1), Problem((), what, allowed))])
