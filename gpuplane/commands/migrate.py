"""`gpuplane migrate`."""

from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import Clusters
from gpuplane.exit_code import ExitCode
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from charts_py.spec.fault import Fault

Check = Annotated[
    bool, typer.Option("--check", help="Write nothing; check that there is nothing to migrate.")
]

_STYLES = {"+": "green", "-": "red"}
_PAGE = "docs/upgrading.md"


def migrate(context: typer.Context, clusters: Clusters = None, *, check: Check = False) -> None:
    """Move the fields of cluster files to where this version has them.

    What changes is printed as a diff, of `clusters/fleet.yaml` as well, over which every cluster is
    laid. Comments, order and quotes stay, and all files are written or none. Where a person has to
    decide, such as between two fields that state the same, the file stays as it is, and its line
    and what is allowed are told on stderr, with whatever else is wrong with the files; the exit
    code is then 2. Migrating again changes nothing.

    ```console
    gpuplane migrate --check    # shows what would change; exit code 1 where something would
    gpuplane migrate
    gpuplane migrate training inference
    ```

    What else changes with a version, and in which order to go on, is in docs/upgrading.md.
    """
    from charts_py.migration.migration import Migration

    migration = Migration(repository_of(context).clusters, tuple(clusters or ()))
    for line in migration.diff():
        print_styled(line, _STYLES.get(line[:1]))
    changed = len(migration.changed)
    if check:
        _report(migration.undecided)
        if changed:
            typer.echo(f"files: {changed} to be migrated; run gpuplane migrate", err=True)
            raise typer.Exit(ExitCode.FINDINGS)
    else:
        migration.write()
        _report((*migration.undecided, *migration.remaining()))
    done = f"files: {changed} migrated" if changed else "nothing to migrate"
    print_styled(f"{done}; what else is new: {_PAGE}")


def _report(faults: "Sequence[Fault]") -> None:
    from charts_py.spec.fault import SpecError

    if faults:
        raise SpecError(faults)
