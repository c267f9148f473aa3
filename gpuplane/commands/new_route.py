"""`gpuplane new route`."""

from typing import Annotated

import typer

from gpuplane.commands.arguments import Overwrite
from gpuplane.commands.new import print_workload, workload_platform
from gpuplane.commands.workload_options import Cluster, Explain, Name, Team, ToFile


def new_route(
    context: typer.Context,
    name: Name = None,
    *,
    to: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[pool/]NAME[:PORT][=WEIGHT]",
            help="Service or InferencePool; repeatable; by default Service NAME:80.",
        ),
    ] = None,
    hostname: Annotated[
        str | None, typer.Option(metavar="NAME", help="By default NAME.TEAM.DOMAIN.")
    ] = None,
    path: Annotated[
        str | None, typer.Option(metavar="PREFIX", help="What paths begin with; / by default.")
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="One that requests have; repeatable."),
    ] = None,
    timeout: Annotated[
        int | None,
        typer.Option(metavar="SECONDS", help="Until an answer is whole; 600 by default."),
    ] = None,
    cold_start: Annotated[
        int | None,
        typer.Option(metavar="SECONDS", help="More, for a server that may have no replica."),
    ] = None,
    cluster: Cluster = None,
    team: Team = None,
    namespace: Annotated[
        str | None,
        typer.Option("--namespace", "-n", help="One of inference; by default the team's first."),
    ] = None,
    explain: Explain = False,
    to_file: ToFile = None,
    overwrite: Overwrite = False,
) -> None:
    """Print the HTTPRoute by which a Gateway leads requests to servers.

    ```console
    gpuplane new route chat -c serving --team research
    gpuplane new route chat -c serving --team research --to chat=90 --to chat-2=10
    ```

    The Gateway is that of `serving.gateway` in the cluster file, and takes a route for
    hostnames of its team alone (docs/serving.md).
    """
    from gpuplane.workloads.route.asked import USUAL_TIMEOUT, AskedRoute
    from gpuplane.workloads.route.http_route import new_route

    if not name:
        raise typer.BadParameter("NAME is missing: give the route a name, such as chat")
    asked = AskedRoute(
        name=name,
        team=team,
        namespace=namespace,
        backends=tuple(to or ()),
        hostname=hostname,
        path="/" if path is None else path,
        headers=tuple(header or ()),
        timeout=USUAL_TIMEOUT if timeout is None else timeout,
        cold_start=cold_start,
    )
    workload = new_route(asked, workload_platform(context, cluster))
    print_workload(workload, to_file, explain=explain, overwrite=overwrite)
