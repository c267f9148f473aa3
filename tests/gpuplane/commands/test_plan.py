import re
from pathlib import Path

import pytest
import yaml

from charts_py.cluster_file.cluster import FailOn
from gpuplane.commands.plan import FAIL_ON
from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.plan.conftest import RULE, planned
from tests.gpuplane.pull_request.hosts import COMMIT, GitLab, of_gitlab, serving
from tests.gpuplane.versions.conftest import Repository
from tests.gpuplane.versions.rendered_versions import record_source, write_version

__all__ = ["planned"]

SENTENCE = (
    "Dangerous: data or many objects at once can be lost when somebody confirms it (Namespace "
    "research); 24 GPUs of lab/h200 are out at "
    "once, for 0 to 25 minutes; lab/research gains 8 GPUs of quota; what nodes cost stays the "
    "same."
)


@pytest.fixture(autouse=True)
def repository(planned: Repository) -> Repository:  # the fixture that is imported
    image = "webhook: {image: registry.example.com/webhook:1}\n"
    fleet = planned.clusters / "fleet.yaml"
    fleet.write_text(image, encoding="utf-8")
    record_source(planned.dist / "lab" / "1.1.0", planned.clusters / "lab.yaml", fleet)
    return planned


def test_the_first_line_says_verdict_gpus_time_and_cost(in_repository: Run) -> None:
    printed = in_repository.printed("plan", "lab", "--base", "HEAD", "--nodes", "h200=3")
    first, *others = printed.splitlines()
    assert first == SENTENCE
    headings = [line for line in others if line and line[0].isupper() and not line.endswith(".")]
    assert headings == ["Deletions and prunes", "GPUs out", "Capacity and quotas", "Version"]
    assert (
        "$ kubectl drain --selector gpuplane.io/pool=h200 --ignore-daemonsets "
        "--delete-emptydir-data" in others
    )
    assert (
        "$ kubectl annotate application lab-part -n argocd --overwrite "
        'argocd.argoproj.io/deletion-approved="$(date -u +%FT%TZ)"' in others
    )


def test_a_report_has_every_object_with_why(in_repository: Run) -> None:
    report = in_repository.report("plan", "--base", "HEAD", "--nodes", "lab/h200=3")
    (item,) = report.pop("items")
    assert re.fullmatch("[0-9a-f]{40}", report.pop("baseCommit"))
    stated = fields(
        "kind: Plan, base: HEAD, verdict: dangerous, unchanged: [], edited: [], renderedHere: []"
    )
    assert report == {**stated, "summary": SENTENCE}
    assert [each["verdict"] for each in item["objects"]] == ["dangerous", "disruptive"]
    (outage,) = item["outages"]
    assert outage.pop("gpuHours") == {"low": 0, "high": pytest.approx(10)}
    assert outage == fields("""
        pools: [h200], madeBy: null, mechanism: MIG label, gpusPerNode: 8, isForGood: false,
        isHeld: false, isPossible: false, stays: false, nodes: {low: 3, high: 3},
        atOnce: {low: 3, high: 3}, waves: {low: 1, high: 1}, minutes: {low: 0, high: 25},
        gpusOut: {low: 24, high: 24}
    """)
    assert item["removedPools"] == item["restarts"] == []
    bump = fields("asked: major, stated: minor, isEnough: false, least: 2.0.0")
    assert item["versionBump"] == bump


def test_an_edit_is_planned_before_it_is_rendered(
    in_repository: Run, repository: Repository
) -> None:
    repository.write(version="1.2.0", gpus=24)
    first, second, *_ = in_repository.printed("plan", "--base", "HEAD").splitlines()
    assert first.startswith("Dangerous: ")
    assert second == (
        "lab is not rendered as clusters/ has it now: this is what gpuplane synth lab would change"
    )
    assert not (repository.dist / "lab" / "1.2.0").exists()


