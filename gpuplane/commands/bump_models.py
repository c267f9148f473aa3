"""`gpuplane bump models`."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import Check, DryRun, MainBranch
from gpuplane.commands.next_promotions import OUTCOMES
from gpuplane.commands.registry_options import asked_registry
from gpuplane.commands.workload_options import Cluster
from gpuplane.errors import ExitCode
from gpuplane.terminal import print_patch, print_styled

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform
    from gpuplane.model_registry.moved_models import MovedModels, VersionOf


def bump_models(
    context: typer.Context,
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Manifests, or folders of them.")
    ],
    *,
    registry: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="MLflow; by default MLFLOW_TRACKING_URI, or the cluster's."
        ),
    ] = None,
    cluster: Cluster = None,
    check: Check = False,
    open_: Annotated[
        bool,
        typer.Option(
            "--open",
            help="In GitHub or GitLab CI: keep a pull request open for each alias that moves.",
        ),
    ] = False,
    dry_run: DryRun = False,
    main_branch: MainBranch = None,
) -> None:
    """Move manifests to the versions that aliases of the model registry name.

    ```console
    gpuplane bump models manifests/ --dry-run
    gpuplane bump models manifests/ -c training --open    # in CI, on a schedule
    ```

    `gpuplane new llm --weights models:/NAME@ALIAS` annotates pods with `gpuplane.io/model`,
    `gpuplane.io/model-version` and `gpuplane.io/model-source`. Once the alias names another
    version, the number, the source, and whatever else in the pod template names the source, move
    with it; comments stay (docs/model-registry.md). A version by its number, `models:/NAME/3`,
    stays. The cluster file says in which bucket MLflow keeps files; `--cluster` names it.

    `--open` reads manifests from the main branch, and keeps one pull request for each alias, from a
    branch `gpuplane/model-NAME@ALIAS`; it closes that once nothing moves any more. GITHUB_TOKEN or
    GITLAB_TOKEN may write the repository and its pull requests. MLFLOW_TRACKING_TOKEN, or
    MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, are shown to MLflow.
    """
    from gpuplane.model_registry.moved_models import model_manifests, move_models

    if open_ and (check or dry_run):
        raise typer.BadParameter("--open writes pull requests; it takes no --check or --dry-run")
    version_of = _versions(context, registry, cluster)
    if open_:
        _open(context.obj, paths, version_of, main_branch)
        return
    moved = move_models(Path(), model_manifests(Path(), paths), version_of)
    if dry_run:
        print_patch("".join(f"{line}\n" for line in moved.diff()))
        _print_left(moved)
    else:
        _print(moved)
    if moved.after and not (check or dry_run):
        _write(moved)
    if moved.left or (check and moved.moves):
        raise typer.Exit(ExitCode.FINDINGS)


def _versions(context: typer.Context, url: str | None, cluster: str | None) -> "VersionOf":
    from functools import cache

    return cache(asked_registry(_platform(context, cluster), url).version)


def _platform(context: typer.Context, cluster: str | None) -> "Platform | None":
    """Return the cluster that is named, or the only one; None where no file says of any."""
    from gpuplane.commands.named_clusters import only_cluster
    from gpuplane.commands.new import workload_platform
    from gpuplane.platform_repository import repository_of

    if cluster is not None:
        return workload_platform(context, cluster)
    try:
        repository_of(context)
        return workload_platform(context, only_cluster(context, "--cluster"))
    except (FileNotFoundError, typer.BadParameter):
        return None


def _print(moved: "MovedModels") -> None:
    for move in moved.moves:
        print_styled(str(move))
    _print_left(moved)
    if not moved.moves and not moved.left:
        print_styled("every manifest has the version that its alias names")


def _print_left(moved: "MovedModels") -> None:
    for left in moved.left:
        print_styled(f"left alone: {left}", err=True)


def _write(moved: "MovedModels") -> None:
    moved.write(Path())
    print_styled("next: commit it; a Rollout replaces a few replicas first")


def _open(
    directory: Path, paths: Iterable[Path], version_of: "VersionOf", main_branch: str | None
) -> None:
    from charts_py.cluster_file.cluster_files import path_in_checkout
    from gpuplane.pull_request.model_moves import open_moves
    from gpuplane.pull_request.proposal_hosts import proposal_host_of
    from gpuplane.versions.main_branch import MainBranch
    from gpuplane.versions.tree import DistError

    main = MainBranch(directory, main_branch).commit
    if main is None:
        raise DistError(
            "git knows no main branch here, which a pull request would be for; fetch it, or name "
            "one with --main-branch"
        )
    inside = [Path(path_in_checkout(path) or path) for path in paths]
    for each in open_moves(main, inside, version_of, proposal_host_of(os.environ, main)):
        _print(each.moved)
        if each.result is not None:
            print_styled(f"  pull request {OUTCOMES[each.result.outcome]}: {each.result.url}")
