import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from charts_py.cluster_file.field_schema import field_names
from charts_py.platform.tool_version import tool_version
from gpuplane.commands.synth import lines_of
from gpuplane.versions.synth import SynthesizedCluster, SynthReport
from gpuplane.versions.tree import Changes
from gpus.provider import Provider
from tests.example_repository import write_example_repository
from tests.gpuplane.conftest import SAMPLES, Run, fields

IMAGE = "webhook: {image: registry.example.com/webhook:1}\n"
MEMBER = "members.users[0]"
ENGINE = "network: {policyEngine: cilium}\n"


@pytest.fixture(autouse=True)
def repository(tmp_path: Path) -> Path:
    write_example_repository(tmp_path, Provider.ONPREM)
    with (tmp_path / "clusters" / "fleet.yaml").open("a", encoding="utf-8") as fleet:
        fleet.write(IMAGE + ENGINE)
    for file in (tmp_path / "CODEOWNERS", *(tmp_path / "clusters").iterdir()):
        text = file.read_text(encoding="utf-8").replace("change-me", "research")
        file.write_text(text, encoding="utf-8")
    return tmp_path


def _version(repository: Path) -> Path:
    (record,) = repository.glob("dist/example/*/release.json")
    return record.parent


def _files(folder: Path) -> int:
    return sum(1 for file in folder.rglob("*") if file.is_file())


def test_each_cluster_is_a_line(in_repository: Run, repository: Path) -> None:
    printed = in_repository.printed("synth")
    version = _version(repository)
    named = f"example {version.name}: {_files(version) - 1} objects"
    assert printed == f"{named}, files: {_files(repository / 'dist')} added\n"
    assert in_repository("synth", "example").stdout == f"{named}, unchanged\n"


def test_clusters_that_change_alike_are_told_once() -> None:
    names = [f"c{number:02}" for number in range(40)]
    changes = {name: Changes(added=(f"{name}/1.0.0/release.json",)) for name in names}
    changes["c07"] = Changes()
    clusters = tuple(
        SynthesizedCluster(name, "1.0.0", "1.0.0", 74, each, ()) for name, each in changes.items()
    )
    report = SynthReport(clusters, Changes(), (), (), (), main_branch_is_missing=False)
    assert [*lines_of(report, check=True, quiet=False)] == [
        "c00 1.0.0: 74 objects, files: 1 added",
        "  added c00/1.0.0/release.json",
        "  The same holds for 38 more clusters: c01, c02 and 36 more.",
        "c07 1.0.0: 74 objects, unchanged",
    ]


def test_a_check_lists_every_file_that_differs(in_repository: Run, repository: Path) -> None:
    in_repository("synth")
    assert in_repository("synth", "--check").exit_code == 0
    version = _version(repository)
    changed = min(version.rglob("PriorityClass.batch.yaml"))
    changed.write_text("kind: List\n", encoding="utf-8")
    (version / "surplus.yaml").touch()
    result = in_repository("synth", "--check")
    below = f"example/{version.name}"
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == [
        f"  changed {below}/{changed.relative_to(version).as_posix()}",
        f"  removed {below}/surplus.yaml",
    ]
    assert result.stderr == "dist/ differs from what clusters/ renders; run gpuplane synth\n"


def test_quiet_prints_only_what_is_wrong(in_repository: Run, repository: Path) -> None:
    assert in_repository.printed("synth", "--quiet") == ""
    (_version(repository) / "surplus.yaml").touch()
    result = in_repository("synth", "--check", "--quiet")
    assert (result.exit_code, "surplus.yaml" in result.stdout) == (1, True)


def test_quiet_names_no_cluster_that_is_unchanged(in_repository: Run, repository: Path) -> None:
    in_repository("synth")
    clusters = repository / "clusters"
    (clusters / "other.yaml").write_bytes((clusters / "example.yaml").read_bytes())
    lines = in_repository("synth", "--check", "--quiet").stdout.splitlines()
    assert [line.partition(" ")[0] for line in lines if line[0] != " "] == ["other"]


def test_a_cluster_that_is_named_twice_is_rendered_once(in_repository: Run) -> None:
    result = in_repository("synth", "example", "example")
    assert len(result.stdout.splitlines()) == 1


