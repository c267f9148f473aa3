from typing import Annotated

import typer

from gpuplane.commands.arguments import DryRun, warn_of_faults
from gpuplane.commands.named_clusters import Clusters
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_patch, print_styled


def bump(
    context: typer.Context,
    chart: Annotated[str, typer.Argument(metavar="CHART", help="Name of a chart.")],
    version: Annotated[str, typer.Argument(metavar="VERSION", help="As its project writes it.")],
    clusters: Clusters = None,
    *,
    dry_run: DryRun = False,
) -> None:
    """Move clusters to another version of a chart.

    ```console
    gpuplane bump gpu-operator v26.7.1             # all clusters
    gpuplane bump gpu-operator v26.7.1 training    # one of them
    gpuplane bump gpu-operator v26.7.0             # back to the tested version
    gpuplane help bump models                      # models that manifests serve
    ```

    It writes `charts.versions` into `clusters/fleet.yaml`, which all clusters share, and takes what
    cluster files state of that chart out of them; for named clusters, and without a
    `clusters/fleet.yaml`, into their own files. The version that gpuplane was tested with needs no
    field. Values and definitions of kinds stay those of the tested version: read the release notes,
    and what `gpuplane plan` says. Renovate moves the field by the preset `renovate/platform.json`.
    """
    from gpuplane.plan.pin_change import FOLDER, Pin, PinKind, committed_records, records_of
    from gpuplane.release.chart_bump import plan_bump

    repository = repository_of(context)
    records = (*records_of(repository.directory / FOLDER), *committed_records())
    found = plan_bump(repository.clusters, chart, version, tuple(clusters or ()))
    if dry_run:
        print_patch("".join(f"{line}\n" for line in found.diff()))
    else:
        found.write()
        for file in found.after:
            print_styled(f"{file}: written")
    if not found.moved:
        print_styled(f"every cluster installs {chart} {version} already")
        return
    warn_of_faults(found.warnings)
    for old in dict.fromkeys(found.clusters[name] for name in found.moved):
        if (Pin(PinKind.CHART, chart), old, version) not in {each.bump for each in records}:
            said = f"no record says what {chart} {old} to {version} changes"
            print_styled(f"note: {said}: read its release notes (docs/plan.md)", err=True)
    if not dry_run:
        print_styled(f"next: gpuplane release {' '.join(found.moved)}")