def test_clusters_that_change_alike_are_printed_once(
    in_repository: Run, repository: Repository
) -> None:
    alike = ("other", "third")
    for name in alike:
        write_version(repository.dist, f"{name}/1.0.0", rule=RULE.format(layout="all-disabled"))
        repository.write(name)
    repository.commit()
    for name in alike:
        rule = RULE.format(layout="mig-1g.18gb-x7")
        folder = write_version(repository.dist, f"{name}/1.1.0", rule=rule)
        repository.write(name, version="1.1.0")
        record_source(
            folder, repository.clusters / f"{name}.yaml", repository.clusters / "fleet.yaml"
        )
    lines = in_repository.printed("plan", "--base", "HEAD").splitlines()
    heading = lines.index("other, what Argo CD syncs: 1.0.0 -> 1.1.0")
    assert lines[heading + 1] == "The same holds for 1 more cluster: third."
    assert [line for line in lines if line.startswith("third")] == []


@pytest.mark.parametrize(("fail_on", "exit_code"), [("dangerous", 1), ("rolling", 1), ("never", 0)])
def test_a_plan_fails_from_a_verdict_on(in_repository: Run, fail_on: str, exit_code: int) -> None:
    result = in_repository("plan", "--base", "HEAD", "--fail-on", fail_on, "-o", "markdown")
    assert result.exit_code == exit_code
    assert result.stdout.startswith("### gpuplane plan: dangerous\n\n**Dangerous: ")


def test_the_option_takes_what_the_repository_states() -> None:
    assert tuple(each.value for each in FailOn) == FAIL_ON


def test_nodes_of_an_export_are_counted(in_repository: Run, tmp_path: Path) -> None:
    labelled = "apiVersion: v1, kind: Node, metadata: {name: %s, labels: {gpuplane.io/pool: h200}}"
    nodes = [fields(labelled % name) for name in ("a", "b", "c")]
    export = tmp_path / "export.yaml"
    export.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": nodes}))
    result = in_repository("plan", "lab", "--base", "HEAD", "--workloads", export)
    assert result.stdout.splitlines()[0] == SENTENCE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--fail-on", "safe"),
            (
                "Invalid value for '--fail-on': a plan cannot fail on \"safe\"; allowed: deferred, "
                "rolling, disruptive, immutable, dangerous, never"
            ),
        ),
        (("--fail-on", "dangeros"), "immutable, dangerous, never; nearest: dangerous"),
        (
            ("a", "b", "--workloads", "export.yaml"),
            "they run in one cluster; name exactly one CLUSTER",
        ),
        (
            ("lab", "--nodes", "h200"),
            '"h200" is not a number of nodes; allowed: [CLUSTER/]POOL=COUNT',
        ),
        (("--nodes", "h200=3"), '"h200=3" needs a cluster, since all are planned'),
        (
            ("--nodes", "lba/h200=3"),
            'nodes of lba/h200: "lba" is not planned; allowed: lab; nearest: lab',
        ),
        (
            ("lab", "--nodes", "h20=3"),
            'nodes of lab/h20: lab has no pool "h20"; allowed: h200; nearest: h200',
        ),
    ],
)
def test_wrong_arguments_are_errors(
    in_repository: Run, arguments: tuple[str, ...], message: str
) -> None:
    assert message in in_repository.misused("plan", *arguments)


def test_the_comment_says_what_is_printed_and_the_label_how_bad_it_is(
    in_repository: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(GitLab) as state:
        for name, value in of_gitlab(state.url).items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
        options = ("-o", "markdown", "--comment")
        result = in_repository("plan", "lab", "--base", "HEAD", *options)
        said = f"{result.stdout}\n<sub>Of commit {COMMIT}.</sub>\n"
        assert state.shown == [(f"<!-- gpuplane plan -->\n{said}", False)]
        assert state.labels == ["gpuplane/dangerous"]
        monkeypatch.setenv("CI_COMMIT_SHA", "another")
        assert in_repository.printed("plan", "--stale") == ""
        assert "of an earlier commit" in state.shown[0][0]
        assert state.labels == []


def test_a_comment_wants_a_pull_request(
    in_repository: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_ACTIONS", "GITLAB_CI"):
        monkeypatch.delenv(name, raising=False)
    code, _, stderr = in_repository.ended("plan", "lab", "--base", "HEAD", "--comment")
    assert code == 3
    assert stderr == (
        "there is no pull request to write to; allowed: in GitHub Actions, for a pull_request "
        "event, or in GitLab CI, for a merge request\n"
    )
