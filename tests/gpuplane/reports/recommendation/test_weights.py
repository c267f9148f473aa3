"""How a new replica gets at the weights of a model."""

from fractions import Fraction

import pytest

from charts_py.cluster_file.fault import RenderError
from gpuplane.reports.recommendation.target import pool_target, read_cluster
from gpuplane.reports.recommendation.weights import WeightWays, read_size, weight_ways
from tests.conftest import CLUSTERS
from tests.gpuplane.messages import message_of

GB = 10**9


def _ways(cluster: str, pool: str, size: int = 140 * GB, starts: int = 100) -> WeightWays:
    target = pool_target(read_cluster(CLUSTERS, cluster), pool)
    return weight_ways(size, target, Fraction(2), None, starts)


@pytest.mark.usefixtures("fixed_prices")
def test_a_way_takes_the_weights_by_their_rate_and_costs_the_gpus_that_wait() -> None:
    found = _ways("training", "h100")
    (bucket, image) = (each for each in found.ways if each.name in ("bucket", "image"))
    seconds = 140 / 3.77 + 85
    assert bucket.new_node == bucket.same_node == pytest.approx(seconds)
    assert bucket.waiting == pytest.approx(100 * seconds / 3600 * 2 * 6.88, rel=0.001)
    assert bucket.storage == pytest.approx(140 * 0.023)
    assert image.same_node == pytest.approx(140 / 0.131 + 85)
    assert image.new_node == pytest.approx(140 / 0.0228 + 140 / 0.131 + 85)


def test_the_way_that_is_soonest_on_a_new_node_comes_first() -> None:
    names = [each.name for each in _ways("training", "h100").ways]
    assert names == ["bucket", "file_system", "hub", "node_cache", "volume", "image"]


def test_a_new_node_downloads_what_it_keeps_as_fast_as_its_disk_takes_it() -> None:
    (local,) = (each for each in _ways("training", "h100").ways if each.name == "node_cache")
    assert local.same_node == pytest.approx(140 / 1.1 + 85)
    assert local.new_node == pytest.approx(140 / 0.484 + 140 / 1.1 + 85)
    assert local.storage == 0


@pytest.mark.parametrize(
    ("cluster", "pool", "bucket"),
    [
        ("training", "h100", "s3://"),
        ("inference", "l4-batch", "gs://"),
        ("mixed", "a100train", "https://"),
    ],
)
def test_a_bucket_is_one_of_the_provider(cluster: str, pool: str, bucket: str) -> None:
    (way,) = (each for each in _ways(cluster, pool).ways if each.name == "bucket")
    assert way.option.startswith(f"--weights {bucket}")


def test_images_are_left_out_where_kubernetes_mounts_none() -> None:
    assert "image" not in [each.name for each in _ways("mixed", "a100train").ways]


def test_money_is_left_out_where_it_is_not_known() -> None:
    (way,) = (each for each in _ways("inference", "l4-batch").ways if each.name == "volume")
    assert (way.waiting, way.storage) == (None, None)


@pytest.mark.parametrize(
    ("text", "size"),
    [("140GB", 140 * GB), ("1.5T", 1500 * GB), ("16GiB", 2**34), ("0.5 Ti", 2**39)],
)
def test_a_size_has_a_unit(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "140", "0GB", "-1GB", "140GBit", "1e3GB", "140MB"])
def test_what_is_no_size_is_refused(text: str) -> None:
    said = f'--weights: "{text}" is not the size of weights; allowed: one such as 140GB or 130GiB'
    assert message_of(RenderError, read_size, text) == said


@pytest.mark.parametrize(
    ("cluster", "pool"),
    [("training", "h100"), ("inference", "l4-batch"), ("mixed", "a100train"), ("onprem", "h200")],
)
def test_a_download_costs_no_storage(cluster: str, pool: str) -> None:
    assert [each.storage for each in _ways(cluster, pool).ways if each.name == "hub"] == [0]