def test_json_is_all_that_a_check_prints(in_repository: Run, repository: Path) -> None:
    in_repository("synth")
    version = _version(repository)
    (version / "surplus.yaml").touch()
    report = in_repository.report("synth", "--check", code=1)
    (cluster,) = report.pop("clusters")
    assert report == fields("""
        kind: Synthesis, current: false, fleet: {added: [], changed: [], removed: []},
        tampered: [], strays: [], abandoned: [], mainBranchIsMissing: false
    """)
    assert cluster == fields(f"""
        name: example, version: {version.name}, live: {version.name},
        objects: {_files(version) - 2}, warnings: [],
        changes: {{added: [], changed: [], removed: [example/{version.name}/surplus.yaml]}}
    """)


def test_a_check_names_manifests_of_no_version(in_repository: Run, repository: Path) -> None:
    in_repository("synth")
    version = _version(repository)
    (version.parent / "extra.yaml").touch()
    shutil.copytree(version, version.parent / "9.9.9")
    (version.parent / "9.9.9" / "release.json").unlink()
    result = in_repository("synth", "--check")
    remedy = "not rendered, and of no version; remove it, or move it out of dist/"
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.splitlines()[-2:] == [
        f"example/9.9.9/: {remedy}",
        f"example/extra.yaml: {remedy}",
    ]


def test_a_missing_main_branch_is_reported(in_repository: Run, repository: Path) -> None:
    file = repository / "clusters" / "example.yaml"
    file.write_text(file.read_text("utf-8").replace("0.1.0-rc.1", "0.1.0"), encoding="utf-8")
    for arguments in (
        ("init", "--initial-branch", "trunk"),
        ("add", "clusters"),
        ("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-m", "State"),
    ):
        subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True)
    warning = (
        "warning: git has none of origin/HEAD, origin/main, main here, so it is not "
        "known which versions are released; fetch the main branch "
        "(git fetch origin main:refs/remotes/origin/main), or name it with --main-branch\n"
    )
    for options in ((), ("--check",), ("--check", "-o", "json")):
        result = in_repository("synth", *options)
        assert (result.exit_code, result.stderr) == (0, warning)
    assert json.loads(result.stdout)["mainBranchIsMissing"] is True
    assert in_repository("synth", "--main-branch", "trunk").stderr == ""


def test_a_main_branch_that_is_named_has_to_exist(in_repository: Run, repository: Path) -> None:
    said = f'{repository}/dist: not in a git checkout; the git reference "main" needs one\n'
    assert in_repository.refused("synth", "--main-branch", "main") == said


def test_a_change_of_another_version_is_a_finding(in_repository: Run, repository: Path) -> None:
    in_repository("synth")
    changed = min(_version(repository).rglob("PriorityClass.batch.yaml"))
    changed.write_text("kind: List\n", encoding="utf-8")
    file = repository / "clusters" / "example.yaml"
    file.write_text(file.read_text("utf-8").replace("0.1.0-rc.1", "0.2.0-rc.1"), encoding="utf-8")
    code, stdout, stderr = in_repository.ended("synth")
    path = changed.relative_to(repository / "dist").as_posix()
    told = [f"{path}: not as it was rendered; restore it from git"]
    assert (code, stdout.splitlines()[1:], stderr) == (1, told, "")


def test_every_fault_is_a_line_and_dist_stays(in_repository: Run, repository: Path) -> None:
    file = repository / "clusters" / "example.yaml"
    text = file.read_text("utf-8").replace("region:", "regoin:").replace("0.1.0-rc.1", '"1.0"')
    file.write_text(text, encoding="utf-8")
    others = {"eks", "gke", "aks"}
    allowed = ", ".join(name for name in field_names(()) if name not in others)
    assert in_repository.refused("synth") == (
        f'{file}:4: regoin: unknown field "regoin"; allowed: {allowed}; nearest: region\n'
        f'{file}:6: version: "1.0" is not a semantic version; '
        "allowed: MAJOR.MINOR.PATCH[-PRERELEASE]; nearest: 1.0.0\n"
    )
    assert not (repository / "dist").exists()


def test_a_folder_without_clusters_is_wrong_input(run: Run, tmp_path: Path) -> None:
    said = f"{tmp_path}/elsewhere: no such folder; allowed: a platform repository, or in one\n"
    assert run.refused("-C", tmp_path / "elsewhere", "synth") == said


