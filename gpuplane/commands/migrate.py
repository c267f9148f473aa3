import typer

from gpuplane.commands.arguments import Check
from gpuplane.commands.named_clusters import Clusters
from gpuplane.errors import ExitCode
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

_STYLES = {"+": "green", "-": "red"}
_PAGE = "docs/upgrading.md"


def migrate(context: typer.Context, clusters: Clusters = None, *, check: Check = False) -> None:
    """Update cluster files to this version of gpuplane.

    ```console
    gpuplane migrate --check    # shows what would change
    gpuplane migrate
    gpuplane migrate training inference
    ```

    What changes is printed as a diff, of `clusters/fleet.yaml` as well, over which every cluster is
    laid. Comments, order and quotes stay. If writing fails, no file changes. Where a person has to
    decide, such as between two fields that state the same, the file stays as it is, and the others
    are migrated; its line and what is allowed are shown on stderr, with all else that is wrong with
    the files, and the exit code is 2, with `--check` as well. Migrating again changes nothing.

    What else changes with a version, and in which order to go on, is in docs/upgrading.md.
    """
    from charts_py.cluster_file.fault import SpecError
    from gpuplane.migration.migration import Migration

    migration = Migration(repository_of(context).clusters, tuple(clusters or ()))
    for line in migration.diff():
        print_styled(line, _STYLES.get(line[:1]))
    changed = len(migration.changed)
    if check:
        left = migration.remaining_unwritten()
    else:
        migration.write()
        left = migration.remaining()
    faults = (*migration.undecided, *left)
    if changed and check:
        typer.echo(f"files: {changed} to be migrated; run gpuplane migrate", err=True)
    elif changed or not faults:
        done = f"files: {changed} migrated" if changed else "nothing to migrate"
        print_styled(f"{done}; what else is new: {_PAGE}")
    if faults:
        raise SpecError(faults)
    if changed and check:
        raise typer.Exit(ExitCode.FINDINGS)
