"""A server of anything else on GPUs, such as Triton."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Purpose
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.mounted import Mounted, data, volume_claim
from gpuplane.workloads.pod_template import Container
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.cache import VOLUME, cache
from gpuplane.workloads.server.canary import canary_problems
from gpuplane.workloads.server.drain import drain, drain_problems, hook
from gpuplane.workloads.server.image import image_problems, own_image, vendor_problems
from gpuplane.workloads.server.notes import server_notes
from gpuplane.workloads.server.owned_options import port_problems
from gpuplane.workloads.server.ports import container_ports
from gpuplane.workloads.server.replicas import deployment, pod_labels
from gpuplane.workloads.server.sleep import sleep_problems
from gpuplane.workloads.server.start import probes
from gpuplane.workloads.serving.engine import (
    ENGINE,
    engine_problems,
    engines,
    language_model_engines,
)
from gpuplane.workloads.serving.language_model import bounded
from gpuplane.workloads.serving.served import Served

_MOST_REPLICAS, _LAST_PORT = 1000, 65535
_ENGINES = ("triton",)


def build(request: Request) -> Iterator[Tree]:
    yield from volume_claim(request, VOLUME, request.replicas)
    kept = cache(request) if request.checkpoint is not None else Mounted()
    fields = {**container_ports(request), **hook(request), **probes(request)}
    if request.program:
        fields["args"] = Because(list(request.program), "in place of the image's own")
    container = Container(
        name="server", command=_command(request), fields=fields, labels=pod_labels(request)
    )
    yield from deployment(request, container, kept + data(request))


def _command(request: Request) -> list[Tree]:
    engine = request.served.engine
    if engine is None or request.program:
        return []
    option, seconds = engine.options["drain"], drain(request).requests
    why = f"after SIGTERM it has {seconds} seconds for what it began"
    return [*engine.command, Because(f"{option}={seconds}", why)]


def _served(asked: Asked) -> Served:
    return Served(engines().get(asked.engine or ""), port=asked.port, drain=asked.drain)


def _values(asked: Asked) -> Iterator[Problem]:
    yield from bounded("--replicas", asked.replicas, _MOST_REPLICAS, least=0)
    yield from bounded("--port", asked.port, _LAST_PORT)
    if asked.engine is None:
        return
    if asked.engine in language_model_engines():
        yield Problem(ENGINE, f"{asked.engine} serves language models", "gpuplane new llm")
        return
    yield from engine_problems(asked.engine, _ENGINES)
    if asked.port is not None:
        yield Problem(("--port",), f"{asked.engine} has ports of its own", "one of both")
    if asked.engine == "triton" and asked.data is None and not asked.program:
        what = "missing, and Triton serves a repository of models"
        yield Problem(("--data",), what, "a claim that has it, or a program with its arguments")


def _image(asked: Asked, platform: Platform, pool: PlatformPool) -> str:
    engine = engines().get(asked.engine or "")
    return own_image(engine, platform, pool) if engine else ""


def _problems(request: Request) -> Iterator[Problem]:
    yield from vendor_problems(request)
    yield from port_problems(request)
    yield from image_problems(request)
    yield from drain_problems(request)
    yield from canary_problems(request)
    yield from sleep_problems(request)


SERVICE = Kind(
    name="service",
    summary="any other server, such as Triton",
    build=build,
    purposes=(Purpose.INFERENCE, Purpose.TRAINING, Purpose.NOTEBOOKS, Purpose.BATCH),
    spreads=False,
    whole_nodes=False,
    is_collective=False,
    program=(),
    hours=None,
    served=_served,
    volume=VOLUME,
    volume_size=lambda _: None,
    image=_image,
    values=_values,
    problems=_problems,
    notes=server_notes,
)
