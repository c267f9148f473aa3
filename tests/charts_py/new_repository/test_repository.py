"""What `init` writes."""

import re
from pathlib import Path

import pytest

from charts_py.load import load_platforms
from charts_py.new_repository.repository import write_new_repository
from charts_py.platform.tool_version import tool_version
from charts_py.reference.schema import schema_files
from charts_py.release.dist import read_tree
from charts_py.release.synth import SynthRequest, synthesize
from charts_py.release.validation import ValidationRequest, validate
from charts_py.spec.cluster_files import find_cluster_files
from gpus.provider import Provider

providers = pytest.mark.parametrize("provider", list(Provider))


@providers
def test_it_renders_at_once_and_every_object_is_valid(provider: Provider, tmp_path: Path) -> None:
    write_new_repository(tmp_path, provider)
    request = SynthRequest(tmp_path / "clusters", tmp_path / "dist")
    (cluster,) = synthesize(request).clusters
    report = validate(ValidationRequest(tmp_path / "dist"))
    assert report.failures == ()
    assert cluster.objects > len(report.kinds) > 5


@providers
def test_its_cluster_is_one_of_the_provider(provider: Provider, tmp_path: Path) -> None:
    write_new_repository(tmp_path, provider)
    (platform,) = load_platforms(find_cluster_files(tmp_path / "clusters"))
    assert (platform.name, platform.cluster.provider) == ("example", provider)


@providers
def test_it_is_the_same_each_time(provider: Provider, tmp_path: Path) -> None:
    for name in ("first", "second"):
        write_new_repository(tmp_path / name, provider)
    assert read_tree(tmp_path / "first") == read_tree(tmp_path / "second")


def test_it_holds_what_a_team_needs(tmp_path: Path) -> None:
    assert write_new_repository(tmp_path, Provider.GKE) == (
        ".github/workflows/pull-request.yaml",
        ".gitignore",
        ".vscode/extensions.json",
        "Makefile",
        "README.md",
        "clusters/example.yaml",
        "clusters/fleet.yaml",
        "requirements.txt",
        "schemas/cluster.schema.json",
        "schemas/fleet.schema.json",
    )


def test_it_pins_the_tool_that_wrote_it(tmp_path: Path) -> None:
    write_new_repository(tmp_path, Provider.AKS)
    pins = (tmp_path / "requirements.txt").read_text("utf-8").splitlines()
    assert pins[0] == f"gpuplane[render]=={tool_version()}"


def test_its_actions_are_pinned_by_commit_and_may_only_read(tmp_path: Path) -> None:
    write_new_repository(tmp_path, Provider.AKS)
    workflow = (tmp_path / ".github" / "workflows" / "pull-request.yaml").read_text("utf-8")
    used = re.findall(r"uses: \S+@(\S+)", workflow)
    assert [bool(re.fullmatch("[0-9a-f]{40}", commit)) for commit in used] == [True, True]
    assert "\npermissions: {}\n" in workflow
    assert set(re.findall(r"contents: (\w+)", workflow)) == {"read"}


@pytest.mark.parametrize("name", ["example.yaml", "fleet.yaml"])
def test_its_cluster_files_name_their_schema(name: str, tmp_path: Path) -> None:
    write_new_repository(tmp_path, Provider.ONPREM)
    first = (tmp_path / "clusters" / name).read_text("utf-8").splitlines()[0]
    _, _, schema = first.partition("$schema=")
    target = (tmp_path / "clusters" / schema).resolve()
    assert target.read_text("utf-8") == schema_files()[target.name]


def test_a_git_checkout_without_files_is_taken(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert write_new_repository(tmp_path, Provider.EKS)


@pytest.mark.parametrize(
    ("name", "what"), [("folder", "is not empty"), ("folder/file", "is a file")]
)
def test_what_is_there_is_not_written_over(name: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError) as error:
        write_new_repository(tmp_path / name, Provider.EKS)
    allowed = "a new folder, or one that is empty apart from .git"
    assert str(error.value) == f"{tmp_path / name}: {what}; allowed: {allowed}"
    assert read_tree(tmp_path) == {"folder/file": b"mine"}


def test_its_first_steps_name_every_field_that_a_person_must_set(tmp_path: Path) -> None:
    write_new_repository(tmp_path, Provider.ONPREM)
    _, _, steps = (tmp_path / "README.md").read_text(encoding="utf-8").partition("## First steps")
    assert [one for one in ("`gitops.repository`", "`webhook.image`") if one not in steps] == []
