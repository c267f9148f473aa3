from pathlib import Path

from gpuplane.reports.recommendation.rule import ISOLATION, KINDS, words_of
from gpus.sharing import SharingKind

PAGE = Path(__file__).parents[4] / "docs" / "sharing.md"


def test_every_way_of_sharing_says_what_it_isolates() -> None:
    assert set(ISOLATION) == set(KINDS) == set(SharingKind)


def test_the_page_says_the_same() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "| " in line]
    for kind, isolation in ISOLATION.items():
        cells = (words_of(kind), isolation.memory, isolation.faults, isolation.compute)
        assert f"| {' | '.join(cells)} |" in rows
