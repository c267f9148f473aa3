from pathlib import Path

from gpuplane.reports.recommendation.rule import ways
from gpus.sharing import SharingKind

PAGE = Path(__file__).parents[4] / "docs" / "sharing.md"


def test_every_way_of_sharing_says_what_it_isolates() -> None:
    assert set(ways()) == set(SharingKind)


def test_the_page_says_the_same() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "| " in line]
    for way in ways().values():
        assert f"| {' | '.join((way.words, way.memory, way.faults, way.compute))} |" in rows
