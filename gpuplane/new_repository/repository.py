"""A new platform repository, which renders at once."""

import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FILE, path_in_checkout
from charts_py.cluster_file.gitops import ROOT, is_folder_in_repository
from charts_py.cluster_file.source import source_of
from charts_py.platform.placeholder import with_placeholders
from charts_py.platform.tool_version import tool_version
from gpuplane.new_repository.code_owners import CODE_OWNERS, code_owner_lines
from gpuplane.new_repository.new_cluster import NewCluster, checked_text, filled
from gpuplane.new_repository.source import InitError, Source
from gpuplane.reference.prerequisites_page import prerequisites_page
from gpuplane.reference.schema import schema_files
from gpuplane.versions.tree import write_entry

_ALLOWED = "a new folder, or one that is empty apart from .git"
_SHOWN = 3
PULL_REQUEST_ACTION = "pull-request-action.yaml"
GITLAB_PIPELINE = "gitlab.yaml"
_TEMPLATES = {
    "README.md": "README.md",
    "Makefile": "Makefile",
    "Dockerfile": "Dockerfile",
    "dockerignore": ".dockerignore",
    "gitattributes": ".gitattributes",
    "gitignore": ".gitignore",
    CODE_OWNERS: CODE_OWNERS,
    "vscode-extensions.json": ".vscode/extensions.json",
    PULL_REQUEST_ACTION: ".github/actions/pull-request/action.yaml",
    "dependabot.yml": ".github/dependabot.yml",
    "pull-request.yaml": ".github/workflows/pull-request.yaml",
    "promote.yaml": ".github/workflows/promote.yaml",
    "render.yaml": ".github/workflows/render.yaml",
    GITLAB_PIPELINE: ".gitlab/gpuplane.yaml",
    "gitlab-ci.yml": ".gitlab-ci.yml",
    "webhook-image.yaml": ".github/workflows/webhook-image.yaml",
    "gpuplane.txt": "requirements/gpuplane.txt",
    "fleet.yaml": f"clusters/{FLEET_FILE}",
}
"""Where each template goes, apart from that of the cluster."""
_LOCKS = ("platform.txt", "webhook.txt")
"""The packages that gpuplane needs to render and to serve, by hashes; `make lock` writes them."""
PREREQUISITES = "docs/prerequisites.md"
_LINK_TO_A_PAGE = re.compile(r" \(\[[^]]+\]\([a-z-]+\.md[^)]*\)\)")
"""A link, in brackets, to a page of gpuplane's own that a new repository does not have."""


def write_new_repository(directory: Path, cluster: NewCluster, source: Source) -> tuple[str, ...]:
    """Write the repository and return the paths in it, sorted.

    Raises FileExistsError for a folder that holds more than a git checkout's `.git`, and for a
    file of that name; InitError for one that gitops.path cannot name, and for a cluster that the
    platform refuses; OSError where it cannot be
    written. Nothing of it is there then.
    """
    contents, path = dict(source.files), _path(directory)
    values = {
        "@VERSION@": tool_version(),
        "@REQUIREMENT@": source.requirement,
        "@SOURCE@": source.description,
        "@PATH@": path,
        # Runs of one name and branch cancel each other.
        "@OF_PATH@": "" if path == ROOT else f" of {path}",
        "@INTO@": "" if path == ROOT else f"{path}/",
        "@OWNED@": code_owner_lines(path),
    }
    contents |= {path: text.encode() for path, text in _texts(cluster, values)}
    write_new_folder(directory, contents)
    return tuple(sorted(contents))


def _path(directory: Path) -> str:
    path = path_in_checkout(directory) or ROOT
    if not is_folder_in_repository(path):
        raise InitError(
            f'{directory}: "{path}", its path in the git repository, has the wrong format for '
            "gitops.path; allowed: one such as platform/gpus, of letters, digits, dots, "
            "underscores and hyphens"
        )
    return path


