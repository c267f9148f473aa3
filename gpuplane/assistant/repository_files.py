"""Manifests in the platform repository, and nothing beside it."""

from pathlib import Path

from charts_py.admission.file_content import file_content
from charts_py.spec.fault import Fault, Mark, Problem, SpecError


def repository_text(repository: Path, path: str) -> str:
    """Return the text of a file in the repository.

    Raises SpecError for one that lies elsewhere, by a link, too, and for what is not UTF-8;
    FileNotFoundError where there is none.
    """
    folder = repository.resolve()
    file = (folder / path).resolve()
    if not file.is_relative_to(folder):
        raise _refusal(path, "is outside of the platform repository", "a path in it")
    try:
        return file_content(file).decode()
    except UnicodeDecodeError as error:
        raise _refusal(path, "is not UTF-8", "a manifest") from error


def _refusal(path: str, what: str, allowed: str) -> SpecError:
    return SpecError([Fault(Mark(path, 1), Problem((), what, allowed))])
