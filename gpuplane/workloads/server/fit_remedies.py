"""What lets a model fit that does not: other pools, more GPUs, fewer bits or less at once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.workloads.place import Place, granted_pools, usual_place
from gpuplane.workloads.request import Request
from gpuplane.workloads.serving.fit import Split, fits, least_nodes, smallest, splits
from gpuplane.workloads.serving.language_model import BITS, LanguageModel
from gpus.instance_memory import device_memory


def had(request: Request) -> tuple[int, Split]:
    """Return the bytes of each GPU, or part of one, that a replica has, and how it is split."""
    return device_memory(request.pool.facts, request.resource), Split(request.gpus, request.nodes)


def fit_remedies(request: Request, model: LanguageModel) -> Sequence[str]:
    elsewhere, here = [*_elsewhere(request, model)], [*_here(request, model)]
    more = [] if elsewhere else [*_more_nodes(request, model)]
    return [*elsewhere, *here, *more] or ["a pool whose GPUs have more memory"]


def _here(request: Request, model: LanguageModel) -> Iterator[str]:
    """Yield what fits on the same GPUs: less at once helps only where the weights alone fit."""
    served = request.served
    if fits(replace(served.demand(model), kv_cache=None), *had(request)):
        yield "a smaller --context or --concurrency"
    fewer = (replace(model, precision=each) for each in BITS if BITS[each] < BITS[model.precision])
    if found := next((each for each in fewer if fits(served.demand(each), *had(request))), None):
        yield f"weights quantized to --precision {found.precision}"


def _more_nodes(request: Request, model: LanguageModel) -> Iterator[str]:
    (memory, split) = had(request)
    if not _spans_nodes(request) or request.resource.is_part:
        return
    demand = request.served.demand(model)
    if nodes := least_nodes(demand, memory, split.gpus):
        size = f"--gpus {split.gpus} --nodes {nodes}"
        yield f"more quota, or nodes, of pool {request.pool.name}: {size}"


def _elsewhere(request: Request, model: LanguageModel) -> Iterator[str]:
    """Yield the options with which it fits, each with the smallest split."""
    own = request.namespace
    said: set[tuple[str, str]] = set()
    for place in _places(request):
        room = place.room(_copies(request))
        ways = (each for each in splits(room) if each.nodes == 1 or _spans_nodes(request))
        found = smallest(request.served.demand(model), room, ways)
        at = place.namespace.name, place.pool.name
        if found is not None and at not in said:
            said.add(at)
            where = "" if place.namespace == own else f"--namespace {place.namespace.name} "
            yield f"{where}{_options(place, found)}"


def _copies(request: Request) -> int:
    """Return the replicas for which there has to be room."""
    return request.copies + (request.surge if request.prefill_replicas else 0)


def _spans_nodes(request: Request) -> bool:
    engine = request.served.engine
    return engine is not None and bool(engine.leader) and not request.prefill_replicas


def _options(place: Place, split: Split) -> str:
    usual = usual_place(place.platform, place.namespace, place.pool)
    resource = "" if place == usual else f" --resource {place.resource.name}"
    nodes = f" --nodes {split.nodes}" if split.nodes > 1 else ""
    spot = " (spot)" if place.pool.facts.spot_taint is not None else ""
    return f"--pool {place.pool.name}{resource} --gpus {split.gpus}{nodes}{spot}"


def _places(request: Request) -> Iterator[Place]:
    """Yield the places of the team on which its engine runs, those of its namespace first."""
    platform, engine, own = request.platform, request.served.engine, request.namespace
    of_team = [each for each in platform.namespaces if each.team_name == own.team_name]
    for namespace in sorted(of_team, key=lambda each: each != own):
        for pool in granted_pools(platform, namespace):
            for place in _offered(platform, namespace, pool):
                if engine is None or pool.vendor not in engine.vendors:
                    continue
                if engine.is_told_bytes or not place.resource.shared:
                    yield place


def _offered(platform: Platform, namespace: TeamNamespace, pool: PlatformPool) -> Iterable[Place]:
    """Return the places of a pool of which the namespace has a quota, the usual one first."""
    usual = usual_place(platform, namespace, pool)
    others = (Place(platform, namespace, pool, each) for each in pool.facts.resources)
    smallest_first = sorted(others, key=lambda each: each.resource.memory_mib)
    return [usual, *(each for each in smallest_first if each != usual and each.capacity.quota)]
