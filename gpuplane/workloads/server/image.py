"""Images of engines: their authors' own, where the platform allows their registry."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.workloads.request import Request
from gpuplane.workloads.serving.engine import Engine
from policies.admission import today
from policies.image import read_image
from policies.rule_name import Mode, RuleName
from policies.rules.image_registry import is_from

_IMAGE = ("--image",)


def own_image(engine: Engine, platform: Platform, pool: PlatformPool) -> str:
    """Return the image of an engine for the GPUs of a pool; empty where none is known."""
    return platform.mirrors.of(engine.image) if pool.vendor == engine.vendors[0] else ""


def image_problems(request: Request) -> Iterator[Problem]:
    """Yield that an image has to be named, since no usual one can be used."""
    engine, registries = request.served.engine, request.settings.registries
    if not request.image:
        of_engine = f"{engine.title} for GPUs of {request.pool.vendor}" if engine else "the server"
        yield Problem(_IMAGE, "missing", f"an image of {of_engine}")
    elif engine is not None and _is_own(request, engine) and is_refused(request, request.image):
        what = f"missing, and {engine.title}'s own {request.image} is not from an allowed registry"
        yield Problem(_IMAGE, what, f"a copy of it below one of {', '.join(registries)}")


def _is_own(request: Request, engine: Engine) -> bool:
    return request.image == own_image(engine, request.platform, request.pool)


def is_refused(request: Request, image: str) -> bool:
    """Return whether its registry is not allowed in the namespace."""
    settings = request.settings
    mode = settings.mode_of(RuleName.IMAGE_REGISTRY, request.namespace.name, today())
    is_allowed = is_from(read_image(image), settings.registries)
    return mode is Mode.ENFORCE and bool(settings.registries) and not is_allowed


def vendor_problems(request: Request) -> Iterator[Problem]:
    engine, pool = request.served.engine, request.pool
    if engine is not None and pool.vendor not in engine.vendors:
        what = f"{engine.title} does not run on {pool.hardware.model.name} of pool {pool.name}"
        yield Problem(("--engine",), what, "another engine, or another pool")
