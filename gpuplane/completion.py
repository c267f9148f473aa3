"""The names that a shell offers to complete; it offers none where they cannot be read."""

from collections.abc import Iterator
from pathlib import Path

import typer

from gpuplane.platform_repository import PlatformRepository, find_repository


def complete_clusters(context: typer.Context, incomplete: str) -> list[str]:
    """Offer the clusters with a cluster file that the command does not name yet."""
    from charts_py.cluster_file.cluster_files import find_cluster_files
    from charts_py.cluster_file.fault import SpecError

    try:
        files = find_cluster_files(_repository(context).clusters).clusters
    except (OSError, SpecError):
        return []
    named = context.params.get("clusters") or ()
    return [
        each.stem for each in files if each.stem.startswith(incomplete) and each.stem not in named
    ]


def complete_versions(context: typer.Context, incomplete: str) -> list[str]:
    """Offer the rendered versions of the cluster that the command names."""
    try:
        rendered = _repository(context).dist / str(context.params.get("cluster") or "")
        return sorted(name for name in _versions(rendered) if name.startswith(incomplete))
    except OSError:
        return []


def complete_rules(incomplete: str) -> list[str]:
    from policies.rule_name import RuleName

    return [name.value for name in RuleName if name.value.startswith(incomplete)]


def complete_lint_rules(incomplete: str) -> list[str]:
    from gpuplane.lint.registry import RuleNames

    return [name for name in RuleNames().all if name.startswith(incomplete)]


def complete_providers(incomplete: str) -> list[str]:
    from gpus.provider import Provider

    return [known.value for known in Provider if known.value.startswith(incomplete)]


def complete_hardware(incomplete: str) -> list[str]:
    """Offer the providers with instance types, then the GPU models."""
    from gpus.catalog import load_catalog

    catalog = load_catalog()
    names = (*(provider.value for provider in catalog.instance_types), *catalog.models)
    return [name for name in names if name.startswith(incomplete)]


def complete_models(incomplete: str) -> list[str]:
    from gpus.catalog import load_catalog

    return [name for name in load_catalog().models if name.startswith(incomplete)]


def complete_kinds(incomplete: str) -> list[str]:
    from gpuplane.workloads.registry import BY_NAME

    return [name for name in BY_NAME if name.startswith(incomplete)]


def _versions(rendered: Path) -> Iterator[str]:
    from gpuplane.versions.record import RECORD_FILE

    return (each.name for each in rendered.iterdir() if (each / RECORD_FILE).is_file())


def _repository(context: typer.Context) -> PlatformRepository:
    # A command that is completed has no `context.obj`. Raises FileNotFoundError.
    return find_repository(Path(context.find_root().params.get("directory") or "."))
