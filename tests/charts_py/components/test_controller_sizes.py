"""The sizes of controllers, as the pinned charts render them on clusters of 10 to 4,000 nodes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.cluster_file.controllers import ControllerName, ControllerSize
from charts_py.cluster_file.quantity import bytes_of
from charts_py.components.chart import known_chart
from charts_py.components.controller_sizes import sized_controllers
from charts_py.components.registry import DEFINITIONS
from charts_py.objects.document import Document
from charts_py.platform.cluster_size import ClusterSize, cluster_size
from charts_py.platform.platform import Platform
from policies.document import value_at
from tests.charts_py.components.own_objects import own_objects
from tests.charts_py.fixture_types import DocumentsOf

NODES = (10, 1000, 4000)
GPUS = 8
STATED_MEMORY, STATED_CPU, STATED_REPLICAS = "7Gi", "3", 3
DISCOVERY = "node-feature-discovery"
OWN_REQUESTS = ("slurm-operator",)
"""Charts of whose resources `charts.yaml` says what holds."""
TABLE: Mapping[str, Mapping[str, Any]] = yaml.load(
    Path(__file__).with_name("controller_sizes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
OURS = ("training-operator", "webhook")
"""Controllers whose objects are the platform's own."""
BROUGHT = ("karpenter",)
"""What a cluster brings itself."""
PARTS_OF_KAI = {
    "kai-scheduler": "scheduler",
    "kai-binder": "binder",
    "kai-podgrouper": "podGrouper",
    "kai-podgroup-controller": "podGroupController",
}
"""Parts whose Deployments its operator makes, by the fields of the object Config."""
UNSPREAD = ("kai-operator",)
"""KAI has no value that spreads its operator."""

of_charts = pytest.mark.parametrize(
    ("name", "chart"),
    [(name, chart) for name, row in sized_controllers().items() for chart in row.at],
)


def with_nodes(platform: Platform, nodes: int) -> Platform:
    """Return a platform whose first pool has so many nodes, and whose first team all their GPUs."""
    first, *others = platform.pools
    range_ = first.spec.nodes.model_copy(update={"max": nodes})
    pool = replace(first, spec=first.spec.model_copy(update={"nodes": range_}))
    teams = dict(platform.cluster.teams)
    for team, space in [(each.team_name, each) for each in platform.namespaces][:1]:
        quota = space.spec.quota.model_copy(update={"gpus": {first.name: nodes * GPUS}})
        own = {space.name: space.spec.model_copy(update={"quota": quota})}
        spaces = {**teams[team].namespaces, **own}
        teams[team] = teams[team].model_copy(update={"namespaces": spaces})
    cluster = platform.cluster.model_copy(update={"teams": teams, "controllers": {}})
    return replace(platform, pools=(pool, *others), cluster=cluster)


def with_controllers(platform: Platform, stated: Mapping[str, ControllerSize]) -> Platform:
    named = {ControllerName(name): size for name, size in stated.items()}
    return replace(platform, cluster=platform.cluster.model_copy(update={"controllers": named}))


def documents_of(platform: Platform, rendered: DocumentsOf) -> Iterator[Document]:
    """Yield what Argo CD syncs of the controllers; charts that are not mirrored are left out."""
    own = own_objects(platform)
    for definition in DEFINITIONS:
        for component in definition.plan(platform):
            with suppress(pytest.skip.Exception):
                yield from rendered(component) if component.helm else own.get(component.name, ())


def containers(documents: Iterable[Document]) -> Iterator[tuple[Document, Document]]:
    """Yield each container of a Deployment, after that."""
    for each in documents:
        if each["kind"] == "Deployment":
            for container in each["spec"]["template"]["spec"]["containers"]:
                yield each, container


def memory_of(container: Document, kind: str) -> str:
    return str(((container.get("resources") or {}).get(kind) or {}).get("memory", "-"))


