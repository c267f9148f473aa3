"""A test of the network between nodes, as a JobSet: `all_reduce_perf` on all GPUs of each.

https://github.com/NVIDIA/nccl-tests at a0b82b22 (src/util.cu and doc/PERFORMANCE.md). The smallest
messages say nothing of the bandwidth, so that all have one size, that of the largest: the average
that nccl-tests prints is then what these reach. It fails below the same part of what is expected as
nccl-tests do by `NCCL_TESTS_MIN_BW`, of which they would print neither.
"""

from collections.abc import Iterator
from importlib.resources import files

from charts_py.cluster_file.fault import Problem
from charts_py.platform.fabric import is_whole, known_all_reduce, nccl_tests
from charts_py.platform.fabric_table import AllReduce
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.workloads import torchrun
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kinds import jobset
from gpuplane.workloads.lifetime import KEPT, KEPT_FOR_ITS_LOG, deadline
from gpuplane.workloads.metadata import queued
from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.network import network
from gpuplane.workloads.nvlink_domain import compute_domain
from gpuplane.workloads.placement import together
from gpuplane.workloads.pod_template import Container, gpu_pod
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpus.model import NVIDIA
from policies.settings import PodSecurity
from policies.workloads.job_label import JOB_SET

_ROLE = "node"
_PERCENT = 90
_UNKNOWN = 0.0
_LARGEST_GIB = 8
"""A message of this size has the full bandwidth of every network in the table."""
_COPIES = 4
"""`all_reduce_perf` keeps three of a message on each GPU, and NCCL buffers of its own."""


def build(request: Request) -> Iterator[Tree]:
    yield from compute_domain(request)
    template = jobset.job_template(request, _job(request))
    spec = {
        **KEPT,
        **jobset.pod_names("a name for each pod, by which they find the first one"),
        "replicatedJobs": [{"name": _ROLE, "replicas": 1, "template": template}],
    }
    yield queued(request, *jobset.JOB_SET_TYPE, spec)


def _job(request: Request) -> Tree:
    container = Container(
        name="nccl-test",
        command=_command(request),
        why_root="mpirun reaches the other pods by SSH, whose server takes root",
    )
    fields = {**KEPT_FOR_ITS_LOG, **together(request, JOB_SET.key)}
    first = {"rules": [{"succeededIndexes": "0"}]}
    return {
        **torchrun.indexed(request),
        "successPolicy": Because(first, "the first pod measures, and the others only serve it"),
        "backoffLimit": Because(0, "what was measured stands"),
        **deadline(request),
        "template": gpu_pod(request, container, fields, Mounted()),
    }


def _command(request: Request) -> list[Tree]:
    script, judge = (_text(name) for name in ("nccl_test.sh", "bus_bandwidth.awk"))
    host = jobset.first_pod(request, _ROLE).replace("-0-0.", "-0-%d.")
    program = nccl_tests(request.platform, request.pool).program
    expected = Because(f"{_expected(request):g}", "GB/s; 0 where nobody says what to expect")
    percent = Because(str(_PERCENT), "fails below this part of it")
    numbers = (str(request.nodes), str(request.gpus))
    given = (*numbers, host, program, _message(request), expected, percent, judge)
    return ["bash", "-c", script, "nccl-test", *given]


def _text(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _expected(request: Request) -> float:
    if request.expected is not None:
        return request.expected
    known = _known(request)
    return known.bus_bandwidth if known else _UNKNOWN


def _known(request: Request) -> AllReduce | None:
    """Return what is known of its nodes; None where its pods talk over TCP instead."""
    return None if network(request).missing else known_all_reduce(request.pool)


def _message(request: Request) -> str:
    """Return the size of messages: that of what is known, or what the GPU has room for."""
    known = _known(request)
    if known is not None:
        return known.message
    gib = request.pool.hardware.model.memory_mib // 1024 // _COPIES
    return f"{min(_LARGEST_GIB, 1 << (max(gib, 1).bit_length() - 1))}G"


def _problems(request: Request) -> Iterator[Problem]:
    if request.namespace.spec.pod_security is PodSecurity.RESTRICTED:
        what = f"{request.namespace.name} lets nothing run as root, as the server of SSH does"
        yield Problem(("--namespace",), what, "one with podSecurity baseline or privileged")


def _notes(request: Request) -> Iterator[str]:
    yield from jobset.without_job_set(request)
    known = _known(request)
    if request.expected is None and known is None:
        pool = request.pool
        yield (
            f"what pool {pool.name} reaches over {pool.hardware.interconnect} is not known: the "
            "test prints what it measures, and fails below --expected alone"
        )


def _pools(platform: Platform) -> tuple[PlatformPool, ...]:
    return tuple(pool for pool in platform.pools_of(NVIDIA) if is_whole(pool))


NCCL_TEST = Kind(
    name="nccl-test",
    summary="a test of the network between nodes, by all_reduce_perf",
    build=build,
    only_whole_nodes=True,
    pools=_pools,
    why_pools="NCCL is tested on whole NVIDIA GPUs",
    annotates_gang=True,
    has_program=False,
    hours=1,
    least_nodes=2,
    stores=False,
    image=lambda _, platform, pool: platform.mirrors.of(nccl_tests(platform, pool).image),
    problems=_problems,
    notes=_notes,
)
