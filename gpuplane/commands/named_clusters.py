"""Clusters that a command names: by their names, or by their files as a shell completes them."""

from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any

import typer

from gpuplane.completion import complete_clusters, complete_clusters_and_versions
from gpuplane.platform_repository import repository_of
from gpus.nearest import nearest, nearest_hint

_FILE_ENDS = (".yaml", ".yml")
_NAME_OR_FILE = "allowed: the name of a cluster, or its file"


def _is_version(name: str) -> bool:
    # Names of clusters have no dots.
    return "." in name and not _is_file(name)


def _is_file(name: str) -> bool:
    return "/" in name or name.endswith(_FILE_ENDS)


def cluster_name(context: typer.Context, given: str) -> str:
    """Return the name of a cluster that is given by it, or by its file.

    Raises BadParameter for a version, and for a file that is none of the repository's clusters.
    """
    if _is_version(given):
        raise typer.BadParameter(f"{given} is a version; name the cluster before it")
    if not _is_file(given):
        return given
    repository, file = repository_of(context), Path(given)
    folder = repository.clusters.resolve()
    if folder not in (each.resolve().parent for each in (file, repository.directory / file)):
        hint = nearest_hint(nearest(file.stem, _names(repository.clusters)))
        what = f"{given}: not in {repository.clusters}; {_NAME_OR_FILE} there{hint}"
        raise typer.BadParameter(what)
    if file.stem == "fleet":
        raise typer.BadParameter(f"{given}: what clusters share, and no cluster; {_NAME_OR_FILE}")
    return file.stem


def _names(folder: Path) -> list[str]:
    from charts_py.cluster_file.cluster_files import find_cluster_files

    return [each.stem for each in find_cluster_files(folder).clusters]


def only_cluster(context: typer.Context, by: str = "") -> str:
    """Return the only cluster of the repository; raise BadParameter where it has several.

    `by` is the option that names one, where there is one.
    """
    names = _names(repository_of(context).clusters)
    if len(names) > 1:
        raise typer.BadParameter(
            f"name the cluster{by and f' by {by}'}; allowed: {', '.join(names)}"
        )
    return names[0]


def each_once(context: typer.Context, given: list[str] | None) -> list[str] | None:
    if given is None or context.resilient_parsing:
        return given
    names = (cluster_name(context, each) for each in given)
    return list(dict.fromkeys(names))


def _with_version(context: typer.Context, given: list[str] | None) -> list[str] | None:
    return _before_versions(context, given, 1)


def _with_two_versions(context: typer.Context, given: list[str] | None) -> list[str] | None:
    return _before_versions(context, given, 2)


def _before_versions(
    context: typer.Context, given: list[str] | None, most: int
) -> list[str] | None:
    names, versions = split_versions(given, most)
    if not versions:
        return each_once(context, given)
    return [*(each_once(context, [*names]) or ()), *versions]


def named(context: typer.Context, given: str | None) -> str | None:
    if given is None or context.resilient_parsing:
        return given
    return cluster_name(context, given)


def _named_or_only(context: typer.Context, given: str) -> str:
    if context.resilient_parsing:
        return given
    return cluster_name(context, given) if given else only_cluster(context)


def clusters_argument(
    meaning: str,
    callback: Any = each_once,
    metavar: str = "CLUSTER...",
    completion: Any = complete_clusters,
) -> Any:
    """Return the argument for clusters, of which each counts once."""
    return typer.Argument(
        metavar=metavar,
        help=meaning,
        autocompletion=completion,
        callback=callback,
        show_default=False,
    )


def clusters_and_version(meaning: str) -> Any:
    """Return the argument for both, which `split_version` tells apart."""
    metavar = "[CLUSTER...] [VERSION]"
    return clusters_argument(meaning, _with_version, metavar, complete_clusters_and_versions)


def clusters_and_versions(meaning: str) -> Any:
    """Return the argument for clusters and two versions, which `split_versions` tells apart."""
    metavar = "[CLUSTER...] [OLD] [NEW]"
    return clusters_argument(meaning, _with_two_versions, metavar, complete_clusters_and_versions)


def split_version(named: list[str] | None) -> tuple[tuple[str, ...], str | None]:
    """Return the clusters, and the version that may stand behind them."""
    names, versions = split_versions(named, 1)
    return names, next(iter(versions), None)


def split_versions(
    named: list[str] | None, most: int = 2
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clusters, and the versions that may stand behind them."""
    names = tuple(named or ())
    count = sum(1 for _ in takewhile(_is_version, reversed(names[-most:])))
    return names[: len(names) - count], names[len(names) - count :]


def cluster_option(meaning: str, callback: Any = named) -> Any:
    """Return the option of commands whose arguments are something else."""
    return typer.Option(
        "--cluster",
        "-c",
        metavar="CLUSTER",
        help=meaning,
        autocompletion=complete_clusters,
        callback=callback,
        show_default=False,
    )


_ONLY = "by default the only one"

Clusters = Annotated[list[str] | None, clusters_argument("Names or files; all by default.")]
Cluster = Annotated[str, clusters_argument("Name or file.", named, "CLUSTER")]
ForCluster = Annotated[str, cluster_option(f"Name or file; {_ONLY}.", _named_or_only)]
"""Its default is empty."""
