"""A whole GPU platform as a construct, which `gpuplane synth` renders clusters through."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias, Unpack

import jsii
from cdk8s import App, Chart
from constructs import Construct, IValidation

from charts_py.argocd.application import NAME as APPLICATIONS
from charts_py.argocd.applications import (
    application_name,
    applications,
    argocd_config,
    planned_options,
)
from charts_py.argocd.health import CONFIG
from charts_py.argocd.project import Permissions, permissions_of, project
from charts_py.cluster_file.cluster_files import FLEET_FILE, list_cluster_files
from charts_py.cluster_file.fault import (
    Fault,
    FieldPath,
    Mark,
    Problem,
    RenderError,
    SpecError,
    dotted,
)
from charts_py.cluster_file.gitops import ArgoCdConfig
from charts_py.cluster_file.other_names import unknown_name
from charts_py.cluster_file.pool import Pool
from charts_py.cluster_file.team import Namespace, Team
from charts_py.components.gpu_operator.definition import GPU_OPERATOR
from charts_py.components.registry import DEFINITIONS, plan_components
from charts_py.components.scraping import with_monitor_labels
from charts_py.constructs.fields import (
    ClusterFields,
    TeamFields,
    check_part,
    content_of,
    describe,
    from_fields,
)
from charts_py.constructs.one_file import add_options, without_folders
from charts_py.constructs.parts import GpuOperator, Objects, PoolFacts, composed_parts
from charts_py.constructs.platform_warning import PlatformWarning, warn_of
from charts_py.extensions.patches import Patcher
from charts_py.load import load_platform
from charts_py.objects.kube_object import KubeObject, add_documents, documents_of
from charts_py.rendering.rendered_charts import ChartFolders
from charts_py.rendering.rendering import (
    ALONE,
    OtherVersions,
    PinnedChart,
    check_no_secrets,
    check_sizes,
)
from upstream.lock import UpstreamError

if TYPE_CHECKING:
    from charts_py.components.component import Component
    from charts_py.components.definition import Definition
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform, PlatformPool

PROJECT = "project"
"""The part that is the AppProject of the Applications."""


class AddedPool(PoolFacts):
    """A pool of a platform, with what follows from all that the platform has so far."""

    def __init__(self, platform: GpuPlatform, name: str) -> None:
        super().__init__(name)
        self._platform = platform

    @property
    def pool(self) -> PlatformPool:
        return self._platform.facts.pool(self.name)


class AddedTeam:
    """A team of a platform, to which namespaces are added."""

    def __init__(self, name: str, namespaces: dict[str, Namespace], changed: _Change) -> None:
        self.name = name
        self._namespaces = namespaces
        self._changed = changed
        """Is told of what is added beside what is there, and returns whose it is."""

    @property
    def namespaces(self) -> tuple[str, ...]:
        return tuple(self._namespaces)

    @from_fields(Namespace)
    def add_namespace(self, name: str, read: Callable[..., Namespace]) -> str:
        """Add a namespace by the fields of `Namespace`, and return its name.

        Raises SpecError where a field is wrong by itself, or some team has one of that name.
        """
        path = ("teams", self.name, "namespaces", name)
        self._namespaces[name] = read(self._changed(path, self._namespaces), path)
        return name


class GpuPlatform(Construct):
    """A cluster with everything that gpuplane renders for it: what `gpuplane synth` writes.

    The fields are those of a cluster file, with the same defaults, and are told the same where they
    are wrong. Pools and teams can be given or added later: the objects are made when the App is
    synthesized, or by `build`, from all that is known by then. Within a Chart they are objects of
    that Chart; directly in an App, each component is a Chart of its own.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str | None = None,
        directory: Path | None = None,
        facts: Platform | None = None,
        mirror: Path | None = None,
        syncs_folders: bool = True,
        warns: bool = True,
        **fields: Unpack[ClusterFields],
    ) -> None:
        """Describe a platform by fields, or by `facts` that were read from a cluster file.

        `name` is that of the cluster, by default the id. What `extensions` refer to stands in
        `directory`, by default the current one. `mirror` is a folder of pinned charts, which
        `gitops.charts: rendered` needs. Where `syncs_folders` is false, the Applications of the
        folders that `gpuplane synth` writes are left out, and those of charts stay, in no wave of
        their own. Where `warns` is false, there is no PlatformWarning as the App is synthesized.
        """
        super().__init__(scope, id)
        if facts and fields:
            what = f"{', '.join(fields)} beside facts"
            raise TypeError(f"{facts.name}: {what}; allowed: either facts or fields")
        self.name = facts.name if facts else name or id
        self.parts: dict[str, Objects] = {}
        """The objects by component, once they are made."""
        self.permissions = Permissions()
        """What the Applications need, likewise."""
        self.ignore_differences: tuple[Mapping[str, Any], ...] = ()
        """What Applications that are left out ignore, for the one that syncs the objects."""
        self.charts: tuple[PinnedChart, ...] = ()
        """The Helm charts that they install, likewise."""
        self._directory = directory
        self._pools: dict[str, Pool] = {**fields.get("pools", {})}
        self._teams: dict[str, Any] = {**fields.get("teams", {})}
        self._fields: dict[str, Any] = {**fields, "pools": self._pools, "teams": self._teams}
        self._given = facts
        self._facts = facts
        self._mirror = mirror
        self._syncs_folders = syncs_folders
        self._warns = warns
        self._scope = scope
        self._is_in_chart = any(Chart.is_chart(each) for each in scope.node.scopes)
        self._charts: dict[str, Chart] = {}
        self._failure: Exception | None = None
        self.node.add_validation(_Building(self))

    @classmethod
    def from_file(
        cls,
        scope: Construct,
        id: str,
        file: str | Path,
        *,
        fleet: str | Path | None = None,
        mirror: Path | None = None,
        syncs_folders: bool = True,
    ) -> Self:
        """Describe a platform by a cluster file; raise SpecError with every fault.

        `fleet` is what clusters share, by default the `fleet.yaml` beside the file, if any. Raises
        RenderError where either file is not there, and FileNotFoundError without its folder.
        """
        read, beside = Path(file), Path(file).parent / FLEET_FILE
        if not read.exists():
            known = [each.stem for each in list_cluster_files(read.parent).clusters]
            raise RenderError(unknown_name("cluster", read.stem, known, read.parent))
        shared = Path(fleet) if fleet is not None else beside if beside.is_file() else None
        if shared is not None and not shared.exists():
            raise RenderError(f"{shared}: no such file; allowed: a file with what clusters share")
        facts = load_platform(read, shared)
        return cls(scope, id, facts=facts, mirror=mirror, syncs_folders=syncs_folders)

    @property
    def facts(self) -> Platform:
        """What follows from all that is known so far; raises SpecError with every fault."""
        if self._facts is None:
            self._facts = describe(self.name, directory=self._directory, **self._fields)
        return self._facts

    @from_fields(Pool)
    def add_pool(self, name: str, read: Callable[..., Pool]) -> AddedPool:
        """Add a pool by the fields of `Pool`.

        Raises SpecError where a field is wrong by itself, or there is a pool of that name.
        """
        path = ("pools", name)
        self._pools[name] = read(self._changed(path, self._pools), path)
        return AddedPool(self, name)

    def add_team(self, name: str, /, **fields: Unpack[TeamFields]) -> AddedTeam:
        """Add a team, whose namespaces can be given or added later.

        Raises SpecError where a field is wrong by itself, or there is a team of that name.
        """
        path = ("teams", name)
        whose = self._changed(path, self._teams)
        given = fields.get("namespaces", {})
        check_part(Team, fields, whose, path, later=() if given != {} else ("namespaces",))
        namespaces = {**given}
        self._teams[name] = content_of(fields, Team) | {"namespaces": namespaces}
        return AddedTeam(name, namespaces, self._changed)

    def build(
        self, others: OtherVersions = ALONE, definitions: Iterable[Definition] = DEFINITIONS
    ) -> None:
        """Make the objects now, where that was not done yet; the App does it when it synthesizes.

        `others` is what other versions of the cluster need of its AppProject. Raises SpecError
        where a field or an extension is wrong, RenderError where a Secret would be written, an
        object is too large for an API server, or a chart cannot be rendered, and UpstreamError
        where Helm or a pinned chart is missing.
        """
        if self._failure is not None:
            raise self._failure
        if self.parts:
            return
        facts = self.facts
        try:
            self._build(facts, others, definitions)
        except Exception as error:
            # What is half made cannot be made again.
            self._failure = error
            raise

    def _build(
        self, platform: Platform, others: OtherVersions, definitions: Iterable[Definition]
    ) -> None:
        patcher, gitops = Patcher(platform), platform.cluster.gitops
        components = plan_components(platform, definitions)
        planned = tuple(applications(platform, components))
        composed = composed_parts(platform)
        for component in components:
            if component.objects is not None or component.construct is not None:
                added = _added(component, self._place(component.name), composed)
                labels = platform.monitoring.labels
                patched = patcher.apply(with_monitor_labels(_documents(added), labels))
                for each, document in zip(added, patched, strict=True):
                    each.document = document
                self.parts[component.name] = added
        if gitops.argocd_config is ArgoCdConfig.BOOTSTRAP:
            config = patcher.apply(tuple(argocd_config(platform)))
            self.parts[CONFIG] = add_documents(self._place(CONFIG), config)
        charts = ChartFolders(platform, components, self._mirror)
        synced = patcher.apply(planned)
        for name, found in charts.objects(synced).items():
            self.parts[name] = add_documents(self._place(name), patcher.apply(found))
        if not self._syncs_folders:
            for component in components:
                add_options(self.parts.get(component.name, ()), planned_options(component))
        folders = {name: _documents(added) for name, added in self.parts.items()}
        self.charts = tuple(_pinned_charts(platform, components, synced))
        self.permissions = permissions_of(components, folders, gitops)
        folders[APPLICATIONS] = charts.synced(synced)
        if not self._syncs_folders:
            kept, self.ignore_differences = without_folders(folders[APPLICATIONS], gitops)
            folders[APPLICATIONS] = kept
        place = self._place(APPLICATIONS)
        self.parts[APPLICATIONS] = _applications(platform, folders[APPLICATIONS], place)
        allowed = self.permissions | others.permissions
        patched = patcher.apply((project(platform.name, gitops.argocd_namespace, allowed),))
        self.parts[PROJECT] = add_documents(self._place(PROJECT), patched)
        patcher.check_all_matched()
        check_no_secrets(platform.name, folders)
        check_sizes(platform.name, folders, {each.name: each.when_too_large for each in components})

    def warn(self) -> None:
        """Give each PlatformWarning, unless that was done; the App does it when it synthesizes."""
        if self._warns:
            warn_of(self.facts)
            self._warns = False

    def documents(self) -> dict[str, tuple[Document, ...]]:
        """Build, and return what cdk8s writes of each component; empty within a Chart."""
        self.build()
        return {name: documents_of(each) for name, each in self._charts.items()}

    def _place(self, name: str) -> Construct:
        if self._is_in_chart:
            return Construct(self, name)
        if self._scope.node.try_find_child(name) is not None:
            remedy = "allowed: the platform in a Chart of its own"
            raise RenderError(f"{self.name}: the App has a construct {name} already; {remedy}")
        chart = Chart(self._scope, name, disable_resource_name_hashes=True)
        self._charts[name] = chart
        return chart

    def _changed(self, path: FieldPath, beside: Container[str]) -> str:
        """Note that something is added at a path beside others, and return whose it is."""
        if self._given is not None or self.parts:
            what = "is made already" if self.parts else "is described by a file"
            raise RenderError(f"{self.name}: {dotted(path)} comes too late: the platform {what}")
        if path[-1] in beside:
            problem = Problem(path, "already exists", "another name")
            raise SpecError([Fault(Mark(self.name, 0), problem)])
        is_namespace = path[2:] == ("namespaces", path[-1])
        for team, fields in self._teams.items() if is_namespace else ():
            if path[-1] in _namespaces_of(fields):
                what = f'namespace "{path[-1]}" already belongs to team {team}'
                problem = Problem(path, what, "one team per namespace")
                raise SpecError([Fault(Mark(self.name, 0), problem)])
        self._facts = None
        return self.name


