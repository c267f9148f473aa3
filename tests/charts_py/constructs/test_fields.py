import typing
from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import SpecError
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.team import Team
from charts_py.constructs import props
from charts_py.constructs.fields import ClusterFields, TeamFields, describe
from charts_py.load import load_platform
from tests.charts_py.fixture_types import Load
from tests.conftest import CLUSTERS, SAMPLES
from tests.rows import rows_beside
from tests.told_lists import with_lists

each_row = rows_beside(__file__, "fields.yaml")

FILES = [
    *(each for each in sorted(CLUSTERS.glob("*.yaml")) if each.stem != "fleet"),
    *(each for each in sorted(SAMPLES.glob("*.yaml")) if "multikueue" not in each.stem),
]


def _models(annotation: Any) -> set[type[StrictModel]]:
    """Return the models that an annotation and their fields name."""
    if isinstance(annotation, type) and issubclass(annotation, StrictModel):
        fields = (field.annotation for field in annotation.model_fields.values())
        return {annotation}.union(*map(_models, fields))
    return set().union(*map(_models, typing.get_args(annotation)))


@pytest.mark.parametrize(("fields", "model"), [(ClusterFields, Cluster), (TeamFields, Team)])
def test_the_arguments_are_the_fields_of_the_model(fields: Any, model: type[StrictModel]) -> None:
    assert tuple(fields.__annotations__) == tuple(model.model_fields)


def test_every_part_of_a_cluster_file_is_a_prop() -> None:
    names = {each.__name__ for each in _models(Cluster) - {Cluster}}
    assert {name for name in vars(props) if name[0].isupper()} == names


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_fields_of_a_file_describe_the_platform_of_the_file(file: Path) -> None:
    fleet = file.parent / "fleet.yaml"
    read = load_platform(file, fleet if fleet.is_file() else None)
    fields = {name: getattr(read.cluster, name) for name in read.cluster.model_fields_set}
    described = describe(read.name, directory=file.parent, **fields)
    assert (described.cluster, described.pools) == (read.cluster, read.pools)


@each_row("faults")
def test_a_part_tells_its_faults_by_the_names_of_its_arguments(
    part: str, fields: dict[str, object], fault: str
) -> None:
    with pytest.raises(SpecError) as caught:
        getattr(props, part)(**fields)
    assert str(caught.value) == f"{part}: {fault}"


def test_what_a_file_would_quote_or_map_is_told_as_of_arguments(example: Load) -> None:
    cluster = example("training").cluster
    fields = {name: getattr(cluster, name) for name in cluster.model_fields_set - {"eks"}}
    with pytest.raises(SpecError) as caught:
        describe("training", **{**fields, "kubernetes": 1.35, "gitops": 5})
    assert [str(each) for each in caught.value.faults] == [
        "training: eks: missing; the provider is eks; allowed: EksSettings with cluster_name",
        "training: gitops: 5 is a number; allowed: GitOps with repository",
        with_lists('training: kubernetes: 1.35 is a number; allowed: "<minors>"'),
    ]


def test_a_part_refuses_fields_without_a_name() -> None:
    with pytest.raises(TypeError) as caught:
        props.NodeRange(4, max=16)  # type: ignore[call-arg]
    assert str(caught.value) == (
        "NodeRange: 1 argument without a name; allowed: each field by its name"
    )


def test_what_only_the_whole_shows_is_told_at_its_name(example: Load) -> None:
    cluster = example("training").cluster
    fields = {name: getattr(cluster, name) for name in cluster.model_fields_set}
    pool = cluster.pools["h100"].model_copy(update={"instance_type": "p5.49xlarge"})
    with pytest.raises(SpecError) as caught:
        describe("training", **{**fields, "pools": {**cluster.pools, "h100": pool}})
    assert str(caught.value) == (
        'training: pools.h100.instance_type: unknown eks instance type "p5.49xlarge"; allowed: one'
        " that `gpuplane hardware eks` lists, or hardware.instance_types describes; nearest:"
        " p5.4xlarge, p5.48xlarge, p5e.48xlarge"
    )
