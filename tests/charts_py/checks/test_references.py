from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platform
from tests.charts_py.fixture_types import FaultsOf, Sample


def test_a_ladder_without_the_platforms_priority_does_not_have_it(faults_after: FaultsOf) -> None:
    without = ("  system: {value: 10000000}\n", "")
    assert faults_after("eks", ("[training, batch]", "[training, system]"), without) == (
        'sample.yaml:39: teams.research.priorities[1]: unknown priority "system"; allowed: '
        "training, batch"
    )


def test_a_cluster_has_a_name_of_its_own(sample: Sample, tmp_path: Path) -> None:
    file = tmp_path / "fleet.yaml"
    file.write_text(sample("eks"), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_platform(file, None)
    assert str(caught.value) == (
        f'{file}:1: "fleet" is the name of the folder dist/fleet; allowed: another file name'
    )
