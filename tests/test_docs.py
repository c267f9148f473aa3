"""The examples in the documentation do what it says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from charts_py.objects.bundled_node import use_bundled_node
from gpuplane.application import create_application
from tests.console import PROMPT, Step, blocks, steps
from upstream.kubeconform import find_kubeconform

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
READ_FIRST = [ROOT / "README.md", ROOT / "docs" / "getting-started.md"]
"""Who reads the second one has run the commands of the first."""
REFERENCE = ROOT / "docs" / "reference" / "command-line.md"
"""Says again what other pages say."""
LINKING_PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
NEEDS_A_CLUSTER = "no cluster is here"
NOT_RUN = {
    "argocd": NEEDS_A_CLUSTER,
    "kubectl": NEEDS_A_CLUSTER,
    "salloc": "nothing runs Slurm here",
    "srun": "nothing runs Slurm here",
    "aws": "no AWS account is here",
    "eksctl": "no AWS account is here",
    "gcloud": "no project of Google's is here",
    "for kind in": NEEDS_A_CLUSTER,
    "docker": "no daemon of containers is here",
    "cosign": "signs as somebody",
    "kustomize": "is not on every machine; what it prints are manifests as any others",
    "gpuplane bump models": "asks MLflow; tests/gpuplane/commands/ run it",
    "gpuplane new llm chat --weights models:/chat@champion": "likewise",
    "gpuplane cull": "asks servers in a cluster; tests/e2e/monitoring/ run it",
    "gpuplane repair": "asks a cluster; tests/e2e/in_tree/ run it",
    "gpuplane lint --helm": "needs Helm and a chart; tests/gpuplane/lint/ run it",
    "gpuplane import": "reads a cluster, or what was exported; tests/gpuplane/commands/ run it",
    "gpuplane init gpu-platform --from": "names what was built; tests/e2e/first_day/ run it",
    "gpuplane init gpu-platform --cluster": "wants a new folder; tests/gpuplane/commands/ run it",
    "gpuplane new cluster": "writes files that others render; tests/gpuplane/commands/ run it",
    "gpuplane new route": "wants a cluster with a Gateway; tests/gpuplane/workloads/ make some",
    "gpuplane lint manifests/ --diff": "ends with 1 where something would change; tests/ run it",
    "gpuplane mcp": "answers until its stdin ends; tests/gpuplane/commands/ ask it",
    "gpuplane docs --serve": "serves until it is stopped; tests/gpuplane/ ask it",
    "gpuplane playground": "serves until it is stopped; tests/gpuplane/commands/ start and stop it",
    "gpuplane prune": "asks on a terminal; tests/gpuplane/commands/ run it",
    "gpuplane release training inference": "wants changes of both; tests/gpuplane/ run it",
    "gpuplane remove": "wants a cluster that is not live; tests/gpuplane/ run it",
    "gpuplane serve": "serves until it is stopped; tests/webhook/ start and stop it",
    "gpuplane upstream": "reads what GPUPLANE_MIRROR or a network has; tests/upstream/ read it",
    "uv tool install": "wants a wheel; tests/e2e/argo_cd/ run it",
    "npm install": "wants a registry; tests/gpuplane/playground/ use what it installs",
    "pip download": "likewise",
    "jq": "is not on every machine; what it reads are lists that tests/gpuplane/ compare",
}
"""Commands, by how they begin, that no test runs as the pages write them, and why."""
_OWN = re.compile(
    r"""gpuplane\ (?P<arguments>[^|<>&;$*\n]*?)
    (?P<errors>2>(?:/dev/null|&1)\s*)?
    (?P<receiver>[|>].*)?""",
    re.VERBOSE | re.DOTALL,
)
"""A command of gpuplane alone, and what takes its output."""


def _commands(page: Path) -> list[str]:
    """Return the commands of which a page does not say what they print; a synopsis is none."""
    written = [*blocks(page, "sh"), *blocks(page, "console")]
    joined = "".join(each for each in written if not each.startswith(PROMPT)).replace("\\\n", "")
    bare = [re.sub(r"(^|\s+)#\s.*", "", line).strip() for line in joined.splitlines()]
    # No cluster takes it, but what prints it runs.
    lines = [re.sub(r"^(gpuplane .*) \| kubectl apply .*", r"\1", line) for line in bare]
    return [line for line in lines if line and "[OPTIONS]" not in line]


def _not_run(command: str) -> set[str]:
    """Return what keeps a command from being run: the beginnings of its parts that are listed."""
    parts = re.split(r"\s*(?:\||&&)\s*", command)
    return {begin for begin in NOT_RUN for part in parts if f"{part} ".startswith(f"{begin} ")}


def _finish(
    command: str, directory: Path, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with what it is given to read."""
    binaries = str(Path(sys.executable).parent)
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        input=given,
        # make says what it would do.
        env=os.environ | {"PATH": path, "MAKEFLAGS": "--dry-run"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _printed(command: str, directory: Path) -> str:
    _, printed = _ended(command, directory)
    return "\n".join(line.rstrip() for line in printed.strip().splitlines())


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone of the platform repository that one page after the other changes."""

    directory: Path
    git: Path
    """A copy of its `.git`, as no page has changed it."""

    def restore(self) -> None:
        """Take back what a page did: thousands of files stay as they are, which no page changes."""
        shutil.rmtree(self.directory / ".git")
        shutil.copytree(self.git, self.directory / ".git")
        _finish("git reset --quiet --hard && git clean -ffdxq", self.directory)


@pytest.fixture(scope="module")
def clone(
    tmp_path_factory: pytest.TempPathFactory,
    versions_rendered_once: None,  # noqa: ARG001 # has commands do so
) -> Clone:
    """Return a clone of the platform repository, on its main branch."""
    directory = tmp_path_factory.mktemp("clone")
    for folder in ("clusters", "dist", "examples", "requirements"):
        shutil.copytree(ROOT / folder, directory / folder)
    for file in ("Makefile", "pyproject.toml"):
        shutil.copyfile(ROOT / file, directory / file)
    identity = "-c user.name=test -c user.email=test@example.com"
    committed = f"git add -A && git {identity} commit -q -m Start && git repack -adq"
    _finish(f"git init -q -b main && {committed}", directory)
    git = tmp_path_factory.mktemp("git") / ".git"
    shutil.copytree(directory / ".git", git)
    return Clone(directory, git)


@pytest.fixture
def repository(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a clone of the platform repository, as its main branch is."""
    clone.restore()
    monkeypatch.chdir(clone.directory)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("GPUPLANE_CACHE", str(clone.git.parent / "cache"))
    use_bundled_node()
    # Where kubeconform is missing, the first command that validates says that it builds it.
    find_kubeconform()
    return clone.directory


_SESSIONS = [READ_FIRST, *([page] for page in PAGES if any(steps(page)) and page not in READ_FIRST)]


@pytest.mark.parametrize("pages", _SESSIONS, ids=lambda pages: " and ".join(p.name for p in pages))
def test_a_pages_commands_print_what_it_says(pages: list[Path], repository: Path) -> None:
    shown = [step for page in pages for step in steps(page)]
    assert [Step(step.command, _printed(step.command, repository)) for step in shown] == shown


_NAMED = {
    "job.yaml": "multi-gpu-job.yaml",
    "manifests/pod.yaml": "nvidia-smi.yaml",
    "pod.yaml": "nvidia-smi.yaml",
    "transformer.yaml": "training/transformer.yaml",
}
"""Files that pages name, and the examples that they are."""


_NAMED = {
    "job.yaml": "multi-gpu-job.yaml",
    "manifests/pod.yaml": "nvidia-smi.yaml",
    "pod.yaml": "nvidia-smi.yaml",
    "transformer.yaml": "training/transformer.yaml",
}
"""Files that pages name, and the examples that they are."""


@pytest.fixture
def named_repository(repository: Path) -> Path:
    """Return the copy with the branches and the files that pages name."""
    workload = "workloads: {services: {memory: 9Gi, average: 0.13}}\n"
    (repository / "workloads.yaml").write_text(workload, encoding="utf-8")
    for folder in ("manifests", "pinned"):
        (repository / folder).mkdir()
    for file, example in _NAMED.items():
        shutil.copyfile(ROOT / "examples" / example, repository / file)
    for branch in ("main", "trunk"):
        _finish(f"git update-ref refs/remotes/origin/{branch} HEAD", repository)
    return repository


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(not _not_run(command) for command in _commands(page))],
    ids=lambda page: page.name,
)
def test_the_other_commands_of_a_page_succeed(page: Path, named_repository: Path) -> None:
    elsewhere = _on_other_pages() if page == REFERENCE else set()
    run = [each for each in _commands(page) if not _not_run(each) and each not in elsewhere]
    ended = {command: _ended(command, named_repository) for command in run}
    assert {command: printed for command, (code, printed) in ended.items() if code} == {}


