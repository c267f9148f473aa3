"""Errors in reading `dist/`."""

from collections.abc import Collection
from pathlib import Path

from charts_py.cluster_file.other_names import nearest_name
from gpus.nearest import nearest_hint


class DistError(Exception):
    """`dist/` is wrong; the message names culprit, allowed names and the nearest one."""


def not_rendered(file: object, version: str, folder: Path) -> DistError:
    """Return the error for the version of a cluster file that is not in the cluster's folder."""
    what = f"{file}: version {version} is not in {folder}"
    return DistError(f"{what}; render it first: gpuplane synth {folder.name}")


def unknown(kind: str, name: str, allowed: Collection[str], place: object = None) -> DistError:
    return DistError(unknown_name(kind, name, allowed, place))


def unknown_name(kind: str, name: str, allowed: Collection[str], place: object = None) -> str:
    where = f" in {place}" if place else ""
    shown = ", ".join(allowed) or "none"
    hint = nearest_hint(nearest_name(name, allowed))
    return f'unknown {kind} "{name}"{where}; allowed: {shown}{hint}'
