from pathlib import Path

from charts_py.cluster_file.fault import Fault, Mark, Problem
from charts_py.cluster_file.translation import faults_of_fleet

FLEET = Path("clusters/fleet.yaml")
EAST, NORTH, WEST = (Path(f"clusters/{name}.yaml") for name in ("east", "north", "west"))


def _fault(file: Path, what: str, allowed: str) -> Fault:
    return Fault(Mark(str(file), 1), Problem(("pools", "a"), what, allowed))


OF_ALL = _fault(FLEET, "missing", "a pool")
OF_EKS = _fault(FLEET, "missing", "a type of eks")
OF_GKE = _fault(FLEET, "missing", "a type of gke")
OWN = _fault(WEST, "missing", "its own")


def test_a_fault_of_the_fleet_that_not_all_clusters_have_names_those_that_have_it() -> None:
    by_file = {EAST: [OF_ALL, OF_EKS], NORTH: [OF_ALL, OF_EKS], WEST: [OF_ALL, OF_GKE]}
    assert [str(each).removeprefix(f"{FLEET}:1: ") for each in faults_of_fleet(by_file, FLEET)] == [
        "pools.a: missing; allowed: a pool",
        "pools.a: missing, as east, north read it; allowed: a type of eks",
        "pools.a: missing, as west reads it; allowed: a type of gke",
    ]


def test_what_stands_in_a_cluster_file_is_that_clusters_alone() -> None:
    assert list(faults_of_fleet({EAST: [], WEST: [OWN]}, FLEET)) == [OWN]


def test_a_cluster_that_cannot_be_read_is_not_counted() -> None:
    unread = Fault(Mark(str(NORTH), 1), Problem((), "invalid YAML"))
    by_file = {EAST: [OF_ALL], NORTH: [unread], WEST: [OF_ALL]}
    assert list(faults_of_fleet(by_file, FLEET)) == [OF_ALL, unread]


def test_what_the_only_cluster_has_all_have() -> None:
    assert list(faults_of_fleet({WEST: [OF_GKE]}, FLEET)) == [OF_GKE]


def test_what_all_clusters_lack_may_have_stood_in_a_file_that_is_gone() -> None:
    by_file = {
        file: [Fault(Mark(str(file), 1), Problem(path, "missing"))]
        for file, path in ((EAST, ("gitops",)), (WEST, ("gitops", "repository")))
    }
    gone, *others = faults_of_fleet(by_file, None)
    assert str(gone) == (
        "clusters/fleet.yaml:1: no such file, and every cluster lacks gitops; "
        "allowed: a file with what clusters share"
    )
    assert len(others) == 2


def test_what_some_clusters_lack_is_their_own() -> None:
    lacking = Fault(Mark(str(EAST), 1), Problem(("gitops",), "missing"))
    assert list(faults_of_fleet({EAST: [lacking], WEST: []}, None)) == [lacking]
    assert list(faults_of_fleet({EAST: [lacking]}, None)) == [lacking]
