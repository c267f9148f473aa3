"""Pins that differ, and the records of what their change does."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
import semver

from charts_py.cluster_file.fault import SpecError
from charts_py.objects.document import Document, ObjectKey
from gpuplane.plan.effect import Verdict, VerdictWord
from gpuplane.plan.pin_change import (
    Pin,
    PinChange,
    PinKind,
    PinnedSide,
    PinRecord,
    RecordedChange,
    committed_records,
    pin_changes,
    read_record,
    records_of,
)
from gpuplane.versions.comparison import PlacedObject
from gpuplane.versions.record import RECORD_FILE, read_record as read_release
from tests.gpuplane.messages import message_of

DIST = Path(__file__).parents[3] / "dist"
OPERATOR = Pin(PinKind.CHART, "gpu-operator")
DRIVER = Pin(PinKind.DRIVER, "nvidia")
RECORD = """\
kind: chart
name: gpu-operator
from: v1
to: v2
changes:
  - {what: Pods restart., verdict: rolling}
  - {what: The driver is loaded anew., verdict: disruptive, needs: driver.enabled}
rollout: Node after node.
sources: ["https://example.com/compare"]
"""


_RELEASE: dict[str, object] = {
    **dict.fromkeys(("cluster", "version", "kubernetes", "toolVersion", "specDigest"), ""),
    "charts": [],
    "files": {},
}


def _operator(version: str, driver: str | None) -> PinnedSide:
    values = {"driver": {"enabled": True, "version": driver} if driver else {"enabled": False}}
    source = {
        "chart": "charts/gpu-operator",
        "targetRevision": version,
        "helm": {"valuesObject": values},
    }
    document: Document = {"kind": "Application", "spec": {"source": source}}
    key = ObjectKey("argoproj.io", "Application", "argocd", "lab-gpu-operator")
    return PinnedSide({PlacedObject("argocd", key): document})


def test_a_record_says_of_a_bump_what_matters_on_a_cluster_the_worst_first() -> None:
    records = (read_record(RECORD.encode(), "record.yaml"),)
    with_driver, without = (
        tuple(pin_changes(_operator("v1", driver), _operator("v2", driver), records))
        for driver in ("595.1", None)
    )
    pods = RecordedChange(what="Pods restart.", verdict=VerdictWord.ROLLING)
    driver = RecordedChange(
        what="The driver is loaded anew.", verdict=VerdictWord.DISRUPTIVE, needs="driver.enabled"
    )
    rollout = ("Node after node.", ("https://example.com/compare",))
    assert with_driver == (PinChange(OPERATOR, "v1", "v2", (driver, pods), *rollout),)
    assert without == (PinChange(OPERATOR, "v1", "v2", (pods,), *rollout),)
    assert [change.verdict for change in (*with_driver, *without)] == [
        Verdict.DISRUPTIVE,
        Verdict.ROLLING,
    ]


def test_a_driver_is_a_pin_and_a_bump_may_have_no_record() -> None:
    (change,) = pin_changes(_operator("v1", "595.1"), _operator("v1", "595.2"), ())
    assert change == PinChange(DRIVER, "595.1", "595.2")
    assert (change.is_recorded, change.verdict) == (False, Verdict.ROLLING)


def test_crds_are_pins_of_the_record_and_others_apply_them() -> None:
    old, new = (
        PinnedSide({}, read_release(json.dumps(_RELEASE | {"crds": [crds]}).encode()))
        for crds in (
            {"group": "kueue.x-k8s.io", "source": f"kubernetes-sigs/kueue v0.{minor}"}
            for minor in (18, 19)
        )
    )
    (change,) = pin_changes(old, new, ())
    assert change == PinChange(Pin(PinKind.CRDS, "kubernetes-sigs/kueue"), "v0.18", "v0.19")
    assert change.verdict is Verdict.SAFE


def test_what_only_one_side_installs_is_no_bump() -> None:
    assert tuple(pin_changes(PinnedSide({}), _operator("v1", "595.1"), ())) == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("from: v1\n", "", "record.yaml:1: from: missing; allowed: a string"),
        ("from: v1", "from: 1.10", "record.yaml:3: from: 1.10 is a number in YAML; quote it;"),
        (
            "to: v2",
            "to: v2\nrolout: a",
            (
                'record.yaml:5: rolout: unknown field "rolout"; allowed: kind, name, from, to, '
                "changes, rollout, sources; nearest: rollout"
            ),
        ),
        (
            "kind: chart",
            "kind: charts",
            'record.yaml:1: kind: unknown "charts"; allowed: chart, driver, CRDs; nearest: chart',
        ),
        (
            "verdict: rolling",
            "verdict: bad",
            (
                'record.yaml:6: changes[0].verdict: unknown "bad"; allowed: safe, deferred, '
                "rolling, disruptive, immutable, dangerous"
            ),
        ),
        (", verdict: rolling", "", "record.yaml:6: changes[0].verdict: missing; allowed: safe, "),
        ("kind:", "{", "record.yaml:1:"),
    ],
)
def test_a_malformed_record_is_an_error_with_its_line(old: str, new: str, message: str) -> None:
    assert old in RECORD
    with pytest.raises(SpecError) as error:
        read_record(RECORD.replace(old, new, 1).encode(), "record.yaml")
    assert str(error.value).startswith(message)


def test_a_repository_has_records_of_its_own_which_come_first(tmp_path: Path) -> None:
    (tmp_path / "operator.yaml").write_text(RECORD)
    own = records_of(tmp_path)
    assert own == (read_record(RECORD.encode(), "operator.yaml"),)
    (change,) = pin_changes(_operator("v1", "595.1"), _operator("v2", "595.1"), own)
    assert change.rollout == "Node after node."
    assert records_of(tmp_path / "missing") == ()


def test_a_second_record_of_a_bump_is_refused(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(RECORD)
    assert message_of(SpecError, records_of, tmp_path) == (
        f"{tmp_path / 'b.yaml'}:1: a second record of chart gpu-operator from v1 to v2, as in "
        "a.yaml; allowed: one of each"
    )


def test_no_link_brings_in_what_lies_outside_of_the_repository(tmp_path: Path) -> None:
    folder = tmp_path / "platform" / "pin-records"
    folder.mkdir(parents=True)
    link = folder / "a.yaml"
    link.symlink_to("/dev/zero")
    assert message_of(SpecError, records_of, folder) == (
        f"{link}:1: is a link to /dev/zero, which is outside of the repository; "
        "allowed: a link to what is in the repository"
    )


def test_each_verdict_has_a_word_for_records() -> None:
    assert [each.value for each in VerdictWord] == [each.word for each in Verdict]


@pytest.mark.parametrize("record", committed_records(), ids=lambda one: f"{one.pin} {one.new}")
def test_each_record_says_what_changes_how_and_by_which_sources(record: PinRecord) -> None:
    assert record.changes
    sentences = [each.what for each in record.changes]
    assert all(each.endswith(".") and "\n" not in each for each in (*sentences, record.rollout))
    assert record.sources
    assert all(each.startswith("https://") for each in record.sources)
    assert record.old != record.new


def test_no_bump_has_two_records() -> None:
    bumps = [(each.pin, each.old, each.new) for each in committed_records()]
    assert len(set(bumps)) == len(bumps)


def _bumps(dist: Path) -> set[tuple[str, str, str]]:
    """Return what a version of a cluster pins otherwise than the version before it."""
    found = set()
    for cluster in dist.iterdir():
        records = {
            semver.Version.parse(file.parent.name): json.loads(file.read_bytes())
            for file in cluster.glob(f"*/{RECORD_FILE}")
        }
        for old, new in pairwise(_pins(records[version]) for version in sorted(records)):
            found |= {
                (name, old[name], new[name]) for name in old.keys() & new if old[name] != new[name]
            }
    return found


def _pins(record: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    charts = {chart["name"]: chart["version"] for chart in record["charts"]}
    sources = (crds["source"].rpartition(" ") for crds in record["crds"])
    return charts | {name: version for name, _, version in sources}


def test_each_bump_between_versions_of_the_example_clusters_has_a_record() -> None:
    recorded = {(each.pin.name, each.old, each.new) for each in committed_records()}
    assert _bumps(DIST) <= recorded


def test_a_bump_between_versions_is_found(tmp_path: Path) -> None:
    for version, chart in (("1.0.0", "v1"), ("1.1.0", "v1"), ("1.10.0", "v3"), ("1.9.0", "v2")):
        folder = tmp_path / "lab" / version
        folder.mkdir(parents=True)
        content = {
            "charts": [{"name": "gpu-operator", "version": chart}],
            "crds": [{"source": f"kubernetes-sigs/kueue {chart}"}],
        }
        (folder / RECORD_FILE).write_text(json.dumps(content), encoding="utf-8")
    assert _bumps(tmp_path) == {
        (name, *versions)
        for name in ("gpu-operator", "kubernetes-sigs/kueue")
        for versions in (("v1", "v2"), ("v2", "v3"))
    }
