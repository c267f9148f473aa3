"""A cluster file that nobody has written yet."""

from pathlib import Path

from gpuplane.adoption.request import check_file
from tests.charts_py.fixture_types import Sample


def test_it_is_read_beside_the_clusters_that_the_fleets_file_names(
    tmp_path: Path, sample: Sample
) -> None:
    fleet = tmp_path / "fleet.yaml"
    fleet.write_text(
        "multiKueue: {manager: sample, workers: [multikueue-worker], namespaces: [a]}\n",
        encoding="utf-8",
    )
    for name in ("sample", "multikueue-worker"):
        (tmp_path / f"{name}.yaml").write_text(sample("eks"), encoding="utf-8")
    checked = check_file(sample("eks"), "lab", fleet)
    assert (checked.faults, checked.platform is not None) == ((), True)
