"""CODEOWNERS of a platform repository, which GitHub and GitLab read."""

import os
from collections.abc import Iterator
from pathlib import Path

from charts_py.cluster_file.cluster_files import checkout_folder
from charts_py.cluster_file.fault import Fault, Mark, Problem
from charts_py.cluster_file.gitops import ROOT
from gpuplane.file_content import file_content

CODE_OWNERS = "CODEOWNERS"
UNSET_OWNER = "@change-me/gpu-platform"
_AT_THE_ROOT = ("/.github/", "/.gitlab/", "/.gitlab-ci.yml", f"/{CODE_OWNERS}")
"""What says, beside the folder of the platform, what CI runs and who approves it."""
_UNSET = Problem(
    ("owner",),
    f"{UNSET_OWNER} is a placeholder",
    "the team that approves changes of the platform, such as @example/gpu-platform",
)


def code_owner_lines(path: str) -> str:
    """Return who approves what, of a platform at a path of its git repository."""
    owned = ("*",) if path == ROOT else (f"/{path}/", *_AT_THE_ROOT)
    return "\n".join(f"{pattern} {UNSET_OWNER}" for pattern in owned)


def unset_owners(directory: Path) -> Iterator[Fault]:
    """Yield each line that still has the placeholder, in the folder and at the checkout's root."""
    root = checkout_folder(directory) or directory
    above = () if root.samefile(directory) else (Path(os.path.relpath(root)),)
    for file in (folder / CODE_OWNERS for folder in (directory, *above)):
        if file.is_file():
            lines = file_content(file).decode("utf-8", errors="replace").splitlines()
            for number, line in enumerate(lines, start=1):
                if UNSET_OWNER in line.split():
                    yield Fault(Mark(str(file), number), _UNSET)