def _texts(cluster: NewCluster, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file, with values in the place of placeholders."""
    for template, path in _TEMPLATES.items():
        yield path, with_placeholders(_filled(template, values))
    fleet = source_of(with_placeholders(_filled("fleet.yaml", values)).encode(), FLEET_FILE)
    path = f"clusters/{cluster.file}"
    yield path, checked_text(cluster, Path(path), fleet)
    yield PREREQUISITES, _LINK_TO_A_PAGE.sub("", prerequisites_page())
    for name in _LOCKS:
        yield f"requirements/{name}", _text("locks", name)
    for name, text in schema_files().items():
        yield f"schemas/{name}", text


def pull_request_action() -> str:
    return _text("templates", PULL_REQUEST_ACTION)


def gitlab_pipeline() -> str:
    return _text("templates", GITLAB_PIPELINE)


def _filled(template: str, values: Mapping[str, str]) -> str:
    return filled(_text("templates", template), values)


def _text(folder: str, name: str) -> str:
    return (files("gpuplane.new_repository") / folder / name).read_text(encoding="utf-8")


def next_steps(directory: Path) -> Iterator[str]:
    """Yield a line for each step; README.md of the repository says more."""
    yield from _checkout_steps(directory)
    yield "gpuplane synth: it names each field that is still a placeholder, with its line; set them"
    yield (
        "make image push-image IMAGE=<registry>/gpuplane-webhook:<tag>, and set webhook.image in "
        f"clusters/{FLEET_FILE} to what it prints"
    )
    yield "gpuplane synth, and commit clusters/ and dist/ together"
    yield "README.md: what the cluster must have, and how Argo CD starts"


def _checkout_steps(directory: Path) -> Iterator[str]:
    """Yield what makes a folder a git repository, or a part of one that is there."""
    path, enter = path_in_checkout(directory), shlex.join(("cd", str(directory)))
    is_here = directory == Path()
    if path is None:
        yield f"{'' if is_here else f'{enter} && '}git init --initial-branch main"
    elif path == ROOT:
        yield from () if is_here else (enter,)
    else:
        yield (
            f"{enter} (gitops.path is set to {path}; for a repository of its own, run git init "
            "there and set it to .)"
        )
        yield (
            f"move .github/, .gitlab/, .gitlab-ci.yml and {CODE_OWNERS} to the root of that "
            "repository, and have the action of pull-request.yaml run here: "
            f'with: {{directory: "{path}"}}'
        )


def write_new_folder(directory: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by their paths below the folder; whatever fails, none of them stays.

    Raises FileExistsError where something is in the way, OSError where it cannot be written.
    """
    written: list[Path] = []
    try:
        _check_free(directory)
        # The first folder on the way that is not there yet, if any.
        way = (*reversed(directory.absolute().parents), directory.absolute())
        written += [path for path in way if not path.exists()][:1]
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".init-", dir=directory) as aside:
            write_entry(Path(aside), contents)
            for entry in sorted(Path(aside).iterdir()):
                written.append(entry.rename(directory / entry.name))
    except BaseException as error:
        for path in written:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            elif path.exists():
                path.unlink()
        if isinstance(error, OSError) and not isinstance(error, FileExistsError):
            message = f"{directory}: cannot be written: {error.strerror}; nothing was written"
            raise OSError(message) from error
        raise


def _check_free(directory: Path) -> None:
    if directory.is_symlink() or directory.exists():
        if not directory.is_dir():
            raise FileExistsError(f"{directory}: is not a folder; allowed: {_ALLOWED}")
        names = sorted(path.name for path in directory.iterdir() if path.name != ".git")
        if "clusters" in names:
            raise FileExistsError(
                f"{directory}: is a platform repository already, since it has clusters/; "
                f"allowed: {_ALLOWED}"
            )
        if names:
            more = ", ..." if len(names) > _SHOWN else ""
            held = f"holds {', '.join(names[:_SHOWN])}{more}"
            raise FileExistsError(f"{directory}: {held}; allowed: {_ALLOWED}")
