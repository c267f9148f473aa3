import importlib
import pkgutil

from policies import workloads
from policies.workloads.registry import WORKLOAD_KINDS, workload_kind
from policies.workloads.workload_kind import Author, WorkloadKind


def test_no_kind_is_in_the_table_twice() -> None:
    names = [(known.group, known.kind) for known in WORKLOAD_KINDS]
    assert names == sorted(set(names))


def test_every_module_of_kinds_is_in_the_table() -> None:
    modules = [
        module
        for _, name, _ in pkgutil.iter_modules(workloads.__path__)
        if name.endswith("_kinds")
        for module in [importlib.import_module(f"{workloads.__name__}.{name}")]
    ]
    found = [
        known
        for module in modules
        for value in vars(module).values()
        if isinstance(value, tuple)
        for known in value
        if isinstance(known, WorkloadKind)
    ]
    assert sorted(known.resource for known in found) == sorted(
        known.resource for known in WORKLOAD_KINDS
    )


def test_a_kind_is_looked_up_by_its_group_and_name() -> None:
    job = workload_kind("batch", "Job")
    volcano_job = workload_kind("batch.volcano.sh", "Job")
    assert job is not None
    assert volcano_job is not None
    assert job.templates != volcano_job.templates
    assert workload_kind("apps", "Job") is None


def test_a_team_creates_nothing_outside_of_its_namespaces() -> None:
    cluster_wide = {known.kind for known in WORKLOAD_KINDS if not known.is_namespaced}
    assert cluster_wide == {
        "ClusterAnalysisTemplate",
        "ClusterServingRuntime",
        "ClusterTrainingRuntime",
        "ClusterWorkflowTemplate",
        "WorkspaceKind",
    }
    assert {k.author for k in WORKLOAD_KINDS if not k.is_namespaced} == {Author.PLATFORM}