def test_warnings_go_to_stderr_and_change_neither_dist_nor_the_exit_code(
    in_repository: Run, repository: Path
) -> None:
    file = repository / "clusters" / "example.yaml"
    text = file.read_text(encoding="utf-8")
    namespace = next(iter(yaml.safe_load(text)["teams"].values()))["namespaces"]
    exception = fields(
        "rule: host-ipc, reason: until the driver is fixed, owner: a@example.com, "
        f'expires: "2020-01-31", namespace: {next(iter(namespace))}'
    )
    policies = yaml.safe_dump({"policies": {"exceptions": [exception]}})
    file.write_text(f"{text}{policies}", encoding="utf-8")
    assert in_repository("synth").exit_code == 0
    result = in_repository("synth", "--check")
    line = f"{text}{policies}".splitlines().index("  - expires: '2020-01-31'") + 1
    what = "2020-01-31 is over, so that host-ipc applies again"
    assert result.exit_code == 0
    assert result.stderr == (
        f"warning: {file}:{line}: policies.exceptions[0].expires: {what}; "
        "allowed: a later day, or no exception\n"
    )


def test_an_image_that_cannot_be_pulled_is_warned_of(in_repository: Run, repository: Path) -> None:
    fleet = repository / "clusters" / "fleet.yaml"
    fleet.write_text(fleet.read_text("utf-8").replace(IMAGE, ""), encoding="utf-8")
    result = in_repository("synth")
    image = f"ghcr.io/example/gpuplane-webhook:{tool_version()}"
    assert result.exit_code == 0
    assert result.stderr == (
        f"warning: {repository}/clusters/fleet.yaml:3: webhook.image: {image}, the default, is a "
        "placeholder that cannot be pulled, so the first sync would never end; allowed: an "
        "image that is built and pushed, as README.md says of the webhook's image\n"
        "still to be set, and named above: 1 placeholder\n"
    )


def test_warnings_of_a_file_are_in_the_order_of_its_lines(run: Run, tmp_path: Path) -> None:
    write_example_repository(tmp_path / "new", Provider.ONPREM)
    *warnings, left = run("-C", tmp_path / "new", "synth").stderr.splitlines()
    fields = [line.split(": ")[2] for line in warnings if "example.yaml" in line]
    assert fields[:1] == ["network.policyEngine"]
    assert fields[1:] == [f"teams.research.{each}" for each in ("owner", "costCenter", MEMBER)]
    assert left == "still to be set, and named above: 6 placeholders"


def test_a_folder_of_pinned_files_that_does_not_exist_is_named_with_the_nearest(
    in_repository: Run, tmp_path: Path
) -> None:
    (tmp_path / "pinned").mkdir()
    said = "no such folder; allowed: a folder of pinned files; nearest: "
    assert f"{tmp_path}/pined: {said}{tmp_path}/pinned" in in_repository.misused(
        "synth", "--mirror", tmp_path / "pined"
    )


def test_without_a_cluster_there_is_nothing_to_render_and_nothing_wrong(
    in_repository: Run, repository: Path
) -> None:
    (repository / "clusters" / "example.yaml").unlink()
    done = [in_repository(*each) for each in (["synth"], ["synth", "--check"], ["validate"])]
    nothing = f"{repository}/clusters: no cluster file, so nothing is "
    assert [(each.exit_code, each.stdout) for each in done] == [
        (0, f"{nothing}rendered\n"),
        (0, f"{nothing}rendered\n"),
        (0, f"{nothing}validated\n"),
    ]


def test_a_named_cluster_is_compared_with_files_that_are_not_rendered(
    in_repository: Run, tmp_path: Path
) -> None:
    clusters = tmp_path / "clusters"
    shutil.rmtree(clusters)
    clusters.mkdir()
    text = (SAMPLES / "eks.yaml").read_text(encoding="utf-8").replace("live: 1.0.0", "live: 1.1.0")
    for name in ("east", "west"):
        (clusters / f"{name}.yaml").write_text(text, encoding="utf-8")
    said = in_repository("synth", "west").stderr
    assert "/training may be that of east (" in said
    assert "too; allowed: another eks.clusterName, or eks.account in both files\n" in said
    assert said.endswith("still to be set, and named above: 1 placeholder\n")
