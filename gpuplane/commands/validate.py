from typing import TYPE_CHECKING, Any

import typer

from gpuplane.commands.arguments import AsOutput, Output, Quiet, warn_of_faults, warn_of_older
from gpuplane.commands.named_clusters import Clusters
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, attributes, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import Table, print_table
from gpuplane.terminal import print_styled, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuplane.platform_repository import PlatformRepository
    from gpuplane.versions.validation import ValidationReport


def validate(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    quiet: Quiet = False,
    output: AsOutput = Output.TEXT,
) -> None:
    """Validate every object in dist/ with kubeconform.

    ```console
    gpuplane validate              # all clusters
    gpuplane validate training     # all versions of one
    gpuplane validate -o json | jq -r '.faults[].file'
    ```

    Strict and offline: an unknown field is an error, and so is a kind without a schema. Every
    version of a cluster is checked against the Kubernetes version that it was rendered for; the
    CustomResourceDefinitions in it provide the schemas of their kinds. kubeconform is built on
    first use where it is not on the PATH. Placeholders that are left in clusters/, and files there
    that were edited since they were rendered, are named on stderr.

    `-o json` prints a `Validation` of `{objects, kinds: [{apiVersion, kind, count}], faults:
    [{file, apiVersion, kind, name, message}]}`.
    """
    from gpuplane.versions.check import is_without_clusters
    from gpuplane.versions.validation import ValidationReport, validate

    repository = repository_of(context)
    is_empty = not clusters and is_without_clusters(repository.clusters, repository.dist)
    if is_empty:
        report = ValidationReport({}, (), 0, 0)
    else:
        with progress("validating", quiet=quiet) as finished:
            report = validate(repository.dist, clusters or (), finished)
        _warn(repository, clusters or ())
    if output is Output.JSON:
        print_report(ReportKind.VALIDATION, _fields(report))
    elif is_empty and not quiet:
        print_styled(f"{repository.clusters}: no cluster file, so nothing is validated")
    else:
        _print(report, quiet=quiet)
    if report.failures:
        raise typer.Exit(ExitCode.FINDINGS)


def _warn(repository: "PlatformRepository", names: "Sequence[str]") -> None:
    """Name what is wrong with clusters/; what cannot be read is reported by what reads it."""
    from charts_py.constructs.platform_warning import placeholders_left
    from gpuplane.versions.check import readable_platforms

    platforms = readable_platforms(repository.clusters, names)
    warn_of_faults(placeholders_left(platforms))
    warn_of_older(repository, platforms)


def _print(report: "ValidationReport", *, quiet: bool) -> None:
    from charts_py.cluster_file.fault import counted

    if not quiet and report.kinds:
        rows = ((kind or "none", version, str(n)) for (version, kind), n in report.kinds.items())
        print_table(Table(("Kind", "API version", "Objects"), tuple(rows), words=2))
    for failure in report.failures:
        print_styled(str(failure), "red")
    if not quiet:
        of_versions = counted(report.objects - report.beside, "object")
        found = f"{of_versions} of {counted(report.versions, 'version')}"
        beside = f", and {report.beside} of Argo CD" if report.beside else ""
        invalid = f"{len(report.failures)} invalid" if report.failures else "all valid"
        print_styled(f"{found}{beside}, {invalid}")


def _fields(report: "ValidationReport") -> dict[str, Any]:
    return {
        "objects": report.objects,
        "kinds": [
            {"apiVersion": api_version, "kind": kind, "count": count}
            for (api_version, kind), count in report.kinds.items()
        ],
        "faults": [
            attributes(each, "file", "api_version", "kind", "name", "message")
            for each in report.failures
        ],
    }
