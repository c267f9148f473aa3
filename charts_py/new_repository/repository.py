"""A new platform repository, which renders at once."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from charts_py.platform.tool_version import tool_version
from charts_py.reference.schema import schema_files
from charts_py.spec.cluster_files import FLEET_FILE
from gpus.provider import Provider

_FILES = {
    "README.md": "README.md",
    "Makefile": "Makefile",
    "requirements.txt": "requirements.txt",
    "gitignore": ".gitignore",
    "vscode-extensions.json": ".vscode/extensions.json",
    "pull-request.yaml": ".github/workflows/pull-request.yaml",
    "fleet.yaml": f"clusters/{FLEET_FILE}",
}
"""Where each template goes, apart from that of the example cluster."""

EXAMPLE_CLUSTER = "clusters/example.yaml"

_ALLOWED = "a new folder, or one that is empty apart from .git"

_VERSION = "@VERSION@"
"""Placeholder in templates for the version of gpuplane."""


def write_new_repository(directory: Path, provider: Provider) -> tuple[str, ...]:
    """Write the repository and return the paths in it, sorted.

    Raises FileExistsError for a folder that holds more than a git checkout's `.git`, and for a
    file of that name.
    """
    if directory.is_file():
        raise FileExistsError(f"{directory}: is a file; allowed: {_ALLOWED}")
    if directory.is_dir() and {path.name for path in directory.iterdir()} - {".git"}:
        raise FileExistsError(f"{directory}: is not empty; allowed: {_ALLOWED}")
    contents = dict(_contents(provider))
    for path, text in contents.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return tuple(sorted(contents))


def _contents(provider: Provider) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file."""
    for template, path in _FILES.items():
        yield path, _template(template)
    yield EXAMPLE_CLUSTER, _template(f"cluster_{provider.value}.yaml")
    for name, text in schema_files().items():
        yield f"schemas/{name}", text


def _template(name: str) -> str:
    text = (files("charts_py.new_repository") / "templates" / name).read_text(encoding="utf-8")
    return text.replace(_VERSION, tool_version())
