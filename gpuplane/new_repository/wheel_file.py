"""A wheel of gpuplane, given as a file or built from a checkout."""

import subprocess
import sys
import tempfile
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

from charts_py.platform.tool_version import tool_version
from gpuplane.new_repository.source import Source, vendored_wheel
from gpuplane.new_repository.source_error import SourceError


def wheel_name() -> str:
    """Return what a wheel of the running version is called."""
    return f"gpuplane-{tool_version()}-py3-none-any.whl"


def check_wheel_name(place: str, name: str) -> None:
    """Raise SourceError for a wheel of anything else, or of another version.

    The files of a new repository are of the version that writes them.
    """
    if name != wheel_name():
        raise SourceError(
            f'{place}: "{name}" is not a wheel of the running gpuplane; allowed: {wheel_name()}'
        )


def wheel_file(file: Path) -> Source:
    """Return a wheel, to be kept in the repository; raise SourceError where it is none."""
    check_wheel_name(str(file), file.name)
    metadata = f"gpuplane-{tool_version()}.dist-info/METADATA"
    try:
        with zipfile.ZipFile(file) as wheel:
            wheel.getinfo(metadata)
    except (zipfile.BadZipFile, KeyError) as error:
        message = f"{file}: is no wheel: it has no {metadata}; `make wheel` in a checkout makes one"
        raise SourceError(message) from error
    return vendored_wheel(file.name, file.read_bytes())


def wheel_of_checkout(checkout: Path) -> Source:
    """Return a wheel built from a checkout of gpuplane; raise SourceError where that fails."""
    _check_checkout(checkout)
    if find_spec("hatchling") is None:
        raise SourceError(
            f"{checkout}: a wheel of it cannot be built, since hatchling is not installed here; "
            "run `make wheel` there, and name the wheel by --from"
        )
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "hatchling", "build", "--target", "wheel")
        done = subprocess.run(  # noqa: S603 # builds the checkout that the user names
            [*command, "--directory", folder],
            cwd=checkout,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SourceError(f"{checkout}: no wheel can be built of it: {done.stderr.strip()}")
        return wheel_file(next(Path(folder).glob("*.whl")))


def _check_checkout(folder: Path) -> None:
    file = folder / "pyproject.toml"
    try:
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["name"]
    except (OSError, KeyError, ValueError) as error:
        raise SourceError(f"{folder}: is no checkout of gpuplane: no project in {file}") from error
    if project != "gpuplane":
        raise SourceError(f'{folder}: is no checkout of gpuplane: {file} is of "{project}"')