@pytest.mark.parametrize("cluster", TABLE)
def test_controllers_grow_with_the_cluster(
    cluster: str, platforms: Mapping[str, Platform], rendered: DocumentsOf
) -> None:
    found = dict[str, list[str]]()
    for nodes in NODES:
        platform = with_nodes(platforms[f"sample-{cluster}"], nodes)
        for deployment, container in containers(documents_of(platform, rendered)):
            replicas = deployment["spec"].get("replicas", "scaled")
            requested, most = (memory_of(container, kind) for kind in ("requests", "limits"))
            name = f"{deployment['metadata']['name']}/{container['name']}"
            found.setdefault(name, []).append(f"{replicas} x {requested} of {most}")
    assert {name: found[name] for name in TABLE[cluster]} == TABLE[cluster]
    of_others = {name for other, rows in TABLE.items() if other != cluster for name in rows}
    assert found.keys() - TABLE[cluster].keys() <= of_others


@pytest.fixture(scope="module")
def stated(
    platforms: Mapping[str, Platform], rendered: DocumentsOf
) -> Callable[[str, str], Iterator[tuple[Document, ...]]]:
    """Return the function that renders a chart of which a controller has a size of its own."""

    def render(name: str, chart: str) -> Iterator[tuple[Document, ...]]:
        size = ControllerSize(memory=STATED_MEMORY, cpu=STATED_CPU)
        if sized_controllers()[name].replicas:
            size = size.model_copy(update={"replicas": STATED_REPLICAS})
        for platform in platforms.values():
            for definition in DEFINITIONS:
                for each in definition.plan(with_controllers(platform, {name: size})):
                    if each.helm and each.helm.chart == chart:
                        yield rendered(each)

    return render


@of_charts
def test_what_is_stated_of_a_controller_lands_in_one_container(
    name: str, chart: str, stated: Callable[[str, str], Iterator[tuple[Document, ...]]]
) -> None:
    row = sized_controllers()[name]
    if name in PARTS_OF_KAI:
        documents = next(stated(name, chart))
        (config,) = (each for each in documents if each["kind"] == "Config")
        resources = config["spec"][PARTS_OF_KAI[name]]["service"]["resources"]
        assert resources["limits"]["memory"] == STATED_MEMORY
        assert resources["requests"]["cpu"] == STATED_CPU
        return
    kind = "limits" if row.states.limit else "requests"
    documents, (deployment, container) = next(
        (documents, found)
        for documents in stated(name, chart)
        for found in containers(documents)
        if memory_of(found[1], kind) == STATED_MEMORY
    )
    assert container["resources"]["requests"]["cpu"] == STATED_CPU
    assert [memory_of(each, kind) for _, each in containers(documents)].count(STATED_MEMORY) == 1
    if row.replicas is not None:
        # KEDA has those of what scales with requests.
        scaled = [each["spec"] for each in documents if each["kind"] == "ScaledObject"]
        fewest = {each["scaleTargetRef"]["name"]: each["minReplicaCount"] for each in scaled}
        replicas = fewest.get(deployment["metadata"]["name"]) or deployment["spec"]["replicas"]
        assert replicas == STATED_REPLICAS
        assert is_spread(deployment) is (name not in UNSPREAD)
        assert has_budget(deployment, documents) is any(
            "budget" in key.lower() or key == "pdb" for key in row.replicas.also
        )


def is_spread(deployment: Document) -> bool:
    """Return whether its replicas are kept on several hosts, by labels that they have."""
    template = deployment["spec"]["template"]
    affinity = value_at(template["spec"], ("affinity", "podAntiAffinity")) or {}
    terms = [
        *template["spec"].get("topologySpreadConstraints", ()),
        *(
            each["podAffinityTerm"]
            for each in affinity.get("preferredDuringSchedulingIgnoredDuringExecution", ())
        ),
    ]
    labels = template["metadata"]["labels"].items()
    return any(each["labelSelector"]["matchLabels"].items() <= labels for each in terms)


def has_budget(deployment: Document, documents: Iterable[Document]) -> bool:
    labels = deployment["spec"]["template"]["metadata"]["labels"].items()
    budgets = (each for each in documents if each["kind"] == "PodDisruptionBudget")
    return any(each["spec"]["selector"]["matchLabels"].items() <= labels for each in budgets)