def _on_other_pages() -> set[str]:
    pages = [page for page in PAGES if page != REFERENCE]
    shown = {step.command for page in pages for step in steps(page)}
    return shown.union(command for page in pages for command in _commands(page))


def _ended(command: str, directory: Path) -> tuple[int, str]:
    """Return the exit code of a command, and what it printed.

    What gpuplane prints, into a pipe or a file too, it prints in this process, which saves the
    start of another.
    """
    own = _OWN.fullmatch(command)
    if own is None:
        done = _finish(command, directory)
        return done.returncode, done.stdout
    arguments = shlex.split(own["arguments"], comments=True)
    result = CliRunner().invoke(create_application(), arguments)
    if own["receiver"] is None:
        return result.exit_code, result.stdout if own["errors"] else result.output
    errors = (own["errors"] or "").strip()
    sent = result.output if errors == "2>&1" else result.stdout
    done = _finish(f"cat {own['receiver']}", directory, sent)
    return result.exit_code or done.returncode, ("" if errors else result.stderr) + done.stdout


def test_what_is_not_run_stands_on_some_page() -> None:
    commands = [command for page in PAGES for command in _commands(page)]
    assert set().union(*map(_not_run, commands)) == set(NOT_RUN)


def test_links_of_a_page_lead_somewhere() -> None:
    links = [(page, target) for page in LINKING_PAGES for target in _local_links(page)]
    assert [(page, to) for page, to in links if not (page.parent / to).exists()] == []


def _local_links(page: Path) -> list[str]:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#]+)", prose)
    return [target for target in targets if not target.startswith(("http://", "https://"))]


def test_links_to_a_heading_name_one_of_that_page() -> None:
    links = [(page, *link) for page in LINKING_PAGES for link in _links_to_headings(page)]
    lost = [
        (page.name, to, heading)
        for page, to, heading in links
        if heading not in _headings(page.parent / to if to else page)
    ]
    assert lost == []


def _links_to_headings(page: Path) -> list[tuple[str, str]]:
    text = page.read_text(encoding="utf-8")
    return re.findall(r"\]\((?!http)([^)#\s]*)#([^)\s]+)\)", text)


@cache
def _headings(page: Path) -> set[str]:
    """Return the names by which GitHub links to the headings of a page."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
