"""The option that names the main branch, and the warning where there is none."""

from typing import Annotated

import typer

MainBranch = Annotated[
    str | None,
    typer.Option(
        metavar="REF",
        help="Git reference of the main branch; by default origin/HEAD, origin/main or main.",
        show_default=False,
    ),
]


def missing_main_branch() -> str:
    """Return the warning that git knows no main branch, so that nothing is protected."""
    from gpuplane.versions.main_branch import CANDIDATES

    return (
        f"warning: git has none of {', '.join(CANDIDATES)} here, so it is not known which versions "
        "are released; fetch the main branch "
        "(git fetch origin main:refs/remotes/origin/main), or name it with --main-branch"
    )
