"""Two files of one cluster."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platforms
from charts_py.platform.cluster_identity import alike_clusters, identity_of
from tests.charts_py.test_load import faults_of_all

SAMPLES = Path(__file__).parents[1] / "samples"
ACCOUNT = 'clusterName: training\n  account: "123456789012"'
OTHER_ACCOUNT = 'clusterName: training\n  account: "210987654321"'
NAME = "clusterName: training"


@dataclass(frozen=True, slots=True)
class Pair:
    """A sample, and a copy of it; each with a piece replaced."""

    sample: str
    first: tuple[str, str] = ("", "")
    second: tuple[str, str] = ("", "")

    def write(self, folder: Path) -> None:
        text = (SAMPLES / f"{self.sample}.yaml").read_text(encoding="utf-8")
        for name, change in (("east", self.first), ("west", self.second)):
            assert change[0] in text
            (folder / f"{name}.yaml").write_text(text.replace(*change, 1), encoding="utf-8")


def _server(url: str) -> tuple[str, str]:
    return ("gitops:\n", f"gitops:\n  server: {url}\n")


@pytest.mark.parametrize(
    ("pair", "named"),
    [
        (Pair("gke"), "gke.clusterName: GKE cluster"),
        (Pair("aks"), "aks.clusterName: AKS cluster"),
        (Pair("eks", (NAME, ACCOUNT), (NAME, ACCOUNT)), "eks.clusterName: EKS cluster 1234"),
        (
            Pair("eks", _server("https://a.example.com"), _server("https://a.example.com")),
            "gitops.server: API server https://a.example.com",
        ),
    ],
    ids=["gke", "aks", "eks", "server"],
)
def test_one_cluster_has_one_file(pair: Pair, named: str, tmp_path: Path) -> None:
    pair.write(tmp_path)
    (line,) = faults_of_all(tmp_path).splitlines()
    assert re.fullmatch(
        rf"west\.yaml:\d+: {named}.* is that of east \(east\.yaml:\d+\), too; "
        r"allowed: another \w+\.\w+, or one file for each cluster",
        line,
    )


def _alike(folder: Path) -> list[str]:
    platforms = load_platforms(find_cluster_files(folder))
    found = alike_clusters(map(identity_of, platforms))
    return [str(fault).replace(f"{folder}/", "") for _, fault in found]


@pytest.mark.parametrize(
    "pair",
    [Pair("eks"), Pair("eks", (NAME, ACCOUNT)), Pair("eks", _server("https://a.example.com"))],
    ids=["neither", "one", "a server"],
)
def test_clusters_of_eks_that_accounts_would_tell_apart_are_warned_of(
    pair: Pair, tmp_path: Path
) -> None:
    pair.write(tmp_path)
    (line,) = _alike(tmp_path)
    place, _, said = line.partition(": ")
    assert place.startswith("west.yaml:")
    assert said.startswith("eks.clusterName: us-east-1/training may be that of east (east.yaml:")
    assert said.endswith("), too; allowed: another eks.clusterName, or eks.account in both files")


@pytest.mark.parametrize(
    "pair",
    [
        Pair("eks", (NAME, ACCOUNT), (NAME, OTHER_ACCOUNT)),
        Pair("eks", _server("https://a.example.com"), _server("https://b.example.com")),
        Pair("eks", second=(NAME, "clusterName: other")),
        Pair("eks", ("live: 1.0.0", "live: none")),
    ],
    ids=["accounts", "servers", "names", "not live"],
)
def test_others_are_told_apart(pair: Pair, tmp_path: Path) -> None:
    pair.write(tmp_path)
    assert _alike(tmp_path) == []
