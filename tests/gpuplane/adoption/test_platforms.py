"""What comes of ten public platforms, rewritten small, as their README tells it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.export_files import read_exports

PLATFORMS = Path(__file__).parent / "platforms"
PAGE = PLATFORMS / "README.md"
LOST = "# not carried over: "


def table() -> Iterator[str]:
    yield "| Platform | Kept of its pools | Said to be left out |"
    yield "|---|---|---|"
    for file in sorted(PLATFORMS.glob("*.yaml")):
        lines = [line.strip() for line in _pools(cluster_file(read_exports([file])))]
        yield f"| {_named(file)} | {_kept(lines)} | {_lost(lines)} |"


def _pools(text: str) -> list[str]:
    """Return the lines of the pools, and those of quotas, which pools stand in."""
    return text[text.index("\npools:") :].splitlines()[2:]


def _named(file: Path) -> str:
    first = file.read_text(encoding="utf-8").splitlines()[0]
    (address, *_) = re.findall(r"https://[^ :,]+", first)
    return f"[{file.stem}]({address})"


def _kept(lines: list[str]) -> str:
    end = next((at for at, line in enumerate(lines) if not line), len(lines))
    stated = [line.partition(" #")[0] for line in lines[:end] if not line.startswith("#")]
    shown = [line if line.endswith(":") else f"`{line}`" for line in stated]
    return "<br>".join(f"**{line[:-1]}**" if line.endswith(":") else line for line in shown)


def _lost(lines: list[str]) -> str:
    lost = dict.fromkeys(line.removeprefix(LOST) for line in lines if line.startswith(LOST))
    unknown = [line[2:] for line in lines if line.startswith("# gpu: ")]
    return "<br>".join([*lost, *unknown]) or "nothing"


def test_the_page_tells_what_comes_of_public_platforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PLATFORMS)
    assert "\n".join(table()) in PAGE.read_text(encoding="utf-8")


def test_there_are_ten_platforms() -> None:
    assert len(list(PLATFORMS.glob("*.yaml"))) == 10
