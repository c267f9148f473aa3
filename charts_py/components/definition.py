"""A definition states everything that anything else knows of a component."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Fault, Problem
from charts_py.components.alert_tables import NO_RULES, Rules
from charts_py.components.chart import Chart
from charts_py.components.component import Component, HelmRelease
from charts_py.components.controller_sizes import SIZE_FIELDS
from charts_py.components.network_rules import OperatorPods, operator_network_policy
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import NOTHING, Contribution, Controller, PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A component; each is stated by a module in `charts_py.components`.

    It is one Application, unless `parts` or `operator` says otherwise: a chart, or its objects.
    """

    name: str
    """Name of its folder in `dist`, and of its Application behind the cluster's."""
    description: str | None
    """For the reference: the docstring of its module."""
    appears: str
    """A phrase that says when it is part of a platform."""
    is_wanted: Callable[[Platform], bool] = lambda _: True
    """The same, of one platform."""
    fields: tuple[str, ...] = ()
    """Fields of the cluster file that steer it, as `addons.monitoring.interval`, beside those that
    steer every chart and every operator."""
    depends_on: tuple[str, ...] = ()
    """Names of components that must be synced before it where they are wanted, beside the one that
    makes its namespace."""
    wave: Wave
    namespace: str | PlatformNamespace = "default"
    """Namespace of the objects that name none: one of its own, or somebody else's by name."""
    charts: tuple[Chart, ...] = ()
    """The charts that it installs; without `parts`, one at most."""
    values: Callable[[Platform], Mapping[str, Any]] | None = None
    """Returns the values of its one chart, where the cluster file decides more of them than the row
    of the chart has filled in for all."""
    operator: OperatorPods | None = None
    """The pods of its one chart, where that brings no NetworkPolicy for them: they get one, in an
    Application of its own."""
    objects: Callable[[Platform], Iterable[Document]] | None = None
    """Returns its objects, where it is no chart."""
    registries: Callable[[Cluster], tuple[str, ...]] | None = None
    """Returns the registries of its images, where they are not those that its charts name."""
    ignore_differences: Callable[[Platform], tuple[Mapping[str, Any], ...]] = lambda _: ()
    """Fields of its own objects that the API server is known to fill in."""
    when_too_large: Callable[[Platform], str] = lambda _: ""
    """Returns what to do where one of its objects is too large for an API server."""
    removed_last: Callable[[Platform], bool] = lambda _: False
    """Whether all else is synced before it is removed, as where a person has to confirm that."""
    parts: Callable[[Platform], Iterator[Component]] | None = None
    """Yields its Applications, where they are not just one; none where it is nothing but what it
    adds to others."""
    checks: tuple[Callable[[Draft], Iterable[Problem]], ...] = ()
    """Checks of the cluster file."""
    worker_checks: tuple[Callable[[Draft, Sequence[Platform]], Iterable[Problem]], ...] = ()
    """Checks of the clusters that run its jobs, where MultiKueue has any do so."""
    warnings: Callable[[Platform], Iterable[Fault]] = lambda _: ()
    """Returns what renders, but does not run as it is."""
    scraped: Callable[[Platform], tuple[ScrapeTarget, ...]] = lambda _: ()
    """What Prometheus scrapes of it, where the cluster has monitoring; may read what all add."""
    rules: Rules = NO_RULES
    """What Prometheus records and alerts on of it, likewise."""
    contribution: Contribution = NOTHING
    """What it adds to objects of others wherever it is wanted, beside a namespace of its own."""
    contributes: Callable[[Platform], Contribution] | None = None
    """Returns what it adds besides, by the platform alone: what others add is not known yet."""

    @property
    def namespace_name(self) -> str:
        return self.namespace if isinstance(self.namespace, str) else self.namespace.name

    @property
    def steered_by(self) -> tuple[str, ...]:
        """Every field of the cluster file that steers it."""
        fields = list(self.fields)
        if self.operator:
            fields += ["addons.monitoring.prometheus", "addons.monitoring.namespace"]
            fields += ["webhook.apiServer"] * self.operator.has_webhooks
        if self.charts:
            fields += ["imagePullSecrets", "registries", "charts"]
        if any(chart.has_controllers for chart in self.charts):
            fields += SIZE_FIELDS
        return tuple(dict.fromkeys(fields))

    @property
    def synced_after(self) -> tuple[str, ...]:
        """Names of all components that must be synced before it where they are wanted."""
        own = self.namespace
        if isinstance(own, str) or own.made_elsewhere:
            return self.depends_on
        return ("lasting-namespaces" if own.goes_last else "namespaces", *self.depends_on)

    @property
    def adds_to_others(self) -> bool:
        return self.contributes is not None or self.added != NOTHING

    @property
    def added(self) -> Contribution:
        """What it adds to objects of others wherever it is wanted."""
        own = self.namespace
        namespaces = () if isinstance(own, str) else (own,)
        controllers = tuple(self._controllers())
        return Contribution(namespaces=namespaces, controllers=controllers) + self.contribution

    def _controllers(self) -> Iterator[Controller]:
        for chart in self.charts:
            for deployment, effect in chart.controllers.items():
                yield Controller(self.namespace_name, deployment, effect)
            yield from (Controller(self.namespace_name, each) for each in chart.schedulers)

    def plan(self, platform: Platform) -> Iterator[Component]:
        """Yield its Applications on a platform, none where it is not wanted."""
        if not self.is_wanted(platform):
            return
        if self.operator:
            yield self._network(platform, self.operator)
        yield from self.parts(platform) if self.parts else (self._one(platform),)

    def _network(self, platform: Platform, pods: OperatorPods) -> Component:
        policy = operator_network_policy(platform, ObjectMeta(self.name, self.namespace_name), pods)
        return Component(
            name=f"{self.name}-network",
            wave=self.wave,
            namespace=self.namespace_name,
            objects=lambda: (policy,),
        )

    def _one(self, platform: Platform) -> Component:
        return Component(
            name=self.name,
            wave=self.wave,
            namespace=self.namespace_name,
            objects=partial(_made, self.objects, platform) if self.objects else None,
            helm=self._release(platform),
            ignore_differences=self.ignore_differences(platform),
            when_too_large=self.when_too_large(platform),
            is_removed_last=self.removed_last(platform),
        )

    def _release(self, platform: Platform) -> HelmRelease | None:
        if not self.charts:
            return None
        (chart,) = self.charts
        values = self.values(platform) if self.values else chart.stated_values(platform)
        return chart.release(platform, values)


def rules_alone(
    name: str, description: str | None, fields: tuple[str, ...], rules: Rules
) -> Definition:
    """Return a component without an Application: its rules stand with those of the others."""
    return Definition(
        name=name,
        description=description,
        appears="unless the cluster leaves monitoring to others",
        is_wanted=lambda platform: platform.monitoring.prometheus is not None,
        fields=("addons.monitoring.prometheus", "addons.monitoring.serviceMonitors", *fields),
        wave=Wave.EXTENSIONS,
        parts=lambda _: iter(()),
        rules=rules,
    )


def _made(
    objects: Callable[[Platform], Iterable[Document]], platform: Platform
) -> tuple[Document, ...]:
    return tuple(objects(platform))
