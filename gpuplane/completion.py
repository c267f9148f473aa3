"""The names that a shell offers to complete; it offers none where they cannot be read.

Typer leaves out those that do not begin as the word does.
"""

from pathlib import Path

import typer

from gpuplane.platform_repository import PlatformRepository, find_repository


def complete_clusters(context: typer.Context, incomplete: str) -> list[str]:
    """Offer the clusters that the command does not name yet; their files where a path begins."""
    from charts_py.cluster_file.cluster_files import find_cluster_files
    from charts_py.cluster_file.fault import SpecError

    try:
        files = find_cluster_files(_repository(context).clusters).clusters
    except (OSError, SpecError):
        return []
    folder, slash, _ = incomplete.rpartition("/")
    if slash:
        return [f"{folder}/{each.name}" for each in files]
    named = context.params.get("clusters") or ()
    return [each.stem for each in files if each.stem not in named]


def complete_clusters_and_versions(context: typer.Context, incomplete: str) -> list[str]:
    """Offer clusters, and the versions of the one that was named last."""
    named = context.params.get("clusters") or ()
    versions = (_versions(context, each) for each in reversed(named))
    return [*complete_clusters(context, incomplete), *next(filter(None, versions), ())]


def _versions(context: typer.Context, cluster: str) -> list[str]:
    """Return the rendered versions of a cluster that is named by its name or its file."""
    from gpuplane.versions.record import RECORD_FILE

    try:
        rendered = _repository(context).dist / Path(cluster).name.removesuffix(".yaml")
        folders = (each for each in rendered.iterdir() if (each / RECORD_FILE).is_file())
        return sorted(each.name for each in folders)
    except OSError:
        return []


def complete_commands(context: typer.Context) -> list[str]:
    """Offer the commands; `commands` is that of the application."""
    return [*getattr(context.find_root().command, "commands", ())]


def complete_rules() -> list[str]:
    from policies.rule_name import RuleName

    return [name.value for name in RuleName]


def complete_lint_rules() -> list[str]:
    from gpuplane.lint.registry import RuleNames

    return list(RuleNames().all)


def complete_providers() -> list[str]:
    from gpus.provider import Provider

    return [known.value for known in Provider]


def complete_hardware() -> list[str]:
    """Offer the providers with instance types, then the GPU models."""
    from gpus.catalog import load_catalog

    catalog = load_catalog()
    return [*(provider.value for provider in catalog.instance_types), *catalog.models]


def complete_models() -> list[str]:
    from gpus.catalog import load_catalog

    return list(load_catalog().models)


def complete_kinds() -> list[str]:
    """Offer the kinds of workloads, and what else `gpuplane new` makes."""
    from gpuplane.workloads.registry import BY_NAME

    return [*BY_NAME, "route", "cluster"]


def _repository(context: typer.Context) -> PlatformRepository:
    # A command that is completed has no `context.obj`. Raises FileNotFoundError.
    return find_repository(Path(context.find_root().params.get("directory") or "."))