_Change: TypeAlias = Callable[[FieldPath, Container[str]], str]


@jsii.implements(IValidation)
class _Building:
    """What cdk8s calls before it writes anything: it makes the objects, or says what is wrong."""

    def __init__(self, platform: GpuPlatform) -> None:
        self._platform = platform

    def validate(self) -> list[str]:
        try:
            self._platform.build()
            self._platform.warn()
        except SpecError as error:
            # cdk8s puts the path of the construct before what has no place in a file.
            return [str(each if each.mark.line else each.problem) for each in error.faults]
        except PlatformWarning as error:
            return [str(error).removeprefix(f"{self._platform.name}: ")]
        except (RenderError, UpstreamError) as error:
            return str(error).splitlines()
        return []


def _added(
    component: Component, scope: Construct, composed: dict[str, Callable[[Construct], Objects]]
) -> Objects:
    if (adds := composed.get(component.name)) is not None:
        return adds(scope)
    if component.construct is None:
        return add_documents(scope, tuple(component.objects() if component.objects else ()))
    # In a Chart of their own, a cluster's constructs name their objects alike in every App.
    chart = Chart(App(), component.name, disable_resource_name_hashes=True)
    component.construct(chart)
    return add_documents(scope, documents_of(chart))


def _applications(platform: Platform, documents: Iterable[Document], scope: Construct) -> Objects:
    objects: list[KubeObject] = []
    operator = f"{platform.name}-{GPU_OPERATOR.name}"
    for document in documents:
        if document["metadata"]["name"] == operator:
            made = GpuOperator(scope, GPU_OPERATOR.name, platform=platform, is_alone=False)
            made.objects[-1].document = document
            objects += made.objects
        else:
            objects += add_documents(scope, (document,))
    return tuple(objects)


def _pinned_charts(
    platform: Platform, components: Iterable[Component], synced: Iterable[Document]
) -> Iterator[PinnedChart]:
    """Yield the charts of components as their Applications name them, which a patch may change."""
    specs = {each["metadata"]["name"]: each.get("spec", {}) for each in synced}
    for component in components:
        if (helm := component.helm) is not None:
            source = specs.get(application_name(platform, component), {}).get("source", {})
            yield PinnedChart(
                name=source.get("chart", helm.chart),
                version=source.get("targetRevision", helm.version),
                repository=source.get("repoURL", helm.repository),
            )


def _namespaces_of(team: object) -> Container[str]:
    """Return the names of its namespaces; what is wrong with a team is told with all else."""
    given = team.get("namespaces") if isinstance(team, Mapping) else None
    given = team.namespaces if isinstance(team, Team) else given
    return given if isinstance(given, Mapping) else ()


def _documents(objects: Objects) -> tuple[Document, ...]:
    return tuple(each.document for each in objects)