@pytest.mark.parametrize("name", OURS)
def test_what_is_stated_of_a_controller_of_ours_lands_in_its_container(
    name: str, platforms: Mapping[str, Platform]
) -> None:
    size = ControllerSize(memory=STATED_MEMORY, cpu=STATED_CPU)
    own = own_objects(with_controllers(platforms["sample-operators"], {name: size}))
    ((_, container),) = containers(own[name])
    assert container["resources"]["limits"]["memory"] == STATED_MEMORY
    assert container["resources"]["requests"] == {"cpu": STATED_CPU, "memory": "4Gi"}


@pytest.mark.parametrize("cpu", ["2", "16"])
def test_what_is_requested_of_cpu_is_within_its_limit(
    cpu: str, platforms: Mapping[str, Platform]
) -> None:
    stated = with_controllers(platforms["sample-operators"], {"webhook": ControllerSize(cpu=cpu)})
    ((_, container),) = containers(own_objects(stated)["webhook"])
    found = [container["resources"][kind]["cpu"] for kind in ("requests", "limits")]
    assert found == [cpu, cpu]


def test_every_controller_has_a_row_and_a_name() -> None:
    assert [*sized_controllers()] == [*ControllerName, *BROUGHT]


@pytest.mark.parametrize("name", [n for n, row in sized_controllers().items() if row.reports])
def test_the_formula_holds_for_every_cluster_that_somebody_reported(name: str) -> None:
    row = sized_controllers()[name]
    for report in row.reports:
        size = ClusterSize(nodes=report.nodes, jobs=report.jobs, pods=report.pods)
        taken = row.memory.bytes_at(size)
        assert report.above is None or taken > bytes_of(report.above)
        assert report.within is None or taken <= bytes_of(report.within)


@of_charts
def test_what_a_chart_says_itself_is_what_the_table_says_of_it(
    name: str, chart: str, pinned_values: Callable[[str], Document]
) -> None:
    row = sized_controllers()[name]
    section = [key for key in row.at[chart].split(".") if key]
    if section[:1] == [DISCOVERY]:
        chart, section = DISCOVERY, section[1:]
    path = [*section, *row.resources.split(".")]
    said = value_at(pinned_values(chart), path) or {}
    if chart in ("kuberay-operator", "jupyterhub"):  # as charts.yaml has it
        said = value_at(known_chart(chart).values, path)
    if chart in OWN_REQUESTS or name in PARTS_OF_KAI:
        return
    found = (value_at(said, ("requests", "memory")), value_at(said, ("limits", "memory")))
    assert found == (row.states.request, row.states.limit)
    assert str(value_at(said, ("limits", "cpu")) or "") in (row.states.cpu_limit or "", "1000m")
    assert (found == (None, None)) is (row.states.least is not None)
    if row.replicas is not None:
        assert value_at(pinned_values(chart), [*section, *row.replicas.count.split(".")])


def test_nothing_is_two_that_elects_no_leader() -> None:
    assert {name for name, row in sized_controllers().items() if row.replicas} == {
        "agentgateway",
        "argo-rollouts",
        "cert-manager",
        "cert-manager-cainjector",
        "cert-manager-webhook",
        "compute-domains",
        "gateway",
        "jobset",
        "kai-operator",
        "keda-http-interceptor",
        "keda-http-scaler",
        "kubeflow-trainer",
        "kuberay-operator",
        "kueue",
        "leader-worker-set",
        "metrics-server",
        "nfd-master",
        "node-readiness-controller",
        "slurm-operator",
        "volcano-admission",
        "volcano-controllers",
        "volcano-scheduler",
    }
    assert all(bool(row.alone) is (row.replicas is None) for row in sized_controllers().values())


def test_what_namespaces_borrow_of_each_other_counts_once(
    platforms: Mapping[str, Platform],
) -> None:
    assert cluster_size(with_nodes(platforms["sample-large"], 1000)) == ClusterSize(
        nodes=1000, gpus=8000, namespaces=1, jobs=11_000, pods=11_000 + 16_100 + 16_000
    )
