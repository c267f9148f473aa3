"""The tools: each answers as the command line does, and none of them writes."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, RootModel

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.cluster_file.other_names import nearest_name
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.admission.loaded_rules import cluster_engine, cluster_platform
from gpuplane.admission.rule_text import rule_text
from gpuplane.file_content import file_content
from gpuplane.lint.formats.report_fields import report_fields
from gpuplane.lint.judged_file import judged_files
from gpuplane.lint.lint_run import LintTerms
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.registry import lint_rule_pages
from gpuplane.lint.report import SEVERITIES, LintReport, RuleSelection, merged_report
from gpuplane.plan.json_format import plan_fields
from gpuplane.plan.planning import PlanRequest, plan_change
from gpuplane.platform_repository import PlatformRepository
from gpuplane.playground.answer import Answer
from gpuplane.playground.cluster_facts import playground_cluster
from gpuplane.playground.platform_facts import platform_facts
from gpuplane.playground.playground_answer import playground_answer
from gpuplane.release.edited_tree import edited_tree, tree_to_compare
from gpuplane.versions.base import Base, find_base
from gpuplane.versions.comparison import DiffRequest, diff
from gpuplane.versions.difference_format import to_json
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree
from gpuplane.versions.tree import DistError, Tree, is_manifest, unknown
from gpus.nearest import nearest_hint
from policies.admission import today
from policies.custom.rules import custom_rules
from policies.rules import RULES
from policies.settings import Settings

MAX_FINDINGS = 50
"""A finding is about 150 tokens; mending the worst often mends others with them."""


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """A cluster."""

    name: str
    provider: str
    region: str | None
    kubernetes: str
    version: str
    """What a synth renders."""
    live: str | None
    """What Argo CD syncs; null where nothing is."""
    pools: tuple[str, ...]
    namespaces: Mapping[str, str]
    """The team of each."""


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A pool of a cluster."""

    name: str
    gpu: str
    """Model of its GPUs."""
    gpus_per_node: int
    instance_type: str | None
    """Null for machines of one's own."""
    purchase: str
    min_nodes: int
    max_nodes: int
    sharing: str
    resources: Mapping[str, int]
    """Allocations of each resource that a pod can ask a node for."""
    taints: tuple[str, ...]
    node_hour: float | None
    """What a node costs an hour; null where that is not known."""
    currency: str


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule on GPU pods."""

    name: str
    kind: str
    """`fix`, `refuse` or `warn`."""
    summary: str


class ManifestAnswer(RootModel[Answer]):
    """What admission does to a manifest; the SDK can make a schema of this."""


Cluster = Annotated[str, Field(description="Name of a cluster, as list_clusters has it.")]
ItsOwn = Annotated[
    str, Field(description="Name of a cluster whose own rules are meant, too; empty for none.")
]
Version = Annotated[
    str, Field(description="A rendered version; empty for the one that the cluster file names.")
]
Manifest = Annotated[str, Field(description="YAML or JSON of Kubernetes objects.")]
ManifestPath = Annotated[
    str, Field(description="A file of the repository, in the place of a manifest.")
]
Namespace = Annotated[
    str, Field(description="Takes the place of those that objects name; empty for none.")
]


@dataclass(frozen=True, slots=True)
class Tools:
    """The questions that a platform repository answers."""

    repository: PlatformRepository

    def all(self) -> tuple[Callable[..., Any], ...]:
        # In the order in which a client lists them.
        return (
            self.list_clusters,
            self.list_pools,
            self.list_rules,
            self.explain_rule,
            self.admit_manifest,
            self.lint_manifest,
            self.plan,
            self.list_objects,
            self.read_object,
            self.diff_versions,
        )

    def list_clusters(self) -> list[ClusterRow]:
        """List the clusters of the platform, with their pools, and namespaces by team."""
        platforms = load_platforms(find_cluster_files(self.repository.clusters))
        return [_cluster_row(platform) for platform in platforms]

    def list_pools(self, cluster: Cluster) -> list[PoolRow]:
        """List the node pools of a cluster: their GPUs, what pods ask them for, and prices."""
        platform = cluster_platform(self.repository.clusters, cluster)
        return [_pool_row(platform, pool) for pool in platform.pools]

    def list_rules(self, cluster: ItsOwn = "") -> list[RuleRow]:
        """List the rules that admission has for GPU pods, in the order in which they run."""
        own = custom_rules(self._settings(cluster)) if cluster else ()
        return [RuleRow(rule.name, rule.severity, rule.summary) for rule in (*RULES, *own)]

    def explain_rule(
        self,
        rule: Annotated[str, Field(description="Name of a rule, such as shared-memory.")],
        cluster: ItsOwn = "",
    ) -> str:
        """Explain a rule of admission or of the linter, with a problem and its correction."""
        own = self._settings(cluster).own if cluster else ()
        return rule_text(rule, own, lint_rule_pages())

    def admit_manifest(
        self,
        cluster: Cluster,
        manifest: Manifest = "",
        path: ManifestPath = "",
        namespace: Namespace = "",
    ) -> ManifestAnswer:
        """Show what admission of a cluster does to a manifest, without applying it.

        What its rules fix, refuse and warn of; the manifest with the fixes; which pools could hold
        its pods, and why others could not; quotas; and what the pods cost an hour.
        """
        text = self._manifest(manifest, path)
        facts = platform_facts(cluster_platform(self.repository.clusters, cluster))
        answer = playground_answer(playground_cluster(facts), text, namespace or None, today())
        return ManifestAnswer(answer)

    def lint_manifest(
        self,
        cluster: Cluster,
        manifest: Manifest = "",
        path: ManifestPath = "",
        namespace: Namespace = "",
    ) -> dict[str, Any]:
        """Find what is wrong with a manifest, at line and column, with JSON Patches that fix it.

        Besides what admission does, what only a manifest says: retries, queues, probes, versions.
        At most {max_findings} findings are listed, the worst first; `more` counts the others.
        """
        content = self._manifest(manifest, path).encode()
        sources = (LintSource(path or "manifest", content, is_file=bool(path)),)
        clusters = loaded_clusters(self.repository.clusters, (cluster,))
        found = judged_files(sources, clusters, LintTerms(today(), namespace or None))
        return bounded_fields(merged_report(sources, found, RuleSelection(), (cluster,)))

    def plan(
        self,
        clusters: Annotated[
            tuple[str, ...], Field(description="Names of clusters; empty for all.")
        ] = (),
        base: Annotated[
            str, Field(description="Git reference to compare with; empty for the main branch.")
        ] = "",
    ) -> dict[str, Any]:
        """Show what a change does to running clusters: how bad it is, GPUs out, cost, and why."""
        folders = (self.repository.clusters, self.repository.dist)
        here = edited_tree(*folders, clusters)
        request = PlanRequest(*folders, today(), tuple(clusters), self._base(base), here)
        return plan_fields(plan_change(request))

    def list_objects(self, cluster: Cluster, version: Version = "") -> list[str]:
        """List what a version of a cluster is rendered as: `<component>/<Kind>.<name>.yaml`."""
        return list(self._rendered(cluster, version))

    def read_object(
        self,
        cluster: Cluster,
        file: Annotated[str, Field(description="A file, as list_objects has it.")],
        version: Version = "",
    ) -> str:
        """Return one file of a rendered version: a Kubernetes object, in YAML."""
        files = self._rendered(cluster, version)
        if file not in files:
            # A version has too many files to name all of them.
            hint = nearest_hint(nearest_name(file, tuple(files)))
            what = f'unknown file "{file}"; allowed: those that list_objects has{hint}'
            raise DistError(what)
        return files[file].decode()

    def diff_versions(
        self,
        cluster: Cluster,
        old: Annotated[str, Field(description="Version; empty for the live one.")] = "",
        new: Annotated[str, Field(description="Version; empty for what is rendered.")] = "",
        base: Annotated[
            str, Field(description="Git reference to take the old side from; empty for the disk.")
        ] = "",
    ) -> list[dict[str, Any]]:
        """Show which objects differ between two rendered versions of a cluster, field by field."""
        folders = (self.repository.clusters, self.repository.dist)
        request = DiffRequest(*folders, cluster, old or None, new or None, self._base(base))
        return to_json(diff(replace(request, here=tree_to_compare(request))))

    def _base(self, reference: str) -> Base | None:
        return find_base(self.repository.directory, reference or None)

    def _manifest(self, manifest: str, path: str) -> str:
        if bool(manifest) == bool(path):
            raise DistError("give a manifest, or the path of one")
        return manifest or repository_text(self.repository.directory, path)

    def _settings(self, cluster: str) -> Settings:
        return cluster_engine(self.repository.clusters, cluster).settings

    def _rendered(self, cluster: str, version: str) -> Tree:
        """Return the manifests of a version by their paths; by default of the one in the file.

        Raises DistError for a cluster that no file names.
        """
        clusters = self.repository.clusters
        names = [file.stem for file in find_cluster_files(clusters).clusters]
        if cluster not in names:
            raise unknown("cluster", cluster, names, clusters)
        snapshot = ClusterSnapshot(WorkTree(), clusters, self.repository.dist, cluster)
        tree = snapshot.tree(version or snapshot.declared.version)
        return {path: content for path, content in tree.items() if is_manifest(path)}


def description(tool: Callable[..., Any]) -> str:
    return (inspect.getdoc(tool) or "").format(max_findings=MAX_FINDINGS)


def _cluster_row(platform: Platform) -> ClusterRow:
    cluster = platform.cluster
    return ClusterRow(
        name=platform.name,
        provider=cluster.provider.value,
        region=cluster.region,
        kubernetes=cluster.kubernetes,
        version=cluster.version,
        live=platform.live if platform.is_live else None,
        pools=tuple(pool.name for pool in platform.pools),
        namespaces={each.name: each.team_name for each in platform.namespaces},
    )


def _pool_row(platform: Platform, pool: PlatformPool) -> PoolRow:
    price = platform.price_of(pool)
    return PoolRow(
        name=pool.name,
        gpu=pool.hardware.model.product,
        gpus_per_node=pool.hardware.gpus,
        instance_type=pool.spec.instance_type,
        purchase=pool.spec.purchase.value,
        min_nodes=pool.min_nodes,
        max_nodes=pool.spec.nodes.max,
        sharing=pool.facts.sharing.kind.value,
        resources={resource.name: resource.per_node for resource in pool.facts.resources},
        taints=tuple(map(str, pool.facts.taints)),
        node_hour=None if price is None else price.node_hour,
        currency=platform.cluster.cost.currency,
    )


def bounded_fields(report: LintReport) -> dict[str, Any]:
    """Return the fields of a report with its worst findings, and the number of the others.

    Everything else in it counts all of them.
    """
    worst_first = sorted(report.findings, key=lambda each: SEVERITIES.index(each.severity))
    listed = replace(report, findings=tuple(worst_first[:MAX_FINDINGS]))
    return {
        **report_fields(report),
        "items": report_fields(listed)["items"],
        "more": max(0, len(report.findings) - MAX_FINDINGS),
    }


def repository_text(repository: Path, path: str) -> str:
    """Return the text of a file in the repository.

    Raises SpecError for one that lies elsewhere, by a link, too, for a hidden one, such as git's
    own, which may hold tokens, and for what is not UTF-8; FileNotFoundError where there is none.
    """
    folder = repository.resolve()
    if "\0" in path:
        raise _refusal(path.replace("\0", "\\0"), "holds a NUL", "a path in the repository")
    file = (folder / path).resolve()
    if not file.is_relative_to(folder):
        raise _refusal(path, "is outside of the platform repository", "a path in it")
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        raise _refusal(path, "is hidden", "a manifest")
    try:
        return file_content(file).decode()
    except UnicodeDecodeError as error:
        raise _refusal(path, "is not UTF-8", "a manifest") from error


def _refusal(path: str, what: str, allowed: str) -> SpecError:
    return SpecError([Fault(Mark(path, 1), Problem((), what, allowed))])
