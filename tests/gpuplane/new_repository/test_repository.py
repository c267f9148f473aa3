import re
from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.fault import SpecError
from charts_py.load import load_platforms
from charts_py.platform.tool_version import tool_version
from gpuplane.new_repository.repository import next_steps, write_new_repository
from gpuplane.new_repository.source import InitError, vendored_wheel
from gpuplane.reference.schema import schema_files
from gpuplane.versions.synth import SynthRequest, synthesize
from gpuplane.versions.tree import read_tree
from gpuplane.versions.validation import validate
from gpus.provider import Provider
from tests.example_repository import SOURCE, example_cluster, write_example_repository
from tests.gpuplane.messages import message_of

ROOT = Path(__file__).parents[3]
LINK = r"\]\((?!https:)([^)#]+)"
"""Of a page, to a file beside it."""
providers = pytest.mark.parametrize("provider", list(Provider))


@providers
def test_it_renders_at_once_and_every_object_is_valid(provider: Provider, tmp_path: Path) -> None:
    write_example_repository(tmp_path, provider)
    request = SynthRequest(tmp_path / "clusters", tmp_path / "dist")
    (cluster,) = synthesize(request).clusters
    report = validate(tmp_path / "dist")
    assert report.failures == ()
    assert cluster.objects > len(report.kinds) > 5


@providers
def test_its_cluster_is_one_of_the_provider(provider: Provider, tmp_path: Path) -> None:
    write_example_repository(tmp_path, provider)
    (platform,) = load_platforms(find_cluster_files(tmp_path / "clusters"))
    assert (platform.name, platform.cluster.provider) == ("example", provider)


@providers
def test_it_is_the_same_each_time(provider: Provider, tmp_path: Path) -> None:
    for name in ("first", "second"):
        write_example_repository(tmp_path / name, provider)
    assert read_tree(tmp_path / "first") == read_tree(tmp_path / "second")


def test_it_holds_what_a_team_needs(tmp_path: Path) -> None:
    source = vendored_wheel("gpuplane-0.1.0-py3-none-any.whl", b"wheel")
    assert write_new_repository(tmp_path, example_cluster(Provider.GKE), source) == (
        ".dockerignore",
        ".gitattributes",
        ".github/actions/pull-request/action.yaml",
        ".github/dependabot.yml",
        ".github/workflows/promote.yaml",
        ".github/workflows/pull-request.yaml",
        ".github/workflows/render.yaml",
        ".github/workflows/webhook-image.yaml",
        ".gitignore",
        ".gitlab-ci.yml",
        ".gitlab/gpuplane.yaml",
        ".vscode/extensions.json",
        "CODEOWNERS",
        "Dockerfile",
        "Makefile",
        "README.md",
        "clusters/example.yaml",
        "clusters/fleet.yaml",
        "docs/prerequisites.md",
        "requirements/gpuplane.txt",
        "requirements/platform.txt",
        "requirements/webhook.txt",
        "schemas/cluster.schema.json",
        "schemas/fleet.schema.json",
        "vendor/gpuplane-0.1.0-py3-none-any.whl",
    )
    assert (tmp_path / "vendor" / "gpuplane-0.1.0-py3-none-any.whl").read_bytes() == b"wheel"


def test_it_gets_the_tool_from_the_source_alone_and_says_so(tmp_path: Path) -> None:
    write_example_repository(tmp_path, Provider.AKS)
    required = (tmp_path / "requirements" / "gpuplane.txt").read_text("utf-8")
    assert required == f"{SOURCE.requirement}\n"
    readme = " ".join((tmp_path / "README.md").read_text("utf-8").split())
    assert f"gpuplane {tool_version()} is {SOURCE.description}." in readme


@pytest.mark.parametrize("name", ["platform.txt", "webhook.txt"])
def test_all_else_is_pinned_by_hashes_and_never_the_tool_itself(name: str, tmp_path: Path) -> None:
    write_example_repository(tmp_path, Provider.AKS)
    requirements = (tmp_path / "requirements" / name).read_text("utf-8").split("\n\n")[0]
    pins = re.split(r"\n(?! )", requirements.strip())
    assert [
        pin for pin in pins if not re.match(r"[\w.-]+==\S+.*--hash=sha256:", pin, re.DOTALL)
    ] == []
    assert [pin for pin in pins if pin.startswith("gpuplane")] == []


def test_no_placeholder_of_a_template_is_left(tmp_path: Path) -> None:
    written = write_example_repository(tmp_path)
    left = [path for path in written if re.search("@[A-Z]+@", (tmp_path / path).read_text("utf-8"))]
    assert left == []


def test_its_image_has_the_base_of_the_image_that_is_compiled(tmp_path: Path) -> None:
    write_example_repository(tmp_path)
    (base,) = re.findall("^ARG PYTHON=.*$", (tmp_path / "Dockerfile").read_text(), re.MULTILINE)
    assert base in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()


def test_only_what_its_image_copies_goes_to_the_builder(tmp_path: Path) -> None:
    write_example_repository(tmp_path)
    copied = re.findall(r"^COPY (\S+) \S+$", (tmp_path / "Dockerfile").read_text(), re.MULTILINE)
    sent = (tmp_path / ".dockerignore").read_text("utf-8").splitlines()[1:]
    assert sent == ["*", *(f"!{path}" for path in copied)]


