"""The pinned files of Helm charts, as the folders that Helm reads."""

import shlex
from pathlib import Path

import yaml

from upstream.error import UpstreamError
from upstream.fetch import Mirror, fetch
from upstream.lock import LockedFile, committed_lock, locked_chart

_CHARTS = "charts"
"""The folder of charts in a mirror."""
_MANIFESTS = ("crds/trainer-1.9.4",)
"""Folders of objects that no chart brings, which are rendered beside charts."""


def files_of_charts() -> tuple[LockedFile, ...]:
    """Return the pinned files of all charts, and of what is rendered beside them."""
    folders = tuple(f"{folder}/" for folder in (_CHARTS, *_MANIFESTS))
    return tuple(each for each in committed_lock() if each.file.startswith(folders))


def write_chart(chart: str, mirror: Path, target: Path, *, is_released: bool = True) -> Path:
    """Write the pinned files of a chart below a folder, and return the folder of the chart.

    One that is released has the versions with which its project publishes it; else those in git.
    Raises UpstreamError where the mirror lacks it, and for every file that is not the pinned one.
    """
    pinned = locked_chart(chart)
    own = tuple(each for each in files_of_charts() if each.file.startswith(f"{pinned.folder}/"))
    if mirror.is_dir() and not (mirror / pinned.file).is_file():
        lacks = f"{mirror}: has no chart {chart} {pinned.chart_version}"
        raise UpstreamError(f"{lacks}; {_remedy(mirror)}")
    try:
        fetch(own, target, Mirror(mirror))
    except UpstreamError as error:
        after = "\n" if "\n" in str(error) else "; "
        raise UpstreamError(f"{error}{after}{_remedy(mirror)}") from error
    if is_released:
        _release(target / pinned.file, pinned.chart_version, pinned.app_version)
    return target / pinned.folder


def _remedy(mirror: Path) -> str:
    folder = "FOLDER" if mirror.is_file() else shlex.quote(str(mirror))
    command = f"gpuplane upstream fetch --network --charts --to {folder}"
    return f"get the charts where there is a network: {command}"


def _release(file: Path, version: str, app_version: str | None) -> None:
    """Write the versions into a Chart.yaml, as `helm package` does.

    Helm renders no chart that lacks one on which it depends. Those that are switched off are not
    pinned, so that the chart depends on none of them here.
    """
    described = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
    released = {"version": version, "appVersion": app_version or described.get("appVersion")}
    subcharts = file.parent / "charts"
    depends_on = described.get("dependencies", ())
    brought = [each for each in depends_on if (subcharts / each["name"]).is_dir()]
    changed = {**released, **({"dependencies": brought} if depends_on else {})}
    text = yaml.dump({**described, **changed}, sort_keys=False)
    file.write_text(text, encoding="utf-8")
