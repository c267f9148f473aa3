from typing import Any

from msgspec.structs import replace

from policies.document import Document
from policies.finding import Severity
from policies.rules.node_resources import RULE
from tests.policies.conftest import SETTINGS, found, gpu_pod
from tests.rows import rows_beside

each_row = rows_beside(__file__, "node_resources.yaml")


def _findings(
    limits: Document, settings: Any, namespace: str = "plain"
) -> list[tuple[Severity, str]]:
    if "pools" in settings:
        settings = {"pools": tuple(replace(pool, others={}) for pool in SETTINGS.pools)}
    if "uncounted" in settings:
        settings = {"uncounted": tuple(settings["uncounted"])}
    findings = found(RULE, gpu_pod({"resources": {"limits": limits}}), namespace, **settings)
    return [(each.severity, f"{each.message} {each.remedy}") for each in findings]


@each_row("refused")
def test_what_cannot_be_had_is_refused(limits: Document, settings: Any, found: Any) -> None:
    assert _findings(limits, settings) == [(Severity.REFUSE, said) for said in found]


@each_row("warned")
def test_what_is_not_known_is_warned_of(limits: Document, settings: Any, found: Any) -> None:
    assert _findings(limits, settings) == [(Severity.WARN, said) for said in found]


@each_row("passing")
def test_what_a_node_has_passes(limits: Document, settings: Any, found: Any) -> None:
    assert _findings(limits, settings) == found


def test_what_no_queue_counts_is_not_refused_where_there_is_no_queue() -> None:
    limits = {"nvidia.com/gpu": 1, "smarter-devices/kvm": 1}
    ((severity, _),) = _findings(limits, {"uncounted": ["cpu"]}, "nobodys")
    assert severity is Severity.WARN


def test_it_is_what_the_scheduler_counts_of_all_containers_with_overhead() -> None:
    init = {"name": "load", "resources": {"requests": {"cpu": 192}}}
    sidecar = {"name": "log", "restartPolicy": "Always", "resources": {"requests": {"cpu": 1}}}
    half: Document = {"resources": {"limits": {"nvidia.com/gpu": 8, "cpu": 96}}}
    memory = {"emptyDir": {"medium": "Memory", "sizeLimit": "3Ti"}}
    for spec, count in (
        ({"initContainers": [init]}, 1),
        ({"initContainers": [sidecar]}, 0),
        ({"overhead": {"cpu": 96}}, 1),
        ({"resources": {"requests": {"cpu": 200}}}, 1),
        ({"volumes": [{"name": "shm", **memory}]}, 0),
    ):
        assert len(found(RULE, gpu_pod(half, **spec))) == count, spec