def test_the_image_that_a_comment_shows_is_not_taken_as_it_stands(tmp_path: Path) -> None:
    write_example_repository(tmp_path)
    fleet = tmp_path / "clusters" / "fleet.yaml"
    fleet.write_text(fleet.read_text("utf-8").replace("# webhook:", "webhook:"), encoding="utf-8")
    message = message_of(SpecError, load_platforms, find_cluster_files(tmp_path / "clusters"))
    assert "webhook.image" in message


WORKFLOWS = {
    "promote.yaml": ["contents: write", "pull-requests: write"],
    "pull-request.yaml": ["contents: read", "pull-requests: write", "security-events: write"],
    "render.yaml": ["contents: write"],
    "webhook-image.yaml": ["contents: read", "packages: write", "id-token: write"],
}
"""What the jobs of each workflow may do."""


@pytest.mark.parametrize(("name", "allowed"), WORKFLOWS.items())
def test_its_actions_are_pinned_by_commit_and_may_do_little(
    name: str, allowed: list[str], tmp_path: Path
) -> None:
    write_example_repository(tmp_path, Provider.AKS)
    workflow = (tmp_path / ".github" / "workflows" / name).read_text("utf-8")
    used = re.findall(r"uses: \S+@(\S+)", workflow)
    assert [commit for commit in used if not re.fullmatch("[0-9a-f]{40}", commit)] == []
    assert "\npermissions: {}\n" in workflow
    assert re.findall(r"^ +([\w-]+: (?:read|write))\b", workflow, re.MULTILINE) == allowed


@pytest.mark.parametrize("name", ["example.yaml", "fleet.yaml"])
def test_its_cluster_files_name_their_schema(name: str, tmp_path: Path) -> None:
    write_example_repository(tmp_path, Provider.ONPREM)
    first = (tmp_path / "clusters" / name).read_text("utf-8").splitlines()[0]
    _, _, schema = first.partition("$schema=")
    target = (tmp_path / "clusters" / schema).resolve()
    assert target.read_text("utf-8") == schema_files()[target.name]


def test_a_git_checkout_without_files_is_taken(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert write_example_repository(tmp_path)


@pytest.mark.parametrize("path", [".", "platform/gpus", "2024", "1.0", "1e3", "true", "null"])
def test_argo_cd_looks_for_it_where_it_is_in_a_checkout(path: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write_example_repository(tmp_path / path)
    (platform,) = load_platforms(find_cluster_files(tmp_path / path / "clusters"))
    assert platform.cluster.gitops.path == path


@pytest.mark.parametrize(
    ("path", "name"), [(".", "Pull request"), ("platform/gpus", "Pull request of platform/gpus")]
)
def test_its_workflow_names_the_folder_so_that_no_run_cancels_that_of_another(
    path: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    write_example_repository(tmp_path / path)
    workflow = (tmp_path / path / ".github/workflows/pull-request.yaml").read_text("utf-8")
    assert workflow.splitlines()[0] == f"name: {name}"


@pytest.mark.parametrize("path", ["with space", "#x", "it's", "a:b", "@VERSION@"])
def test_a_folder_that_a_cluster_file_cannot_name_is_refused(path: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert message_of(InitError, write_example_repository, tmp_path / path) == (
        f'{tmp_path / path}: "{path}", its path in the git repository, has the wrong format for '
        "gitops.path; allowed: one such as platform/gpus, of letters, digits, dots, underscores "
        "and hyphens"
    )
    assert not (tmp_path / path).exists()


def test_its_first_steps_name_every_field_that_a_person_must_set(tmp_path: Path) -> None:
    write_example_repository(tmp_path, Provider.ONPREM)
    _, _, steps = (tmp_path / "README.md").read_text(encoding="utf-8").partition("## First steps")
    assert [one for one in ("`gitops.repository`", "`webhook.image`") if one not in steps] == []


def test_its_pages_link_to_no_file_that_it_lacks(tmp_path: Path) -> None:
    write_example_repository(tmp_path, Provider.ONPREM)
    pages = [tmp_path / "README.md", tmp_path / "docs" / "prerequisites.md"]
    links = {(page, link) for page in pages for link in re.findall(LINK, page.read_text("utf-8"))}
    assert [(page, link) for page, link in links if not (page.parent / link).exists()] == []
    assert (tmp_path / "README.md", "docs/prerequisites.md") in links


def test_the_steps_are_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(next_steps(Path("my platform"))) == [
        "cd 'my platform' && git init --initial-branch main",
        "gpuplane synth: it names each field that is still a placeholder, with its line; set them",
        (
            "make image push-image IMAGE=<registry>/gpuplane-webhook:<tag>, and set webhook.image "
            "in clusters/fleet.yaml to what it prints"
        ),
        "gpuplane synth, and commit clusters/ and dist/ together",
        "README.md: what the cluster must have, and how Argo CD starts",
    ]


def test_nobody_goes_to_the_folder_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert next(iter(next_steps(Path()))) == "git init --initial-branch main"


def test_they_begin_where_the_folder_is_in_git(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root, *_ = next_steps(tmp_path)
    assert root == f"cd {tmp_path}"
    folder = tmp_path / "gpus"
    steps = list(next_steps(folder))
    assert steps[:2] == [
        (
            f"cd {folder} (gitops.path is set to gpus; for a repository of its own, run git init "
            "there and set it to .)"
        ),
        (
            "move .github/, .gitlab/, .gitlab-ci.yml and CODEOWNERS to the root of that "
            "repository, and have the action of pull-request.yaml run here: "
            'with: {directory: "gpus"}'
        ),
    ]
